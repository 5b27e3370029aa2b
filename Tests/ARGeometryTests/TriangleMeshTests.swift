// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct TriangleMeshTests {
    static let box = TriangleMesh(OrientedBox(worldFromBox: .identity, halfExtents: Vector3(1, 2, 3)))

    /// A closed tube around a ring: a solid with one handle.
    static let torus: TriangleMesh = {
        let (around, across) = (12, 7)
        let positions = (0..<around).flatMap { i in
            (0..<across).map { j in
                let (u, v) = (2 * Double.pi * Double(i) / 12, 2 * Double.pi * Double(j) / 7)
                return Point3((3 + cos(v)) * cos(u), sin(v), -(3 + cos(v)) * sin(u))
            }
        }
        let index = { (i: Int, j: Int) in Int32((i % around) * across + j % across) }
        let triangles = (0..<around).flatMap { i in
            (0..<across).flatMap { j -> [TriangleIndices] in
                [
                    TriangleIndices(index(i, j), index(i + 1, j), index(i + 1, j + 1)),
                    TriangleIndices(index(i, j), index(i + 1, j + 1), index(i, j + 1)),
                ]
            }
        }
        return TriangleMesh(positions: positions, triangles: triangles)
    }()

    @Test(arguments: 0..<60) func boxesHaveTheirVolumeAndArea(number: Int) {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let half = scale * Vector3(random.uniform(0.1...1), random.uniform(0.1...1), random.uniform(0.1...1))
        let box = OrientedBox(
            worldFromBox: RigidTransform(rotation: random.rotation(), translation: 10 * scale * random.vector3()),
            halfExtents: half)
        let mesh = TriangleMesh(box)
        #expect(abs(mesh.signedVolume - box.volume) < 1e-13 * scale * scale * scale)
        let area = 8 * (half.x * half.y + half.y * half.z + half.z * half.x)
        #expect(abs(mesh.area - area) < 1e-12 * scale * scale)
        #expect(mesh.topology.isSolid)
        #expect(mesh.topology.eulerCharacteristic == 2)
    }

    @Test(arguments: 0..<60) func tetrahedraHaveTheDeterminantsVolume(number: Int) {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let p = (0..<4).map { _ in scale * random.vector3() }
        let mesh = TriangleMesh(
            positions: p, triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map { TriangleIndices($0) })
        let determinant = Matrix3x3(p[1] - p[0], p[2] - p[0], p[3] - p[0]).determinant
        #expect(abs(mesh.signedVolume - determinant / 6) < 1e-14 * scale * scale * scale)
        #expect(mesh.topology.isSolid)
        #expect(
            abs((random.rigidTransform() * mesh).area - mesh.area) < 1e-9 * scale * scale + 1e-9 * mesh.area + 1e-10)
    }

    @Test func torusHasOneHandle() {
        let topology = Self.torus.topology
        #expect(topology.isSolid)
        #expect(topology.eulerCharacteristic == 0)
        #expect(topology.componentCount == 1)
        #expect(Self.torus.signedVolume > 0)
    }

    @Test func missingTriangleOpensTheMesh() {
        var mesh = Self.box
        mesh.triangles.removeLast()
        #expect(mesh.topology.boundaryEdgeCount == 3)
        #expect(!mesh.topology.isClosed && mesh.topology.isManifold)
    }

    @Test func turnedTriangleIsInconsistent() {
        var mesh = Self.box
        mesh.triangles[3] = TriangleIndices(mesh.triangles[3].x, mesh.triangles[3].z, mesh.triangles[3].y)
        #expect(mesh.topology.inconsistentEdgeCount == 3)
        #expect(mesh.topology.isClosed && !mesh.topology.isConsistentlyOriented)
    }

    @Test func boxesThatTouchAreNotManifold() {
        let neighbor = { (shift: Vector3) in
            (Self.box + RigidTransform(translation: shift) * Self.box).mergingPositions(roundedTo: 1e-8).topology
        }
        let alongAnEdge = neighbor(Vector3(2, 4, 0))
        #expect(alongAnEdge.nonManifoldEdgeCount == 1)
        #expect(!alongAnEdge.isManifold)
        let inACorner = neighbor(Vector3(2, 4, 6))
        #expect(inACorner.nonManifoldEdgeCount == 0)
        #expect(inACorner.nonManifoldVertexCount == 1)
        #expect(inACorner.componentCount == 2)
        let apart = neighbor(Vector3(2.1, 4, 6))
        #expect(apart.isSolid)
        #expect(apart.eulerCharacteristic == 4)
    }

    @Test func degenerateTrianglesAreCounted() {
        var mesh = Self.box
        mesh.triangles += [TriangleIndices(0, 0, 1)]
        #expect(mesh.topology.degenerateTriangleCount == 1)
        let flat = TriangleMesh(
            positions: [Point3(0, 0, 0), Point3(1, 1, 1), Point3(2, 2, 2)], triangles: [TriangleIndices(0, 1, 2)])
        #expect(flat.topology.degenerateTriangleCount == 1)
        #expect(!TriangleMesh().topology.isSolid)
    }

    @Test func mergingClosesASoupOfTriangles() {
        let corners = Self.torus.triangleCorners
        let soup = TriangleMesh(
            positions: corners.flatMap { [$0.0, $0.1, $0.2] },
            triangles: corners.indices.map { TriangleIndices(Int32(3 * $0), Int32(3 * $0 + 1), Int32(3 * $0 + 2)) })
        #expect(soup.topology.boundaryEdgeCount == 3 * corners.count)
        #expect(soup.mergingPositions(roundedTo: 1e-8).topology == Self.torus.topology)
    }
}
