// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARVision

/// The bars of a linear code: dark where true, each a module wide.
struct PrintedBars: Sendable {
    let bars: [Bool]

    var width: Double { Double(bars.count) }

    func isDark(at place: Double) -> Bool {
        let bar = Int(place.rounded(.down))
        return bars.indices.contains(bar) && bars[bar]
    }

    /// Bars and spaces in turn, narrow or wide.
    private init(widths: String, wide: Int) {
        bars = widths.enumerated().flatMap { place, width in
            [Bool](repeating: place % 2 == 0, count: width == "w" ? wide : 1)
        }
    }

    private init(bits: String) { bars = bits.map { $0 == "1" } }

    // MARK: EAN (ISO/IEC 15420)

    private static let leftDigits = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]

    private static func inverted(_ bits: String) -> String { String(bits.map { $0 == "0" ? "1" : "0" }) }

    /// Thirteen digits.
    static func ean13(_ digits: [Int]) -> PrintedBars {
        let parities = [
            "LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL",
        ].map(Array.init)
        var bits = "101"
        for place in 1...6 {
            let code = leftDigits[digits[place]]
            bits += parities[digits[0]][place - 1] == "L" ? code : String(inverted(code).reversed())
        }
        bits += "01010"
        for place in 7...12 { bits += inverted(leftDigits[digits[place]]) }
        return PrintedBars(bits: bits + "101")
    }

    /// Eight digits.
    static func ean8(_ digits: [Int]) -> PrintedBars {
        let (left, right) = (digits.prefix(4).map { leftDigits[$0] }, digits.suffix(4).map { inverted(leftDigits[$0]) })
        return PrintedBars(bits: "101" + left.joined() + "01010" + right.joined() + "101")
    }

    // MARK: Two widths

    /// Code 39 (ISO/IEC 16388) of digits.
    static func code39(_ digits: [Int]) -> PrintedBars {
        let patterns = [
            "nnnwwnwnn", "wnnwnnnnw", "nnwwnnnnw", "wnwwnnnnn", "nnnwwnnnw", "wnnwwnnnn", "nnwwwnnnn", "nnnwnnwnw",
            "wnnwnnwnn", "nnwwnnwnn",
        ]
        let stop = "nwnnwnwnn"
        return PrintedBars(
            widths: ([stop] + digits.map { patterns[$0] } + [stop]).joined(separator: "n"), wide: 3)
    }

    /// Codabar (EN 798) of digits between A and B.
    static func codabar(_ digits: [Int]) -> PrintedBars {
        let patterns = [
            "nnnnnww", "nnnnwwn", "nnnwnnw", "wwnnnnn", "nnwnnwn", "wnnnnwn", "nwnnnnw", "nwnnwnn", "nwwnnnn",
            "wnnwnnn",
        ]
        return PrintedBars(
            widths: (["nnwwnwn"] + digits.map { patterns[$0] } + ["nwnwnnw"]).joined(separator: "n"), wide: 3)
    }

    /// Interleaved two of five (ISO/IEC 16390) of an even number of digits.
    static func interleaved(_ digits: [Int]) -> PrintedBars {
        let patterns = [
            "nnwwn", "wnnnw", "nwnnw", "wwnnn", "nnwnw", "wnwnn", "nwwnn", "nnnww", "wnnwn", "nwnwn",
        ]
        let pairs = stride(from: 0, to: digits.count, by: 2).map { place in
            zip(patterns[digits[place]], patterns[digits[place + 1]]).map { "\($0)\($1)" }.joined()
        }
        return PrintedBars(widths: "nnnn" + pairs.joined() + "wnn", wide: 3)
    }
}
