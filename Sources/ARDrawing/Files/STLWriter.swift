// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// Writes solids as a binary STL file: triangles alone, with their normals, for printers.
///
/// Z is up, as printers and slicers expect: the point (x, y, z) of the world becomes (x, −z, y). Coordinates are `Float`;
/// where the solids' middle is farther than ``farthest`` from the origin, whole metres are taken off, which the file's
/// first 80 bytes state, so that no triangle loses its area.
public struct STLWriter: Hashable, Sendable {
    /// The unit of the positions.
    public var unit: LengthUnit

    /// The farthest from the origin, in metres, that solids are written where they are.
    public static let farthest = 4.0

    /// A writer of that unit.
    public init(unit: LengthUnit = .metres) { self.unit = unit }

    /// Hands the file's bytes to `sink`, piece by piece.
    public func write<Failure: Error>(
        _ solids: [StrokeSolid], to sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let origin = Self.origin(of: solids)
        try withOutputBuffer(sink) { (buffer: OutputBuffer<Failure>) throws(Failure) in
            let text = "arsim, z up, unit \(unit.rawValue), origin \(Int(origin.x)) \(Int(origin.y)) \(Int(origin.z)) m"
            let header = Array(text.utf8.prefix(80))
            for byte in header + [UInt8](repeating: UInt8(ascii: " "), count: 80 - header.count) {
                try buffer.append(littleEndian: byte)
            }
            try buffer.append(littleEndian: UInt32(solids.reduce(0) { $0 + $1.mesh.triangles.count }))
            for solid in solids {
                for index in solid.mesh.triangles.indices {
                    let (a, b, c) = solid.mesh.corners(ofTriangle: index)
                    try buffer.append(littleEndian: Self.upright((b - a).cross(c - a).normalized() ?? .zero))
                    for corner in [a, b, c] {
                        try buffer.append(littleEndian: unit.perMetre * Self.upright(corner - origin))
                    }
                    try buffer.append(littleEndian: UInt16(0))
                }
            }
        }
    }

    private static func upright(_ vector: Vector3) -> Vector3 { Vector3(vector.x, -vector.z, vector.y) }

    /// Whole metres near the middle of solids far away; zero for solids nearby.
    private static func origin(of solids: [StrokeSolid]) -> Point3 {
        let boxes = solids.compactMap(\.mesh.bounds)
        guard let first = boxes.first else { return .zero }
        let lower = boxes.reduce(first.minimum) { pointwiseMin($0, $1.minimum) }
        let upper = boxes.reduce(first.maximum) { pointwiseMax($0, $1.maximum) }
        let middle = 0.5 * (lower + upper)
        return middle.length > farthest ? middle.rounded(.toNearestOrAwayFromZero) : .zero
    }
}
