// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@Suite struct FineCodeTests {
    private static let size = ImageSize(width: 200, height: 160)

    /// A card with a code in its middle, modules of 1.3 by 0.8 pixels, in a trembling hand; and where the code is.
    private static func frame(_ modules: [[Bool]], _ random: inout TestRandom) -> (ImageBuffer, PixelQuad) {
        let count = Double(modules.count)
        let side = count + 20
        let plane = PrintedPlane(
            width: side, height: side, unitPixels: 1.35, tilt: 0.93, azimuth: 0.1,
            roll: 0.05 + 0.01 * random.uniform(-1...1),
            center: PixelPoint(100 + random.uniform(-3...3), 80 + random.uniform(-3...3)), focalLength: 600)
        var image = ImageBuffer(size: size, format: .gray8, filledWith: 90)
        plane.draw(on: &image) { place in
            let (column, row) = (Int(place.x) - 10, Int(place.y) - 10)
            return modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column] ? 40 : 215
        }
        return (image.withNoise(1, &random), plane.quad(10...side - 10, 10...side - 10))
    }

    /// What is looked for: rectangles at a slant, as many as there are.
    private static func sequence(_ reader: CodeReader = CodeReader()) -> DetectionSequence {
        var limits = RectangleDetector.Configuration()
        limits.maximumObservations = 0
        limits.quadratureTolerance = 0.8
        limits.minimumAspectRatio = 0.2
        limits.minimumSize = 0.1
        return DetectionSequence(detector: RectangleDetector(limits), reader: reader, interval: 3)
    }

    /// A small picture at the lower left of a larger one.
    private static func placed(_ small: ImageBuffer, on large: ImageBuffer) -> ImageBuffer {
        var image = large
        let firstRow = large.size.height - small.size.height
        for row in 0..<small.size.height {
            let start = (firstRow + row) * large.size.width
            let from = row * small.size.width
            image.bytes.replaceSubrange(
                start..<start + small.size.width, with: small.bytes[from..<from + small.size.width])
        }
        return image
    }

    /// No picture shows the code, and twelve of them together do; then it stays where it is.
    @Test func severalPicturesShowWhatNoneDoes() throws {
        var random = TestRandom()
        let modules = try PrintedCode.modules("https://example.org/cards/7")
        var sequence = Self.sequence()
        var isKnown = false
        for number in 0..<16 {
            let (image, corners) = Self.frame(modules, &random)
            #expect(CodeReader().read(in: image).isEmpty, "frame \(number)")
            let codes = sequence.next(image).codes
            isKnown = isKnown || !codes.isEmpty
            guard isKnown else { continue }
            let code = try #require(codes.first, "frame \(number)")
            #expect(code.payload == "https://example.org/cards/7")
            #expect(code.quad.cornerError(to: corners) < 0.8, "frame \(number)")
        }
        #expect(isKnown)
    }

    /// A rectangle whose pictures show no code reports nothing, however long it is looked at.
    @Test func plainRectanglesHaveNoCodes() {
        var random = TestRandom()
        var sequence = Self.sequence()
        let chess = (0..<25).map { row in (0..<25).map { (row + $0) % 2 == 0 } }
        for number in 0..<20 {
            let detections = sequence.next(Self.frame(chess, &random).0)
            #expect(!detections.rectangles.isEmpty, "frame \(number)")
            #expect(detections.codes.isEmpty, "frame \(number)")
        }
    }

    /// Four rectangles without a code keep no card from being read: too large ones, ones that cannot be followed for lack of
    /// texture, and ones that are read in vain.
    @Test(arguments: [(side: 125, waves: 0.0, pictures: 18), (40, 0, 30), (40, 40, 72)])
    func plainRectanglesKeepNoCardFromBeingRead(side: Int, waves: Double, pictures: Int) throws {
        var random = TestRandom()
        let modules = try PrintedCode.modules("https://example.org/cards/7")
        let size = ImageSize(width: 4 * (side + 15) + 15, height: side + 20 + Self.size.height)
        var ground = ImageBuffer(size: size, format: .gray8, filledWith: 90)
        for (row, column) in (0..<side).flatMap({ row in (0..<4 * side).map { (row, $0) } }) {
            let place = (row + 12) * size.width + 15 + column / side * (side + 15) + column % side
            let wave = waves * sin(0.6 * Double(row)) * cos(0.5 * Double(column % side))
            ground.bytes[place] = UInt8(150 + 50 * Double(column % side) / Double(side) + wave)
        }
        // The same twelve pictures of the card, again and again.
        let cards = (0..<12).map { _ in Self.frame(modules, &random).0 }
        var sequence = Self.sequence()
        var payloads: Set<String> = []
        for number in 0..<pictures {
            let detections = sequence.next(Self.placed(cards[number % cards.count], on: ground))
            #expect(detections.rectangles.count >= 5, "frame \(number)")
            payloads.formUnion(detections.codes.map(\.payload))
        }
        #expect(payloads == ["https://example.org/cards/7"])
    }

    /// A display that shows another code is read again.
    @Test func codesThatChangeAreForgotten() throws {
        var random = TestRandom()
        let payloads = ["https://example.org/cards/7", "https://example.com/tables/4"]
        let codes = try payloads.map { payload in
            let modules = try PrintedCode.modules(payload)
            return (0..<12).map { _ in Self.frame(modules, &random).0 }
        }
        var sequence = Self.sequence()
        var seen: [[String]] = []
        for number in 0..<56 { seen.append(sequence.next(codes[number / 28][number % 12]).codes.map(\.payload)) }
        #expect(seen[27] == [payloads[0]])
        #expect(seen[55] == [payloads[1]])
    }

    /// The reader's limit and its order hold for all codes, however they were read.
    @Test func limitAndOrderHoldForAllCodes() throws {
        var random = TestRandom()
        let modules = try PrintedCode.modules("https://example.org/cards/7")
        let cards = (0..<12).map { _ in Self.frame(modules, &random).0 }
        // Beside the card a smaller code that each picture shows.
        let plain = try PrintedCode.modules("7")
        var ground = ImageBuffer(
            size: ImageSize(width: Self.size.width + 60, height: Self.size.height), format: .gray8, filledWith: 215)
        for (row, modules) in plain.enumerated() {
            for (column, isDark) in modules.enumerated() where isDark {
                for place in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let start = (10 + 2 * row + place.0) * ground.size.width
                    ground.bytes[start + Self.size.width + 9 + 2 * column + place.1] = 40
                }
            }
        }
        var limits = CodeReader.Configuration()
        limits.maximumObservations = 1
        var (limited, unlimited) = (Self.sequence(CodeReader(limits)), Self.sequence())
        var most = 0
        for number in 0..<16 {
            let picture = Self.placed(cards[number % cards.count], on: ground)
            let all = unlimited.next(picture).codes
            let areas = all.map { abs($0.quad.signedArea) }
            #expect(areas == areas.sorted(by: >), "frame \(number)")
            #expect(limited.next(picture).codes == Array(all.prefix(1)), "frame \(number)")
            most = max(most, all.count)
        }
        #expect(most == 2)
    }

    /// What several pictures show together is only believed where the code itself tells errors apart.
    @Test func codesThatCorrectErrors() {
        let correcting = CodeSymbology.allCases.filter(\.correctsErrors)
        #expect(Set(correcting) == [.aztec, .dataMatrix, .pdf417, .qr])
    }
}
