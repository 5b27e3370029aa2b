// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// The index of a world's planes answers what asking each plane would.
@Suite struct PlaneIndexTests {
    private let sizes: [HitTestResult.ResultType] = [
        .existingPlaneUsingExtent, .existingPlaneUsingGeometry,
        [.existingPlaneUsingExtent, .existingPlaneUsingGeometry],
    ]

    @Test(arguments: [0, 1, 3, 5, 20, 100, 1000]) func theIndexAnswersAsAllPlanesDoBitForBit(count: Int) {
        var random = TestRandom(case: count)
        let planes = (0..<count).map { random.plane("plane \($0)") }
        let snapshot = WorldSnapshot(frame: sampleFrame(worldFromCamera: .identity), planes: planes)
        var hits = 0
        for _ in 0..<(count > 100 ? 100 : 400) {
            let ray = random.ray(among: planes)
            let crossings = planes.compactMap { PlaneCrossing(of: ray, with: $0) }
            for types in sizes {
                let expected = crossings.filter { $0.strictestType(among: types) != nil }.nearestFirst
                let found = snapshot.hitTest(ray, types: types)
                #expect(found.map(\.anchor) == expected.map(\.plane))
                #expect(found.map(\.distance) == expected.map(\.distance))
                #expect(found.map(\.worldFromHit) == expected.map(\.worldFromHit))
                hits += found.count
            }
            let geometry = RaycastQuery(ray: ray, allowing: .existingPlaneGeometry, alignment: .any)
            let inside = crossings.filter { $0.plane.boundaryContains($0.point) }.nearestFirst
            #expect(snapshot.raycast(geometry).map(\.anchor) == inside.map(\.plane))
            #expect(snapshot.raycast(geometry).map(\.distance) == inside.map(\.distance))
            #expect(snapshot.hitTest(ray, types: .existingPlane).count == crossings.count)
        }
        #expect(count == 0 || hits > 50, "\(hits) hits")
    }

    @Test(arguments: [1e6, 1e35, 1e200, .infinity]) func aPlaneWithoutEndIsFound(size: Double) throws {
        var ground = samplePlane("ground")
        ground.extent = PlaneAnchor.Extent(width: size, height: size)
        let planes = [ground] + (0..<50).map { samplePlane("plane \($0)") }
        let snapshot = WorldSnapshot(frame: sampleFrame(worldFromCamera: .identity), planes: planes)
        let ray = try #require(Ray(from: Point3(0, 1, 0), through: Point3(1e4, 0, 3e5)))
        #expect(snapshot.hitTest(ray, types: .existingPlaneUsingExtent).map(\.anchor) == [ground])
    }

    /// Kept, and not made anew: the tree's nodes are the same memory.
    @Test func theIndexIsKeptWhileNoPlaneChanges() {
        func nodes(_ index: PlaneIndex) -> UnsafeRawPointer? {
            index.tree.nodes.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
        }
        let index = PlaneIndex([samplePlane("table")])
        let same = index.updated(with: [samplePlane("table")])
        #expect(nodes(same) == nodes(index) && same.planes == index.planes)
        let other = index.updated(with: [samplePlane("table", width: 2)])
        #expect(nodes(other) != nodes(index) && other.planes == [samplePlane("table", width: 2)])
    }
}

extension TestRandom {
    /// A plane anywhere in a small house, of any attitude, whose extent is turned, whose outline may be concave.
    fileprivate mutating func plane(_ name: String) -> PlaneAnchor {
        let attitudes = [
            Rotation.identity, Rotation(rotationVector: Vector3(.pi / 2, 0, 0)), rotation(),
            Rotation(rotationVector: Vector3(0, uniform(-3...3), 0)),
        ]
        let place = [vector3(-4...4), Vector3(uniform(-4...4).rounded(), 0, 0)].randomElement(using: &self)!
        let outline = (0..<Int.random(in: 3...7, using: &self)).map { corner in
            let angle = -2 * Double.pi * Double(corner) / 7
            return uniform(0.2...1.5) * Point2(cos(angle), sin(angle))
        }
        var plane = PlaneAnchor(
            identifier: UUID(name: name),
            worldFromAnchor: RigidTransform(rotation: attitudes.randomElement(using: &self)!, translation: place),
            boundary: outline)
        if uniform() > 0 { plane.extent.rotationOnYAxis = uniform(-3...3) }
        return plane
    }

    /// A ray that often goes through a plane's corner, along the plane, or starts on it.
    fileprivate mutating func ray(among planes: [PlaneAnchor]) -> Ray {
        guard let plane = planes.randomElement(using: &self) else {
            return Ray(origin: vector3(-5...5), unitDirection: direction())
        }
        let corner = plane.pointInWorld(
            [plane.boundary.randomElement(using: &self)!, plane.extentCorners.randomElement(using: &self)!, .zero]
                .randomElement(using: &self)!)
        let across =
            plane.worldFromAnchor.rotation
            * Vector3(uniform(), [0, 1e-13, 1e-9, 1].randomElement(using: &self)!, uniform())
        let directions = [direction(), across.normalized() ?? direction(), Vector3(0, -1, 0)]
        let direction = directions.randomElement(using: &self)!
        return Ray(origin: corner - [0, 1, 5].randomElement(using: &self)! * direction, unitDirection: direction)
    }
}
