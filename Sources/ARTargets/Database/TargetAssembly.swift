// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import CFeatures
import Foundation

/// Puts targets together as the bytes of a database, one after the other. What they need most room for waits in stores, in
/// memory or on the disk; of each target only its entry and its texts are held here.
struct TargetAssembly<Store: ByteStore>: ~Copyable {
    private var names: Set<String> = []
    private var directory: [UInt8] = []
    private var text: [UInt8] = []
    private var templates: Store
    private var postings: Store
    private var postingCount = 0
    private let limit: Int

    /// - Parameter limit: how many targets, postings and bytes of text there are at most, 2³² − 1 in a file.
    init(templates: Store, postings: Store, limit: Int = Int(UInt32.max)) {
        (self.templates, self.postings, self.limit) = (templates, postings, limit)
    }

    var targetCount: Int { names.count }

    /// Whether no target has that name yet.
    func isFree(_ name: String) -> Bool { !names.contains(name) }

    /// Throws where a file's numbers cannot count one more target of that size.
    func checkRoom(for target: TargetParts) throws(TargetDatabaseError) {
        let textSize = text.count + target.name.utf8.count + target.record.utf8.count
        let counts = [
            (targetCount + 1, "targets"), (textSize, "bytes of names and records"),
            (postingCount + target.postings.count, "features"),
        ]
        for (count, what) in counts where count > limit {
            throw .databaseFull(name: target.name, found: count, of: what, most: limit)
        }
    }

    /// Adds a target whose name is free and for which there is room. Where a store fails, what was held before is left.
    mutating func append(_ target: TargetParts) throws(FileError) {
        let template = templates.count
        try templates.append(target.template.bytes + (target.colors?.bytes ?? []))
        do { try postings.append(postingBytes(of: target)) } catch {
            templates.truncate(to: template)
            throw error
        }
        postingCount += target.postings.count
        appendEntry(of: target, template: template)
        names.insert(target.name)
    }

    /// A target's postings, in an order that does not depend on the one in which they come: a database that was read may have
    /// had them in the order of longer keys.
    private func postingBytes(of target: TargetParts) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(target.postings.count * TargetFileLayout.postingSize)
        for posting in target.postings.sorted(by: { $0.isBefore($1) }) {
            bytes.append(posting, target: UInt32(targetCount))
        }
        return bytes
    }

    private mutating func appendEntry(of target: TargetParts, template: Int) {
        let entry = directory.count
        directory.append(UInt32(text.count))
        directory.append(UInt32(target.name.utf8.count))
        text += target.name.utf8
        directory.append(UInt32(text.count))
        directory.append(UInt32(target.record.utf8.count))
        text += target.record.utf8
        directory.append((target.physicalWidth ?? 0).bitPattern)
        directory.append(UInt32(target.pictureSize.width))
        directory.append(UInt32(target.pictureSize.height))
        directory.append(UInt16(target.template.size.width))
        directory.append(UInt16(target.template.size.height))
        directory.append(UInt32(target.postings.count))
        directory.append(UInt64(template))
        directory.append(UInt32(target.colors == nil ? 0 : PrintColors.side))
        directory += [UInt8](repeating: 0, count: TargetFileLayout.Entry.look - (directory.count - entry))
        directory += TargetLook(of: target.template).greys
    }

    // MARK: Writing

    /// As many bits as give each key about four features.
    private var keyBits: Int {
        let keys = max(1, postingCount / 4)
        return min(max(Int.bitWidth - keys.leadingZeroBitCount, 10), Int(CFEATURES_KEY_BITS))
    }

    /// Hands out the database's bytes from the first to the last, in pieces.
    func write(to output: (UnsafeRawBufferPointer) throws(FileError) -> Void) throws(FileError) {
        typealias Layout = TargetFileLayout
        let keyBits = keyBits
        let (starts, order) = try sorted(keyBits: keyBits)
        let startBytes = [UInt8](littleEndian: starts)
        var places = [UInt32](repeating: 0, count: order.count)
        for (place, number) in order.enumerated() { places[Int(number)] = UInt32(place) }
        let placeBytes = [UInt8](littleEndian: places)

        // Where sections begin, in the file's order.
        var end = Layout.headerSize
        let lengths = [
            directory.count, text.count, templates.count, startBytes.count, postings.count, placeBytes.count,
        ]
        let offsets = lengths.map { length in
            let offset = Layout.aligned(end)
            end = offset + length
            return offset
        }
        var position = 0
        func put(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
            try output(bytes)
            position += bytes.count
        }
        func put(_ bytes: [UInt8]) throws(FileError) {
            try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in try put(UnsafeRawBufferPointer(bytes))
            }
        }
        func align() throws(FileError) {
            try put([UInt8](repeating: 0, count: Layout.aligned(position) - position))
        }
        try put(header(keyBits: keyBits, offsets: offsets, fileSize: end))
        for section in [directory, text] {
            try align()
            try put(section)
        }
        try align()
        try templates.withBytes { bytes in
            Result { () throws(FileError) in
                for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
                    try put(.init(rebasing: bytes[start..<min(start + Self.pieceSize, bytes.count)]))
                }
            }
        }.get()
        try align()
        try put(startBytes)
        try align()
        try postings.withBytes { bytes in
            Result { () throws(FileError) in
                let count = Self.pieceSize / Layout.postingSize
                for start in stride(from: 0, to: order.count, by: count) {
                    try put(Self.piece(of: bytes, order[start..<min(start + count, order.count)]))
                }
            }
        }.get()
        try align()
        try put(placeBytes)
    }

    /// How many bytes of templates or postings are handed out at a time.
    private static var pieceSize: Int { 1 << 20 }

    private static func piece(of postings: UnsafeRawBufferPointer, _ numbers: ArraySlice<UInt32>) -> [UInt8] {
        var piece: [UInt8] = []
        piece.reserveCapacity(numbers.count * TargetFileLayout.postingSize)
        for number in numbers {
            let start = Int(number) * TargetFileLayout.postingSize
            piece.append(contentsOf: postings[start..<start + TargetFileLayout.postingSize])
        }
        return piece
    }

    private func header(keyBits: Int, offsets: [Int], fileSize: Int) -> [UInt8] {
        typealias Layout = TargetFileLayout
        var header = Layout.magic
        header.append(Layout.version)
        header.append(UInt32(Layout.headerSize))
        header.append(UInt64(fileSize))
        header.append(UInt32(targetCount))
        header.append(UInt32(keyBits))
        header.append(UInt64(postingCount))
        for number in [offsets[0], offsets[1], text.count, offsets[2], offsets[3], offsets[4], offsets[5]] {
            header.append(UInt64(number))
        }
        let checksum = header.withUnsafeBytes { header in
            directory.withUnsafeBytes { directory in
                text.withUnsafeBytes { Layout.checksum([header, directory, $0]) }
            }
        }
        header.append(checksum)
        return header + [UInt8](repeating: 0, count: Layout.headerSize - header.count)
    }

    /// The numbers of the postings in the order of their signatures' first words, and where each key's begin.
    private func sorted(keyBits: Int) throws(FileError) -> (starts: [UInt32], order: [UInt32]) {
        let words: [UInt64] = try postings.withBytes { bytes in
            (0..<postingCount).map { bytes.number($0 * TargetFileLayout.postingSize, UInt64.self) }
        }
        var order = [UInt32](0..<UInt32(postingCount))
        order.sort { a, b in
            let (first, second) = (words[Int(a)], words[Int(b)])
            return first != second ? first < second : a < b
        }
        var starts = [UInt32](repeating: 0, count: (1 << keyBits) + 1)
        for word in words {
            var signature = word
            starts[Int(cfeatures_key(&signature, Int32(keyBits))) + 1] += 1
        }
        for key in 1..<starts.count { starts[key] += starts[key - 1] }
        return (starts, order)
    }
}

extension TargetAssembly<ByteArray> {
    /// The bytes of a database of targets with names of their own.
    static func bytes(of targets: [TargetParts]) throws(TargetDatabaseError) -> Data {
        var assembly = TargetAssembly(templates: ByteArray(), postings: ByteArray())
        for target in targets {
            try assembly.checkRoom(for: target)
            assembly.appendInMemory(target)
        }
        return assembly.bytes
    }

    private mutating func appendInMemory(_ target: TargetParts) {
        do { try append(target) } catch { Self.memoryFailed(error) }
    }

    private var bytes: Data {
        var bytes = Data()
        do {
            try write { bytes.append(contentsOf: $0) }
        } catch {
            Self.memoryFailed(error)
        }
        return bytes
    }

    private static func memoryFailed(_ error: FileError) -> Never {
        preconditionFailure("nothing is written to a disk here, and yet \(error)")
    }
}

extension CFeaturesPosting {
    /// An order of all that postings say, but whose they are.
    fileprivate func isBefore(_ other: CFeaturesPosting) -> Bool {
        if signature.0 != other.signature.0 { return signature.0 < other.signature.0 }
        if signature.1 != other.signature.1 { return signature.1 < other.signature.1 }
        if (x, y) != (other.x, other.y) { return (x, y) < (other.x, other.y) }
        return (along_x, along_y, across_x, across_y) < (other.along_x, other.along_y, other.across_x, other.across_y)
    }
}

extension [UInt8] {
    fileprivate init(littleEndian numbers: [UInt32]) {
        self.init()
        reserveCapacity(numbers.count * 4)
        for number in numbers { append(number) }
    }

    /// Appends a number, little-endian.
    fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(_ posting: CFeaturesPosting, target: UInt32) {
        append(posting.signature.0)
        append(posting.signature.1)
        append(posting.x)
        append(posting.y)
        append(posting.along_x)
        append(posting.along_y)
        append(posting.across_x)
        append(posting.across_y)
        append(target)
    }
}
