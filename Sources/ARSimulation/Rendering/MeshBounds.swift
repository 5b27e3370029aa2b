// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A box around a mesh, along its own axes.
struct MeshBounds {
    let low: Vector3
    let high: Vector3

    private init(low: Vector3, high: Vector3) { (self.low, self.high) = (low, high) }

    /// The box around a few points; without points, the origin.
    private init(_ points: [Point3]) {
        let first = points.first ?? .zero
        low = points.reduce(first) { pointwiseMin($0, $1) }
        high = points.reduce(first) { pointwiseMax($0, $1) }
    }

    /// The box around vertices; without vertices, the origin.
    init(_ positions: some Collection<SIMD3<Float>>) {
        let first = positions.first ?? .zero
        low = Vector3(positions.reduce(first) { pointwiseMin($0, $1) })
        high = Vector3(positions.reduce(first) { pointwiseMax($0, $1) })
    }

    func union(_ other: MeshBounds) -> MeshBounds {
        MeshBounds(low: pointwiseMin(low, other.low), high: pointwiseMax(high, other.high))
    }

    /// The box, in the object's first frame, around all places of this one on its way through a shot.
    func swept(along movement: Movement) -> MeshBounds {
        guard !movement.isRest else { return self }
        let firstFromLast = movement.worldFromObject.inverse * movement.worldFromObjectAtLastRow
        return union(MeshBounds(corners.map { firstFromLast * $0 }))
    }

    var corners: [Point3] {
        (0..<8).map { corner in
            Point3(
                corner & 1 == 0 ? low.x : high.x, corner & 2 == 0 ? low.y : high.y, corner & 4 == 0 ? low.z : high.z)
        }
    }
}

/// A mesh in a few parts, each of triangles that are neighbours: boxes around them lie closer than one around all.
struct MeshParts: Sendable {
    /// The vertices of each part, by index.
    private let vertices: [[Int]]
    private static let fewestTriangles = 32
    private static let mostHalvings = 4

    /// The parts of a mesh of at least one triangle.
    init(_ mesh: RaycastMesh) {
        precondition(!mesh.triangles.isEmpty, "a mesh has triangles")
        let centers = mesh.triangles.map { triangle in
            (0..<3).reduce(SIMD3<Float>()) { $0 + mesh.positions[Int(triangle[$1])] } / 3
        }
        let parts = Self.divided(Array(mesh.triangles.indices), centers: centers, halvings: Self.mostHalvings)
        vertices = parts.map { part in
            Set(part.flatMap { number in (0..<3).map { Int(mesh.triangles[number][$0]) } }).sorted()
        }
    }

    /// The boxes around the parts when the mesh's vertices are in these places.
    func bounds(of positions: [SIMD3<Float>]) -> [MeshBounds] {
        vertices.map { part in MeshBounds(part.lazy.map { positions[$0] }) }
    }

    /// The boxes, in the world, around the parts on their way through a shot.
    func bounds(of deformation: Deformation) -> [MeshBounds] {
        let first = bounds(of: deformation.positions)
        guard let last = deformation.positionsAtLastRow else { return first }
        return zip(first, bounds(of: last)).map { $0.union($1) }
    }

    /// Triangles are halved in the middle of the longest side of the box around their centres, again and again.
    private static func divided(_ triangles: [Int], centers: [SIMD3<Float>], halvings: Int) -> [[Int]] {
        guard halvings > 0, triangles.count >= 2 * fewestTriangles else { return [triangles] }
        let box = MeshBounds(triangles.lazy.map { centers[$0] })
        let extent = box.high - box.low
        let axis = extent.x >= max(extent.y, extent.z) ? 0 : extent.y >= extent.z ? 1 : 2
        let middle = Float((box.low[axis] + box.high[axis]) / 2)
        let (before, behind) = (
            triangles.filter { centers[$0][axis] < middle }, triangles.filter { !(centers[$0][axis] < middle) }
        )
        guard !before.isEmpty, !behind.isEmpty else { return [triangles] }
        return divided(before, centers: centers, halvings: halvings - 1)
            + divided(behind, centers: centers, halvings: halvings - 1)
    }
}
