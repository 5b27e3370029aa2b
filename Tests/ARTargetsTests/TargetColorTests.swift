// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import CFeatures
import Foundation
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
        // A camera's tone curve bends each channel elsewhere where the light has a colour.
        for light in [(1.15, 1.0, 0.75), (0.8, 1.0, 1.15)] {
            let seen = try ImageBuffer.colored(ink, at: quad, light: light).toned(by: 1.35)
            #expect(Self.names(try Self.emblems.get(), in: seen) == ["\(number)"], "\(light)")
        }
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

    /// Cells mix three inks; printed in any other three, under any lamp, they are explained, and paper that is seen in two
    /// colours is not. Three greys lie on a line, and their colours need not, unless the lamp is very uneven.
    @Test(arguments: [
        ([Vector3(247, 247, 245), Vector3(201, 18, 36), Vector3(15, 77, 171)], 0.3),
        ([Vector3(250, 250, 250), Vector3(128, 128, 128), Vector3(10, 10, 10)], 0.1),
    ]) func oneInkHasOneColor(own: [Vector3], steepest: Double) {
        var random = TestRandom(case: 7)
        let side = PrintColors.side, cellSide = 8
        for _ in 0..<100 {
            func ink() -> Vector3 {
                Vector3(random.uniform(20...230), random.uniform(20...230), random.uniform(20...230))
            }
            let seen = [ink(), ink(), ink()]
            let slope = Vector2(random.uniform(-steepest...steepest), random.uniform(-steepest...steepest))
            func unexplained(isOther: Bool) -> Double {
                var pixels = [UInt8](repeating: 0, count: side * side * cellSide * cellSide)
                let cells = (0..<side * side).map { cell in
                    let place = PrintColors.middle(of: cell) - Vector2(0.5, 0.5)
                    // Rows of one ink each.
                    func row() -> Int { Int(random.uniform(0...Double(cellSide)).rounded()) }
                    let rows = [0, row(), row(), cellSide].sorted()
                    for ink in 0..<3 {
                        let light = (own[ink].x + own[ink].y + own[ink].z) / 3
                        for row in rows[ink]..<rows[ink + 1] {
                            let start = ((cell / side * cellSide + row) * side + cell % side) * cellSide
                            for pixel in start..<start + cellSide { pixels[pixel] = UInt8(light) }
                        }
                    }
                    func mixed(_ inks: [Vector3]) -> Vector3 {
                        var sum = Vector3.zero
                        for ink in 0..<3 { sum = sum + inks[ink] * Double(rows[ink + 1] - rows[ink]) }
                        return sum / Double(cellSide)
                    }
                    let lamp = 0.8 * (1 + slope.dot(place))
                    let tint = isOther && max(abs(place.x), abs(place.y)) < 0.3 ? Vector3(90, -40, -40) : .zero
                    let shown = mixed([seen[0] + tint, seen[1], seen[2]]) * lamp
                    return CFeaturesColorCell(
                        x: place.x + 0.5, y: place.y + 0.5, own: mixed(own).numbers, seen: shown.numbers)
                }
                var unexplained = 0.0
                pixels.withUnsafeBufferPointer { pixels in
                    let length = Int32(side * cellSide)
                    var print = CFeaturesTemplate(pixels: pixels.baseAddress, width: length, height: length)
                    check(
                        cfeatures_compare_inks(&print, cells, Int32(cells.count), Int32(side), &unexplained))
                }
                return unexplained
            }
            let alike = unexplained(isOther: false)
            // Numbers of the map that little tells cost a little.
            #expect(alike < 0.15)
            #expect(unexplained(isOther: true) > alike + 0.1)
        }
    }

    /// Inks that hardly differ, as a white field and the paper around it, are one ink, and not seen in two colours: a print in white
    /// and red is no other one in gold and red on white paper.
    @Test func whiteIsNotSeenInTwoColors() {
        let side = PrintColors.side
        let paper = Vector3(255, 255, 255), white = Vector3(247, 247, 245), red = Vector3(201, 18, 36)
        var pixels = [UInt8](repeating: 255, count: side * side)
        func unexplained(field: Vector3) -> Double {
            let cells = (0..<side * side).map { cell in
                let place = PrintColors.middle(of: cell)
                let isField = max(abs(place.x - 0.5), abs(place.y - 0.5)) < 0.42
                let isCharge = isField && cell % 3 == 0
                let own = isCharge ? red : isField ? white : paper
                pixels[cell] = UInt8((own.x + own.y + own.z) / 3)
                let seen = isCharge ? red : isField ? field : paper
                return CFeaturesColorCell(x: place.x, y: place.y, own: own.numbers, seen: (seen * 0.8).numbers)
            }
            var unexplained = 0.0
            pixels.withUnsafeBufferPointer { pixels in
                var print = CFeaturesTemplate(pixels: pixels.baseAddress, width: Int32(side), height: Int32(side))
                check(cfeatures_compare_inks(&print, cells, Int32(cells.count), Int32(side), &unexplained))
            }
            return unexplained
        }
        #expect(unexplained(field: white) < 0.1)
        #expect(unexplained(field: Vector3(247, 199, 26)) > 0.5)
    }

    /// A photocopy of a print in colours keeps its name where a thing lies over a corner, too.
    @Test(arguments: numbers) func coveredPhotocopiesKeepTheirName(number: Int) throws {
        let (quad, _) = try corners(side: 230, turn: 0.5)
        var copy = Self.emblem(number).gray.rgb
        for pixel in 0..<copy.size.width * copy.size.height {
            let (column, row) = (pixel % copy.size.width, pixel / copy.size.width)
            guard column + row > 3 * copy.size.width / 2 else { continue }
            for (channel, value) in [150, 110, 85].enumerated() { copy.bytes[3 * pixel + channel] = UInt8(value) }
        }
        #expect(Self.names(try Self.emblems.get(), in: try .colored(copy, at: quad)) == ["\(number)"])
    }

    /// Emblems of one drawing that have two inks where the other has one, or the same charges in another outline, are not
    /// called by its name.
    @Test(arguments: [
        (172, 63), (400, 47), (421, 77), (301, 48), (333, 48), (1117, 9), (1249, 30), (1913, 77), (8842, 63),
    ])
    func strangersThatShareADrawingHaveNoName(stranger: Int, target: Int) throws {
        let database = try Self.database([("\(target)", Self.emblem(target))])
        var named = 0
        for step in 0..<6 {
            let turn = 0.9 * Double(step) - 2
            let (quad, _) = try corners(side: 200, turn: turn, tilt: 0.15 * Double(step))
            named += Self.names(database, in: try .colored(Self.emblem(target), at: quad)).count
            #expect(Self.names(database, in: try .colored(Self.emblem(stranger), at: quad)).isEmpty, "\(turn)")
        }
        #expect(named >= 5)
    }

    /// White looks as coloured as a lamp is, however bright; an ink on it is more than any lamp.
    @Test func whiteInAnInkHasATint() {
        func tint(_ red: Double, _ green: Double, _ blue: Double) -> Double {
            PrintLight.tint(ofWhite: [CellColor(red: red, green: green, blue: blue)])
        }
        #expect(tint(80, 80, 80) == 0)
        #expect(abs(tint(200, 150, 100) - tint(100, 75, 50)) < 1e-12)
        // A lamp, and a clear sky; a candle, at 1,900 K, that no camera balances, is more than that.
        #expect(tint(255, 214, 170) < 0.1 * PrintLight.mostTint)
        #expect(tint(190, 214, 255) < 0.1 * PrintLight.mostTint)
        #expect(tint(255, 147, 41) > PrintLight.mostTint)
        #expect(tint(190, 150, 25) > PrintLight.mostTint)
        #expect(tint(255, 0, 0) > PrintLight.mostTint)
    }

    /// What waves is named in its own inks, and in any one on white; in two inks, of which one is where it is white, it is another
    /// print that has the same charge.
    @Test(arguments: [10, 16, 31, 39, 44, 50, 55]) func whatWavesKeepsItsWhite(number: Int) throws {
        let database = try Self.database([("\(number)", Self.emblem(number))])
        let (quad, _) = try corners(side: 230, turn: 0.2)
        func isNamed(dark: Vector3, light: Vector3) throws -> Bool {
            let print = Self.emblem(number).printed(dark: dark, light: light)
            return try !Self.names(database, in: .colored(print, at: quad, wave: 0.05)).isEmpty
        }
        let green = Vector3(0, 115, 65), red = Vector3(200, 16, 46)
        #expect(try isNamed(dark: Vector3(15, 77, 168), light: Vector3(255, 255, 255)))
        #expect(try isNamed(dark: red, light: Vector3(255, 250, 240)))
        #expect(try !isNamed(dark: green, light: Vector3(247, 199, 26)))
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

extension Vector3 {
    fileprivate var numbers: (Double, Double, Double) { (x, y, z) }
}

extension ImageBuffer {
    /// The picture in two inks, by how light its pixels are.
    fileprivate func printed(dark: Vector3, light: Vector3) -> ImageBuffer {
        var printed = self
        for pixel in 0..<size.width * size.height {
            let sum = (0..<3).reduce(0) { $0 + Int(bytes[3 * pixel + $1]) }
            let color = dark + (Double(sum) / 765) * (light - dark)
            for channel in 0..<3 { printed.bytes[3 * pixel + channel] = UInt8(color[channel]) }
        }
        return printed
    }
}
