// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation
import TestSupport
import Testing
@testable import ARWorld

/// Rectangles of known size, by their perspective alone.
@Suite struct RectangleSolutionsTests {
    /// A card before a camera, from up to `tilt` aside.
    private static func frame(
        _ distance: Double, tilt: Double, through camera: SampleCamera = .phone, _ random: inout TestRandom
    ) -> TrackedFrame {
        let center = sampleCard.worldFromRectangle.translation
        let eye = stand(
            around: center, distance: distance, elevation: .pi / 2 - tilt, azimuth: random.uniform(0...2 * Double.pi))
        return sampleFrame(from: eye, lookingAt: center + 0.02 * random.vector3(), through: camera)
    }

    /// Up to 75° aside, through any lens.
    @Test(arguments: SampleCamera.all) func thePoseIsFound(camera: SampleCamera) throws {
        for number in 0..<20 {
            var random = TestRandom(case: number)
            let frame = Self.frame(
                random.uniform(0.3...0.8), tilt: random.uniform(0.05...1.3), through: camera, &random)
            let quad = try #require(sampleCard.quad(in: frame))
            let solutions = try #require(
                RectangleSolutions(quad, size: sampleCard.size, in: frame, cornerDeviation: 0.1))
            let best = solutions.best.rectangle
            for (a, b) in zip(best.corners, sampleCard.corners) { #expect((a - b).length < 1e-5, "\(number)") }
            #expect(solutions.best.errorPixels < 1e-3)
            #expect(abs(best.size.width - sampleCard.size.width) < 1e-6)
            if let other = solutions.other { #expect(other.errorPixels >= solutions.best.errorPixels) }
        }
    }

    /// Where the wrong attitude is preferred, that is said before; and near enough, it is known.
    @Test func ambiguitiesAreTold() throws {
        var (wrong, unannounced, ambiguous) = (0, 0, 0)
        for number in 0..<300 {
            var random = TestRandom(case: number)
            let frame = Self.frame(random.uniform(1...4), tilt: random.uniform(0.3...1), &random)
            let quad = try #require(sampleCard.quad(in: frame)).withNoise(0.3, &random)
            let solutions = try #require(RectangleSolutions(quad, size: sampleCard.size, in: frame))
            let truth = sampleCard.worldFromRectangle.rotation
            let best = solutions.best.rectangle.worldFromRectangle.rotation.angle(to: truth)
            let isWrong = solutions.other.map {
                $0.rectangle.worldFromRectangle.rotation.angle(to: truth) < best
            }
            if isWrong ?? false { wrong += 1 }
            if isWrong ?? false, !solutions.isAmbiguous { unannounced += 1 }
            if solutions.isAmbiguous { ambiguous += 1 }
        }
        #expect(wrong > 10, "the task must be hard enough: \(wrong)")
        #expect(unannounced <= 3, "\(unannounced) of 300")
        #expect(ambiguous < 250)
        for number in 0..<50 {
            var random = TestRandom(case: number)
            let frame = Self.frame(0.3, tilt: random.uniform(0.5...1), &random)
            let quad = try #require(sampleCard.quad(in: frame)).withNoise(0.2, &random)
            let solutions = try #require(
                RectangleSolutions(quad, size: sampleCard.size, in: frame, cornerDeviation: 0.2))
            #expect(!solutions.isAmbiguous)
        }
    }

    /// The place's covariance is that of the errors: the squared distances of 300 draws, each of three degrees of freedom.
    @Test func cornersScatterAsTheyShould() throws {
        var sum = 0.0
        let count = 300
        for number in 0..<count {
            var random = TestRandom(case: number)
            let frame = Self.frame(0.4, tilt: 0.8, &random)
            let quad = try #require(sampleCard.quad(in: frame)).withNoise(0.2, &random)
            let solutions = try #require(
                RectangleSolutions(quad, size: sampleCard.size, in: frame, cornerDeviation: 0.2))
            let error = solutions.best.rectangle.corners[1] - sampleCard.corners[1]
            let inverse = try #require(solutions.best.rectangle.cornerCovariances[1].inverse)
            sum += error.dot(inverse * error) / Double(count)
        }
        #expect((2...4).contains(sum), "\(sum)")
    }

    @Test func whatIsNoRectangleHasNoPose() throws {
        var random = TestRandom()
        let frame = Self.frame(0.5, tilt: 0.5, &random)
        let quad = try #require(sampleCard.quad(in: frame))
        #expect(RectangleSolutions(quad, size: sampleCard.size, in: frame) != nil)
        let reversed = PixelQuad(corners: quad.corners.reversed())
        #expect(RectangleSolutions(reversed, size: sampleCard.size, in: frame) == nil)
        let point = PixelQuad(corners: [PixelPoint](repeating: quad.topLeft, count: 4))
        #expect(RectangleSolutions(point, size: sampleCard.size, in: frame) == nil)
        #expect(RectangleSolutions(quad, size: RectangleSize(width: 0, height: 1), in: frame) == nil)
    }
}
