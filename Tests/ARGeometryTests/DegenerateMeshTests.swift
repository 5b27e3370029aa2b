// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

/// Meshes that are no solids, each for one reason, and what the counts say about them.
@Suite struct DegenerateMeshTests {
    static let tetrahedron = TriangleMesh(
        positions: [Point3(0, 0, 0), Point3(1, 0, 0), Point3(0, 1, 0), Point3(0, 0, 1)],
        triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map { TriangleIndices($0) })

    /// A strip of quadrilaterals around a ring that is turned over once on its way.
    static func strip(segments: Int, isTwisted: Bool) -> TriangleMesh {
        let positions = (0..<segments).flatMap { segment in
            let around = 2 * Double.pi * Double(segment) / Double(segments)
            let tilt = isTwisted ? around / 2 : 0
            return [-0.2, 0.2].map { offset in
                let radius = 1 + offset * cos(tilt)
                return Point3(radius * cos(around), offset * sin(tilt) + (isTwisted ? 0 : offset), radius * sin(around))
            }
        }
        let triangles = (0..<segments).flatMap { segment in
            let (a, b) = (Int32(2 * segment), Int32(2 * segment + 1))
            let isLast = segment + 1 == segments
            let (c, d): (Int32, Int32) = isLast ? (isTwisted ? (1, 0) : (0, 1)) : (a + 2, a + 3)
            return [TriangleIndices(a, c, b), TriangleIndices(b, c, d)]
        }
        return TriangleMesh(positions: positions, triangles: triangles)
    }

    @Test(arguments: [3, 4, 5, 12, 51]) func moebiusStripsHaveOneSideAndOneRim(segments: Int) {
        let topology = Self.strip(segments: segments, isTwisted: true).topology
        #expect(topology.eulerCharacteristic == 0)
        #expect(topology.boundaryEdgeCount == 2 * segments)
        #expect(topology.isManifold && !topology.isClosed)
        // Where the strip closes, front meets back, wherever one starts.
        #expect(topology.inconsistentEdgeCount == 1 && !topology.isConsistentlyOriented)
        #expect(!topology.isSolid)
        let ring = Self.strip(segments: segments, isTwisted: false).topology
        #expect(ring.eulerCharacteristic == 0 && ring.isConsistentlyOriented && !ring.isClosed)
        #expect(ring.boundaryEdgeCount == 2 * segments)
    }

    @Test func tetrahedraWithACommonEdge() {
        let turned = RigidTransform(rotation: Rotation(angle: .pi, axis: Vector3(0, 1, 0))!)
        let both = (Self.tetrahedron + turned * Self.tetrahedron).mergingPositions(roundedTo: 1e-9)
        #expect(both.positions.count == 6)
        let topology = both.topology
        #expect(topology.nonManifoldEdgeCount == 1 && topology.nonManifoldVertexCount == 0)
        #expect(topology.isClosed && topology.componentCount == 1)
        #expect(!topology.isManifold && !topology.isConsistentlyOriented && !topology.isSolid)
        #expect(topology.eulerCharacteristic == 3)
    }

    @Test func tetrahedraWithACommonVertex() {
        let opposite = TriangleMesh(
            positions: Self.tetrahedron.positions.map { -$0 },
            triangles: Self.tetrahedron.triangles.map { TriangleIndices($0.x, $0.z, $0.y) })
        let touching = (Self.tetrahedron + opposite).mergingPositions(roundedTo: 1e-9).topology
        #expect(touching.nonManifoldVertexCount == 1 && touching.nonManifoldEdgeCount == 0)
        #expect(touching.isClosed && touching.isConsistentlyOriented && touching.componentCount == 2)
        #expect(!touching.isManifold && !touching.isSolid)
        #expect(touching.eulerCharacteristic == 3)
    }

    @Test(arguments: 0..<4) func repeatedTrianglesAreNotManifold(index: Int) {
        var mesh = Self.tetrahedron
        mesh.triangles.append(mesh.triangles[index])
        #expect(mesh.topology.nonManifoldEdgeCount == 3)
        #expect(!mesh.topology.isSolid)
        // The same triangle twice and nothing else: it faces to one side along every edge.
        let twice = TriangleMesh(positions: mesh.positions, triangles: [mesh.triangles[index], mesh.triangles[index]])
        #expect(twice.topology.inconsistentEdgeCount == 3)
        #expect(!twice.topology.isSolid)
    }

    @Test(arguments: [1e-90, 1e-60, 1e-20, 1, 1e20, 1e60]) func sizeDoesNotMakeDegenerate(scale: Double) {
        var mesh = Self.tetrahedron
        mesh.positions = mesh.positions.map { scale * $0 }
        #expect(mesh.topology.isSolid)
        expectClose(mesh.signedVolume, scale * scale * scale / 6, tolerance: 1e-15, scale: scale * scale * scale)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func positionsThatAreNone(value: Double) {
        var mesh = Self.tetrahedron
        mesh.positions[3].y = value
        #expect(mesh.topology.degenerateTriangleCount == 3)
        #expect(!mesh.topology.isSolid)
        #expect((mesh.bounds == nil) == value.isNaN)
        // First or not, a position that is none spoils the bounds.
        mesh.positions.swapAt(0, 3)
        #expect((mesh.bounds == nil) == value.isNaN)
    }

    @Test func insideOutIsSolidWithNegativeVolume() {
        var mesh = Self.tetrahedron
        let volume = mesh.signedVolume
        mesh.triangles = mesh.triangles.map { TriangleIndices($0.x, $0.z, $0.y) }
        #expect(mesh.topology.isSolid)
        #expect(mesh.signedVolume == -volume && volume > 0)
    }

    @Test func unusedPositionsAreNoVertices() {
        var mesh = Self.tetrahedron
        mesh.positions.append(Point3(9, 9, 9))
        #expect(mesh.topology == Self.tetrahedron.topology)
        #expect(TriangleMesh().topology.triangleCount == 0 && TriangleMesh().topology.componentCount == 0)
        #expect(TriangleMesh().bounds == nil && TriangleMesh().signedVolume == 0 && TriangleMesh().area == 0)
    }
}
