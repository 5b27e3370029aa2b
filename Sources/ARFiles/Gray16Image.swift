// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CImageCodec
import Foundation

/// A picture of numbers: 16 bits a pixel, rows from top to bottom. Law: `Gray16ImageTests.roundTrip`.
public struct Gray16Image: Hashable, Sendable {
    /// Columns and rows.
    public let size: ImageSize
    /// A number for each pixel, row after row.
    public var values: [UInt16]

    /// Wraps a picture's numbers; their count must match the size.
    public init(size: ImageSize, values: [UInt16]) {
        precondition(
            values.count == size.width * size.height,
            "a picture of \(size) has \(size.width * size.height) numbers, not \(values.count)")
        self.size = size
        self.values = values
    }

    /// Reads a grey PNG of 16 bits as it is; other pictures are errors.
    public init(contentsOf file: URL) throws(ImageFileError) {
        try self.init(decoding: ImageFile.contents(of: file), name: file.path)
    }

    /// Reads a picture from the bytes of a file; errors call it by `name`.
    public init(decoding bytes: Data, name: String) throws(ImageFileError) {
        let header = try ImageHeader(reading: bytes, name: name)
        guard header.kind == .png else {
            throw .unsupported(file: name, kind: header.kind, feature: "not grey with 16 bits")
        }
        var values = [UInt16](repeating: 0, count: header.size.width * header.size.height)
        var message = image_codec_message()
        let status = bytes.withUnsafeBytes { source in
            values.withUnsafeMutableBufferPointer { target in
                image_codec_png_decode_gray16(
                    source.bindMemory(to: UInt8.self).baseAddress, source.count, target.baseAddress, target.count,
                    &message)
            }
        }
        try ImageFileError.check(status, message, kind: .png, byteCount: bytes.count, name: name)
        self.init(size: header.size, values: values)
    }

    /// The picture as a PNG file. Equal pictures give equal bytes.
    public func encodePNG() -> [UInt8] {
        let (width, height) = (Int32(size.width), Int32(size.height))
        var message = image_codec_message()
        let capacity = image_codec_png_bound(width, height, Int32(MemoryLayout<UInt16>.size))
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let status = values.withUnsafeBufferPointer { values in
                image_codec_png_encode_gray16(
                    values.baseAddress, width, height, buffer.baseAddress, buffer.count, &count, &message)
            }
            precondition(status == IMAGE_CODEC_OK, "libpng cannot write a \(size) picture: \(message.string)")
        }
    }

    /// Writes the picture as a PNG file, whole or not at all.
    public func writePNG(to file: URL) throws(FileError) {
        let output = try AtomicFile(replacing: file)
        try output.write(encodePNG())
        try output.commit()
    }
}
