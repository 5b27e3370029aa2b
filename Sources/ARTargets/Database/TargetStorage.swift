// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import CFeatures
import Foundation

/// A database's bytes, checked so far that nothing outside them is read.
final class TargetStorage: Sendable {
    let bytes: Data
    let targetCount: Int
    private let keyBits: Int
    private let postingCount: Int
    private let directory: Int
    private let text: Int
    private let textSize: Int
    private let templates: Int
    private let starts: Int
    private let postings: Int

    convenience init(mapping file: URL) throws(TargetDatabaseError) {
        let bytes: Data
        do { bytes = try Data(contentsOf: file, options: .alwaysMapped) } catch {
            throw .cannotOpen(file: file.path, reason: FileError.reason(error, file: file))
        }
        try self.init(bytes, file: file.path)
    }

    /// Checks the header, that all sections lie within the bytes, that names and records are those that were written, and
    /// that keys are in order; templates and postings are not read.
    init(_ bytes: Data, file: String) throws(TargetDatabaseError) {
        typealias Layout = TargetFileLayout
        self.bytes = bytes
        let header = Data(bytes.prefix(Layout.headerSize))
        guard header.count == Layout.headerSize, header.starts(with: Layout.magic) else {
            throw .notADatabase(file: file)
        }
        func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
            header.withUnsafeBytes { $0.number(offset, type) }
        }
        let version = number(Layout.Header.version, UInt32.self)
        guard version == Layout.version else {
            throw .unknownVersion(file: file, found: version, expected: Layout.version)
        }
        let fileSize = number(Layout.Header.fileSize, UInt64.self)
        guard fileSize == UInt64(bytes.count) else {
            throw .wrongSize(file: file, found: bytes.count, expected: fileSize)
        }
        func size(_ offset: Int, _ reason: String) throws(TargetDatabaseError) -> Int {
            guard let value = Int(exactly: number(offset, UInt64.self)), value <= bytes.count else {
                throw .damaged(file: file, offset: offset, reason: "\(reason) lies outside the file")
            }
            return value
        }
        targetCount = Int(number(Layout.Header.targetCount, UInt32.self))
        keyBits = Int(number(Layout.Header.keyBits, UInt32.self))
        guard (1...Int(CFEATURES_KEY_BITS)).contains(keyBits) else {
            throw .damaged(
                file: file, offset: Layout.Header.keyBits,
                reason: "keys of \(keyBits) bits, expected 1 to \(CFEATURES_KEY_BITS)")
        }
        postingCount = try size(Layout.Header.postingCount, "the last posting")
        directory = try size(Layout.Header.directory, "the directory")
        text = try size(Layout.Header.text, "the text")
        textSize = try size(Layout.Header.textSize, "the text's end")
        templates = try size(Layout.Header.templates, "the first template")
        starts = try size(Layout.Header.starts, "the keys")
        postings = try size(Layout.Header.postings, "the first posting")
        let ends = [
            (Layout.Header.directory, directory, targetCount * Layout.entrySize), (Layout.Header.text, text, textSize),
            (Layout.Header.starts, starts, ((1 << keyBits) + 1) * 4),
            (Layout.Header.postings, postings, postingCount * Layout.postingSize),
        ]
        for (offset, start, length) in ends {
            guard start % Layout.alignment == 0, start >= Layout.headerSize, start + length <= bytes.count else {
                throw .damaged(file: file, offset: offset, reason: "a section does not lie in the file")
            }
        }
        try checkText(file: file)
        try checkEntries(file: file)
        try checkStarts(file: file)
    }

    private func checkText(file: String) throws(TargetDatabaseError) {
        typealias Layout = TargetFileLayout
        let agrees = bytes.withUnsafeBytes { bytes in
            let checksum = Layout.checksum([
                .init(rebasing: bytes[0..<Layout.Header.checksum]),
                .init(rebasing: bytes[directory..<directory + targetCount * Layout.entrySize]),
                .init(rebasing: bytes[text..<text + textSize]),
            ])
            return checksum == bytes.number(Layout.Header.checksum, UInt64.self)
        }
        guard agrees else {
            throw .damaged(file: file, offset: Layout.Header.checksum, reason: "the checksum of the directory is wrong")
        }
    }

    private func checkEntries(file: String) throws(TargetDatabaseError) {
        typealias Entry = TargetFileLayout.Entry
        for index in 0..<targetCount {
            let entry = directory + index * TargetFileLayout.entrySize
            let fits = bytes.withUnsafeBytes { bytes in
                func number(_ offset: Int) -> Int { Int(bytes.number(entry + offset, UInt32.self)) }
                let width = Int(bytes.number(entry + Entry.templateWidth, UInt16.self))
                let height = Int(bytes.number(entry + Entry.templateHeight, UInt16.self))
                let template = bytes.number(entry + Entry.template, UInt64.self)
                return number(Entry.name) + number(Entry.nameSize) <= textSize
                    && number(Entry.record) + number(Entry.recordSize) <= textSize && min(width, height) >= 8
                    && max(width, height) <= TargetParts.templateSide && template <= UInt64(bytes.count)
                    && templates + Int(template) + width * height <= bytes.count
                    && number(Entry.pictureWidth) > 0 && number(Entry.pictureHeight) > 0
            }
            guard fits else {
                throw .damaged(file: file, offset: entry, reason: "target \(index) does not lie in the file")
            }
        }
    }

    private func checkStarts(file: String) throws(TargetDatabaseError) {
        let broken: Int? = bytes.withUnsafeBytes { bytes in
            var last: UInt32 = 0
            for key in 0...(1 << keyBits) {
                let start = bytes.number(starts + 4 * key, UInt32.self)
                if start < last || start > postingCount { return key }
                last = start
            }
            return last == postingCount ? nil : 1 << keyBits
        }
        if let broken {
            throw .damaged(
                file: file, offset: starts + 4 * broken, reason: "the postings of key \(broken) are out of order")
        }
    }
}

// MARK: - Targets

extension TargetStorage {
    private typealias Entry = TargetFileLayout.Entry

    private func string(_ bytes: UnsafeRawBufferPointer, _ entry: Int, _ offset: Int, _ size: Int) -> String {
        let start = text + Int(bytes.number(entry + offset, UInt32.self))
        return String(decoding: bytes[start..<start + Int(bytes.number(entry + size, UInt32.self))], as: UTF8.self)
    }

    private func entry(of index: Int) -> Int {
        precondition((0..<targetCount).contains(index), "there are \(targetCount) targets, none is number \(index)")
        return directory + index * TargetFileLayout.entrySize
    }

    func name(at index: Int) -> String {
        let entry = entry(of: index)
        return bytes.withUnsafeBytes { string($0, entry, Entry.name, Entry.nameSize) }
    }

    func target(at index: Int) -> ImageTarget {
        let entry = entry(of: index)
        let record = bytes.withUnsafeBytes { string($0, entry, Entry.record, Entry.recordSize) }
        let size = pictureSize(at: index)
        return ImageTarget(
            name: name(at: index),
            physicalSize: physicalWidth(at: index).map { Vector2($0, $0 * Double(size.height) / Double(size.width)) },
            pictureSize: size, record: JSONValue.record(in: record),
            featureCount: bytes.withUnsafeBytes { Int($0.number(entry + Entry.featureCount, UInt32.self)) })
    }

    func pictureSize(at index: Int) -> ImageSize {
        let entry = entry(of: index)
        return bytes.withUnsafeBytes {
            ImageSize(
                width: Int($0.number(entry + Entry.pictureWidth, UInt32.self)),
                height: Int($0.number(entry + Entry.pictureHeight, UInt32.self)))
        }
    }

    func physicalWidth(at index: Int) -> Double? {
        let entry = entry(of: index)
        let width = Double(bitPattern: bytes.withUnsafeBytes { $0.number(entry + Entry.physicalWidth, UInt64.self) })
        return width > 0 ? width : nil
    }

    func template(at index: Int) -> ImageBuffer {
        withTemplate(at: index) { view in
            ImageBuffer(
                size: ImageSize(width: view.width, height: view.height), format: .gray8,
                bytes: Array(UnsafeBufferPointer(start: view.pixels, count: view.width * view.height)))
        }
    }

    func withTemplate<Result>(at index: Int, _ body: (TemplateView) -> Result) -> Result {
        let entry = entry(of: index)
        return bytes.withUnsafeBytes { bytes in
            let offset = templates + Int(bytes.number(entry + Entry.template, UInt64.self))
            let pixels = bytes.baseAddress.unsafelyUnwrapped.advanced(by: offset).assumingMemoryBound(to: UInt8.self)
            return body(
                TemplateView(
                    pixels: pixels, width: Int(bytes.number(entry + Entry.templateWidth, UInt16.self)),
                    height: Int(bytes.number(entry + Entry.templateHeight, UInt16.self))))
        }
    }

    /// Calls a kernel that reads the index.
    func withIndex<Result>(_ body: (inout CFeaturesIndex) -> Result) -> Result {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress.unsafelyUnwrapped
            var index = CFeaturesIndex(
                postings: base.advanced(by: postings).assumingMemoryBound(to: CFeaturesPosting.self),
                posting_count: UInt32(postingCount),
                starts: base.advanced(by: starts).assumingMemoryBound(to: UInt32.self), key_bits: Int32(keyBits),
                target_count: UInt32(targetCount))
            return body(&index)
        }
    }

    /// All targets as they were before they were put together.
    var parts: [TargetParts] {
        var parts = (0..<targetCount).map { index in
            let entry = entry(of: index)
            return TargetParts(
                name: name(at: index),
                record: bytes.withUnsafeBytes { string($0, entry, Entry.record, Entry.recordSize) },
                physicalWidth: physicalWidth(at: index), pictureSize: pictureSize(at: index),
                template: template(at: index), postings: [])
        }
        withIndex { index in
            for posting in UnsafeBufferPointer(start: index.postings, count: Int(index.posting_count))
            where posting.target < index.target_count {
                parts[Int(posting.target)].postings.append(posting)
            }
        }
        return parts
    }
}
