// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARWorld

@Suite struct BoxTreeTests {
    @Test(arguments: [0, 1, 2, 4, 5, 30, 300, 3000]) func noBoxThatIsMetIsLeftOut(count: Int) {
        var random = TestRandom(case: count)
        let boxes = (0..<count).map { _ in random.box() }
        let tree = BoxTree(boxes)
        var (asked, met) = (0, 0)
        let rays = (0..<300).map { _ in random.ray(among: boxes) }
        for ray in rays {
            var visited: Set<Int> = []
            tree.visit(ray) { box, _ in
                #expect(visited.insert(box).inserted, "box \(box) was visited twice")
            }
            let expected = boxes.indices.filter { ray.distances(through: boxes[$0]) != nil }
            #expect(visited.isSuperset(of: expected), "\(ray)")
            (asked, met) = (asked + visited.count, met + expected.count)
        }
        // Leaves of four boxes, and some boxes beside the ray.
        if count >= 300 { #expect(asked < 4 * met + rays.count * count / 10, "\(asked) asked, \(met) met") }
    }

    @Test func theLimitEndsTheSearch() throws {
        let boxes = (0..<100).map { number in
            AxisAlignedBox(minimum: Point3(Double(number), -1, -1), maximum: Point3(Double(number) + 0.5, 1, 1))
        }
        let ray = try #require(Ray(origin: Point3(-1, 0, 0), direction: Vector3(1, 0, 0)))
        var visited: [Int] = []
        BoxTree(boxes).visit(ray) { box, limit in
            visited.append(box)
            limit = min(limit, Double(box) + 1)
        }
        #expect(visited.contains(0))
        // The nearest leaf, and no other.
        #expect(visited.count <= 4, "\(visited)")
    }

    @Test func equalBoxesMakeOneLeaf() {
        let box = AxisAlignedBox(minimum: .zero, maximum: Point3(1, 1, 1))
        var count = 0
        BoxTree([AxisAlignedBox](repeating: box, count: 1000)).visit(
            Ray(origin: Point3(0.5, 0.5, 3), unitDirection: Vector3(0, 0, -1))
        ) { _, _ in count += 1 }
        #expect(count == 1000)
    }
}

extension TestRandom {
    /// A box of any size, often flat, often at whole coordinates, so that rays run along its faces.
    fileprivate mutating func box() -> AxisAlignedBox {
        let isRound = uniform() > 0
        let low = isRound ? Point3(Double(roundNumber()), Double(roundNumber()), Double(roundNumber())) : 10 * vector3()
        var size = vector3(0...2)
        if isRound { size = Vector3(size.x.rounded(), size.y.rounded(), size.z.rounded()) }
        if uniform() > 0.5 { size.y = 0 }
        return AxisAlignedBox(minimum: low, maximum: low + size)
    }

    private mutating func roundNumber() -> Int { Int.random(in: -10...10, using: &self) }

    /// A ray from anywhere, often along an axis, often through a box's corner.
    fileprivate mutating func ray(among boxes: [AxisAlignedBox]) -> Ray {
        let axes = [Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, 1), Vector3(0, 0.6, -0.8)]
        let aim = boxes.randomElement(using: &self)?.corners.randomElement(using: &self) ?? .zero
        let direction = uniform() > 0 ? axes.randomElement(using: &self)! : self.direction()
        return Ray(origin: aim - uniform(-1...8) * direction, unitDirection: direction)
    }
}
