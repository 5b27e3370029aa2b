// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARWorld
import Testing

@Suite struct RaycastTests {
    /// A floor below and a wall behind it, both met by a ray that falls slowly.
    private let snapshot = WorldSnapshot(
        frame: sampleFrame(worldFromCamera: lookingDown(from: 1)),
        planes: [
            samplePlane("floor", width: 4, depth: 4),
            samplePlane(
                "wall",
                worldFromAnchor: RigidTransform(
                    rotation: Rotation(rotationVector: Vector3(.pi / 2, 0, 0)), translation: Vector3(0, 0, -5)),
                width: 4, depth: 4),
        ])
    private let ray = Ray(from: Point3(0, 1, 0), through: Point3(0, 0, -1.5))!

    private func names(
        _ target: RaycastQuery.Target, _ alignment: RaycastQuery.TargetAlignment
    ) -> [String?] {
        snapshot.raycast(RaycastQuery(ray: ray, allowing: target, alignment: alignment)).map(\.anchor?.name)
    }

    @Test func alignmentChoosesThePlanes() {
        #expect(names(.existingPlaneInfinite, .any) == ["floor", "wall"])
        #expect(names(.existingPlaneInfinite, .horizontal) == ["floor"])
        #expect(names(.existingPlaneInfinite, .vertical) == ["wall"])
    }

    @Test func geometryEndsAtTheBoundary() {
        #expect(names(.existingPlaneGeometry, .any) == ["floor"])
    }

    @Test func theResultsYAxisIsTheSurfacesNormal() {
        let results = snapshot.raycast(RaycastQuery(ray: ray, allowing: .existingPlaneInfinite, alignment: .any))
        #expect((results[0].worldTransform.columns.1.xyz - Vector3(0, 1, 0)).length < 1e-15)
        #expect((results[1].worldTransform.columns.1.xyz - Vector3(0, 0, 1)).length < 1e-15)
        #expect(abs(results[1].worldTransform.columns.3.z + 5) < 1e-12)
    }

    @Test func aQueryFromThePictureLooksWhereTheCameraLooks() throws {
        let center = NormalizedImagePoint(PixelPoint(321, 238), imageSize: snapshot.frame.imageSize)
        let query = try #require(snapshot.raycastQuery(from: center, allowing: .existingPlaneGeometry, alignment: .any))
        #expect((query.ray.direction - Vector3(0, -1, 0)).length < 1e-15)
        #expect(snapshot.raycast(query).first?.anchor?.name == "floor")
    }
}
