// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct MeshPreviewTests {
    private static let size = ImageSize(width: 160, height: 120)

    private static func box(at center: Point3, size: Double) -> TriangleMesh {
        TriangleMesh(
            OrientedBox(
                worldFromBox: RigidTransform(translation: center), halfExtents: Vector3(size / 2, size / 4, size / 2)))
    }

    private static func isMesh(_ image: ImageBuffer, _ pixel: Int) -> Bool {
        // The mesh is orange, the ground grey.
        Int(image.bytes[3 * pixel]) - Int(image.bytes[3 * pixel + 2]) > 30
    }

    /// However large the mesh and wherever it is, it is seen whole, in the middle, and large.
    @Test(arguments: [1e-3, 0.1, 50.0]) func theMeshFillsThePicture(size: Double) throws {
        let image = try #require(
            MeshPreview.render([Self.box(at: Point3(3, -2, 7) * size, size: size)], size: Self.size))
        let seen = (0..<160 * 120).filter { Self.isMesh(image, $0) }
        let (columns, rows) = (seen.map { $0 % 160 }, seen.map { $0 / 160 })
        let (left, right) = try (#require(columns.min()), #require(columns.max()))
        let (top, bottom) = try (#require(rows.min()), #require(rows.max()))
        #expect(left > 2 && right < 157 && top > 2 && bottom < 117)
        #expect(right - left > 100 || bottom - top > 80)
    }

    @Test func theSameMeshGivesTheSameBytes() {
        let meshes = [Self.box(at: .zero, size: 0.1), Self.box(at: Point3(0.2, 0, 0), size: 0.1)]
        let one = MeshPreview.render(meshes, size: Self.size, threads: 1)
        #expect(one != nil && MeshPreview.render(meshes, size: Self.size, threads: 2) == one)
    }

    @Test func nothingHasNoPicture() {
        #expect(MeshPreview.render([], size: Self.size) == nil)
        let flat = TriangleMesh(
            positions: [Point3(0, 0, 0), Point3(1, 0, 0), Point3(2, 0, 0)], triangles: [TriangleIndices(0, 1, 2)])
        #expect(MeshPreview.render([flat], size: Self.size) == nil)
    }
}
