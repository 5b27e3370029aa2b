// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A surface made of triangles that share their corners.
///
/// A triangle's front is where its corners are seen counter-clockwise. Any indices into ``positions`` are allowed;
/// ``topology`` tells what they amount to.
public struct TriangleMesh: Hashable, Sendable {
    /// The corners' positions.
    public var positions: [Point3]
    /// The triangles, as indices into ``positions``.
    public var triangles: [TriangleIndices]

    /// The mesh of these triangles. Every index must be valid.
    public init(positions: [Point3] = [], triangles: [TriangleIndices] = []) {
        let count = Int32(positions.count)
        precondition(
            triangles.allSatisfy { all($0 .>= 0) && all($0 .< count) },
            "a triangle's indices must lie in 0..<\(positions.count), the number of positions")
        self.positions = positions
        self.triangles = triangles
    }

    /// The closed surface of a box.
    public init(_ box: OrientedBox) {
        // Two triangles a face, in the order −x, +x, −y, +y, −z, +z; corner numbers as in AxisAlignedBox.corners.
        let faces: [(Int32, Int32, Int32, Int32)] = [
            (0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6),
        ]
        self.init(
            positions: box.corners,
            triangles: faces.flatMap { [TriangleIndices($0.0, $0.1, $0.2), TriangleIndices($0.0, $0.2, $0.3)] })
    }

    /// The corners of the triangle with that index.
    @inlinable public func corners(ofTriangle index: Int) -> (Point3, Point3, Point3) {
        let triangle = triangles[index]
        return (positions[Int(triangle.x)], positions[Int(triangle.y)], positions[Int(triangle.z)])
    }

    /// The corners of all triangles, in order.
    public var triangleCorners: [(Point3, Point3, Point3)] { triangles.indices.map(corners(ofTriangle:)) }

    /// The sum of the triangles' areas.
    public var area: Double {
        triangles.indices.reduce(0) { sum, index in
            let (a, b, c) = corners(ofTriangle: index)
            return sum + (b - a).cross(c - a).length / 2
        }
    }

    /// The enclosed volume of a closed mesh: positive when the fronts look outwards.
    ///
    /// By the divergence theorem, the sum of a · (b × c) / 6 over the triangles, taken from the first position, so that
    /// a small mesh far from the origin keeps its digits. Without meaning for a mesh that is not closed.
    public var signedVolume: Double {
        guard let origin = positions.first else { return 0 }
        return triangles.indices.reduce(0) { sum, index in
            let (a, b, c) = corners(ofTriangle: index)
            return sum + (a - origin).dot((b - origin).cross(c - origin))
        } / 6
    }

    /// The smallest box along the axes that holds all positions, or `nil` when there are none.
    public var bounds: AxisAlignedBox? { AxisAlignedBox(containing: positions) }

    /// The mesh in the target's coordinates.
    public static func * (targetFromSource: RigidTransform, mesh: TriangleMesh) -> TriangleMesh {
        var moved = mesh
        for index in moved.positions.indices { moved.positions[index] = targetFromSource * moved.positions[index] }
        return moved
    }

    /// Both meshes' triangles, side by side.
    public static func + (a: TriangleMesh, b: TriangleMesh) -> TriangleMesh {
        let offset = Int32(a.positions.count)
        return TriangleMesh(
            positions: a.positions + b.positions, triangles: a.triangles + b.triangles.map { $0 &+ offset })
    }

    /// The mesh with positions that agree after rounding to multiples of `step` made one; the first of them stays.
    ///
    /// What programs that read triangle soups do. Triangles stay, even those that lose a corner by it.
    public func mergingPositions(roundedTo step: Double) -> TriangleMesh {
        precondition(step > 0 && step.isFinite, "positions are rounded to multiples of a length, not of \(step)")
        let cells = positions.map { position in
            let cell = position / step
            return Point3(cell.x.rounded(), cell.y.rounded(), cell.z.rounded())
        }
        let order = cells.indices.sorted {
            (cells[$0].x, cells[$0].y, cells[$0].z, $0) < (cells[$1].x, cells[$1].y, cells[$1].z, $1)
        }
        var representative = [Int](cells.indices)
        for (earlier, later) in zip(order, order.dropFirst()) where cells[earlier] == cells[later] {
            representative[later] = representative[earlier]
        }
        var kept: [Point3] = []
        var newIndex = [Int32](repeating: 0, count: cells.count)
        for index in cells.indices {
            if representative[index] == index {
                newIndex[index] = Int32(kept.count)
                kept.append(positions[index])
            } else {
                newIndex[index] = newIndex[representative[index]]
            }
        }
        return TriangleMesh(
            positions: kept,
            triangles: triangles.map {
                TriangleIndices(newIndex[Int($0.x)], newIndex[Int($0.y)], newIndex[Int($0.z)])
            })
    }
}
