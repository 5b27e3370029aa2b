// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARTargets

@Suite struct PrintPoseTests {
    private let size = Vector2(0.2, 0.2)

    /// Corners move by the deviation times two over the root of the count of parts, as those of a print do whose parts
    /// move by the deviation.
    @Test func theCovarianceSaysHowFarPosesSpread() throws {
        var random = TestRandom(case: 5)
        let (quad, truth) = try corners(side: 200, turn: 0.4, tilt: 0.6)
        let (deviation, partCount) = (0.4, 64)
        let spread = 2 * deviation / Double(partCount).squareRoot()
        var (found, promised) = ((0.0, 0.0), (0.0, 0.0))
        func trace(_ matrix: Matrix3x3) -> Double { matrix[0, 0] + matrix[1, 1] + matrix[2, 2] }
        for _ in 0..<200 {
            let moved = PixelQuad(
                corners: quad.corners.map {
                    PixelPoint(
                        $0.x + spread * random.uniform(-1.732...1.732), $0.y + spread * random.uniform(-1.732...1.732))
                })
            let pixelFromPrint = try #require(moved.pixelFromUnitSquare)
            let pose = try #require(
                PrintPose(
                    pixelFromPrint: pixelFromPrint, physicalSize: size, camera: testCamera,
                    deviation: deviation, partCount: partCount))
            let error = ((RigidTransform.cameraFromOptical * truth) * pose.cameraFromTarget.inverse).twist
            found.0 += error.translation.squaredLength
            found.1 += error.rotation.squaredLength
            promised.0 += trace(pose.covariance.translationByTranslation)
            promised.1 += trace(pose.covariance.rotationByRotation)
        }
        // It is meant to be cautious, and never to promise too much.
        #expect((0.5..<4).contains(promised.0 / found.0), "\(promised.0 / found.0)")
        #expect((0.5..<4).contains(promised.1 / found.1), "\(promised.1 / found.1)")
    }

    @Test func misfitsMakePosesUncertain() throws {
        let (quad, _) = try corners(side: 200, turn: 0.4, tilt: 0.6)
        func covariance(_ quad: PixelQuad) throws -> Double {
            let pixelFromPrint = try #require(quad.pixelFromUnitSquare)
            let pose = PrintPose(
                pixelFromPrint: pixelFromPrint, physicalSize: size, camera: testCamera,
                deviation: 0.1, partCount: 64)
            return try #require(pose).covariance.translationByTranslation[2, 2]
        }
        var bent = quad.corners
        bent[0] = PixelPoint(bent[0].x + 12, bent[0].y + 9)
        #expect(try covariance(PixelQuad(corners: bent)) > 10 * covariance(quad))
    }
}
