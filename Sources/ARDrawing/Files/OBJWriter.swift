// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// Writes solids as a Wavefront OBJ file, right-handed, +Y up: one group for each, every corner with its normal and, where
/// there are any, texture coordinates; and the materials' file beside it, one material for each colour.
///
/// Positions are printed to a nanometre, normals with up to six decimals; trailing zeros are left out, `-0` is `0`, and
/// the decimal point is a point whatever the locale. No date, path or machine stands in the file: the same solids give the
/// same bytes. Laws: `OBJWriterTests.textIsAsPrinted`, `whatIsWrittenReadsBack`.
public struct OBJWriter: Hashable, Sendable {
    /// Faces that meet at up to this angle, in radians, share the normals of their common corners.
    ///
    /// At π, the default, every position has one normal, so that programs that split corners by their normals (trimesh
    /// does) still see a closed mesh. π/6 keeps the rims of strokes sharp to the eye and their round sides smooth; zero
    /// gives flat faces.
    public var creaseAngle: Double
    /// The unit of the positions.
    public var unit: LengthUnit
    /// The name of the materials' file as the OBJ file states it, a word without blanks; `nil` for no materials.
    public var materialFile: String?

    /// A writer that shares normals up to that angle.
    public init(creaseAngle: Double = .pi, unit: LengthUnit = .metres, materialFile: String? = nil) {
        self.creaseAngle = creaseAngle
        self.unit = unit
        self.materialFile = materialFile
    }

    /// The file's text.
    public func text(of solids: [StrokeSolid]) -> String { Self.text { write(solids, to: $0) } }

    /// The text of the materials' file.
    public func materials(of solids: [StrokeSolid]) -> String { Self.text { writeMaterials(of: solids, to: $0) } }

    private static func text(_ write: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) -> String {
        var bytes: [UInt8] = []
        write { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Hands the file's bytes to `sink`, piece by piece. Positions must be numbers, names words without blanks.
    public func write<Failure: Error>(
        _ solids: [StrokeSolid], to sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try withOutputBuffer(sink) { (text: OutputBuffer<Failure>) throws(Failure) in
            try text.append("# Made by arsim. Unit: \(unit == .metres ? "metre" : "millimetre"). ")
            try text.append("Axes: right-handed, +Y up.\n")
            if let materialFile { try text.append("mtllib \(materialFile)\n") }
            var first = Corner(position: 1, textureCoordinates: 1, normal: 1)
            for solid in solids { try write(solid, &first, text) }
        }
    }

    /// Hands the bytes of the materials' file to `sink`: a material for each colour, named after it.
    public func writeMaterials<Failure: Error>(
        of solids: [StrokeSolid], to sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try withOutputBuffer(sink) { (text: OutputBuffer<Failure>) throws(Failure) in
            try text.append("# Made by arsim.\n")
            for color in solids.map(\.color).withoutRepetitions {
                let parts = Vector3(Double(color.red), Double(color.green), Double(color.blue)) / 255
                try text.append("newmtl \(color.materialName)\n")
                try text.append("Kd", parts, decimals: Decimals(6))
                try text.append("Ks 0 0 0\nd 1\nillum 1\n")
            }
        }
    }

    /// Indices from one.
    private struct Corner {
        var position: Int
        var textureCoordinates: Int
        var normal: Int
    }

    private func write<Failure: Error>(
        _ solid: StrokeSolid, _ first: inout Corner, _ text: OutputBuffer<Failure>
    ) throws(Failure) {
        precondition(solid.hasPrintableName, "an OBJ cannot hold an object named '\(solid.name)'")
        let normals = MeshNormals(solid.mesh, creaseAngle: creaseAngle)
        try text.append("o \(solid.name)\ng \(solid.name)\n")
        if materialFile != nil { try text.append("usemtl \(solid.color.materialName)\n") }
        let (positionDecimals, normalDecimals) = (unit.decimals, Decimals(6))
        for position in solid.mesh.positions {
            try text.append("v", unit.perMetre * position, decimals: positionDecimals)
        }
        for coordinates in solid.textureCoordinates {
            try text.append("vt ")
            try text.append(coordinates.x, decimals: normalDecimals)
            try text.append(" ")
            try text.append(coordinates.y, decimals: normalDecimals)
            try text.append("\n")
        }
        for normal in normals.normals { try text.append("vn", normal, decimals: normalDecimals) }
        let hasTexture = !solid.textureCoordinates.isEmpty
        for (index, triangle) in solid.mesh.triangles.enumerated() {
            let ofNormals = normals.indices(ofTriangle: index, triangle)
            try text.append("f")
            for corner in 0..<3 {
                try text.append(" ")
                try text.append(first.position + Int(triangle[corner]))
                try text.append("/")
                if hasTexture { try text.append(first.textureCoordinates + Int(triangle[corner])) }
                try text.append("/")
                try text.append(first.normal + Int(ofNormals[corner]))
            }
            try text.append("\n")
        }
        first.position += solid.mesh.positions.count
        first.textureCoordinates += solid.textureCoordinates.count
        first.normal += normals.normals.count
    }
}

/// Runs `body` with a buffer before a sink, and hands on what is left at its end.
func withOutputBuffer<Failure: Error>(
    _ sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void,
    _ body: (OutputBuffer<Failure>) throws(Failure) -> Void
) throws(Failure) {
    try withoutActuallyEscaping(sink) { sink throws(Failure) in
        let buffer = OutputBuffer(sink)
        try body(buffer)
        try buffer.finish()
    }
}

extension StrokeColor {
    /// The name of the colour's material.
    var materialName: String { "color_\(hex.dropFirst())" }
}

extension [StrokeColor] {
    /// The colours in the order of their first occurrences.
    var withoutRepetitions: [StrokeColor] {
        var known: Set<StrokeColor> = []
        return filter { known.insert($0).inserted }
    }
}
