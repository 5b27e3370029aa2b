// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import CFeatures
import Foundation

/// A target on its way into a database.
struct TargetParts {
    var name: String
    var record: String
    var physicalWidth: Double?
    var pictureSize: ImageSize
    var template: ImageBuffer
    /// `nil` for a grey picture.
    var colors: PrintColors?
    var postings: [CFeaturesPosting]

    init(
        name: String, record: String, physicalWidth: Double?, pictureSize: ImageSize, template: ImageBuffer,
        colors: PrintColors?, postings: [CFeaturesPosting]
    ) {
        self.name = name
        self.record = record
        self.physicalWidth = physicalWidth
        self.pictureSize = pictureSize
        self.template = template
        self.colors = colors
        self.postings = postings
    }

    /// The longer side of the picture that a database keeps of a target.
    static let templateSide = 128

    init(_ reference: ReferenceImage, space: ScaleSpace) throws(TargetDatabaseError) {
        let size = reference.picture.size
        guard !reference.name.isEmpty else { throw .nameMissing }
        guard min(size.width, size.height) >= ScaleSpace.leastSide else {
            throw .pictureTooSmall(name: reference.name, found: size, leastSide: ScaleSpace.leastSide)
        }
        guard max(size.width, size.height) <= 8 * min(size.width, size.height) else {
            throw .pictureTooNarrow(name: reference.name, found: size)
        }
        if let width = reference.physicalWidth, !(width > 0 && width < 1e6) {
            throw .widthOutOfRange(name: reference.name, found: width)
        }
        let postings = TargetTraining.postings(of: reference.picture, target: 0, space: space)
        guard postings.count >= 12 else { throw .tooFewFeatures(name: reference.name, found: postings.count) }
        self.init(
            name: reference.name, record: JSONValue.record(reference.record).text,
            physicalWidth: reference.physicalWidth, pictureSize: size,
            template: reference.picture.gray(longerSide: Self.templateSide),
            colors: PrintColors(of: reference.picture), postings: postings)
    }
}

/// Puts targets together as the bytes of a database.
struct TargetAssembly {
    private var bytes: [UInt8] = []

    static func bytes(of targets: [TargetParts]) throws(TargetDatabaseError) -> [UInt8] {
        var names: Set<String> = []
        for target in targets where !names.insert(target.name).inserted { throw .nameTaken(name: target.name) }
        var assembly = TargetAssembly()
        assembly.write(targets)
        return assembly.bytes
    }

    /// As many bits as give each key about four features.
    private static func keyBits(postingCount: Int) -> Int {
        let keys = max(1, postingCount / 4)
        return min(max(Int.bitWidth - keys.leadingZeroBitCount, 10), Int(CFEATURES_KEY_BITS))
    }

    private mutating func write(_ targets: [TargetParts]) {
        typealias Layout = TargetFileLayout
        let postings = targets.enumerated().flatMap { number, target in
            target.postings.map { posting in
                var posting = posting
                posting.target = UInt32(number)
                return posting
            }
        }
        let keyBits = Self.keyBits(postingCount: postings.count)
        let (starts, sorted) = Self.sorted(postings, keyBits: keyBits)

        var text: [UInt8] = []
        var directory: [UInt8] = []
        var templateOffset = 0
        for target in targets {
            let entry = directory.count
            func append<Number: FixedWidthInteger>(_ number: Number) { directory.append(number) }
            append(UInt32(text.count))
            append(UInt32(target.name.utf8.count))
            text += target.name.utf8
            append(UInt32(text.count))
            append(UInt32(target.record.utf8.count))
            text += target.record.utf8
            append((target.physicalWidth ?? 0).bitPattern)
            append(UInt32(target.pictureSize.width))
            append(UInt32(target.pictureSize.height))
            append(UInt16(target.template.size.width))
            append(UInt16(target.template.size.height))
            append(UInt32(target.postings.count))
            append(UInt64(templateOffset))
            append(UInt32(target.colors == nil ? 0 : PrintColors.side))
            templateOffset += target.template.bytes.count + (target.colors?.bytes.count ?? 0)
            directory += [UInt8](repeating: 0, count: Layout.entrySize - (directory.count - entry))
        }

        bytes = [UInt8](repeating: 0, count: Layout.headerSize)
        let directoryOffset = section(directory)
        let textOffset = section(text)
        let templatesOffset = section([])
        for target in targets { bytes += target.template.bytes + (target.colors?.bytes ?? []) }
        var startBytes: [UInt8] = []
        startBytes.reserveCapacity(starts.count * 4)
        for start in starts { startBytes.append(start) }
        let startsOffset = section(startBytes)
        let postingsOffset = section([])
        bytes.reserveCapacity(bytes.count + sorted.count * Layout.postingSize)
        for posting in sorted {
            bytes.append(posting.signature.0)
            bytes.append(posting.signature.1)
            for number in [posting.x, posting.y] { bytes.append(number) }
            for number in [posting.along_x, posting.along_y, posting.across_x, posting.across_y] {
                bytes.append(number)
            }
            bytes.append(posting.target)
        }

        var header = Layout.magic
        header.append(Layout.version)
        header.append(UInt32(Layout.headerSize))
        header.append(UInt64(bytes.count))
        header.append(UInt32(targets.count))
        header.append(UInt32(keyBits))
        header.append(UInt64(sorted.count))
        for offset in [directoryOffset, textOffset, text.count, templatesOffset, startsOffset, postingsOffset] {
            header.append(UInt64(offset))
        }
        header.append(UInt64(0))
        let checksum = header.withUnsafeBytes { header in
            directory.withUnsafeBytes { directory in
                text.withUnsafeBytes { Layout.checksum([header, directory, $0]) }
            }
        }
        header.append(checksum)
        bytes.replaceSubrange(0..<header.count, with: header)
    }

    /// Appends a section where sections may begin.
    private mutating func section(_ content: [UInt8]) -> Int {
        let offset = TargetFileLayout.aligned(bytes.count)
        bytes += [UInt8](repeating: 0, count: offset - bytes.count)
        bytes += content
        return offset
    }

    /// The postings in the order of their keys, and where each key's begin.
    private static func sorted(_ postings: [CFeaturesPosting], keyBits: Int) -> ([UInt32], [CFeaturesPosting]) {
        func key(_ posting: CFeaturesPosting) -> Int {
            Int(withUnsafePointer(to: posting.signature.0) { cfeatures_key($0, Int32(keyBits)) })
        }
        var starts = [UInt32](repeating: 0, count: (1 << keyBits) + 1)
        let keys = postings.map(key)
        for key in keys { starts[key + 1] += 1 }
        for key in 1..<starts.count { starts[key] += starts[key - 1] }
        var next = starts
        var sorted = postings
        for (posting, key) in zip(postings, keys) {
            sorted[Int(next[key])] = posting
            next[key] += 1
        }
        return (starts, sorted)
    }
}

extension [UInt8] {
    /// Appends a number, little-endian.
    fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
