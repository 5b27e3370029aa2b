// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct MeshBoundsTests {
    @Test func partsHoldAllTrianglesAndFillLessThanOneBox() {
        // A band that winds once around an axis: one box around it is mostly empty.
        let count = 400
        let positions = (0..<count).map { index -> SIMD3<Float> in
            let angle = Float(index / 2) * 0.03
            let height: Float = index.isMultiple(of: 2) ? 0 : 0.1
            return SIMD3<Float>(cos(angle), sin(angle), height)
        }
        let triangles = (0..<UInt32(count) - 2).map { SIMD3($0, $0 + 1, $0 + 2) }
        let parts = MeshParts(RaycastMesh(positions: positions, triangles: triangles)).bounds(of: positions)
        #expect(parts.count > 4)
        for triangle in triangles {
            let corners = (0..<3).map { Vector3(positions[Int(triangle[$0])]) }
            #expect(parts.contains { box in corners.allSatisfy { contains(box, $0) } })
        }
        func volume(_ box: MeshBounds) -> Double {
            let extent = box.high - box.low
            return extent.x * extent.y * extent.z
        }
        #expect(parts.reduce(0) { $0 + volume($1) } < 0.5 * volume(MeshBounds(positions)))
    }

    @Test func aPartOfAMovingMeshStaysInItsSweptBox() {
        var random = TestRandom()
        for _ in 0..<100 {
            let points = (0..<6).map { _ in SIMD3<Float>(random.vector3(-1...1)) }
            let poses = (0..<2).map { _ in
                RigidTransform(
                    rotation: Rotation(rotationVector: random.vector3(-2...2)), translation: random.vector3(-2...2))
            }
            let movement = Movement(from: poses[0], to: poses[1])
            let box = MeshBounds(points).swept(along: movement)
            for point in points {
                // As the ray caster moves it: along a straight line.
                let first = movement.worldFromObject * Point3(point)
                let last = movement.worldFromObjectAtLastRow * Point3(point)
                let place = first + (last - first) * random.uniform(0...1)
                #expect(contains(box, movement.worldFromObject.inverse * place))
            }
        }
    }

    private func contains(_ box: MeshBounds, _ point: Vector3) -> Bool {
        (0..<3).allSatisfy { box.low[$0] - 1e-6 <= point[$0] && point[$0] <= box.high[$0] + 1e-6 }
    }
}
