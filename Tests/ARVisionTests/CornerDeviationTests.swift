// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
@testable import ARVision
import CVision
import Foundation
import TestSupport
import Testing

/// Where two sides meet, and how well it is known.
@Suite struct CornerDeviationTests {
    private static func side(from start: Vector2, along angle: Double, deviation: Double) -> CVisionEdgeFit {
        var fit = CVisionEdgeFit()
        (fit.start_x, fit.start_y) = (start.x, start.y)
        (fit.end_x, fit.end_y) = (start.x + 100 * cos(angle), start.y + 100 * sin(angle))
        fit.deviation_px = Float(deviation)
        fit.count = 50
        return fit
    }

    /// Against the corner's motion when each side is shifted across by its deviation, in the worst of many directions.
    @Test(arguments: 0..<50) func itIsTheOneInTheWorstDirection(number: Int) {
        var random = TestRandom(case: number)
        let (first, angle) = (random.uniform(0...6), random.uniform(0.4...2.7))
        let (a, b) = (random.uniform(0.02...0.3), random.uniform(0.02...0.3))
        let sides = [(first, a), (first + angle, b)]
        // A shift across one side moves the corner along the other.
        let motions = [
            Vector2(cos(first + angle), sin(first + angle)) * (a / sin(angle)),
            Vector2(cos(first), sin(first)) * (b / sin(angle)),
        ]
        let worst =
            (0..<3600).map { step in
                let direction = Vector2(cos(Double(step) * .pi / 3600), sin(Double(step) * .pi / 3600))
                return motions.reduce(0) { $0 + $1.dot(direction) * $1.dot(direction) }
            }.max() ?? 0
        let fits = sides.map { Self.side(from: Vector2(30, 40), along: $0, deviation: $1) }
        let deviation = fits[0].cornerDeviation(with: fits[1])
        #expect(abs(deviation - worst.squareRoot()) < 1e-5 * deviation, "\(deviation) instead of \(worst.squareRoot())")
        #expect(abs(deviation - fits[1].cornerDeviation(with: fits[0])) < 1e-12)
        #expect(deviation >= max(a, b) * (1 - 1e-6))
    }

    /// Sides that hardly differ in direction, or that meet far away, enclose nothing.
    @Test func almostParallelSidesHaveNoCorners() {
        func quad(tilt: Double, distance: Double) -> PixelQuad? {
            let deviation = 0.1
            return PixelQuad(sides: [
                Self.side(from: Vector2(0, 0), along: 0, deviation: deviation),
                Self.side(from: Vector2(distance, 0), along: tilt, deviation: deviation),
                Self.side(from: Vector2(100, 100), along: .pi, deviation: deviation),
                Self.side(from: Vector2(0, 100), along: -.pi / 2, deviation: deviation),
            ])
        }
        #expect(quad(tilt: .pi / 2, distance: 100) != nil)
        #expect(quad(tilt: 0.05, distance: 100) == nil)
        #expect(quad(tilt: .pi / 2, distance: 2e5) == nil)
    }
}
