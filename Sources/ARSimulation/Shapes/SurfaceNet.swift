// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The surface of a signed distance as a closed triangle mesh.
///
/// One vertex in each cell of a grid through which the surface passes, one quad across each edge of the grid that it
/// cuts; then each vertex is moved onto the surface.
/// - Reference: Gibson 1998, "Constrained elastic surface nets".
struct SurfaceNet: Sendable {
    /// The vertices, on the surface up to a hundredth of a cell.
    private(set) var positions: [Point3] = []
    /// Unit normals of the surface, outwards.
    private(set) var normals: [Vector3] = []
    /// Three vertex indices a triangle, counter-clockwise seen from outside.
    private(set) var triangles: [SIMD3<UInt32>] = []

    private let shape: SignedDistance
    private let origin: Point3
    private let cell: Double
    /// Grid points along x, y and z.
    private let counts: SIMD3<Int>

    /// The surface inside a box, which it must not touch.
    init(of shape: SignedDistance, from low: Point3, to high: Point3, cell: Double) {
        self.shape = shape
        self.cell = cell
        origin = low
        let extent = (high - low) / cell
        counts = SIMD3(Int(extent.x.rounded(.up)) + 1, Int(extent.y.rounded(.up)) + 1, Int(extent.z.rounded(.up)) + 1)
        let distances = sample()
        let vertices = placeVertices(distances)
        connect(vertices, distances)
        settle()
    }

    private func index(_ x: Int, _ y: Int, _ z: Int) -> Int { (z * counts.y + y) * counts.x + x }

    private func point(_ x: Int, _ y: Int, _ z: Int) -> Point3 {
        origin + cell * Vector3(Double(x), Double(y), Double(z))
    }

    /// The distance at each grid point; far from the surface, blocks of grid points take that of their middle.
    private func sample() -> [Float] {
        var distances = [Float](repeating: 0, count: counts.x * counts.y * counts.z)
        sample(from: .zero, to: counts, side: 16, into: &distances)
        return distances
    }

    /// Fills a part of the grid by blocks of that side; those near the surface are divided once more.
    private func sample(from low: SIMD3<Int>, to high: SIMD3<Int>, side: Int, into distances: inout [Float]) {
        let reach = cell * Double(side) * 0.9
        for z in stride(from: low.z, to: high.z, by: side) {
            for y in stride(from: low.y, to: high.y, by: side) {
                for x in stride(from: low.x, to: high.x, by: side) {
                    let middle = shape(point(x, y, z) + Vector3(repeating: cell * Double(side - 1) / 2))
                    let end = SIMD3(min(x + side, high.x), min(y + side, high.y), min(z + side, high.z))
                    if side == 1 {
                        distances[index(x, y, z)] = Float(middle)
                    } else if abs(middle) > reach {
                        fill(from: SIMD3(x, y, z), to: end, with: Float(middle), in: &distances)
                    } else {
                        sample(from: SIMD3(x, y, z), to: end, side: side == 4 ? 1 : side / 2, into: &distances)
                    }
                }
            }
        }
    }

    private func fill(from low: SIMD3<Int>, to high: SIMD3<Int>, with distance: Float, in distances: inout [Float]) {
        for z in low.z..<high.z {
            for y in low.y..<high.y {
                for x in low.x..<high.x { distances[index(x, y, z)] = distance }
            }
        }
    }

    /// The vertex of each cell that the surface crosses, by the cell's first grid point: the mean of the crossings of
    /// its edges. −1 for the other cells.
    private mutating func placeVertices(_ distances: [Float]) -> [Int32] {
        var vertices = [Int32](repeating: -1, count: distances.count)
        let corners = (0..<8).map { SIMD3($0 & 1, $0 >> 1 & 1, $0 >> 2) }
        let edges = (0..<8).flatMap { a in [1, 2, 4].filter { a & $0 == 0 }.map { (a, a | $0) } }
        let offsets = corners.map { index($0.x, $0.y, $0.z) }
        for z in 0..<(counts.z - 1) {
            for y in 0..<(counts.y - 1) {
                for x in 0..<(counts.x - 1) {
                    let first = index(x, y, z)
                    let insideCount = offsets.reduce(0) { distances[first + $1] < 0 ? $0 + 1 : $0 }
                    guard insideCount != 0, insideCount != 8 else { continue }
                    var (sum, crossings) = (Vector3.zero, 0.0)
                    for (a, b) in edges {
                        let (da, db) = (distances[first + offsets[a]], distances[first + offsets[b]])
                        guard (da < 0) != (db < 0) else { continue }
                        let fraction = Double(da / (da - db))
                        let (pa, pb) = (Vector3(corners[a]), Vector3(corners[b]))
                        sum += pa + (pb - pa) * fraction
                        crossings += 1
                    }
                    vertices[first] = Int32(positions.count)
                    positions.append(point(x, y, z) + cell * sum / crossings)
                }
            }
        }
        return vertices
    }

    /// Two triangles around each grid edge that the surface cuts, from the four cells that share the edge.
    private mutating func connect(_ vertices: [Int32], _ distances: [Float]) {
        let strides = [1, counts.x, counts.x * counts.y]
        for z in 1..<(counts.z - 1) {
            for y in 1..<(counts.y - 1) {
                for x in 1..<(counts.x - 1) {
                    let first = index(x, y, z)
                    let isInside = distances[first] < 0
                    for axis in 0..<3 where isInside != (distances[first + strides[axis]] < 0) {
                        let (u, v) = (strides[(axis + 1) % 3], strides[(axis + 2) % 3])
                        let around = [first - u - v, first - v, first, first - u].map { UInt32(vertices[$0]) }
                        let ring = isInside ? around : around.reversed()
                        triangles.append(SIMD3(ring[0], ring[1], ring[2]))
                        triangles.append(SIMD3(ring[0], ring[2], ring[3]))
                    }
                }
            }
        }
    }

    /// Moves the vertices onto the surface, by Newton's steps of at most half a cell, and takes the normals there.
    private mutating func settle() {
        normals = positions.indices.map { index in
            for _ in 0..<2 {
                let (distance, gradient) = shape.withGradient(at: positions[index])
                guard gradient.squaredLength > 1e-6 else { break }
                let step = gradient * (distance / gradient.squaredLength)
                positions[index] -= step * min(1, cell / 2 / max(step.length, 1e-12))
            }
            return shape.withGradient(at: positions[index]).gradient.normalized() ?? Vector3(0, 1, 0)
        }
    }
}

extension SIMD3 where Scalar == Double {
    fileprivate init(_ v: SIMD3<Int>) { self.init(Double(v.x), Double(v.y), Double(v.z)) }
}
