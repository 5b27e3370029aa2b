// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import TestSupport
import Testing

@testable import ARTargets

/// Prints that are drawn alike and differ in their colours.
@Suite struct TargetColorTests {
    private static let numbers = [1, 3, 5, 8, 11, 14]

    private static func emblem(_ number: Int) -> ImageBuffer { Emblem(number: number).image(width: 256) }

    private static func database(_ references: [(String, ImageBuffer)]) throws -> TargetDatabase {
        try TargetDatabase(building: references.map { ReferenceImage(name: $0.0, picture: $0.1) })
    }

    private static let emblems = Result { try database(numbers.map { ("\($0)", emblem($0)) }) }

    private static func names(_ database: TargetDatabase, in picture: ImageBuffer) -> [String] {
        var recognizer = TargetRecognizer()
        recognizer.activate(database, as: "clubs")
        return recognizer.recognize(in: picture).map(\.target.name)
    }

    @Test(arguments: numbers) func ofTwinsTheOneOfThatColorIsNamed(number: Int) throws {
        let picture = Self.emblem(number)
        let database = try Self.database([("one", picture), ("other", picture.withColorsSwapped)])
        let (quad, _) = try corners(side: 230, turn: 0.5, tilt: 0.3)
        #expect(Self.names(database, in: try .colored(picture, at: quad)) == ["one"])
        #expect(Self.names(database, in: try .colored(picture.withColorsSwapped, at: quad)) == ["other"])
    }

    /// A grey reference is weighed as one in colour is: it is not outweighed by a twin in colours that the picture does not show,
    /// and gives way to one in those that it does.
    @Test(arguments: numbers) func grayReferencesAreWeighedAsColoredOnes(number: Int) throws {
        let picture = Self.emblem(number)
        let database = try Self.database([("gray", picture.gray), ("colored", picture.withColorsSwapped)])
        let (quad, _) = try corners(side: 230, turn: 0.5, tilt: 0.3)
        #expect(Self.names(database, in: try .colored(picture.gray.rgb, at: quad)) == ["gray"])
        #expect(Self.names(database, in: try .colored(picture.withColorsSwapped, at: quad)) == ["colored"])
    }

    @Test(arguments: numbers) func lightOfAnyColorLeavesTheName(number: Int) throws {
        let (quad, _) = try corners(side: 200, turn: -0.4, tilt: 0.4)
        for light in [(1.15, 1, 0.7), (0.75, 1, 1.2), (0.5, 0.5, 0.5)] {
            let picture = try ImageBuffer.colored(Self.emblem(number), at: quad, light: light)
            #expect(Self.names(try Self.emblems.get(), in: picture) == ["\(number)"], "\(light)")
        }
    }

    @Test(arguments: numbers) func printsInOneInkAndGreyOnesKeepTheirName(number: Int) throws {
        let (quad, _) = try corners(side: 230, turn: 0.5)
        let gray = Self.emblem(number).gray
        #expect(Self.names(try Self.emblems.get(), in: try .colored(gray.rgb, at: quad)) == ["\(number)"])
        // Blue ink on white paper, as dark as the emblem is.
        var ink = gray.rgb
        for pixel in gray.bytes.indices {
            let light = Double(gray.bytes[pixel]) / 255
            for (channel, dark) in [20.0, 40, 150].enumerated() {
                ink.bytes[3 * pixel + channel] = UInt8(dark + light * (250 - dark))
            }
        }
        #expect(Self.names(try Self.emblems.get(), in: try .colored(ink, at: quad)) == ["\(number)"])
    }

    @Test func strangersOfOtherColorsHaveNoName() throws {
        let (quad, _) = try corners(side: 230, turn: 0.5)
        var named = 0
        for number in Self.numbers {
            let twin = Self.emblem(number).withColorsSwapped
            named += Self.names(try Self.emblems.get(), in: try .colored(twin, at: quad)).count
        }
        // What is drawn in one ink on white has no colours of its own.
        #expect(named <= 2)
    }

    /// White light explains the print's own colours, and coloured light most of them; no light makes black and white of two colours.
    @Test func lightExplainsColors() {
        var random = TestRandom(case: 5)
        for _ in 0..<100 {
            func value() -> Double { random.uniform(20...230) }
            let own = (0..<PrintColors.side * PrintColors.side).map { _ in
                CellColor(red: value(), green: value(), blue: value())
            }
            let (gains, haze) = (
                (0..<3).map { _ in random.uniform(0.6...1.1) }, (0..<3).map { _ in random.uniform(0...20) }
            )
            let seen = own.map {
                CellColor(
                    red: gains[0] * $0.red + haze[0], green: gains[1] * $0.green + haze[1],
                    blue: gains[2] * $0.blue + haze[2])
            }
            #expect(PrintLight.explained(own, as: seen) > 0.7)
            #expect(PrintLight.explained(own, as: own) > 0.999)
            let other = own.map { CellColor(red: $0.green, green: $0.blue, blue: $0.red) }
            #expect(PrintLight.explained(other, as: seen) < 0.3)
            // Sky on purple, and white on black.
            let colored = own.map { cell in
                cell.red > 125
                    ? CellColor(red: 133, green: 199, blue: 237) : CellColor(red: 89, green: 38, blue: 120)
            }
            let plain = own.map { cell in
                cell.red > 125 ? CellColor(red: 247, green: 247, blue: 245) : CellColor(red: 20, green: 20, blue: 23)
            }
            let tinted = plain.map {
                CellColor(red: gains[0] * $0.red, green: gains[1] * $0.green, blue: gains[2] * $0.blue)
            }
            #expect(PrintLight.explained(plain, as: tinted) > 0.7)
            #expect(PrintLight.explained(colored, as: tinted) < PrintLight.explained(plain, as: tinted) - 0.05)
        }
    }
}
