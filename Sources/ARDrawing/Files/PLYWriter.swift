// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Writes solids as a binary PLY file, little endian: positions as `double`, normals, colours, texture coordinates where
/// all solids have some, and the time when the pen was there, `timestamp_s`, where all know it. All solids are one mesh.
public struct PLYWriter: Hashable, Sendable {
    /// As in ``OBJWriter/creaseAngle``.
    public var creaseAngle: Double
    /// The unit of the positions.
    public var unit: LengthUnit

    /// A writer of that unit.
    public init(creaseAngle: Double = .pi, unit: LengthUnit = .metres) {
        self.creaseAngle = creaseAngle
        self.unit = unit
    }

    /// Hands the file's bytes to `sink`, piece by piece.
    public func write<Failure: Error>(
        _ solids: [StrokeSolid], to sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let vertices = solids.map { SplitVertices($0, creaseAngle: creaseAngle) }
        let hasTexture = solids.allSatisfy { !$0.textureCoordinates.isEmpty }
        let hasTimes = solids.allSatisfy { !$0.seconds.isEmpty }
        try withOutputBuffer(sink) { (buffer: OutputBuffer<Failure>) throws(Failure) in
            try buffer.append(
                header(
                    vertexCount: vertices.reduce(0) { $0 + $1.count },
                    faceCount: solids.reduce(0) { $0 + $1.mesh.triangles.count }, hasTexture, hasTimes))
            for (solid, split) in zip(solids, vertices) {
                for (index, normal) in split.normals.enumerated() {
                    let source = Int(split.positions[index])
                    let position = unit.perMetre * solid.mesh.positions[source]
                    for component in 0..<3 { try buffer.append(littleEndian: position[component].bitPattern) }
                    try buffer.append(littleEndian: normal)
                    for part in [solid.color.red, solid.color.green, solid.color.blue] {
                        try buffer.append(littleEndian: part)
                    }
                    if hasTexture {
                        try buffer.append(littleEndian: Float(solid.textureCoordinates[source].x))
                        try buffer.append(littleEndian: Float(solid.textureCoordinates[source].y))
                    }
                    if hasTimes { try buffer.append(littleEndian: Float(solid.seconds[source])) }
                }
            }
            var first: Int32 = 0
            for (solid, split) in zip(solids, vertices) {
                for (index, triangle) in solid.mesh.triangles.enumerated() {
                    let corners = split.indices(ofTriangle: index, triangle)
                    try buffer.append(littleEndian: UInt8(3))
                    for corner in 0..<3 { try buffer.append(littleEndian: first + corners[corner]) }
                }
                first += Int32(split.count)
            }
        }
    }

    private func header(vertexCount: Int, faceCount: Int, _ hasTexture: Bool, _ hasTimes: Bool) -> String {
        var lines = [
            "ply", "format binary_little_endian 1.0",
            "comment Made by arsim. Right-handed, +Y up, unit \(unit.rawValue)",
            "element vertex \(vertexCount)",
        ]
        lines += ["x", "y", "z"].map { "property double \($0)" } + ["nx", "ny", "nz"].map { "property float \($0)" }
        lines += ["red", "green", "blue"].map { "property uchar \($0)" }
        if hasTexture { lines += ["property float s", "property float t"] }
        if hasTimes { lines.append("property float timestamp_s") }
        lines += ["element face \(faceCount)", "property list uchar int vertex_indices", "end_header"]
        return lines.map { $0 + "\n" }.joined()
    }
}
