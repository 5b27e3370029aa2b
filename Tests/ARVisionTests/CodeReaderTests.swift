// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
@testable import ARVision
import CCodes
import Foundation
import TestSupport
import Testing

@Suite struct CodeReaderTests {
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
            let (image, corners) = try PrintedCode.picture(
                PrintedCode.modules(Self.payload(number)), unitPixels: unit, tilt: degrees * .pi / 180, &random)
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
        #expect(degrees < 60 ? read >= alone : alone <= 8, "ZXing alone reads \(alone) of 12 at \(degrees)°")
        // In the code's own order: named alike, not only near each other.
        #expect(errors.max() ?? .infinity < 1, "\(errors)")
        #expect(errors.sorted()[errors.count / 2] < 0.5, "\(errors)")
    }

    /// Bars are read along a line; the corners are those of all of them.
    @Test(arguments: 0..<6) func linearCodesHaveTheCornersOfTheirBars(number: Int) throws {
        var random = TestRandom(case: number)
        var digits = (0..<12).map { _ in Int(random.uniform(0...9.99)) }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        digits.append((10 - sum % 10) % 10)
        let bars = PrintedBars.ean13(digits)
        let plane = PrintedPlane(
            width: 119, height: 64, unitPixels: 3, tilt: number % 2 == 0 ? 0 : 0.4, azimuth: random.uniform(0...6),
            roll: random.uniform(-0.2...0.2), center: PixelPoint(319.5, 239.5), focalLength: 700)
        var image = ImageBuffer(size: PrintedCode.size, format: .gray8, filledWith: 110)
        plane.draw(on: &image) { place in
            (10...54).contains(place.y) && bars.isDark(at: place.x - 12) ? 40 : 215
        }
        let codes = CodeReader().read(in: image.withNoise(1.5, &random))
        let code = try #require(codes.first { $0.symbology == .ean13 })
        #expect(code.payload == digits.map(String.init).joined())
        #expect(code.quad.cornerError(to: plane.quad(12...107, 10...54)) < 0.5, "\(code.quad)")
        #expect(codes.count == 1)
    }

    @Test func onlyWhatIsAskedForIsRead() throws {
        var random = TestRandom()
        let (image, _) = try PrintedCode.picture(PrintedCode.modules("card-1"), unitPixels: 6, tilt: 0.3, &random)
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
        var image = ImageBuffer(size: PrintedCode.size, format: .gray8)
        for index in image.bytes.indices { image.bytes[index] = UInt8(random.uniform(0...255)) }
        #expect(CodeReader().read(in: image).isEmpty)
        #expect(CodeReader().read(in: WaveTexture(&random).picture(PrintedCode.size)).isEmpty)
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
