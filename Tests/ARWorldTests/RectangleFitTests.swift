// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation
import TestSupport
import Testing
@testable import ARWorld

@Suite struct RectangleFitTests {
    private static func views(
        count: Int, spread: Double, deviation: Double, _ random: inout TestRandom
    ) -> [RectangleView] {
        let center = sampleCard.worldFromRectangle.translation
        return (0..<count).compactMap { number in
            let eye = stand(
                around: center, distance: 0.45, elevation: 0.8, azimuth: spread * Double(number) / Double(count))
            let frame = sampleFrame(from: eye, lookingAt: center)
            return sampleCard.quad(in: frame).map {
                RectangleView(
                    timestamp: frame.timestamp, worldFromOptical: frame.worldFromOptical, camera: frame.camera,
                    quad: $0.withNoise(deviation, &random), deviation: max(deviation, 0.1))
            }
        }
    }

    private static let guess = sampleCard.moved(by: [0.01, -0.02, 0.01, 0.1, -0.1, 0.2, 0.05, -0.1])

    /// Against numeric derivatives.
    @Test func cornersChangeWithTheShape() {
        for number in 0..<10 {
            var random = TestRandom(case: number)
            let shape = RectangleShape(
                worldFromRectangle: RigidTransform(rotation: random.rotation(), translation: random.vector3()),
                size: RectangleSize(width: random.uniform(0.1...1), height: random.uniform(0.1...1)))
            for corner in 0..<4 {
                let derivative = shape.derivative(ofCorner: corner)
                expectJacobian(
                    derivative, of: { (step: [Double]) in shape.moved(by: step).corners[corner] },
                    at: [Double](repeating: 0, count: 8))
            }
        }
    }

    @Test func cornersKeepTheirPlacesWhateverTheirNames() {
        for steps in -4...4 {
            let turned = sampleCard.turned(by: steps)
            for corner in 0..<4 {
                let same = sampleCard.corners[((corner + steps) % 4 + 4) % 4]
                #expect((turned.corners[corner] - same).length < 1e-12)
            }
            #expect((turned.normal - sampleCard.normal).length < 1e-12)
        }
    }

    /// Two views are enough, without a plane and without a size.
    @Test func viewsFixPlaceAndSize() throws {
        var random = TestRandom()
        let fit = RectangleFit(views: Self.views(count: 2, spread: 1, deviation: 0, &random))
        let found = try #require(fit.solved(from: Self.guess))
        for (a, b) in zip(found.shape.corners, sampleCard.corners) { #expect((a - b).length < 1e-8) }
        let triangulated = try #require(RectangleShape(triangulating: fit.views))
        for (a, b) in zip(triangulated.corners, sampleCard.corners) { #expect((a - b).length < 1e-8) }
        // From one stand, rays do not part.
        let same = [fit.views[0], fit.views[0]]
        #expect(RectangleShape(triangulating: same) == nil)
        #expect(RectangleShape(triangulating: [fit.views[0]]) == nil)
    }

    /// The errors of 200 draws, in deviations, as eight degrees of freedom have them.
    @Test func shapesScatterAsTheyShould() throws {
        var sum = 0.0
        let count = 200
        for number in 0..<count {
            var random = TestRandom(case: number)
            let fit = RectangleFit(views: Self.views(count: 6, spread: 0.8, deviation: 0.3, &random))
            let found = try #require(fit.solved(from: Self.guess))
            let truth = sampleCard.worldFromRectangle
            let place = truth.translation - found.shape.worldFromRectangle.translation
            let turn = (found.shape.worldFromRectangle.rotation.inverse * truth.rotation).rotationVector
            let error = [
                place.x, place.y, place.z, turn.x, turn.y, turn.z, log(sampleCard.size.width / found.shape.size.width),
                log(sampleCard.size.height / found.shape.size.height),
            ]
            let solved = try #require(found.covariance.choleskyFactor).solveByFactor(error)
            sum += zip(error, solved).reduce(0) { $0 + $1.0 * $1.1 } / Double(count)
        }
        // The covariance is never smaller than the scatter: a little too large on average. The mean is known to 0.3.
        #expect((6...9).contains(sum), "\(sum)")
    }

    /// A corner that is mistaken in one of eight views moves the others little.
    @Test func mistakesCountLittle() throws {
        var random = TestRandom()
        var views = Self.views(count: 8, spread: 0.8, deviation: 0.2, &random)
        views[3].quad.topLeft.x += 12
        let found = try #require(RectangleFit(views: views).solved(from: Self.guess))
        #expect(abs(found.shape.size.width / sampleCard.size.width - 1) < 0.01)
        for (a, b) in zip(found.shape.corners, sampleCard.corners) { #expect((a - b).length < 1e-3) }
    }

    /// One view and a plane; one view and a size.
    @Test func whatIsKnownBeforehandCounts() throws {
        var random = TestRandom()
        let views = Self.views(count: 1, spread: 0, deviation: 0, &random)
        var fit = RectangleFit(views: views)
        fit.plane = (Plane(worldFromPlane: sampleCard.worldFromRectangle), PlaneDeviation(offset: 0.01, tilt: 1e-3))
        let onPlane = try #require(fit.solved(from: Self.guess))
        for (a, b) in zip(onPlane.shape.corners, sampleCard.corners) { #expect((a - b).length < 1e-6) }
        // A centimetre below a camera that is 0.32 m above it.
        #expect(abs(onPlane.sizeDeviation / (0.01 / (0.45 * sin(0.8))) - 1) < 0.05)
        fit.plane = nil
        fit.knownSize = (sampleCard.size, 1e-3)
        let sized = try #require(fit.solved(from: Self.guess))
        for (a, b) in zip(sized.shape.corners, sampleCard.corners) { #expect((a - b).length < 1e-5) }
    }

    /// A size that is known is as good after the fit as in it.
    @Test func knowledgeCountsAfterwardsAsBefore() throws {
        var random = TestRandom()
        var fit = RectangleFit(views: Self.views(count: 3, spread: 0.1, deviation: 0.3, &random))
        let known = RectangleSize(width: sampleCard.size.width * 1.004, height: sampleCard.size.height * 0.997)
        let before = try #require(fit.solved(from: sampleCard))
        fit.knownSize = (known, 0.002)
        let expected = try #require(fit.solved(from: sampleCard))
        let found = try #require(before.knowing(known, deviation: 0.002))
        let change = zip(expected.shape.corners, before.shape.corners).map { ($0 - $1).length }.max() ?? 0
        let difference = zip(found.shape.corners, expected.shape.corners).map { ($0 - $1).length }.max() ?? 0
        #expect(change > 1e-3)
        #expect(difference < 0.05 * change, "\(difference) of \(change)")
        #expect(abs(found.sizeDeviation / expected.sizeDeviation - 1) < 0.2)
        #expect(found.sizeDeviation < 0.5 * before.sizeDeviation)
    }

    @Test func inversesOfMatrices() throws {
        for order in 1...8 {
            var random = TestRandom(case: order)
            var matrix = SquareMatrix(order: order)
            for _ in 0..<2 * order { matrix.add((0..<order).map { _ in random.uniform() }, weight: 1) }
            let factor = try #require(matrix.choleskyFactor)
            let inverse = factor.inverseByFactor
            for row in 0..<order {
                for column in 0..<order {
                    let product = (0..<order).reduce(0) { $0 + matrix[row, $1] * inverse[$1, column] }
                    #expect(abs(product - (row == column ? 1 : 0)) < 1e-9)
                }
            }
            var singular = SquareMatrix(order: order)
            singular.add([Double](repeating: 1, count: order), weight: 1)
            #expect(order == 1 || singular.choleskyFactor == nil)
        }
    }
}
