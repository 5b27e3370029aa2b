// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// A drawing on disk: a file of JSON lines, `.ardrawing`, that keeps everything that a drawing is, stamps included.
///
/// The format is described in <doc:DrawingFileFormat>. Numbers are written so that they read back as the same; the same
/// drawing gives the same bytes. Law: `DrawingFileTests.whatIsWrittenReadsBack`.
public struct DrawingFile: Hashable, Sendable {
    /// The extension of drawings' names.
    public static let pathExtension = "ardrawing"
    /// The version of the format that is written, and the only one that is read.
    public static let version: Int64 = 1

    private static let format = "ardrawing"
    private static let pointsPerLine = 500

    /// The file.
    public let url: URL

    /// The file at that place.
    public init(_ url: URL) { self.url = url }

    // MARK: Writing

    /// Writes the drawing; the file appears whole or not at all.
    public func write(_ drawing: Drawing) throws(FileError) {
        let output = try AtomicFile(replacing: url)
        let header: JSONValue = .record([
            "format": .string(Self.format), "version": .integer(Self.version),
            "strokes": .integer(Int64(drawing.strokes.count)),
        ])
        try output.write(header.text + "\n")
        for stroke in drawing.strokes {
            try output.write(Self.header(of: stroke).text + "\n")
            for start in stride(from: 0, to: stroke.points.count, by: Self.pointsPerLine) {
                let points = stroke.points[start..<min(start + Self.pointsPerLine, stroke.points.count)]
                try output.write(JSONValue.record(["points": .list(points.map(Self.value))]).text + "\n")
            }
        }
        try output.commit()
    }

    private static func header(of stroke: Stroke) -> JSONValue {
        let (rotation, position) = (stroke.worldFromPlane.rotation.coefficients, stroke.worldFromPlane.translation)
        return .record([
            "stroke": .record([
                "color": .string(stroke.color.hex), "filled": .bool(stroke.isFilled),
                "height_m": .number(stroke.height),
                "point_count": .integer(Int64(stroke.points.count)), "width_m": .number(stroke.width),
                "plane_position_m": .numbers([position.x, position.y, position.z]),
                "plane_rotation_xyzw": .numbers([rotation.x, rotation.y, rotation.z, rotation.w]),
            ])
        ])
    }

    private static func value(_ point: Stroke.Point) -> JSONValue {
        .list([
            .integer(point.timestamp.nanoseconds), .number(point.position.x), .number(point.position.y),
            .number(point.pressure),
        ])
    }

    // MARK: Reading

    /// Reads the drawing.
    public func read() throws(DrawingFileError) -> Drawing {
        do {
            var lines = Lines(try LineReader(url))
            guard let header = try lines.next() else {
                throw DrawingFileError.incomplete(file: url.path, missing: "the header")
            }
            try header.check(keys: ["format", "strokes", "version"])
            guard try header.required("format").string() == Self.format else {
                throw try header.required("format").error(expected: "\"\(Self.format)\"")
            }
            let version = try header.required("version").int64()
            guard version == Self.version else {
                throw DrawingFileError.unknownVersion(file: url.path, found: version, known: Self.version)
            }
            let count = try header.required("strokes").count(upTo: .max)
            var drawing = Drawing()
            for number in 0..<count { drawing.strokes.append(try readStroke(number, of: count, &lines)) }
            if let surplus = try lines.next() {
                throw surplus.error(expected: "the end of the file after \(count) strokes")
            }
            return drawing
        } catch let error as DrawingFileError {
            throw error
        } catch let error as DocumentError {
            throw .malformed(error)
        } catch let error as FileError {
            throw .unreadable(error)
        } catch {
            preconditionFailure("reading throws only errors of files and documents: \(error)")
        }
    }

    private func readStroke(_ number: Int, of count: Int, _ lines: inout Lines) throws -> Stroke {
        guard let line = try lines.next() else {
            throw DrawingFileError.incomplete(file: url.path, missing: "stroke \(number + 1) of \(count)")
        }
        try line.check(keys: ["stroke"])
        let node = try line.required("stroke")
        try node.check(keys: [
            "color", "filled", "height_m", "plane_position_m", "plane_rotation_xyzw", "point_count", "width_m",
        ])
        let colorNode = try node.required("color")
        guard let color = StrokeColor(hex: try colorNode.string()) else {
            throw colorNode.error(expected: "a colour such as \"#ff8800\"")
        }
        var stroke = Stroke(
            points: [], worldFromPlane: try node.rigidTransform(), width: try node.length("width_m", Stroke.widths),
            height: try node.length("height_m", Stroke.heights), color: color,
            isFilled: try node.required("filled").bool())
        let pointCount = try node.required("point_count").count(upTo: .max)
        while stroke.points.count < pointCount {
            guard let line = try lines.next() else {
                throw DrawingFileError.incomplete(
                    file: url.path,
                    missing: "\(pointCount - stroke.points.count) of the \(pointCount) points of stroke \(number + 1)")
            }
            try line.check(keys: ["points"])
            for item in try line.required("points").items() { stroke.points.append(try item.strokePoint()) }
            guard stroke.points.count <= pointCount else {
                throw line.error(expected: "\(pointCount) points in all, not \(stroke.points.count)")
            }
        }
        return stroke
    }

    /// The file's lines as values.
    private struct Lines {
        private let reader: LineReader

        init(_ reader: LineReader) { self.reader = reader }

        mutating func next() throws -> DocumentNode? {
            guard let line = try reader.next() else { return nil }
            return try JSONReader.read(line.bytes, file: reader.path, line: line.number)
        }
    }
}

extension DocumentNode {
    fileprivate func count(upTo most: Int64) throws(DocumentError) -> Int {
        let number = try int64()
        guard (0...most).contains(number) else { throw error(expected: "a number that is not negative") }
        return Int(number)
    }

    fileprivate func length(_ key: String, _ range: ClosedRange<Double>) throws(DocumentError) -> Double {
        let node = try required(key)
        let length = try node.double()
        guard range.contains(length) else {
            throw node.error(expected: "a length from \(range.lowerBound) to \(range.upperBound) m")
        }
        return length
    }

    fileprivate func rigidTransform() throws(DocumentError) -> RigidTransform {
        let rotationNode = try required("plane_rotation_xyzw")
        let coefficients = Vector4(try rotationNode.doubles(count: 4))
        guard abs(coefficients.length - 1) < 1e-6 else {
            throw rotationNode.error(expected: "a quaternion of length 1")
        }
        return RigidTransform(
            rotation: Rotation(unitCoefficients: coefficients),
            translation: Vector3(try required("plane_position_m").doubles(count: 3)))
    }

    fileprivate func strokePoint() throws(DocumentError) -> Stroke.Point {
        let items = try items(count: 4)
        let pressure = try items[3].double()
        guard Stroke.pressures.contains(pressure) else {
            throw items[3].error(
                expected: "a pressure from \(Stroke.pressures.lowerBound) to \(Stroke.pressures.upperBound)")
        }
        return Stroke.Point(
            timestamp: Timestamp(nanoseconds: try items[0].int64()),
            position: Point2(try items[1].double(), try items[2].double()), pressure: pressure)
    }
}

/// Why a file is no drawing.
public enum DrawingFileError: Error, Hashable, Sendable {
    /// The file cannot be read as lines.
    case unreadable(FileError)
    /// Something else stands there than should.
    case malformed(DocumentError)
    /// The file is of a version that is not known.
    case unknownVersion(file: String, found: Int64, known: Int64)
    /// The file ends too early.
    case incomplete(file: String, missing: String)
}

extension DrawingFileError: CustomStringConvertible {
    /// Where, what was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let error): "\(error)"
        case .malformed(let error): "\(error); correct the line, or draw anew"
        case .unknownVersion(let file, let found, let known):
            "\(file):1: found version \(found) of the drawing format, expected \(known): use the arsim that wrote it"
        case .incomplete(let file, let missing):
            "\(file): the file ends before \(missing): it was cut off; copy it again, or lower the counts in it"
        }
    }
}
