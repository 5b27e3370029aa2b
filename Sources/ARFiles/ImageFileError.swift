// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CImageCodec

/// Why a picture file cannot be read.
public enum ImageFileError: Error, Hashable, Sendable {
    /// The system does not give the file's bytes.
    case unreadable(file: String, reason: String)
    /// The file starts like no kind of picture that is read.
    case unknownFormat(file: String, firstBytes: [UInt8])
    /// The file ends before its picture does.
    case truncated(file: String, atByte: Int)
    /// The bytes break the rules of their format: a checksum, a marker, a number out of range.
    case damaged(file: String, kind: ImageFile.Kind, reason: String)
    /// A picture of a known format with a property that is not read.
    case unsupported(file: String, kind: ImageFile.Kind, feature: String)
    /// A picture of more than ``ImageFile/pixelLimit`` pixels.
    case tooLarge(file: String, size: ImageSize)

    /// Turns a codec's status into the error that it stands for.
    static func check(
        _ status: image_codec_status, _ message: image_codec_message, kind: ImageFile.Kind, byteCount: Int, name: String
    ) throws(ImageFileError) {
        switch status {
        case IMAGE_CODEC_OK: return
        case IMAGE_CODEC_TRUNCATED: throw .truncated(file: name, atByte: byteCount)
        case IMAGE_CODEC_UNSUPPORTED: throw .unsupported(file: name, kind: kind, feature: message.string)
        default: throw .damaged(file: name, kind: kind, reason: message.string)
        }
    }
}

extension ImageFileError: CustomStringConvertible {
    /// The file.
    public var file: String {
        switch self {
        case .unreadable(let file, _), .unknownFormat(let file, _), .truncated(let file, _), .damaged(let file, _, _),
            .unsupported(let file, _, _), .tooLarge(let file, _):
            file
        }
    }

    /// What is wrong, without the file's name.
    public var problem: String {
        switch self {
        case .unreadable(_, let reason): "cannot be read: \(reason)"
        case .unknownFormat(_, let firstBytes):
            "is not a PNG, JPEG, PGM or PPM picture: it starts with the bytes "
                + firstBytes.map { hexadecimal($0) }.joined(separator: " ")
        case .truncated(_, let byte): "ends at byte \(byte), before its picture does"
        case .damaged(_, let kind, let reason): "is a damaged \(kind.rawValue) picture: \(reason)"
        case .unsupported(_, let kind, let feature):
            "is a \(kind.rawValue) picture of a kind that is not read: \(feature)"
        case .tooLarge(_, let size): "is a picture of \(size) pixels; at most \(ImageFile.pixelLimit) are read"
        }
    }

    public var description: String { "\(problem): \(file)" }

    private func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}
