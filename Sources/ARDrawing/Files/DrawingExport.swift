// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation

/// The formats in which a drawing is written.
public enum DrawingFormat: String, CaseIterable, Hashable, Sendable {
    /// Wavefront OBJ, with a materials' file beside it.
    case obj
    /// Binary STL.
    case stl
    /// Binary PLY.
    case ply
    /// Binary glTF.
    case glb
    /// The plan as a picture.
    case svg
    /// The drawing itself, with its stamps: see ``DrawingFile``.
    case ardrawing

    /// Whether lengths can be in that unit.
    public func allows(_ unit: LengthUnit) -> Bool {
        switch self {
        case .obj, .stl, .ply: true
        case .glb, .ardrawing: unit == .metres
        case .svg: unit == .millimetres
        }
    }
}

/// A drawing's way to a file in the format that the file's extension names.
public struct DrawingExport: Hashable, Sendable {
    /// The file.
    public let url: URL
    /// Its format.
    public let format: DrawingFormat
    /// The unit of its lengths.
    public let unit: LengthUnit

    /// An export to that file; the unit is the format's own where none is given.
    public init(to url: URL, unit: LengthUnit? = nil) throws(DrawingExportError) {
        guard let format = DrawingFormat(rawValue: url.pathExtension.lowercased()) else {
            throw .unknownFormat(file: url.path)
        }
        let unit = unit ?? (format == .svg ? .millimetres : .metres)
        guard format.allows(unit) else { throw .unitNotAllowed(file: url.path, unit: unit) }
        self.url = url
        self.format = format
        self.unit = unit
    }

    /// The materials' file that an OBJ file names, beside it.
    public var materialFile: URL? {
        guard format == .obj else { return nil }
        // The line that names it ends at a blank.
        let name = url.deletingPathExtension().lastPathComponent.map { $0.isWhitespace ? "_" : $0 }
        return url.deletingLastPathComponent().appendingPathComponent(String(name) + ".mtl")
    }

    /// Writes the drawing; files appear whole or not at all. The solids that stand in the file, or that would: where the
    /// format holds none.
    @discardableResult
    public func write(_ drawing: Drawing, _ options: SolidOptions = SolidOptions()) throws -> [StrokeSolid] {
        var options = options
        options.hasTimestamps = options.hasTimestamps || format == .glb || format == .ply
        let solids = try drawing.solids(options)
        switch format {
        case .obj, .stl, .ply, .glb: try write(solids)
        case .svg:
            let plan = try DrawingPlan(drawing, options)
            try writeFile { (sink: Sink) throws(FileError) in try SVGWriter().write(plan, to: sink) }
        case .ardrawing: try DrawingFile(url).write(drawing)
        }
        return solids
    }

    /// Writes solids, in a format that holds solids.
    public func write(_ solids: [StrokeSolid]) throws {
        switch format {
        case .obj:
            let writer = OBJWriter(unit: unit, materialFile: materialFile?.lastPathComponent)
            if let materialFile {
                let materials = try AtomicFile(replacing: materialFile)
                try materials.write(writer.materials(of: solids))
                try materials.commit()
            }
            try writeFile { (sink: Sink) throws(FileError) in try writer.write(solids, to: sink) }
        case .stl: try writeFile { (sink: Sink) throws(FileError) in try STLWriter(unit: unit).write(solids, to: sink) }
        case .ply: try writeFile { (sink: Sink) throws(FileError) in try PLYWriter(unit: unit).write(solids, to: sink) }
        case .glb:
            let size = GLBWriter().size(of: solids)
            guard size <= GLBWriter.largestSize else { throw DrawingExportError.tooLarge(file: url.path, bytes: size) }
            try writeFile { (sink: Sink) throws(FileError) in try GLBWriter().write(solids, to: sink) }
        case .svg, .ardrawing: preconditionFailure("a file .\(format.rawValue) is made of a drawing, not of solids")
        }
    }

    private typealias Sink = (UnsafeBufferPointer<UInt8>) throws(FileError) -> Void

    private func writeFile(_ body: (Sink) throws(FileError) -> Void) throws(FileError) {
        let output = try AtomicFile(replacing: url)
        try body { (bytes: UnsafeBufferPointer<UInt8>) throws(FileError) in try output.write(bytes) }
        try output.commit()
    }
}

/// Why a drawing cannot be written to a file of that name.
public enum DrawingExportError: Error, Hashable, Sendable {
    /// The extension must name one of ``DrawingFormat``.
    case unknownFormat(file: String)
    /// The format has a unit of its own.
    case unitNotAllowed(file: String, unit: LengthUnit)
    /// The format counts bytes in 32 bits.
    case tooLarge(file: String, bytes: Int)
}

extension DrawingExportError: CustomStringConvertible {
    /// What was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .unknownFormat(let file):
            "\(file): the name says no format: give one that ends in "
                + DrawingFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
        case .unitNotAllowed(let file, let unit):
            "\(file): the format's lengths are in \(unit == .metres ? "millimetres" : "metres"): leave the unit "
                + "\(unit.rawValue) out, or write another format"
        case .tooLarge(let file, let bytes):
            "\(file): \(bytes) bytes are more than the format can count: write PLY or STL, or fewer strokes"
        }
    }
}
