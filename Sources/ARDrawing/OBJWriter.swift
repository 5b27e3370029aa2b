// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// Writes meshes as a Wavefront OBJ file: one `o` object for each, in metres, +Y up, right-handed, every corner with
/// its normal.
///
/// Positions have up to nine decimals (nanometres), normals up to six; trailing zeros are left out, `-0` is `0`, and the
/// decimal point is a point whatever the locale. No date, path or machine stands in the file: the same meshes give the
/// same bytes. Laws: `OBJWriterTests.textIsAsPrinted`, `whatIsWrittenReadsBack`.
public struct OBJWriter: Hashable, Sendable {
    /// Faces that meet at up to this angle, in radians, share the normals of their common corners.
    ///
    /// At π, the default, every position has one normal, so that programs that split corners by their normals (trimesh
    /// does) still see a closed mesh. π/6 keeps the rims of strokes sharp to the eye and their round sides smooth; zero
    /// gives flat faces.
    public var creaseAngle: Double

    /// A writer that shares normals up to that angle.
    public init(creaseAngle: Double = .pi) { self.creaseAngle = creaseAngle }

    /// Writes the meshes to a file, which appears whole or not at all.
    public func write(_ objects: [NamedMesh], to file: URL) throws(FileError) {
        let output = try AtomicFile(replacing: file)
        try write(objects) { (bytes: [UInt8]) throws(FileError) in try output.write(bytes) }
        try output.commit()
    }

    /// The file's text.
    public func text(of objects: [NamedMesh]) -> String {
        var bytes: [UInt8] = []
        write(objects) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Hands the file's bytes to `sink`, piece by piece. Positions must be numbers, names words without blanks.
    public func write<Failure: Error>(
        _ objects: [NamedMesh], to sink: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var text = DecimalText()
        text.append("# Made by arsim. Unit: metre. Axes: right-handed, +Y up.\n")
        var (firstPosition, firstNormal) = (1, 1)
        for object in objects {
            precondition(object.hasPrintableName, "an OBJ cannot hold an object named '\(object.name)'")
            let normals = MeshNormals(object.mesh, creaseAngle: creaseAngle)
            text.append("o \(object.name)\n")
            for position in object.mesh.positions {
                text.append("v", position, decimals: 9)
                try text.flush(ifAbove: Self.pieceSize, to: sink)
            }
            for normal in normals.normals {
                text.append("vn", normal, decimals: MeshNormals.decimals)
                try text.flush(ifAbove: Self.pieceSize, to: sink)
            }
            for (triangle, normalIndices) in zip(object.mesh.triangles, normals.indices) {
                text.append("f")
                for corner in 0..<3 {
                    text.append(" ")
                    text.append(firstPosition + Int(triangle[corner]))
                    text.append("//")
                    text.append(firstNormal + Int(normalIndices[corner]))
                }
                text.append("\n")
                try text.flush(ifAbove: Self.pieceSize, to: sink)
            }
            firstPosition += object.mesh.positions.count
            firstNormal += normals.normals.count
        }
        try text.flush(ifAbove: 0, to: sink)
    }

    private static let pieceSize = 1 << 16
}
