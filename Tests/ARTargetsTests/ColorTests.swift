// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import ARTargets
import TestSupport
import Testing

struct ColorTests {
    @Test func nearestOfAPalette() throws {
        var random = TestRandom()
        for _ in 0..<200 {
            let color = random.color()
            let nearest = ColorPalette.clubs.nearest(to: color)
            for other in ColorPalette.clubs.colors {
                #expect(distance(color, nearest) <= distance(color, other))
            }
        }
        for color in ColorPalette.clubs.colors { #expect(ColorPalette.clubs.nearest(to: color) == color) }
        #expect(ColorPalette.clubs.colors.count == 21)
        #expect(ColorPalette([]) == nil)
        let two = try #require(ColorPalette([.black, .white, .black]))
        #expect(two.nearest(to: TargetColor(red: 200, green: 200, blue: 200)) == .white)
        #expect(two.indexOfNearest(to: TargetColor(red: 9, green: 0, blue: 0)) == 0)
    }

    @Test(arguments: [
        ("#000000", false), ("#ffffff", true), ("#7c7c7c", false), ("#7d7d7d", true), ("#ff0000", false),
        ("#00ff00", true), ("#0000ff", false), ("#ffff00", true),
    ])
    func textOnAColor(hexadecimal: String, isBlack: Bool) throws {
        let color = try #require(TargetColor(hexadecimal: hexadecimal))
        #expect(color.hexadecimal == hexadecimal)
        #expect(color.textColor == (isBlack ? .black : .white))
    }

    @Test(arguments: ["", "#12345", "#1234567", "12345g", "+12345", "#-12345"])
    func whatIsNoColor(text: String) { #expect(TargetColor(hexadecimal: text) == nil) }

    @Test func colorsOfAreasAndTheirParts() throws {
        var random = TestRandom()
        let colors = ["#c91224", "#f7c719", "#0f4cab"].compactMap { TargetColor(hexadecimal: $0) }
        // Three stripes of 20, 30 and 50 columns, with a little noise.
        var picture = ImageBuffer(size: ImageSize(width: 100, height: 80), format: .rgb8)
        for row in 0..<80 {
            for column in 0..<100 {
                let color = colors[column < 20 ? 0 : column < 50 ? 1 : 2]
                for (channel, value) in [color.red, color.green, color.blue].enumerated() {
                    let noisy = Int(value) + Int(random.uniform(-3...3).rounded())
                    picture.bytes[row * 300 + 3 * column + channel] = UInt8(min(max(noisy, 0), 255))
                }
            }
        }
        let found = DominantColors(of: picture)
        #expect(found.paper == nil)
        #expect(found.colors.count == 3)
        for (share, (color, part)) in zip(found.colors, [(colors[2], 0.5), (colors[1], 0.3), (colors[0], 0.2)]) {
            #expect(distance(share.color, color) <= 3, "\(share.color) is not \(color)")
            expectClose(share.part, part, tolerance: 0.02)
        }
        #expect(found == DominantColors(of: picture))
    }

    /// An emblem's colours are those that it was painted with: two to four, none of them the paper.
    @Test func colorsOfEmblems() {
        for number in 0..<20 {
            let found = DominantColors(of: Emblem(number: number).image(width: 300))
            #expect(found.paper.map { distance($0, .white) <= 3 } == true, "emblem \(number)")
            #expect((1...5).contains(found.colors.count), "emblem \(number): \(found.colors)")
            expectClose(found.colors.reduce(0) { $0 + $1.part }, 1, tolerance: 0.12)
        }
    }

    @Test func picturesOfOneColor() {
        for size in [1, 2, 7, 500] {
            let white = DominantColors(
                of: ImageBuffer(size: ImageSize(width: size, height: 1), format: .gray8, filledWith: 255))
            #expect(white.colors.map(\.color) == [.white] && white.colors[0].part == 1 && white.main == .white)
        }
    }
}

private func distance(_ a: TargetColor, _ b: TargetColor) -> Double {
    (Vector3(Double(a.red), Double(a.green), Double(a.blue)) - Vector3(Double(b.red), Double(b.green), Double(b.blue)))
        .length
}

extension TestRandom {
    fileprivate mutating func color() -> TargetColor {
        func channel() -> UInt8 { UInt8(uniform(0...255)) }
        return TargetColor(red: channel(), green: channel(), blue: channel())
    }
}
