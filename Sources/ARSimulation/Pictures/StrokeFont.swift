// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Letters as the ways of a pen: what a finger writes, and what is printed with a pen of some width.
///
/// Capitals are 1 high, small letters 0.65; the baseline is at y = 0 and y points down, so that what is above the
/// baseline is negative.
enum StrokeFont {
    /// The distance between two letters.
    static let gap = 0.26
    /// The width of a blank.
    static let blank = 0.5

    /// A letter.
    struct Glyph: Hashable, Sendable {
        /// The strokes, in the order and the direction in which a hand writes them; each is one piece of a path.
        let strokes: [VectorPath]
        /// The right end; the left one is at 0.
        let width: Double
    }

    /// The letters that can be written, in the order of their code points.
    static let letters: [Character] = glyphs.keys.sorted()

    /// The letter's glyph, or `nil` where there is none.
    static func glyph(_ letter: Character) -> Glyph? { glyphs[letter] }

    /// A text on one line that starts at x = 0; letters without a glyph are left out.
    static func strokes(of text: String) -> [VectorPath] {
        var (strokes, x): ([VectorPath], Double) = ([], 0)
        for letter in text {
            if letter == " " { x += blank }
            guard let glyph = glyph(letter) else { continue }
            strokes += glyph.strokes.map { $0.transformed(by: .placing(at: Point2(x, 0), scale: 1)) }
            x += glyph.width + gap
        }
        return strokes
    }

    /// How long a line of text is, without a gap after its last letter.
    static func width(of text: String) -> Double {
        let widths = text.map { $0 == " " ? blank - gap : glyph($0)?.width ?? -gap }
        return max(0, widths.reduce(0) { $0 + $1 + gap } - gap)
    }

    private static let glyphs = designs.mapValues(Glyph.init(design:))
}

extension StrokeFont.Glyph {
    /// The glyph of a design: strokes separated by bars, each a start and its parts, in tenths and with y up.
    ///
    /// `l x y` is a line; `h x y` a quarter of an ellipse that leaves level and arrives upright; `v x y` one that leaves
    /// upright and arrives level; `c x y x y x y` a cubic Bézier.
    fileprivate init(design: String) {
        var strokes: [VectorPath] = []
        for stroke in design.split(separator: "|") {
            var words = stroke.split(separator: " ")[...]
            func number() -> Double {
                guard let number = words.popFirst().flatMap({ Double($0) }) else {
                    preconditionFailure("a stroke without its numbers: \(stroke)")
                }
                return number / 10
            }
            func point() -> Point2 { Point2(number(), -number()) }
            var pen = point()
            var path = VectorPath()
            path.move(to: pen)
            while let kind = words.popFirst() {
                let start = pen
                switch kind {
                case "l":
                    pen = point()
                    path.line(to: pen)
                case "c":
                    let (first, second) = (point(), point())
                    pen = point()
                    path.cubic(first, second, to: pen)
                default:
                    pen = point()
                    let corner = kind == "h" ? Point2(pen.x, start.y) : Point2(start.x, pen.y)
                    let share = VectorPath.quarterCircle
                    path.cubic(start + share * (corner - start), pen + share * (corner - pen), to: pen)
                }
            }
            strokes.append(path)
        }
        self.strokes = strokes
        width = strokes.flatMap { $0.polylines(tolerance: 1e-3) }.joined().map(\.x).max() ?? 0
    }
}

extension StrokeFont {
    private static let designs: [Character: String] = capitals.merging(smallLetters) { first, _ in first }
        .merging(digitsAndMarks) { first, _ in first }

    private static let capitals: [Character: String] = [
        "A": "0 0 l 4 10 l 8 0 | 1.4 3.5 l 6.6 3.5",
        "B": "0 0 l 0 10 l 3.5 10 h 6 7.6 v 3.5 5.2 l 0 5.2 | 3.5 5.2 h 6.6 2.6 v 3.5 0 l 0 0",
        "C": "7 8.2 c 6.2 9.4 5 10 3.9 10 h 0 5 v 3.9 0 c 5 0 6.2 0.6 7 1.8",
        "D": "0 0 l 0 10 l 2.8 10 h 7 5 v 2.8 0 l 0 0",
        "E": "6 10 l 0 10 l 0 0 l 6 0 | 0 5.2 l 5 5.2",
        "F": "6 10 l 0 10 l 0 0 | 0 5.2 l 4.8 5.2",
        "G": "7 8.2 c 6.2 9.4 5 10 3.9 10 h 0 5 v 3.9 0 h 7.2 4.6 l 4.4 4.6",
        "H": "0 10 l 0 0 | 7 10 l 7 0 | 0 5.2 l 7 5.2",
        "I": "0 10 l 3 10 | 1.5 10 l 1.5 0 | 0 0 l 3 0",
        "J": "5 10 l 5 3 v 2.5 0 h 0 2.6",
        "K": "0 10 l 0 0 | 6.4 10 l 0 4 | 2 5.9 l 6.8 0",
        "L": "0 10 l 0 0 l 5.6 0",
        "M": "0 0 l 0 10 l 4.2 2.8 l 8.4 10 l 8.4 0",
        "N": "0 0 l 0 10 l 7 0 l 7 10",
        "O": "4 10 h 0 5 v 4 0 h 8 5 v 4 10",
        "P": "0 0 l 0 10 l 3.4 10 h 6.4 7.4 v 3.4 4.8 l 0 4.8",
        "Q": "4 10 h 0 5 v 4 0 h 8 5 v 4 10 | 5 2.6 l 8 -0.8",
        "R": "0 0 l 0 10 l 3.4 10 h 6.4 7.4 v 3.4 4.8 l 0 4.8 | 3 4.8 l 6.8 0",
        "S": "6.2 8.4 c 5.6 9.5 4.5 10 3.3 10 h 0.4 7.5 c 0.4 5.9 1.8 5.5 3.3 5.1 c 5 4.7 6.6 4.1 6.6 2.5 v 3.3 0 "
            + "c 1.8 0 0.6 0.6 0 1.8",
        "T": "0 10 l 7 10 | 3.5 10 l 3.5 0",
        "U": "0 10 l 0 3.4 v 3.4 0 h 6.8 3.4 l 6.8 10",
        "V": "0 10 l 3.8 0 l 7.6 10",
        "W": "0 10 l 2.6 0 l 5.2 8 l 7.8 0 l 10.4 10",
        "X": "0 10 l 7 0 | 7 10 l 0 0",
        "Y": "0 10 l 3.6 5 l 7.2 10 | 3.6 5 l 3.6 0",
        "Z": "0 10 l 6.6 10 l 0 0 l 6.6 0",
    ]

    private static let smallLetters: [Character: String] = [
        "a": "5.2 4.6 c 4.7 5.8 3.8 6.5 2.6 6.5 h 0 3.25 v 2.6 0 c 3.8 0 4.8 0.9 5.2 2.2 "
            + "| 5.2 6.5 l 5.2 1.4 c 5.2 0.4 5.6 0 6.2 0.1",
        "b": "0 10 l 0 0 | 0 2 c 0.5 0.7 1.5 0 2.7 0 h 5.4 3.25 v 2.7 6.5 c 1.5 6.5 0.5 5.8 0 4.5",
        "c": "4.9 5.2 c 4.4 6.1 3.6 6.5 2.7 6.5 h 0 3.25 v 2.7 0 c 3.6 0 4.4 0.4 4.9 1.3",
        "d": "5.4 4.5 c 4.9 5.8 3.9 6.5 2.7 6.5 h 0 3.25 v 2.7 0 c 3.9 0 4.9 0.7 5.4 2 | 5.4 10 l 5.4 0",
        "e": "0 3.4 l 5.2 3.4 v 2.7 6.5 h 0 3.25 v 2.7 0 c 3.7 0 4.6 0.5 5.1 1.5",
        "f": "4.4 9.4 c 4 9.8 3.6 10 3.2 10 h 1.6 8.2 l 1.6 0 | 0 6.2 l 3.8 6.2",
        "g": "5.2 4.6 c 4.7 5.8 3.8 6.5 2.6 6.5 h 0 3.25 v 2.6 0 c 3.8 0 4.8 0.9 5.2 2.2 "
            + "| 5.2 6.5 l 5.2 -0.6 v 2.6 -3 c 1.6 -3 0.7 -2.6 0.2 -1.9",
        "h": "0 10 l 0 0 | 0 4.2 c 0.4 5.6 1.5 6.5 2.8 6.5 h 5 4.2 l 5 0",
        "i": "0.3 6.5 l 0.3 0 | 0.3 8.8 l 0.3 9.2",
        "j": "2.2 6.5 l 2.2 -1.2 v 0.6 -3 l 0 -2.9 | 2.2 8.8 l 2.2 9.2",
        "k": "0 10 l 0 0 | 4.6 6.5 l 0 2.4 | 1.6 3.8 l 5 0",
        "l": "0 10 l 0 1.6 v 1.4 0 l 1.9 0.1",
        "m": "0 6.5 l 0 0 | 0 4.4 c 0.4 5.7 1.2 6.5 2.2 6.5 h 3.9 4.4 l 3.9 0 "
            + "| 3.9 4.4 c 4.3 5.7 5.1 6.5 6.1 6.5 h 7.8 4.4 l 7.8 0",
        "n": "0 6.5 l 0 0 | 0 4.2 c 0.4 5.6 1.5 6.5 2.8 6.5 h 5 4.2 l 5 0",
        "o": "2.8 6.5 h 0 3.25 v 2.8 0 h 5.6 3.25 v 2.8 6.5",
        "p": "0 6.5 l 0 -3 | 0 4.5 c 0.5 5.8 1.5 6.5 2.7 6.5 h 5.4 3.25 v 2.7 0 c 1.5 0 0.5 0.7 0 2",
        "q": "5.4 4.5 c 4.9 5.8 3.9 6.5 2.7 6.5 h 0 3.25 v 2.7 0 c 3.9 0 4.9 0.7 5.4 2 | 5.4 6.5 l 5.4 -3",
        "r": "0 6.5 l 0 0 | 0 3.8 c 0.4 5.5 1.4 6.6 3.4 6.4",
        "s": "4.4 5.4 c 4 6.2 3.2 6.5 2.4 6.5 h 0.2 4.9 c 0.2 3.8 1.2 3.5 2.4 3.3 c 3.6 3.1 4.7 2.8 4.7 1.7 v 2.4 0 "
            + "c 1.4 0 0.5 0.4 0 1.2",
        "t": "1.6 9 l 1.6 1.6 v 3.1 0 l 3.8 0.2 | 0 6.4 l 3.6 6.4",
        "u": "0 6.5 l 0 2.2 v 2.3 0 c 3.6 0 4.6 0.9 5 2.3 | 5 6.5 l 5 0",
        "v": "0 6.5 l 2.6 0 l 5.2 6.5",
        "w": "0 6.5 l 1.9 0 l 3.8 5.4 l 5.7 0 l 7.6 6.5",
        "x": "0 6.5 l 4.8 0 | 4.8 6.5 l 0 0",
        "y": "0 6.5 l 2.8 0.2 | 5.4 6.5 l 1.6 -3",
        "z": "0 6.5 l 4.6 6.5 l 0 0 l 4.6 0",
    ]

    private static let digitsAndMarks: [Character: String] = [
        "0": "3.2 10 h 0 5 v 3.2 0 h 6.4 5 v 3.2 10",
        "1": "0 8 l 2.4 10 l 2.4 0",
        "2": "0 7.4 v 3 10 h 6 7.3 c 6 5.2 2.4 3.2 0 0 l 6.2 0",
        "3": "0.2 8.4 c 0.8 9.5 1.8 10 3 10 h 5.8 7.6 v 2.8 5.3 h 6.2 2.6 v 3 0 c 1.6 0 0.5 0.7 0 1.9",
        "4": "5 0 l 5 10 l 0 3 l 6.6 3",
        "5": "5.8 10 l 1 10 l 0.5 5.6 c 1.1 6.2 2 6.5 2.9 6.5 h 6.2 3.3 v 2.9 0 c 1.6 0 0.5 0.7 0 1.8",
        "6": "5.4 9.2 c 4.9 9.7 4.2 10 3.4 10 c 1.4 10 0 7.8 0 4 v 3.1 0 h 6.2 3.1 v 3.1 6.2 h 0 3.4",
        "7": "0 10 l 6.2 10 l 2.2 0",
        "8": "3.1 5.3 h 0.5 7.65 v 3.1 10 h 5.7 7.65 v 3.1 5.3 h 0 2.65 v 3.1 0 h 6.2 2.65 v 3.1 5.3",
        "9": "0.8 0.8 c 1.3 0.3 2 0 2.8 0 c 4.8 0 6.2 2.2 6.2 6 v 3.1 10 h 0 6.9 v 3.1 3.8 h 6.2 6.6",
        ".": "0.2 0 l 0.2 0.4",
        ",": "0.5 0.4 l 0 -1.2",
        ":": "0.2 0 l 0.2 0.4 | 0.2 4.6 l 0.2 5",
        "!": "0.2 10 l 0.2 3 | 0.2 0 l 0.2 0.4",
        "?": "0 7.8 v 2.7 10 h 5.4 7.5 c 5.4 5.6 2.7 5.4 2.7 3 | 2.7 0 l 2.7 0.4",
        "'": "0.2 10 l 0.2 7.6",
        "-": "0 4 l 3.4 4",
        "+": "0 4 l 5 4 | 2.5 6.5 l 2.5 1.5",
        "/": "0 -1 l 4 11",
        "(": "2 11 c 0 8.6 0 1.4 2 -1",
        ")": "0 11 c 2 8.6 2 1.4 0 -1",
        "&":
            "6.6 0 l 1.4 6.6 c 0 8.6 1.2 10 2.8 10 c 4.6 10 5.4 8.2 4 6.6 c 2.6 5.2 0 4.6 0 2.4 v 2.8 0 c 5 0 6 2 6.4 4",
    ]
}
