// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A surface of the world that is known as triangles, such as a scan of the room, ready to be hit by rays.
public struct WorldMesh: Sendable {
    /// The triangles.
    public let mesh: TriangleMesh
    /// Where the mesh is.
    public private(set) var worldFromMesh: RigidTransform

    private let tree: BoxTree

    /// What a ray met.
    public struct Hit: Hashable, Sendable {
        /// Metres from the ray's origin.
        public var distance: Double
        /// The triangle's place in the mesh.
        public var triangle: Int
        /// The weights of the triangle's corners.
        public var barycentrics: Vector3
        /// The hit in the world. +Y is the triangle's normal, on the side of the ray's origin.
        public var worldFromHit: RigidTransform
    }

    /// The mesh at its place. A coordinate that is no number must not be among the corners of a triangle.
    ///
    /// - Complexity: n log n for n triangles.
    public init(_ mesh: TriangleMesh, worldFromMesh: RigidTransform = .identity) {
        self.mesh = mesh
        self.worldFromMesh = worldFromMesh
        tree = BoxTree(
            mesh.triangleCorners.map { a, b, c in
                AxisAlignedBox(
                    minimum: pointwiseMin(a, pointwiseMin(b, c)), maximum: pointwiseMax(a, pointwiseMax(b, c)))
            })
    }

    /// The mesh in a world whose coordinates changed.
    func moved(by correction: WorldCorrection) -> WorldMesh {
        var moved = self
        moved.worldFromMesh = correction.worldFromOldWorld * worldFromMesh
        return moved
    }

    /// The nearest triangle that the ray meets, from either side; of several at the same distance the first of the mesh.
    ///
    /// Law: the answer is that of asking each triangle, `WorldMeshTests.theTreeAnswersAsAllTrianglesDo`.
    public func nearestHit(of ray: Ray) -> Hit? {
        let rayInMesh = worldFromMesh.inverse * ray
        var nearest: (hit: TriangleHit, triangle: Int)?
        tree.visit(rayInMesh) { triangle, limit in
            let (a, b, c) = mesh.corners(ofTriangle: triangle)
            guard let hit = rayInMesh.intersection(withTriangle: a, b, c) else { return }
            if let known = nearest, (known.hit.distance, known.triangle) < (hit.distance, triangle) { return }
            nearest = (hit, triangle)
            limit = hit.distance
        }
        return nearest.flatMap { hit(on: rayInMesh, $0.hit, triangle: $0.triangle) }
    }

    private func hit(on rayInMesh: Ray, _ hit: TriangleHit, triangle: Int) -> Hit? {
        let (a, b, c) = mesh.corners(ofTriangle: triangle)
        guard let front = (b - a).cross(c - a).normalized() else { return nil }
        let normal = worldFromMesh.rotation * (hit.isFrontFace ? front : -front)
        return Hit(
            distance: hit.distance, triangle: triangle, barycentrics: hit.barycentrics,
            worldFromHit: RigidTransform(
                rotation: Rotation(surfaceNormal: normal),
                translation: worldFromMesh * rayInMesh.point(at: hit.distance)))
    }
}
