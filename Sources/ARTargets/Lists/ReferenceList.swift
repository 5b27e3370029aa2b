// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing
import Foundation

/// What a database is built of: names, picture files, widths, and any data that belongs to them.
///
/// A folder gives each of its pictures the name of its file. A list is a CSV table or a JSON file; their form is described in
/// the article *Image target tools*. What breaks the form is refused with the line and the column.
public struct ReferenceList: Hashable, Sendable {
    /// A target of the list.
    public struct Entry: Hashable, Sendable {
        /// The target's name, which no other has.
        public let name: String
        /// The file of its picture.
        public let picture: URL
        /// The print's width in metres; `nil` where it is not known.
        public let physicalWidth: Double?
        /// The other columns or keys.
        public let record: [String: JSONValue]

        /// Reads the picture: what a database is built of.
        public func reference() throws(ImageFileError) -> ReferenceImage {
            ReferenceImage(
                name: name, picture: try ImageFile.read(picture), physicalWidth: physicalWidth, record: record)
        }
    }

    /// The targets, in the list's order; those of a folder by their files' names.
    public let entries: [Entry]

    /// Reads a folder or a list. At least one target must be in it, and each picture must exist.
    public init(contentsOf place: URL) throws {
        if place.isFolder {
            entries = try Self.entries(ofFolder: place)
        } else {
            entries = try Self.entries(ofList: place)
        }
    }

    // MARK: Folders

    /// How the files of pictures end.
    private static let pictureEndings: Set = ["png", "jpg", "jpeg", "pgm", "ppm"]

    private static func entries(ofFolder folder: URL) throws -> [Entry] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { pictureEndings.contains($0.pathExtension.lowercased()) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        guard !files.isEmpty else { throw ReferenceListError.noPictures(folder: folder.relativePath) }
        var owners: [String: URL] = [:]
        return try files.map { file in
            let name = file.deletingPathExtension().lastPathComponent
            if let other = owners.updateValue(file, forKey: name) {
                throw ReferenceListError.nameTaken(
                    name: name, file: file.lastPathComponent, other: other.lastPathComponent)
            }
            return Entry(name: name, picture: file, physicalWidth: nil, record: [:])
        }
    }

    // MARK: Lists

    /// The version of lists in JSON.
    public static let formatVersion = 1
    /// The keys, or columns, that mean something to the list itself.
    fileprivate enum Key {
        static let (version, targets) = ("arsim_targets", "targets")
        static let (name, picture, width) = ("name", "picture", "width_m")
    }

    /// Prints from a millimetre to a hundred metres: what lies outside was meant in another unit.
    fileprivate static let widths = 0.001...100

    private static func entries(ofList file: URL) throws -> [Entry] {
        let bytes: Data
        do { bytes = try Data(contentsOf: file) } catch {
            throw FileError.cannotOpen(file: file.relativePath, reason: FileError.reason(error, file: file))
        }
        let items = try items(of: [UInt8](bytes), file: file.relativePath)
        var lines: [String: Int] = [:]
        return try items.map { item in
            let entry = try Entry(item, besides: file)
            if let line = lines.updateValue(item.line, forKey: entry.name) {
                let name = try item.required(Key.name)
                throw name.error(expected: "a name that is not given in line \(line) already")
            }
            return entry
        }
    }

    /// What stands for each target. A file that begins with a brace is JSON.
    private static func items(of bytes: [UInt8], file: String) throws(DocumentError) -> [DocumentNode] {
        let first = bytes.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        guard first == UInt8(ascii: "{") else {
            return try CSVTable(bytes, file: file).records(required: [Key.name, Key.picture])
        }
        let list = try JSONReader.read(bytes[...], file: file)
        let version = try list.required(Key.version)
        guard try version.int64() == formatVersion else {
            throw version.error(expected: "version \(formatVersion), the only one that is read")
        }
        try list.check(keys: [Key.version, Key.targets])
        let targets = try list.required(Key.targets)
        let items = try targets.items()
        guard !items.isEmpty else { throw targets.error(expected: "at least one target") }
        return items
    }
}

extension ReferenceList.Entry {
    private typealias Key = ReferenceList.Key

    /// A target of a list whose pictures are found from the list's own place.
    fileprivate init(_ node: DocumentNode, besides list: URL) throws(DocumentError) {
        let (name, picture) = (try node.required(Key.name), try node.required(Key.picture))
        self.name = try name.string()
        guard !self.name.isEmpty else { throw name.error(expected: "a name") }
        self.picture = URL(
            fileURLWithPath: try picture.string(), relativeTo: list.deletingLastPathComponent().absoluteURL)
        guard FileManager.default.fileExists(atPath: self.picture.path) else {
            throw picture.error(expected: "the path of a picture that exists, from the list's folder")
        }
        physicalWidth = try node.value(Key.width).map { node throws(DocumentError) in try node.width() }
        var record: [String: JSONValue] = [:]
        for (key, value) in try node.entries() where ![Key.name, Key.picture, Key.width].contains(key) {
            record[key] = try JSONValue(value)
        }
        self.record = record
    }
}

extension DocumentNode {
    /// A print's width: a number, or in tables a text that is one.
    fileprivate func width() throws(DocumentError) -> Double {
        var number = self
        if case .string(let text) = content {
            number = DocumentNode(.number(text), file: file, line: line, column: column)
        }
        guard let width = try? number.double(), ReferenceList.widths.contains(width) else {
            throw error(expected: "a width in metres, 0.001 … 100")
        }
        return width
    }
}

extension JSONValue {
    /// The value of a document's node.
    init(_ node: DocumentNode) throws(DocumentError) {
        switch node.content {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let text): self = .string(text)
        case .number:
            if let whole = try? node.int64() { self = .integer(whole) } else { self = .number(try node.double()) }
        case .list(let items):
            var values: [JSONValue] = []
            for item in items { values.append(try JSONValue(item)) }
            self = .list(values)
        case .record(let entries):
            var values: [String: JSONValue] = [:]
            for (key, value) in entries { values[key] = try JSONValue(value) }
            self = .record(values)
        }
    }
}

/// Why a folder gives no targets.
public enum ReferenceListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder holds no picture.
    case noPictures(folder: String)
    /// Two pictures would have one name.
    case nameTaken(name: String, file: String, other: String)

    public var description: String {
        switch self {
        case .noPictures(let folder):
            "\(folder): found no picture, expected PNG, JPEG, PGM or PPM files; check the folder"
        case .nameTaken(let name, let file, let other):
            "\(file): found the name '\(name)', which \(other) has already, expected another one; rename the file"
        }
    }
}
