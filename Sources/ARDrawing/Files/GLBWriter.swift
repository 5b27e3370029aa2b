// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// Writes solids as a binary glTF 2.0 file (GLB): a node and a mesh for each, with normals, texture coordinates and, where
/// a solid knows them, the times when the pen was there, in seconds, as the vertex attribute `_TIMESTAMP_S`; a material
/// for each colour. The unit is the metre, as the format demands.
///
/// Positions are `Float`, counted from a point of the solid that its node's translation holds.
/// - Reference: Khronos Group, "glTF 2.0 Specification", sections 3.6, 3.7 and 4.4.
public struct GLBWriter: Hashable, Sendable {
    /// As in ``OBJWriter/creaseAngle``.
    public var creaseAngle: Double

    /// A writer that shares normals up to that angle.
    public init(creaseAngle: Double = .pi) { self.creaseAngle = creaseAngle }

    /// The largest file, in bytes: lengths are counted in 32 bits.
    public static let largestSize = Int(UInt32.max)

    /// The file's size in bytes.
    public func size(of solids: [StrokeSolid]) -> Int { Layout(solids, creaseAngle).size }

    /// Hands the file's bytes to `sink`, piece by piece. The file must not be larger than ``largestSize``.
    public func write<Failure: Error>(
        _ solids: [StrokeSolid], to sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let layout = Layout(solids, creaseAngle)
        precondition(layout.size <= Self.largestSize, "a glTF file cannot have \(layout.size) bytes")
        try withOutputBuffer(sink) { (buffer: OutputBuffer<Failure>) throws(Failure) in
            try buffer.append("glTF")
            for number in [2, layout.size, layout.text.utf8.count] { try buffer.append(littleEndian: UInt32(number)) }
            try buffer.append("JSON")
            try buffer.append(layout.text)
            try buffer.append(littleEndian: UInt32(layout.binarySize))
            try buffer.append("BIN\0")
            for part in layout.parts { try part.write(buffer) }
        }
    }

    /// Where everything lies in the file.
    private struct Layout {
        var parts: [Part] = []
        var text = ""
        var binarySize = 0

        var size: Int { 12 + 8 + text.utf8.count + 8 + binarySize }

        private var views: [JSONValue] = []
        private var accessors: [JSONValue] = []

        init(_ solids: [StrokeSolid], _ creaseAngle: Double) {
            let colors = solids.map(\.color).withoutRepetitions
            var (meshes, nodes): ([JSONValue], [JSONValue]) = ([], [])
            for solid in solids where !solid.mesh.triangles.isEmpty {
                let part = Part(solid, creaseAngle)
                let material = Int64(colors.firstIndex(of: solid.color) ?? 0)
                nodes.append(
                    .record([
                        "mesh": .integer(Int64(meshes.count)), "name": .string(solid.name),
                        "translation": .numbers((0..<3).map { Double(part.origin[$0]) }),
                    ]))
                meshes.append(
                    .record(["name": .string(solid.name), "primitives": .list([primitive(part, material: material)])]))
                parts.append(part)
            }
            var document: [String: JSONValue] = [
                "asset": .record(["generator": .string("arsim"), "version": .string("2.0")]), "scene": .integer(0),
                "scenes": .list([
                    .record(nodes.isEmpty ? [:] : ["nodes": .list(nodes.indices.map { .integer(Int64($0)) })])
                ]),
            ]
            // The format has no empty lists.
            let lists = [
                "nodes": nodes, "meshes": meshes, "materials": colors.map(Self.material), "accessors": accessors,
                "bufferViews": views,
                "buffers": views.isEmpty ? [] : [.record(["byteLength": .integer(Int64(binarySize))])],
            ]
            for (key, list) in lists where !list.isEmpty { document[key] = .list(list) }
            text = JSONValue.record(document).text
            text += String(repeating: " ", count: (4 - text.utf8.count % 4) % 4)
        }

        private mutating func primitive(_ part: Part, material: Int64) -> JSONValue {
            let vertices = part.split.count
            var attributes: [String: JSONValue] = [
                "POSITION": accessor("VEC3", count: vertices, bytes: 12, bounds: part.bounds),
                "NORMAL": accessor("VEC3", count: vertices, bytes: 12),
            ]
            if part.hasTexture { attributes["TEXCOORD_0"] = accessor("VEC2", count: vertices, bytes: 8) }
            if part.hasTimes { attributes["_TIMESTAMP_S"] = accessor("SCALAR", count: vertices, bytes: 4) }
            let indices = accessor("SCALAR", count: 3 * part.solid.mesh.triangles.count, bytes: 4, isIndex: true)
            return .record(["attributes": .record(attributes), "indices": indices, "material": .integer(material)])
        }

        /// The number of a new accessor behind everything before it.
        private mutating func accessor(
            _ type: String, count: Int, bytes: Int, isIndex: Bool = false,
            bounds: (lower: [Double], upper: [Double])? = nil
        ) -> JSONValue {
            // 34962 and 34963 are OpenGL's vertex and index buffers, 5126 and 5125 its float and unsigned int.
            views.append(
                .record([
                    "buffer": .integer(0), "byteOffset": .integer(Int64(binarySize)),
                    "byteLength": .integer(Int64(count * bytes)), "target": .integer(isIndex ? 34963 : 34962),
                ]))
            var accessor: [String: JSONValue] = [
                "bufferView": .integer(Int64(views.count - 1)), "componentType": .integer(isIndex ? 5125 : 5126),
                "count": .integer(Int64(count)), "type": .string(type),
            ]
            if let bounds {
                accessor["min"] = .numbers(bounds.lower)
                accessor["max"] = .numbers(bounds.upper)
            }
            accessors.append(.record(accessor))
            binarySize += count * bytes
            return .integer(Int64(accessors.count - 1))
        }

        private static func material(_ color: StrokeColor) -> JSONValue {
            .record([
                "name": .string(color.materialName), "doubleSided": .bool(false),
                "pbrMetallicRoughness": .record([
                    "baseColorFactor": .numbers([color.red, color.green, color.blue].map(linear) + [1]),
                    "metallicFactor": .number(0), "roughnessFactor": .number(1),
                ]),
            ])
        }

        /// The part of light that a part of sRGB stands for (IEC 61966-2-1), to the digits of a `Float`.
        private static func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return Double(Float(value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)))
        }
    }

    /// A solid's arrays, in the order of the file.
    private struct Part {
        let solid: StrokeSolid
        let split: SplitVertices
        let origin: SIMD3<Float>

        init(_ solid: StrokeSolid, _ creaseAngle: Double) {
            self.solid = solid
            split = SplitVertices(solid, creaseAngle: creaseAngle)
            origin = solid.mesh.bounds.map { SIMD3<Float>(0.5 * ($0.minimum + $0.maximum)) } ?? .zero
        }

        var hasTexture: Bool { !solid.textureCoordinates.isEmpty }
        var hasTimes: Bool { !solid.seconds.isEmpty }

        private func position(_ vertex: Int) -> SIMD3<Float> {
            SIMD3<Float>(solid.mesh.positions[Int(split.positions[vertex])] - Point3(origin))
        }

        /// The bounds of what is written.
        var bounds: (lower: [Double], upper: [Double]) {
            var (lower, upper) = (position(0), position(0))
            for vertex in 1..<split.count {
                lower = pointwiseMin(lower, position(vertex))
                upper = pointwiseMax(upper, position(vertex))
            }
            return ((0..<3).map { Double(lower[$0]) }, (0..<3).map { Double(upper[$0]) })
        }

        func write<Failure: Error>(_ buffer: OutputBuffer<Failure>) throws(Failure) {
            // In the order in which the accessors were made.
            for vertex in 0..<split.count { try buffer.append(littleEndian: Point3(position(vertex))) }
            for normal in split.normals { try buffer.append(littleEndian: normal) }
            for source in split.positions where hasTexture {
                // Textures run down from the top in glTF.
                try buffer.append(littleEndian: Float(solid.textureCoordinates[Int(source)].x))
                try buffer.append(littleEndian: Float(1 - solid.textureCoordinates[Int(source)].y))
            }
            for source in split.positions where hasTimes {
                try buffer.append(littleEndian: Float(solid.seconds[Int(source)]))
            }
            for (index, triangle) in solid.mesh.triangles.enumerated() {
                let corners = split.indices(ofTriangle: index, triangle)
                for corner in 0..<3 { try buffer.append(littleEndian: UInt32(corners[corner])) }
            }
        }
    }
}
