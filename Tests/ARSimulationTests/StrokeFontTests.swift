// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARSimulation

@Suite struct StrokeFontTests {
    /// A glyph in a picture of 24 × 36 pixels, with a pen of a tenth of a capital's height.
    private static func picture(of letter: Character) -> Coverage {
        let path = StrokeFont.strokes(of: String(letter))
            .map { $0.transformed(by: .placing(at: Point2(2, 26), scale: 20)).stroked(width: 2, tolerance: 0.05) }
            .reduce(VectorPath(), +)
        return Coverage(of: path, size: ImageSize(width: 28, height: 36))
    }

    @Test func allLettersAndDigitsAreThere() {
        let needed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:!?-+/()&'"
        for letter in needed { #expect(StrokeFont.glyph(letter) != nil, "\(letter)") }
        #expect(StrokeFont.glyph("ß") == nil)
    }

    /// Each glyph has ink, and no two have the same: at least a tenth of the ink of the one with more differs.
    @Test func glyphsAreDistinct() {
        let pictures = StrokeFont.letters.map { ($0, Self.picture(of: $0)) }
        for (index, (letter, picture)) in pictures.enumerated() {
            let ink = picture.values.reduce(0, +)
            #expect(ink > 4, "\(letter)")
            for (other, otherPicture) in pictures[..<index] {
                let difference = zip(picture.values, otherPicture.values).reduce(0) { $0 + abs($1.0 - $1.1) }
                let larger = max(ink, otherPicture.values.reduce(0, +))
                #expect(difference > 0.1 * larger, "\(letter) and \(other)")
            }
        }
    }

    /// Glyphs lie between the left edge, their width, the ascenders' height and the descenders' depth.
    @Test func glyphsKeepTheirRoom() {
        for letter in StrokeFont.letters {
            guard let glyph = StrokeFont.glyph(letter) else { continue }
            for point in glyph.strokes.flatMap({ $0.polylines(tolerance: 1e-3) }).joined() {
                #expect(-1e-9...glyph.width + 1e-9 ~= point.x, "\(letter)")
                #expect(-1.1...0.31 ~= point.y, "\(letter)")
            }
            #expect(glyph.strokes.allSatisfy { $0.polylines(tolerance: 1e-3).count == 1 }, "\(letter)")
        }
    }

    @Test func textsAreAsWideAsTheirLetters() {
        #expect(StrokeFont.width(of: "") == 0)
        let (a, b) = (StrokeFont.width(of: "a"), StrokeFont.width(of: "b"))
        #expect(abs(StrokeFont.width(of: "ab") - (a + StrokeFont.gap + b)) < 1e-12)
        let spaced = a + StrokeFont.gap + StrokeFont.blank + b
        #expect(abs(StrokeFont.width(of: "a b") - spaced) < 1e-12)
        let last = StrokeFont.strokes(of: "a b").flatMap { $0.polylines(tolerance: 1e-3) }.joined().map(\.x).max()
        #expect(last.map { abs($0 - spaced) < 1e-9 } == true)
    }
}
