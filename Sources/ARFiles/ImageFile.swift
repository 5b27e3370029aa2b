// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CImageCodec
import Foundation

/// Picture files: PNG, JPEG and portable any-maps are read, PNG is written.
///
/// What a file is, its first bytes say; its name is not looked at.
public enum ImageFile {
    /// The kinds of picture file that are read.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Portable network graphics: 1 to 16 bits, grey, colour, palette, alpha.
        case png = "PNG"
        /// JPEG: grey or colour, baseline or progressive.
        case jpeg = "JPEG"
        /// Netpbm's PGM and PPM: plain or raw, 8 or 16 bits.
        case netpbm = "PGM/PPM"
    }

    /// The largest picture that is read, in pixels: enough for any phone's still camera, and a header with a broken
    /// size cannot make the program ask for all memory.
    public static let pixelLimit = 1 << 27

    /// Reads a picture: grey ones (with or without alpha) as `.gray8`, all others as `.rgb8`.
    ///
    /// 16 bits are scaled to 8 and rounded; alpha is dropped; no gamma is applied.
    public static func read(_ file: URL) throws(ImageFileError) -> ImageBuffer {
        try decode(contents(of: file), name: file.path)
    }

    /// The size of a picture, from its header alone.
    public static func size(of file: URL) throws(ImageFileError) -> ImageSize {
        try ImageHeader(reading: contents(of: file), name: file.path).size
    }

    /// Reads a picture from the bytes of a file; errors call it by `name`.
    public static func decode(_ bytes: Data, name: String) throws(ImageFileError) -> ImageBuffer {
        let header = try ImageHeader(reading: bytes, name: name)
        guard header.kind != .netpbm else {
            var reader = NetpbmReader(bytes: [UInt8](bytes), name: name)
            return try reader.readImage()
        }
        var image = ImageBuffer(size: header.size, format: header.format)
        var message = image_codec_message()
        let status = bytes.withUnsafeBytes { source in
            image.bytes.withUnsafeMutableBufferPointer { target in
                header.kind == .png
                    ? image_codec_png_decode(
                        source.bindMemory(to: UInt8.self).baseAddress, source.count, target.baseAddress, target.count,
                        &message)
                    : image_codec_jpeg_decode(
                        source.bindMemory(to: UInt8.self).baseAddress, source.count, target.baseAddress, target.count,
                        &message)
            }
        }
        try ImageFileError.check(status, message, kind: header.kind, byteCount: bytes.count, name: name)
        return image
    }

    /// The picture as a PNG file. Equal pictures give equal bytes: nothing in it depends on time or place.
    public static func encodePNG(_ image: ImageBuffer) -> [UInt8] {
        let width = Int32(image.size.width)
        let height = Int32(image.size.height)
        let channels = Int32(image.format.bytesPerPixel)
        var message = image_codec_message()
        return [UInt8](unsafeUninitializedCapacity: image_codec_png_bound(width, height, channels)) { buffer, count in
            let status = image.bytes.withUnsafeBufferPointer { pixels in
                image_codec_png_encode(
                    pixels.baseAddress, width, height, channels, buffer.baseAddress, buffer.count, &count, &message)
            }
            precondition(status == IMAGE_CODEC_OK, "libpng cannot write a \(image.size) picture: \(message.string)")
        }
    }

    /// Writes the picture as a PNG file, whole or not at all.
    public static func writePNG(_ image: ImageBuffer, to file: URL) throws(FileError) {
        let output = try AtomicFile(replacing: file)
        try output.write(encodePNG(image))
        try output.commit()
    }

    static func contents(of file: URL) throws(ImageFileError) -> Data {
        do {
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch {
            throw .unreadable(file: file.path, reason: FileError.reason(error, file: file))
        }
    }
}

/// What a picture's first bytes say.
struct ImageHeader {
    let kind: ImageFile.Kind
    let size: ImageSize
    let format: PixelFormat

    init(reading bytes: Data, name: String) throws(ImageFileError) {
        kind = try Self.sniff(bytes, name: name)
        if kind == .netpbm {
            var reader = NetpbmReader(bytes: [UInt8](bytes.prefix(NetpbmReader.longestHeader)), name: name)
            let header = try reader.readHeader()
            (size, format) = (header.size, header.format)
        } else {
            var info = image_codec_info()
            var message = image_codec_message()
            let status = bytes.withUnsafeBytes { [kind] source in
                let start = source.bindMemory(to: UInt8.self).baseAddress
                return kind == .png
                    ? image_codec_png_info(start, source.count, &info, &message)
                    : image_codec_jpeg_info(start, source.count, &info, &message)
            }
            try ImageFileError.check(status, message, kind: kind, byteCount: bytes.count, name: name)
            size = ImageSize(width: Int(info.width), height: Int(info.height))
            format = info.channels == 1 ? .gray8 : .rgb8
        }
        guard size.width * size.height <= ImageFile.pixelLimit else { throw .tooLarge(file: name, size: size) }
    }

    private static let signatures: [(ImageFile.Kind, [UInt8])] = [
        (.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), (.jpeg, [0xff, 0xd8]),
        (.netpbm, Array("P2".utf8)), (.netpbm, Array("P3".utf8)), (.netpbm, Array("P5".utf8)),
        (.netpbm, Array("P6".utf8)),
    ]

    private static func sniff(_ bytes: Data, name: String) throws(ImageFileError) -> ImageFile.Kind {
        for (kind, signature) in signatures where bytes.starts(with: signature) { return kind }
        // A file that stops inside its signature was cut; an empty one as well.
        for (_, signature) in signatures where signature.starts(with: bytes) {
            throw .truncated(file: name, atByte: bytes.count)
        }
        throw .unknownFormat(file: name, firstBytes: [UInt8](bytes.prefix(8)))
    }
}

extension image_codec_message {
    /// The codec's words.
    var string: String {
        withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
