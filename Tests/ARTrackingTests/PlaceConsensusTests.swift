// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Sights of points around a camera, some of them false.
private struct SightedCloud {
    let camera = SampleCamera.phone.camera
    let worldFromOptical: RigidTransform
    /// The attitude but for a heading, and with up tilted.
    let levelFromOptical: Rotation
    var sights: [PlaceSight] = []

    /// - distances: from the camera, in metres.
    /// - distanceError: what is remembered of the distances from where the points were seen before, half a metre aside: a standard
    ///   deviation, as a share of them.
    init(
        _ random: inout TestRandom, count: Int, falseCount: Int, pixelDeviation: Double, tilt: Double,
        distances: ClosedRange<Double> = 0.5...4, distanceError: Double = 0
    ) throws {
        worldFromOptical = RigidTransform(
            rotation: Rotation(rotationVector: random.direction() * random.uniform(0...3)),
            translation: random.vector3(-3...3))
        let heading = Rotation(rotationVector: Vector3(0, random.uniform(-3...3), 0))
        let axis = random.uniform(-Double.pi...Double.pi)
        levelFromOptical =
            heading * Rotation(rotationVector: Vector3(cos(axis), 0, sin(axis)) * tilt) * worldFromOptical.rotation
        let before = worldFromOptical.translation + random.direction() * 0.5
        while sights.count < count {
            let size = SampleCamera.phone.imageSize
            let pixel = PixelPoint(
                random.uniform(10...Double(size.width - 10)), random.uniform(10...Double(size.height - 10)))
            let direction = try #require(camera.unproject(pixel))
            var point = worldFromOptical * (direction * random.uniform(distances))
            if sights.count < falseCount { point = worldFromOptical.translation + random.vector3(-3...3) }
            let deviation = (point - before) * distanceError
            point += deviation * (3.0.squareRoot() * random.uniform())
            let seen = PixelPoint(pixel.vector + random.vector2() * (pixelDeviation * 3.0.squareRoot()))
            sights.append(
                PlaceSight(
                    pixel: seen, direction: try #require(camera.unproject(seen)), pointInWorld: point,
                    deviationInWorld: deviation))
        }
        // True and false ones mixed.
        sights.shuffle(using: &random)
    }

    var refinement: PlaceRefinement {
        PlaceRefinement(
            camera: camera, upInOptical: levelFromOptical.inverse * Vector3(0, 1, 0), gravityDeviation: 0.015,
            pixelDeviation: 1)
    }
}

@Suite struct PlaceConsensusTests {
    /// With exact pixels and gravity, the pose comes out exactly, although three in five sights are false.
    @Test(arguments: 0..<20) func findsThePoseAmongFalseSights(number: Int) throws {
        var random = TestRandom(case: number)
        let cloud = try SightedCloud(&random, count: 60, falseCount: 36, pixelDeviation: 0, tilt: 0)
        var draws = SeededRandom(seed: 1, purpose: "test")
        let pose = PlaceConsensus(cloud.sights, levelFromOptical: cloud.levelFromOptical, limitRadians: 0.015)
            .bestPose(random: &draws)
        let worldFromLevel = try #require(pose)
        expectClose(
            worldFromLevel * RigidTransform(rotation: cloud.levelFromOptical), cloud.worldFromOptical, radians: 1e-6,
            metres: 1e-6)
    }

    @Test func fewSightsGiveNoPose() throws {
        var random = TestRandom()
        let cloud = try SightedCloud(&random, count: 1, falseCount: 0, pixelDeviation: 0, tilt: 0)
        var draws = SeededRandom(seed: 1, purpose: "test")
        let consensus = PlaceConsensus(cloud.sights, levelFromOptical: cloud.levelFromOptical, limitRadians: 0.015)
        #expect(consensus.bestPose(random: &draws) == nil)
    }
}

@Suite struct PlaceRefinementTests {
    /// From some centimetres and degrees off, to where exact sights say; gravity that is wrong by little gives way.
    @Test(arguments: 0..<20) func findsThePose(number: Int) throws {
        var random = TestRandom(case: number)
        let cloud = try SightedCloud(&random, count: 40, falseCount: 0, pixelDeviation: 0, tilt: 0.01)
        var start = cloud.worldFromOptical
        start.translation += random.vector3() * 0.05
        start.rotation = Rotation(rotationVector: random.vector3() * 0.03) * start.rotation
        let result = try #require(cloud.refinement.refined(start, with: cloud.sights))
        // The wrong gravity weighs as much as one sight by a pixel or so.
        expectClose(result.worldFromOptical, cloud.worldFromOptical, radians: 1e-3, metres: 3e-3)
    }

    /// Two sights leave two unknowns open, which gravity determines.
    @Test(arguments: 0..<20) func twoSightsAndGravityGiveThePose(number: Int) throws {
        var random = TestRandom(case: number)
        let cloud = try SightedCloud(&random, count: 2, falseCount: 0, pixelDeviation: 0, tilt: 0)
        var start = cloud.worldFromOptical
        start.translation += random.vector3() * 0.002
        start.rotation = Rotation(rotationVector: random.vector3() * 0.002) * start.rotation
        let result = try #require(cloud.refinement.refined(start, with: cloud.sights))
        expectClose(
            result.worldFromOptical.rotation * cloud.refinement.upInOptical, Vector3(0, 1, 0), tolerance: 1e-6)
        for sight in cloud.sights {
            #expect(cloud.refinement.error(of: sight, from: result.worldFromOptical) < 1e-3)
        }
    }

    /// The squared error over the covariance has the mean 6, that of six degrees of freedom, whether the points' places are exact
    /// or err by five or thirty pixels.
    @Test(arguments: [0, 0.02, 0.15]) func covarianceIsHonest(distanceError: Double) throws {
        var random = TestRandom(case: Int(100 * distanceError))
        let count = 200
        var sum = 0.0
        for _ in 0..<count {
            let cloud = try SightedCloud(
                &random, count: 40, falseCount: 0, pixelDeviation: 1, tilt: 0, distanceError: distanceError)
            let result = try #require(cloud.refinement.refined(cloud.worldFromOptical, with: cloud.sights))
            let turn = (cloud.worldFromOptical.rotation * result.worldFromOptical.rotation.inverse).rotationVector
            let way = cloud.worldFromOptical.translation - result.worldFromOptical.translation
            sum += try normalizedSquare(Twist(translation: way, rotation: turn), result.covariance)
        }
        // Uniform errors under robust weights: within a third of the mean.
        #expect((4...8).contains(sum / Double(count)), "the mean is \(sum / Double(count))")
    }

    /// Near sights among far ones hold the place, and may be false: what is known without them is known badly. Where all tell as
    /// much, a tenth of them makes little difference.
    @Test(arguments: 0..<20) func fewNearSightsAreDoubted(number: Int) throws {
        var random = TestRandom(case: number)
        func growth(_ far: SightedCloud, nearCount: Int) throws -> Double {
            var sights = far.sights
            let size = SampleCamera.phone.imageSize
            for _ in 0..<nearCount {
                let pixel = PixelPoint(
                    random.uniform(10...Double(size.width - 10)), random.uniform(10...Double(size.height - 10)))
                let direction = try #require(far.camera.unproject(pixel))
                sights.append(
                    PlaceSight(pixel: pixel, direction: direction, pointInWorld: far.worldFromOptical * direction))
            }
            let result = try #require(far.refinement.refined(far.worldFromOptical, with: sights))
            let rest = try #require(result.covarianceOfTheRest)
            return (rest.translationByTranslation.trace / result.covariance.translationByTranslation.trace).squareRoot()
        }
        let far = try SightedCloud(
            &random, count: 30, falseCount: 0, pixelDeviation: 0, tilt: 0, distances: 20...25)
        #expect(try growth(far, nearCount: 2) > 3)
        let even = try SightedCloud(&random, count: 30, falseCount: 0, pixelDeviation: 0, tilt: 0, distances: 2...2.5)
        #expect(try growth(even, nearCount: 0) < 1.5)
    }

    /// xᵀ P⁻¹ x, by elimination.
    private func normalizedSquare(_ error: Twist, _ covariance: Matrix6x6) throws -> Double {
        let positions = try #require(covariance.translationByTranslation.inverse)
        let gain = covariance.rotationByTranslation * positions
        let rest = covariance.rotationByRotation - gain * covariance.translationByRotation
        let turn = error.rotation - gain * error.translation
        return error.translation.dot(positions * error.translation) + turn.dot(try #require(rest.inverse) * turn)
    }
}
