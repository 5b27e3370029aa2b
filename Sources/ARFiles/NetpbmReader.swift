// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Netpbm's grey and colour maps: P2, P3 (plain), P5 and P6 (raw; two bytes a sample, big-endian, from maxval 256 on).
struct NetpbmReader {
    struct Header {
        var size: ImageSize
        var format: PixelFormat
        var isPlain: Bool
        var maximum: Int
    }

    /// A header with its comments must fit into this many bytes.
    static let longestHeader = 1 << 16

    private let bytes: [UInt8]
    private let name: String
    private var offset = 0

    init(bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }

    mutating func readHeader() throws(ImageFileError) -> Header {
        let magic = bytes[1]
        offset = 2
        let width = try readNumber("width")
        let height = try readNumber("height")
        let maximum = try readNumber("maxval")
        guard width > 0, height > 0, width <= Int32.max, height <= Int32.max else {
            throw damaged("its size is \(width)×\(height)")
        }
        guard (1...65535).contains(maximum) else { throw damaged("its maxval is \(maximum), not 1…65535") }
        return Header(
            size: ImageSize(width: width, height: height),
            format: magic == UInt8(ascii: "2") || magic == UInt8(ascii: "5") ? .gray8 : .rgb8,
            isPlain: magic == UInt8(ascii: "2") || magic == UInt8(ascii: "3"), maximum: maximum)
    }

    mutating func readImage() throws(ImageFileError) -> ImageBuffer {
        let header = try readHeader()
        var image = ImageBuffer(size: header.size, format: header.format)
        if header.isPlain {
            for index in image.bytes.indices {
                image.bytes[index] = try scale(readNumber("sample"), header.maximum)
            }
        } else {
            try readRaw(header, into: &image)
        }
        return image
    }

    private mutating func readRaw(_ header: Header, into image: inout ImageBuffer) throws(ImageFileError) {
        offset += 1  // exactly one blank separates the header from the samples
        let bytesPerSample = header.maximum > 255 ? 2 : 1
        guard bytes.count - offset >= image.bytes.count * bytesPerSample else { throw truncated }
        for index in image.bytes.indices {
            let position = offset + index * bytesPerSample
            let sample =
                bytesPerSample == 1 ? Int(bytes[position]) : Int(bytes[position]) << 8 | Int(bytes[position + 1])
            image.bytes[index] = try scale(sample, header.maximum)
        }
    }

    /// The sample on a scale that ends at 255, rounded to the nearest.
    private func scale(_ sample: Int, _ maximum: Int) throws(ImageFileError) -> UInt8 {
        guard sample <= maximum else { throw damaged("a sample is \(sample), its maxval \(maximum)") }
        return maximum == 255 ? UInt8(sample) : UInt8((sample * 255 + maximum / 2) / maximum)
    }

    /// The next decimal number, after blanks and comments (from `#` to the end of the line).
    private mutating func readNumber(_ what: String) throws(ImageFileError) -> Int {
        while offset < bytes.count, isBlank(bytes[offset]) || bytes[offset] == UInt8(ascii: "#") {
            if bytes[offset] == UInt8(ascii: "#") {
                while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
            } else {
                offset += 1
            }
        }
        let start = offset
        var value = 0
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
            value = min(value * 10 + Int(bytes[offset] - UInt8(ascii: "0")), 1 << 40)
            offset += 1
        }
        guard offset > start else {
            throw offset == bytes.count ? truncated : damaged("byte \(offset) is no digit of its \(what)")
        }
        return value
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }

    private var truncated: ImageFileError { .truncated(file: name, atByte: bytes.count) }

    private func damaged(_ reason: String) -> ImageFileError { .damaged(file: name, kind: .netpbm, reason: reason) }
}
