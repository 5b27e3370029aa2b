// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CCodes

/// ZXing, as it is.
struct CodeDecoder: Sendable {
    let symbologies: Set<CodeSymbology>

    private static let codeLimit = 64
    private static let payloadLimit = 1 << 16

    /// The codes that ZXing reads in a grey picture, with corners in whole pixels.
    func decode(_ image: ImageBuffer, effort: CCodesEffort) -> [DetectedCode] {
        guard !symbologies.isEmpty, image.size.width > 0, image.size.height > 0 else { return [] }
        var results = [CCodesResult](repeating: CCodesResult(), count: Self.codeLimit)
        var bytes = [UInt8](repeating: 0, count: Self.payloadLimit)
        var count: Int32 = 0
        let bits = symbologies.reduce(UInt32(0)) { $0 | $1.inC.rawValue }
        let status = image.bytes.withUnsafeBufferPointer { pixels in
            var picture = CCodesImage(
                pixels: pixels.baseAddress, width: Int32(image.size.width), height: Int32(image.size.height),
                bytes_per_row: Int32(image.bytesPerRow))
            return ccodes_read(
                &picture, bits, effort, &results, Int32(results.count), &bytes, Int32(bytes.count), &count)
        }
        precondition(status == CCODES_OK, "no codes can be read in a \(image.size) picture: \(status.rawValue)")
        return results.prefix(Int(count)).compactMap { result in
            symbologies.first { $0.inC == result.symbology }.map { symbology in
                DetectedCode(
                    payload: String(decoding: bytes[range(result.text_start, result.text_count)], as: UTF8.self),
                    payloadBytes: Array(bytes[range(result.data_start, result.data_count)]),
                    symbology: symbology, quad: PixelQuad(result.corners_xy), isMirrored: result.is_mirrored != 0)
            }
        }
    }

    private func range(_ start: Int32, _ count: Int32) -> Range<Int> { Int(start)..<Int(start + count) }
}

extension PixelQuad {
    /// Corners in whole pixels, as C packs them.
    fileprivate init(_ corners: (Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32)) {
        self.init(
            topLeft: PixelPoint(Double(corners.0), Double(corners.1)),
            topRight: PixelPoint(Double(corners.2), Double(corners.3)),
            bottomRight: PixelPoint(Double(corners.4), Double(corners.5)),
            bottomLeft: PixelPoint(Double(corners.6), Double(corners.7)))
    }
}
