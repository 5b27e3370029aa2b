// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct OrientationTests {
    @Test(arguments: 0..<500) func signIsExact(number: Int) {
        var random = TestRandom(case: number)
        // Integers below 2⁵² in steps of a power of two: their cross product is exact in 128 bits.
        let bound: Int64 = number % 2 == 0 ? 1 << 51 : 1 << 20
        let integer = { Int64.random(in: -bound...bound, using: &random) }
        let (ax, ay, dx, dy) = (integer(), integer(), integer() >> 12, integer() >> 12)
        let step = Int64.random(in: 1...1000, using: &random)
        let nudge = Int64.random(in: -1...1, using: &random)
        let (bx, by) = (ax &+ dx, ay &+ dy)
        let (cx, cy) = (ax &+ step &* dx, ay &+ step &* dy &+ nudge)
        let exact = Int128(bx - ax) * Int128(cy - ay) - Int128(by - ay) * Int128(cx - ax)
        let scale = [0x1p-80, 1, 0x1p80][number % 3]
        let point = { (x: Int64, y: Int64) in scale * Point2(Double(x), Double(y)) }
        let value = orientation(point(ax, ay), point(bx, by), point(cx, cy))
        #expect((value > 0) == (exact > 0))
        #expect((value < 0) == (exact < 0))
        #expect(value == orientation(point(bx, by), point(cx, cy), point(ax, ay)) || abs(value) > 0)
    }

    @Test func tinyTrianglesHaveASide() {
        let tiny = Double.leastNormalMagnitude
        #expect(orientation(.zero, Point2(tiny, 0), Point2(0, tiny)) > 0)
        #expect(orientation(.zero, Point2(0, tiny), Point2(tiny, 0)) < 0)
        #expect(orientation(.zero, Point2(tiny, tiny), Point2(3 * tiny, 3 * tiny)) == 0)
    }
}
