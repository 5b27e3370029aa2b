// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What the bytes of a pixel mean.
public enum PixelFormat: String, Hashable, Sendable, CaseIterable {
    /// One byte, luminance.
    case gray8
    /// Three bytes: red, green, blue.
    case rgb8

    /// The number of bytes of one pixel.
    @inlinable public var bytesPerPixel: Int { self == .gray8 ? 1 : 3 }
}

/// A picture in memory: rows from top to bottom, without padding between them.
public struct ImageBuffer: Hashable, Sendable {
    /// Columns and rows.
    public let size: ImageSize
    /// What each pixel's bytes mean.
    public let format: PixelFormat
    /// `size.width × size.height × format.bytesPerPixel` bytes, row after row.
    public var bytes: [UInt8]

    /// Wraps the bytes of a picture; their number must match the size.
    public init(size: ImageSize, format: PixelFormat, bytes: [UInt8]) {
        precondition(size.width >= 0 && size.height >= 0, "a picture cannot have a negative size: \(size)")
        precondition(
            bytes.count == size.width * size.height * format.bytesPerPixel,
            "a \(format) picture of \(size) has \(size.width * size.height * format.bytesPerPixel) bytes, not \(bytes.count)"
        )
        self.size = size
        self.format = format
        self.bytes = bytes
    }

    /// A picture of one value.
    public init(size: ImageSize, format: PixelFormat, filledWith value: UInt8 = 0) {
        self.init(
            size: size, format: format,
            bytes: [UInt8](repeating: value, count: size.width * size.height * format.bytesPerPixel))
    }

    /// The number of bytes from one row to the next.
    @inlinable public var bytesPerRow: Int { size.width * format.bytesPerPixel }

    /// The picture with three bytes a pixel; grey becomes equal parts of red, green and blue.
    public var rgb: ImageBuffer {
        guard format == .gray8 else { return self }
        var rgb = [UInt8](repeating: 0, count: bytes.count * 3)
        for (pixel, value) in bytes.enumerated() {
            rgb[3 * pixel] = value
            rgb[3 * pixel + 1] = value
            rgb[3 * pixel + 2] = value
        }
        return ImageBuffer(size: size, format: .rgb8, bytes: rgb)
    }

    /// The luminance of the picture: 0.299 R + 0.587 G + 0.114 B, rounded (ITU-R BT.601, as JPEG and OpenCV use it).
    public var gray: ImageBuffer {
        guard format == .rgb8 else { return self }
        var gray = [UInt8](repeating: 0, count: size.width * size.height)
        for pixel in gray.indices {
            let red = Int(bytes[3 * pixel]) * 299
            let green = Int(bytes[3 * pixel + 1]) * 587
            let blue = Int(bytes[3 * pixel + 2]) * 114
            gray[pixel] = UInt8((red + green + blue + 500) / 1000)
        }
        return ImageBuffer(size: size, format: .gray8, bytes: gray)
    }
}
