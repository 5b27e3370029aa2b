// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
@testable import ARVision
import CBarcode
import CCodes
import Foundation
import TestSupport
import Testing

@Suite struct CodeReaderTests {
    private static let size = ImageSize(width: 640, height: 480)

    /// The modules of a QR code: true for dark.
    private static func modules(_ payload: String) throws -> [[Bool]] {
        var bytes = [UInt8](repeating: 0, count: Int(CBARCODE_LARGEST_SIDE * CBARCODE_LARGEST_SIDE))
        var side: Int32 = 0
        let status = cbarcode_qr(payload, CBARCODE_LEVEL_M, 1, &bytes, Int64(bytes.count), &side)
        try #require(status == CBARCODE_OK)
        return (0..<Int(side)).map { row in (0..<Int(side)).map { bytes[row * Int(side) + $0] == 1 } }
    }

    /// A code on white paper with its quiet zone, and where its corners are.
    private static func picture(
        _ modules: [[Bool]], quiet: Double = 4, unitPixels: Double, tilt: Double, _ random: inout TestRandom
    ) -> (image: ImageBuffer, corners: PixelQuad) {
        let (width, height) = (Double(modules[0].count), Double(modules.count))
        let plane = PrintedPlane(
            width: width + 2 * quiet, height: height + 2 * quiet, unitPixels: unitPixels, tilt: tilt,
            azimuth: random.uniform(0...2 * Double.pi), roll: random.uniform(0...2 * Double.pi),
            center: PixelPoint(319.5 + random.uniform(-20...20), 239.5 + random.uniform(-20...20)), focalLength: 700)
        var image = ImageBuffer(size: size, format: .gray8, filledWith: 110)
        plane.draw(on: &image) { place in
            let (column, row) = (Int((place.x - quiet).rounded(.down)), Int((place.y - quiet).rounded(.down)))
            let isDark = modules.indices.contains(row) && modules[0].indices.contains(column) && modules[row][column]
            return isDark ? 40 : 215
        }
        return (image.withNoise(1.5, &random), plane.quad(quiet...quiet + width, quiet...quiet + height))
    }

    private static func payload(_ number: Int) -> String {
        switch number % 3 {
        case 0: "card-\(number)"
        case 1: "https://example.org/cards/\(number)"
        default: "https://example.org/cards/\(number)/a/longer/path?checked=\(number * 7919)"
        }
    }

    /// At 60° ZXing alone reads about half. A module is then half as wide one way as the other, here 2.1 pixels.
    @Test(arguments: [0.0, 40, 60]) func tiltedCodesAreRead(degrees: Double) throws {
        var (read, alone) = (0, 0)
        var errors: [Double] = []
        for number in 0..<12 {
            var random = TestRandom(case: number)
            let unit = degrees < 60 ? 3 : 4.2
            let (image, corners) = try Self.picture(
                Self.modules(Self.payload(number)), unitPixels: unit, tilt: degrees * .pi / 180, &random)
            let decoder = CodeDecoder(symbologies: [.qr])
            alone += decoder.decode(image, effort: CCODES_THOROUGH).first?.payload == Self.payload(number) ? 1 : 0
            guard let code = CodeReader().read(in: image).first(where: { $0.payload == Self.payload(number) }) else {
                continue
            }
            read += 1
            #expect(code.symbology == .qr)
            #expect(Array(Self.payload(number).utf8) == code.payloadBytes)
            errors.append(code.quad.cornerError(to: corners))
        }
        #expect(read >= (degrees < 60 ? 12 : 11), "\(read) of 12 at \(degrees)°")
        #expect(read >= alone)
        // In the code's own order: named alike, not only near each other.
        #expect(errors.max() ?? .infinity < 1, "\(errors)")
        #expect(errors.sorted()[errors.count / 2] < 0.5, "\(errors)")
    }

    /// EAN-13 (ISO/IEC 15420): the bars of thirteen digits, dark where true.
    private static func ean13(_ digits: [Int]) -> [Bool] {
        let left = [
            "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111",
            "0001011",
        ]
        let parities = [
            "LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL",
        ].map(Array.init)
        func inverted(_ bars: String) -> String { String(bars.map { $0 == "0" ? "1" : "0" }) }
        var bars = "101"
        for place in 1...6 {
            let code = left[digits[place]]
            bars += parities[digits[0]][place - 1] == "L" ? code : String(inverted(code).reversed())
        }
        bars += "01010"
        for place in 7...12 { bars += inverted(left[digits[place]]) }
        return (bars + "101").map { $0 == "1" }
    }

    /// Bars are read along a line; the corners are those of all of them.
    @Test(arguments: 0..<6) func linearCodesHaveTheCornersOfTheirBars(number: Int) throws {
        var random = TestRandom(case: number)
        var digits = (0..<12).map { _ in Int(random.uniform(0...9.99)) }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        digits.append((10 - sum % 10) % 10)
        let bars = Self.ean13(digits)
        let plane = PrintedPlane(
            width: 119, height: 64, unitPixels: 3, tilt: number % 2 == 0 ? 0 : 0.4, azimuth: random.uniform(0...6),
            roll: random.uniform(-0.2...0.2), center: PixelPoint(319.5, 239.5), focalLength: 700)
        var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 110)
        plane.draw(on: &image) { place in
            let bar = Int((place.x - 12).rounded(.down))
            return bars.indices.contains(bar) && (10...54).contains(place.y) && bars[bar] ? 40 : 215
        }
        let codes = CodeReader().read(in: image.withNoise(1.5, &random))
        let code = try #require(codes.first { $0.symbology == .ean13 })
        #expect(code.payload == digits.map(String.init).joined())
        #expect(code.quad.cornerError(to: plane.quad(12...107, 10...54)) < 0.5, "\(code.quad)")
        #expect(codes.count == 1)
    }

    /// What does not stand in a code is read from the front through the rectangle around it.
    @Test func onlyWhatIsAskedForIsRead() throws {
        var random = TestRandom()
        let (image, _) = try Self.picture(Self.modules("card-1"), unitPixels: 6, tilt: 0.3, &random)
        var configuration = CodeReader.Configuration()
        configuration.symbologies = [.ean13, .code128]
        #expect(CodeReader(configuration).read(in: image).isEmpty)
        configuration.symbologies = []
        #expect(CodeReader(configuration).read(in: image).isEmpty)
        configuration.symbologies = [.qr]
        #expect(CodeReader(configuration).read(in: image).map(\.payload) == ["card-1"])
        #expect(CodeReader(configuration).read(in: image.rgb) == CodeReader(configuration).read(in: image))
    }

    @Test func noiseHoldsNoCodes() {
        var random = TestRandom()
        var image = ImageBuffer(size: Self.size, format: .gray8)
        for index in image.bytes.indices { image.bytes[index] = UInt8(random.uniform(0...255)) }
        #expect(CodeReader().read(in: image).isEmpty)
        #expect(CodeReader().read(in: WaveTexture(&random).picture(Self.size)).isEmpty)
    }

    /// A card with a code on it: the rectangle is identified, a neighbour is not.
    @Test func codesIdentifyTheRectanglesAroundThem() {
        func square(_ x: Double, _ y: Double, _ side: Double) -> PixelQuad {
            PixelQuad(corners: [
                PixelPoint(x, y), PixelPoint(x + side, y), PixelPoint(x + side, y + side), PixelPoint(x, y + side),
            ])
        }
        func code(_ payload: String, _ quad: PixelQuad) -> DetectedCode {
            DetectedCode(payload: payload, payloadBytes: Array(payload.utf8), symbology: .qr, quad: quad)
        }
        let card = DetectedRectangle(quad: square(100, 100, 100), confidence: 1, cornerDeviationPixels: 0.1)
        let inside = code("inside", square(120, 130, 30))
        let larger = code("larger", square(150, 150, 49))
        let onEdge = code("on the edge", square(90, 120, 30))
        let flush = code("flush", square(99, 99, 20))
        let beside = code("beside", square(220, 120, 30))
        #expect(
            card.codes(among: [inside, larger, onEdge, beside, flush]).map(\.payload) == ["larger", "inside", "flush"])
        #expect(card.codes(among: []).isEmpty)
    }
}
