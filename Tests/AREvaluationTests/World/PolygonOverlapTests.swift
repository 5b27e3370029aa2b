// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import AREvaluation

@Suite struct PolygonOverlapTests {
    /// A polygon around the origin, concave as a rule, of either winding, that does not cross itself.
    private func star(_ random: inout TestRandom) -> Polygon2 {
        let count = Int.random(in: 3...14, using: &random)
        let center = random.vector2(-0.5...0.5)
        let corners = (0..<count).map { index in
            let angle = 2 * .pi * (Double(index) + 0.8 * random.uniform(0...1)) / Double(count)
            return center + random.uniform(0.2...1.5) * Point2(cos(angle), sin(angle))
        }
        return Bool.random(using: &random) ? Polygon2(corners) : Polygon2(corners).reversed
    }

    @Test(arguments: 0..<40) func overlapAgreesWithChance(number: Int) {
        var random = TestRandom(case: number)
        let (a, b) = (star(&random), star(&random))
        let overlap = a.overlap(with: b)
        var (hits, sum) = (0, Vector2.zero)
        let count = 40_000
        for _ in 0..<count {
            let point = random.vector2(-2...2)
            guard a.contains(point), b.contains(point) else { continue }
            hits += 1
            sum += point
        }
        // Five standard deviations of a binomial share of 16 square metres.
        let share = Double(hits) / Double(count)
        let deviation = (max(share, 1e-4) * (1 - share) / Double(count)).squareRoot()
        expectClose(overlap.area, 16 * share, tolerance: 5 * 16 * deviation)
        if let centroid = overlap.centroid, hits > 2000 {
            expectClose(centroid, sum / Double(hits), tolerance: 5 / Double(hits).squareRoot())
        }
    }

    @Test(arguments: 0..<40) func aPolygonCoversItself(number: Int) {
        var random = TestRandom(case: number)
        let polygon = star(&random)
        expectClose(polygon.intersectionOverUnion(with: polygon.reversed), 1, tolerance: 1e-12)
        expectClose(polygon.overlap(with: polygon).area, polygon.area, tolerance: 1e-12)
        let away = Polygon2(polygon.vertices.map { $0 + Point2(4, 0) })
        #expect(polygon.intersectionOverUnion(with: away) == 0)
        #expect(polygon.overlap(with: away).centroid == nil)
    }

    @Test func whatEnclosesNothingOverlapsNothing() {
        let square = Polygon2([Point2(0, 0), Point2(1, 0), Point2(1, 1), Point2(0, 1)])
        for empty in [Polygon2([]), Polygon2([Point2(0, 0)]), Polygon2([Point2(0, 0), Point2(1, 1), Point2(2, 2)])] {
            #expect(square.overlap(with: empty).area == 0 && empty.overlap(with: square).area == 0)
            #expect(empty.intersectionOverUnion(with: empty) == 0)
        }
    }
}
