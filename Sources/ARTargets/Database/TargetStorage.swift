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
    /// What the directory says, in its order.
    let entries: [TargetEntry]
    /// The number of each name's target.
    let numbers: [String: Int]
    /// What they look like, in the same order.
    let looks: TargetLooks
    /// Whether the bytes are a file's, and not in memory.
    let isMapped: Bool
    private let keyBits: Int
    private let postingCount: Int
    private let directory: Int
    private let text: Int
    private let textSize: Int
    private let templates: Int
    private let starts: Int
    private let postings: Int
    private let places: Int
    /// Where each target's places begin, and where the last one's end.
    private let targetStarts: [UInt32]
    /// The postings that lookups see, where targets were removed.
    private let shown: ShownPostings?

    convenience init(mapping file: URL) throws(TargetDatabaseError) {
        let bytes: Data
        do { bytes = try Data(contentsOf: file, options: .alwaysMapped) } catch {
            throw .cannotOpen(file: file.path, reason: FileError.reason(error, file: file))
        }
        try self.init(bytes, file: file.path, isMapped: true)
    }

    /// Checks the header, that all sections lie within the bytes, that names and records are those that were written, and
    /// that keys are in order; templates and postings are not read.
    init(_ bytes: Data, file: String, isMapped: Bool = false) throws(TargetDatabaseError) {
        typealias Layout = TargetFileLayout
        self.bytes = bytes
        self.isMapped = isMapped
        shown = nil
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
        guard postingCount <= Int(UInt32.max) else {
            throw .damaged(
                file: file, offset: Layout.Header.postingCount,
                reason: "\(postingCount) postings, expected at most \(UInt32.max)")
        }
        directory = try size(Layout.Header.directory, "the directory")
        text = try size(Layout.Header.text, "the text")
        textSize = try size(Layout.Header.textSize, "the text's end")
        templates = try size(Layout.Header.templates, "the first template")
        starts = try size(Layout.Header.starts, "the keys")
        postings = try size(Layout.Header.postings, "the first posting")
        places = try size(Layout.Header.places, "the first place of a posting")
        let ends = [
            (Layout.Header.directory, directory, targetCount * Layout.entrySize), (Layout.Header.text, text, textSize),
            (Layout.Header.starts, starts, ((1 << keyBits) + 1) * 4),
            (Layout.Header.postings, postings, postingCount * Layout.postingSize),
            (Layout.Header.places, places, postingCount * 4),
        ]
        for (offset, start, length) in ends {
            guard start % Layout.alignment == 0, start >= Layout.headerSize, start + length <= bytes.count else {
                throw .damaged(file: file, offset: offset, reason: "a section does not lie in the file")
            }
        }
        try Self.checkText(
            bytes, directory: directory..<directory + targetCount * Layout.entrySize, text: text..<text + textSize,
            file: file)
        (entries, numbers) = try Self.entries(
            in: bytes, count: targetCount, directory: directory, text: text..<text + textSize, templates: templates,
            file: file)
        targetStarts = try Self.targetStarts(of: entries, postingCount: postingCount, file: file)
        looks = TargetLooks(
            (0..<targetCount).lazy.map { [directory] in Self.look(in: bytes, directory: directory, at: $0) })
        try checkStarts(file: file)
    }

    /// A storage with the same bytes, of which lookups see some targets.
    init(_ whole: TargetStorage, isShown: [Bool]) {
        (bytes, isMapped) = (whole.bytes, whole.isMapped)
        (targetCount, entries, numbers, looks) = (whole.targetCount, whole.entries, whole.numbers, whole.looks)
        (keyBits, postingCount) = (whole.keyBits, whole.postingCount)
        (directory, text, textSize, templates) = (whole.directory, whole.text, whole.textSize, whole.templates)
        (starts, postings, places) = (whole.starts, whole.postings, whole.places)
        targetStarts = whole.targetStarts
        shown = ShownPostings(isShown: isShown)
    }

    private static func checkText(
        _ bytes: Data, directory: Range<Int>, text: Range<Int>, file: String
    ) throws(TargetDatabaseError) {
        typealias Layout = TargetFileLayout
        let agrees = bytes.withUnsafeBytes { bytes in
            let checksum = Layout.checksum([
                .init(rebasing: bytes[0..<Layout.Header.checksum]),
                .init(rebasing: bytes[directory]),
                .init(rebasing: bytes[text]),
            ])
            return checksum == bytes.number(Layout.Header.checksum, UInt64.self)
        }
        guard agrees else {
            throw .damaged(file: file, offset: Layout.Header.checksum, reason: "the checksum of the directory is wrong")
        }
    }

    private static func entries(
        in bytes: Data, count: Int, directory: Int, text: Range<Int>, templates: Int, file: String
    ) throws(TargetDatabaseError) -> ([TargetEntry], numbers: [String: Int]) {
        var numbers = [String: Int](minimumCapacity: count)
        var entries: [TargetEntry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let offset = directory + index * TargetFileLayout.entrySize
            let read = bytes.withUnsafeBytes { bytes in
                Result { () throws(TargetEntry.Flaw) in
                    try TargetEntry(bytes, at: offset, text: text, templates: templates)
                }
            }
            switch read {
            case .success(let entry): entries.append(entry)
            case .failure(let flaw):
                throw .damaged(file: file, offset: offset, reason: "target \(index): \(flaw.reason)")
            }
            guard numbers.updateValue(index, forKey: entries[index].name) == nil else {
                throw .damaged(file: file, offset: offset, reason: "two targets are called \"\(entries[index].name)\"")
            }
        }
        return (entries, numbers)
    }

    private static func look(in bytes: Data, directory: Int, at index: Int) -> TargetLook {
        let start = directory + index * TargetFileLayout.entrySize + TargetFileLayout.Entry.look
        return TargetLook(greys: bytes.withUnsafeBytes { Array($0[start..<start + TargetLook.byteCount]) })
    }

    private static func targetStarts(
        of entries: [TargetEntry], postingCount: Int, file: String
    ) throws(TargetDatabaseError) -> [UInt32] {
        var sum = 0
        var starts: [UInt32] = [0]
        starts.reserveCapacity(entries.count + 1)
        for entry in entries where sum <= postingCount {
            sum += entry.featureCount
            starts.append(UInt32(truncatingIfNeeded: sum))
        }
        guard sum == postingCount, starts.count == entries.count + 1 else {
            throw .damaged(
                file: file, offset: TargetFileLayout.Header.postingCount,
                reason: "\(postingCount) postings, the directory counts others")
        }
        return starts
    }

    private func checkStarts(file: String) throws(TargetDatabaseError) {
        let broken: Int? = bytes.withUnsafeBytes { bytes in
            guard bytes.number(starts, UInt32.self) == 0 else { return 0 }
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

// MARK: - Verification

extension TargetStorage {
    /// Checks what opening does not read: that postings are in order, each below its own key, and each target's its own. What
    /// breaks these rules harms no memory, but is not recognised as it should be.
    func verify(file: String) throws(TargetDatabaseError) {
        if let flaw = withWholeIndex({ firstDisorder(in: $0) ?? firstStranger(in: $0) }) {
            throw .damaged(file: file, offset: flaw.offset, reason: flaw.reason)
        }
    }

    /// The first posting that is not where its signature belongs.
    private func firstDisorder(in index: CFeaturesIndex) -> (offset: Int, reason: String)? {
        for key in 0..<(1 << keyBits) {
            var last: UInt64 = 0
            for number in Int(index.starts[key])..<Int(index.starts[key + 1]) {
                let first = index.postings[number].signature.0
                guard first >> UInt64(64 - keyBits) == UInt64(key), first >= last else {
                    let offset = postings + number * TargetFileLayout.postingSize
                    return (offset, "posting \(number) is not in the order of signatures")
                }
                last = first
            }
        }
        return nil
    }

    /// The first place of a target that names no posting, another target's, or one a second time.
    private func firstStranger(in index: CFeaturesIndex) -> (offset: Int, reason: String)? {
        var isNamed = [Bool](repeating: false, count: postingCount)
        for target in 0..<targetCount {
            for number in Int(targetStarts[target])..<Int(targetStarts[target + 1]) {
                let place = Int(index.places[number])
                guard place < postingCount, index.postings[place].target == UInt32(target), !isNamed[place] else {
                    return (places + 4 * number, "posting \(place) is none of target \(target)")
                }
                isNamed[place] = true
            }
        }
        return nil
    }
}

// MARK: - Targets

extension TargetStorage {
    private func record(at index: Int) -> String {
        bytes.withUnsafeBytes { String(decoding: $0[entries[index].record], as: UTF8.self) }
    }

    func target(at index: Int) -> ImageTarget {
        precondition((0..<targetCount).contains(index), "there are \(targetCount) targets, none is number \(index)")
        let entry = entries[index]
        return ImageTarget(
            name: entry.name, physicalSize: entry.physicalSize, pictureSize: entry.pictureSize,
            record: JSONValue.record(in: record(at: index)), featureCount: entry.featureCount)
    }

    func template(at index: Int) -> ImageBuffer {
        withTemplate(at: index) { view in
            ImageBuffer(
                size: ImageSize(width: view.width, height: view.height), format: .gray8,
                bytes: Array(UnsafeBufferPointer(start: view.pixels, count: view.width * view.height)))
        }
    }

    func look(at index: Int) -> TargetLook { Self.look(in: bytes, directory: directory, at: index) }

    /// The print's colours; `nil` where its picture was grey.
    func colors(at index: Int) -> PrintColors? {
        let entry = entries[index]
        guard entry.hasColors else { return nil }
        return bytes.withUnsafeBytes {
            PrintColors(bytes: Array($0[entry.colors..<entry.colors + PrintColors.byteCount]))
        }
    }

    func withTemplate<Result>(at index: Int, _ body: (TemplateView) -> Result) -> Result {
        let entry = entries[index]
        return bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress.unsafelyUnwrapped.advanced(by: entry.template)
            return body(
                TemplateView(
                    pixels: start.assumingMemoryBound(to: UInt8.self), width: entry.templateSize.width,
                    height: entry.templateSize.height))
        }
    }

    /// Calls a kernel that reads the index, in which targets that were removed have no part.
    func withIndex<Result>(_ body: (inout CFeaturesIndex) -> Result) -> Result {
        withWholeIndex { index in
            guard let shown else { return body(&index) }
            return shown.replacing(index).withUnsafeBufferPointer { postings in
                index.postings = postings.baseAddress
                return body(&index)
            }
        }
    }

    private func withWholeIndex<Result>(_ body: (inout CFeaturesIndex) -> Result) -> Result {
        bytes.withUnsafeBytes { bytes in
            targetStarts.withUnsafeBufferPointer { targetStarts in
                let base = bytes.baseAddress.unsafelyUnwrapped
                var index = CFeaturesIndex(
                    postings: base.advanced(by: postings).assumingMemoryBound(to: CFeaturesPosting.self),
                    posting_count: UInt32(postingCount),
                    starts: base.advanced(by: starts).assumingMemoryBound(to: UInt32.self), key_bits: Int32(keyBits),
                    target_count: UInt32(targetCount),
                    places: base.advanced(by: places).assumingMemoryBound(to: UInt32.self),
                    target_starts: targetStarts.baseAddress)
                return body(&index)
            }
        }
    }

    /// All targets as they were before they were put together.
    var parts: [TargetParts] {
        var parts = (0..<targetCount).map { index in
            let entry = entries[index]
            return TargetParts(
                name: entry.name, record: record(at: index), physicalWidth: entry.physicalWidth,
                pictureSize: entry.pictureSize, template: template(at: index), colors: colors(at: index), postings: [])
        }
        withWholeIndex { index in
            for posting in UnsafeBufferPointer(start: index.postings, count: Int(index.posting_count))
            where posting.target < index.target_count {
                parts[Int(posting.target)].postings.append(posting)
            }
        }
        return parts
    }
}
