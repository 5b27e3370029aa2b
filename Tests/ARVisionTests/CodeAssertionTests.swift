// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
@testable import ARVision
import CCodes
import TestSupport
import Testing

@Suite struct CodeAssertionTests {
    /// A black and white picture, cut out of a card that lies aslant, in which ZXing 1.4 takes strokes for the corners of a Micro
    /// QR code and then fails in an assertion: rows of forty pixels, a digit four, dark ones set.
    private static let stumblingBlock = """
        0000000000 0000000000 0000000000 0000000000 0000000000 0000000000 0000000000 f380000000
        ffc0000000 ff80000000 3e00000000 0800000000 0000000000 0000000000 0000000000 0000000000
        0000000000 0000000000 0000000000 0000000000 0000000000 e000000000 f86007fff0 3870ce0038
        efffce7f38 fe7c0e7f38 f07c0e7f38 03388e3f38 3399cf0038 738cc7fff8 0387000000 0307c38730
        7c1fff81f8 7f3e7efe78 1f3f87fe10 1f3fc7f800 7fdc8f8030 bfc60f80f0 1c0e00e070 1f3f800000
        070f8f0000
        """

    private static func picture(_ rows: String) throws -> ImageBuffer {
        let numbers = try rows.split(whereSeparator: \.isWhitespace).map { try #require(UInt64($0, radix: 16)) }
        let bytes: [UInt8] = numbers.flatMap { row in (0..<40).map { row >> (39 - $0) & 1 == 1 ? 0 : 255 } }
        return ImageBuffer(size: ImageSize(width: 40, height: numbers.count), format: .gray8, bytes: bytes)
    }

    /// Where ZXing stumbles there is no code, on any of several threads, and codes are read afterwards as before.
    @Test func assertionsThatFailEndNothing() async throws {
        let picture = try Self.picture(Self.stumblingBlock)
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<10).reduce(0) { sum, _ in
                        sum + CodeDecoder(symbologies: [.microQR]).decode(picture, effort: CCODES_THOROUGH).count
                    }
                }
            }
            for await count in group { #expect(count == 0) }
        }
        var random = TestRandom(case: 0)
        let (code, _) = try PrintedCode.picture(PrintedCode.modules("card-7"), unitPixels: 4, tilt: 0, &random)
        #expect(CodeDecoder(symbologies: [.qr]).decode(code, effort: CCODES_THOROUGH).map(\.payload) == ["card-7"])
    }
}
