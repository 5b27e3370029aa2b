// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARSimulation

@Suite struct CodeTests {
    /// The three finder patterns of ISO/IEC 18004, 6.3.3: a dark ring, a light one, a dark square of three.
    @Test(arguments: QRCode.ErrorCorrection.allCases, [1, 7, 25]) func codesHaveTheirPatterns(
        errorCorrection: QRCode.ErrorCorrection, version: Int
    ) throws {
        let code = try QRCode(payload: "arsim", errorCorrection: errorCorrection, version: version)
        #expect(code.version == version && code.side == 17 + 4 * version)
        for (left, top) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
            for row in 0..<7 {
                for column in 0..<7 {
                    let ring = max(abs(row - 3), abs(column - 3))
                    #expect(code.isDark(column: left + column, row: top + row) == (ring != 2))
                }
            }
        }
        // The timing patterns (6.3.5): every other module between the finders.
        for place in 8..<(code.side - 8) {
            #expect(code.isDark(column: place, row: 6) == (place % 2 == 0))
            #expect(code.isDark(column: 6, row: place) == (place % 2 == 0))
        }
        // The one module that is always dark (6.9.1).
        #expect(code.isDark(column: 8, row: code.side - 8))
        #expect(!code.isDark(column: -1, row: 0) && !code.isDark(column: 0, row: code.side))
    }

    /// The level stands in the format information (7.9.1): its two highest bits, masked with 10.
    @Test func theErrorCorrectionIsWrittenInTheCode() throws {
        let expected: [QRCode.ErrorCorrection: Int] = [.low: 0b01, .medium: 0b00, .quartile: 0b11, .high: 0b10]
        for level in QRCode.ErrorCorrection.allCases {
            let code = try QRCode(payload: "https://example.org", errorCorrection: level)
            let bits = (code.isDark(column: 0, row: 8) ? 2 : 0) + (code.isDark(column: 1, row: 8) ? 1 : 0)
            #expect(bits ^ 0b10 == expected[level])
        }
    }

    @Test func codesGrowWithTheirTexts() throws {
        // ISO/IEC 18004, table 7: version 1 holds 14 bytes at level M, version 40 holds 2331.
        #expect(try QRCode(payload: String(repeating: "x", count: 14)).version == 1)
        #expect(try QRCode(payload: String(repeating: "x", count: 15)).version == 2)
        #expect(try QRCode(payload: String(repeating: "x", count: 2331)).version == 40)
        #expect(throws: QRCode.Failure.tooLong(byteCount: 2332, errorCorrection: .medium)) {
            try QRCode(payload: String(repeating: "x", count: 2332))
        }
        #expect(throws: QRCode.Failure.noText) { try QRCode(payload: "") }
        #expect(throws: QRCode.Failure.noText) { try QRCode(payload: "a\0b") }
    }

    /// The picture shows the modules where the corners say that they are, within a light border of four modules.
    @Test func picturesShowTheModules() throws {
        let code = try QRCode(payload: "Grüße", errorCorrection: .quartile)
        let (side, pixels) = (code.side + 2 * QRCode.quietModules, 7)
        let image = code.image(width: side * pixels).gray
        for row in 0..<side {
            for column in 0..<side {
                let isDark = code.isDark(column: column - QRCode.quietModules, row: row - QRCode.quietModules)
                for (dx, dy) in [(0, 0), (pixels - 1, 0), (3, 3), (0, pixels - 1), (pixels - 1, pixels - 1)] {
                    let pixel = (row * pixels + dy) * image.size.width + column * pixels + dx
                    #expect(image.bytes[pixel] == (isDark ? 0 : 255))
                }
            }
        }
        let corners = code.corners.map { Point2($0.x * Double(side), $0.y * Double(side)) }
        let (near, far) = (4.0, Double(4 + code.side))
        for (corner, expected) in zip(corners, [(near, near), (far, near), (far, far), (near, far)]) {
            #expect((corner - Point2(expected.0, expected.1)).length < 1e-9)
        }
    }

    /// A card's code stands where its corners say: its finder patterns' middles are dark, its quiet zone is paper.
    @Test(arguments: PlayingCard.Rank.allCases) func cardsCarryTheirCodes(rank: PlayingCard.Rank) throws {
        let code = try QRCode(payload: "card \(rank.rawValue)")
        let card = PlayingCard(rank: rank, suit: .hearts, code: code)
        let image = card.image(width: 630)
        #expect(image.size == ImageSize(width: 630, height: 880))
        let corners = card.codeCorners.map { Point2($0.x * 630, $0.y * 880) }
        let (right, down) = (
            (corners[1] - corners[0]) / Double(code.side), (corners[3] - corners[0]) / Double(code.side)
        )
        #expect(abs(right.length - down.length) < 1e-9)
        for row in -4..<(code.side + 4) {
            for column in -4..<(code.side + 4) {
                let place = corners[0] + (Double(column) + 0.5) * right + (Double(row) + 0.5) * down
                let pixel = Int(place.y) * 630 + Int(place.x)
                #expect((image.gray.bytes[pixel] < 128) == code.isDark(column: column, row: row))
            }
        }
    }

    @Test func cardsDiffer() throws {
        let code = try QRCode(payload: "x")
        let cards = PlayingCard.Suit.allCases.flatMap { suit in
            PlayingCard.Rank.allCases.map { PlayingCard(rank: $0, suit: suit, code: code).image(width: 126) }
        }
        #expect(Set(cards).count == 52)
    }
}
