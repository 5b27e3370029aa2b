// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
@testable import ARVision
import CCodes
import Foundation
import TestSupport
import Testing

/// Codes of several kinds, seen from behind, several at once, bent, and inside rectangles.
@Suite struct CodeKindTests {
    /// Bars on a white card that fills the picture but for a margin.
    private static func card(_ bars: PrintedBars, unitPixels: Double, tilt: Double = 0, roll: Double = 0) -> (
        ImageBuffer, PrintedPlane
    ) {
        let plane = PrintedPlane(
            width: bars.width + 24, height: 64, unitPixels: unitPixels, tilt: tilt, azimuth: .pi / 2, roll: roll,
            center: PixelPoint(319.5, 239.5), focalLength: 700)
        var image = ImageBuffer(size: PrintedCode.size, format: .gray8, filledWith: 90)
        plane.draw(on: &image) { place in
            (10...54).contains(place.y) && bars.isDark(at: place.x - 12) ? 40 : 215
        }
        return (image, plane)
    }

    /// A number's check digit: the digits before it, from the last one, count three and one in turn.
    private static func withCheckDigit(_ digits: [Int]) -> [Int] {
        let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 3 : 1) }
        return digits + [(10 - sum % 10) % 10]
    }

    @Test(arguments: [CodeSymbology.ean13, .ean8, .code39, .codabar, .i2of5]) func linearKindsAreRead(
        symbology: CodeSymbology
    ) throws {
        var random = TestRandom(case: symbology.hashOfName)
        func digits(_ count: Int) -> [Int] { (0..<count).map { _ in Int(random.uniform(0...9.99)) } }
        let number: [Int]
        let bars: PrintedBars
        switch symbology {
        case .ean13:
            number = Self.withCheckDigit(digits(12))
            bars = .ean13(number)
        case .ean8:
            number = Self.withCheckDigit(digits(7))
            bars = .ean8(number)
        case .code39:
            number = digits(6)
            bars = .code39(number)
        case .codabar:
            number = digits(8)
            bars = .codabar(number)
        default:
            number = digits(10)
            bars = .interleaved(number)
        }
        let (image, plane) = Self.card(bars, unitPixels: 3)
        let codes = CodeReader().read(in: image.withNoise(1.5, &random))
        let code = try #require(codes.first)
        #expect(codes.count == 1)
        #expect(code.symbology == symbology)
        #expect(code.payload.filter(\.isNumber) == number.map(String.init).joined())
        #expect(code.quad.cornerError(to: plane.quad(12...12 + bars.width, 10...54)) < 0.5, "\(code.quad)")
    }

    /// Of bars that lie at 45°, no row and no column crosses all: ZXing alone reads nothing, the card's rectangle turns them.
    @Test func codesInRectanglesAreReadFromTheFront() throws {
        var random = TestRandom()
        let number = Self.withCheckDigit([4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3])
        let bars = PrintedBars.ean13(number)
        let (drawn, plane) = Self.card(bars, unitPixels: 3, tilt: 0.3, roll: .pi / 4)
        let image = drawn.withNoise(1.5, &random)
        let card = DetectedRectangle(quad: plane.outline, confidence: 1, cornerDeviationPixels: 0.1)
        #expect(CodeReader().read(in: image).isEmpty)
        let code = try #require(CodeReader().read(in: image, rectangles: [card]).first)
        #expect(code.payload == number.map(String.init).joined())
        #expect(code.quad.cornerError(to: plane.quad(12...12 + bars.width, 10...54)) < 2, "\(code.quad)")
        #expect(card.codes(among: [code]) == [code])
        let found = Detections(in: image, detector: RectangleDetector(), reader: CodeReader())
        #expect(found.codes.map(\.payload) == [code.payload])
    }

    /// In a mirror the payload is the same; the corners keep their names and go anticlockwise.
    @Test(arguments: 0..<4) func mirroredCodesSayThatTheyAre(number: Int) throws {
        var random = TestRandom(case: number)
        let (image, corners) = try PrintedCode.picture(
            PrintedCode.modules("card-\(number)"), unitPixels: 6, tilt: 0.3, &random)
        var mirrored = image
        let width = image.size.width
        for index in image.bytes.indices {
            mirrored.bytes[index] = image.bytes[index / width * width + width - 1 - index % width]
        }
        let codes = CodeReader().read(in: mirrored)
        let code = try #require(codes.first)
        #expect(codes.count == 1)
        #expect(code.payload == "card-\(number)")
        #expect(code.isMirrored)
        #expect(code.quad.signedArea < 0)
        let expected = PixelQuad(corners: corners.corners.map { PixelPoint(Double(width - 1) - $0.x, $0.y) })
        // As ZXing reports them: whole pixels, half a module off.
        #expect(code.quad.cornerError(to: expected) < 4, "\(code.quad) instead of \(expected)")
    }

    @Test func theLargestCodesAreReported() throws {
        var image = ImageBuffer(size: PrintedCode.size, format: .gray8, filledWith: 215)
        for (place, unit) in [(PixelPoint(150, 140), 3.0), (PixelPoint(460, 140), 5), (PixelPoint(320, 380), 4)] {
            let modules = try PrintedCode.modules("\(Int(unit))")
            let side = Double(modules.count)
            let plane = PrintedPlane(
                width: side, height: side, unitPixels: unit, tilt: 0, azimuth: 0, roll: 0,
                center: place, focalLength: 700)
            plane.draw(on: &image) { modules[Int($0.y)][Int($0.x)] ? 40 : 215 }
        }
        var configuration = CodeReader.Configuration()
        for (limit, payloads) in [(0, ["5", "4", "3"]), (1, ["5"]), (2, ["5", "4"]), (9, ["5", "4", "3"])] {
            configuration.maximumObservations = limit
            #expect(CodeReader(configuration).read(in: image).map(\.payload) == payloads)
        }
    }

    /// What a surface of second degree bends by up to a third of a module is put back.
    @Test(arguments: [4, 6]) func bentCodesAreStraightened(scale: Int) throws {
        let modules = try PrintedCode.modules("https://example.org/bottles/7")
        let (count, quiet) = (modules.count, FrontalView.quietZone)
        let side = scale * (count + 2 * quiet)
        func view(_ bend: (Double, Double) -> Vector2) -> ImageBuffer {
            var image = ImageBuffer(size: ImageSize(width: side, height: side), format: .gray8)
            for index in image.bytes.indices {
                var sum = 0.0
                for sample in 0..<16 {
                    let x = Double(index % side) + (Double(sample % 4) + 0.5) / 4
                    let y = Double(index / side) + (Double(sample / 4) + 0.5) / 4
                    let half = Double(count) / 2
                    let place = Vector2(x, y) / Double(scale) - Vector2(Double(quiet), Double(quiet))
                    let bent = place - bend(place.x / half - 1, place.y / half - 1)
                    let (column, row) = (Int(bent.x.rounded(.down)), Int(bent.y.rounded(.down)))
                    let isDark =
                        modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
                    sum += isDark ? 40 : 215
                }
                image.bytes[index] = UInt8(sum / 16)
            }
            return image
        }
        let flat = view { _, _ in .zero }
        let bent = view { u, v in Vector2(0.3 * (u * u - 0.5), 0.25 * (u * v - v * v + 0.4)) }
        func expect(_ view: ImageBuffer, across: [Double], down: [Double], within modules: Double) throws {
            let code = BentCode(view: view, scale: scale, moduleCount: count, quiet: quiet)
            let surfaces = try #require(code.surfaces)
            for (found, expected) in zip(surfaces.across + surfaces.down, across + down) {
                #expect(abs(found / Double(scale) - expected) < modules, "\(surfaces)")
            }
        }
        let none = [Double](repeating: 0, count: 6)
        try expect(flat, across: none, down: none, within: 0.01)
        try expect(bent, across: [-0.15, 0, 0, 0, 0.3, 0], down: [0.1, 0, 0, 0.25, 0, -0.25], within: 0.08)
        let straight = try #require(
            BentCode(view: bent, scale: scale, moduleCount: count, quiet: quiet).straightened())
        try expect(straight, across: none, down: none, within: 0.08)
        let blank = ImageBuffer(size: flat.size, format: .gray8, filledWith: 128)
        #expect(BentCode(view: blank, scale: scale, moduleCount: count, quiet: quiet).straightened() == nil)
    }

    /// Finder patterns of no code: too far apart for the largest version.
    @Test func patternsFarApartAreNoCode() {
        var image = ImageBuffer(size: ImageSize(width: 1200, height: 1000), format: .gray8, filledWith: 220)
        for (left, top) in [(50, 50), (1050, 50), (50, 900)] {
            for y in 0..<14 {
                for x in 0..<14 {
                    let rim = min(x, y, 13 - x, 13 - y)
                    if rim < 2 || rim >= 4 { image.bytes[(top + y) * 1200 + left + x] = 30 }
                }
            }
        }
        #expect(CodeReader().read(in: image).isEmpty)
        var pyramid = ImagePyramid(size: image.size, levelCount: 5)
        pyramid.fill(with: image)
        #expect(QRLocator(pyramid: pyramid).locate().isEmpty)
    }

    /// A frontal view's horizon has no place in the picture.
    @Test func codesBeyondTheHorizonHaveNoPlace() throws {
        let image = ImageBuffer(size: PrintedCode.size, format: .gray8, filledWith: 90)
        var pyramid = ImagePyramid(size: image.size, levelCount: 3)
        pyramid.fill(with: image)
        // What lies a two hundredth below the bottom is where the camera is.
        let quad = PixelQuad(corners: [
            PixelPoint(300, 200), PixelPoint(302, 200), PixelPoint(500, 400), PixelPoint(100, 400),
        ])
        let view = try #require(FrontalView(of: quad, in: pyramid))
        func code(_ y: Double) -> DetectedCode {
            let corners = [PixelPoint(20, y), PixelPoint(40, y), PixelPoint(40, y + 10), PixelPoint(20, y + 10)]
            return DetectedCode(payload: "", payloadBytes: [], symbology: .ean13, quad: PixelQuad(corners: corners))
        }
        #expect(view.inPicture(code(120)) != nil)
        #expect(view.inPicture(code(280)) == nil)
    }
}

extension CodeSymbology {
    /// A number for the kind's random data.
    fileprivate var hashOfName: Int { rawValue.utf8.reduce(0) { $0 &* 31 &+ Int($1) } }
}
