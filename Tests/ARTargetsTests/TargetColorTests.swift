// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import ARTargets
import Testing

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
}
