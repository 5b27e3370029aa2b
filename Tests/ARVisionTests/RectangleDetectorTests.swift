// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@Suite struct RectangleDetectorTests {
    private static let size = ImageSize(width: 320, height: 240)

    /// Any number of rectangles, down to a shape and size that the test's rectangles have.
    private static var everything: RectangleDetector.Configuration {
        var configuration = RectangleDetector.Configuration()
        configuration.maximumObservations = 0
        configuration.minimumAspectRatio = 0.2
        configuration.quadratureTolerance = 45 * .pi / 180
        return configuration
    }

    /// A sheet that is tilted by up to 60°, with its light and that of the ground.
    private static func sheet(_ random: inout TestRandom) -> PrintedPlane {
        PrintedPlane(
            width: random.uniform(120...150), height: random.uniform(100...120), unitPixels: 1,
            tilt: random.uniform(0...Double.pi / 3), azimuth: random.uniform(0...2 * Double.pi),
            roll: random.uniform(0...2 * Double.pi), center: PixelPoint(160, 120), focalLength: 600)
    }

    /// Corners to a fifth of a pixel, on prints that differ from the ground by 40 grey levels and more, in noise.
    @Test(arguments: 0..<24) func cornersAreWhereTheyAre(number: Int) throws {
        var random = TestRandom(case: number)
        let sheet = Self.sheet(&random)
        let ground = random.uniform(60...190)
        let light = ground + random.uniform(40...60) * (number % 2 == 0 ? 1 : -1)
        var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: UInt8(ground))
        sheet.draw(on: &image) { _ in light }
        let found = RectangleDetector(Self.everything).detect(in: image.withNoise(1.5, &random))
        let best = try #require(found.first)
        #expect(best.quad.cornerError(to: sheet.outline.upright) < 0.2, "\(best) instead of \(sheet.outline.upright)")
        #expect(best.confidence > 0.9)
        #expect(best.cornerDeviationPixels < 0.2)
    }

    /// Blurred, and with little contrast: found all the same, to a pixel.
    @Test(arguments: 0..<6) func faintAndBlurredSheetsAreFound(number: Int) throws {
        var random = TestRandom(case: number)
        let sheet = Self.sheet(&random)
        var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 120)
        // A print without sharp edges: the light rises over six pixels.
        sheet.draw(on: &image) { place in
            let inside = min(place.x, place.y, sheet.width - place.x, sheet.height - place.y)
            return 120 + 14 * min(max(inside / 6, 0), 1)
        }
        let found = RectangleDetector(Self.everything).detect(in: image.withNoise(1, &random))
        let inner = sheet.quad(3...sheet.width - 3, 3...sheet.height - 3).upright
        let best = try #require(found.first)
        #expect(best.quad.cornerError(to: inner) < 1)
    }

    /// On a ground that is here brighter, there darker than the sheet, with a strip of it covered, and a corner too.
    @Test(arguments: 0..<6) func sheetsOnClutterAreFound(number: Int) throws {
        var random = TestRandom(case: number)
        let sheet = PrintedPlane(
            width: 140, height: 100, unitPixels: 1, tilt: random.uniform(0...0.7),
            azimuth: random.uniform(0...2 * Double.pi), roll: random.uniform(0...2 * Double.pi),
            center: PixelPoint(160, 120), focalLength: 600)
        var image = WaveTexture(&random).picture(Self.size, gain: 0.5)
        sheet.draw(on: &image) { place in
            let isCovered = abs(place.x - 60) < 9 && place.y < 20 || place.x + place.y < 14
            return isCovered ? 90 : 215
        }
        let found = RectangleDetector(Self.everything).detect(in: image)
        let error = found.map { $0.quad.cornerError(to: sheet.outline.upright) }.min() ?? .infinity
        #expect(error < 1, "\(found)")
    }

    /// Two sides leave the picture: the corner lies where they would meet.
    @Test func cornersMayLieOutside() throws {
        let sheet = PrintedPlane(
            width: 160, height: 120, unitPixels: 1, tilt: 0.1, azimuth: 1, roll: 0.6, center: PixelPoint(110, 70),
            focalLength: 600)
        #expect(sheet.outline.corners.contains { $0.y < -10 })
        var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 70)
        sheet.draw(on: &image) { _ in 180 }
        let best = try #require(RectangleDetector(Self.everything).detect(in: image).first)
        #expect(best.quad.cornerError(to: sheet.outline.upright) < 1)
    }

    /// A tag of 20 pixels in a large picture.
    @Test(arguments: 0..<6) func smallTagsAreFound(number: Int) throws {
        var random = TestRandom(case: number)
        let tag = PrintedPlane(
            width: 10, height: 10, unitPixels: 2.5, tilt: random.uniform(0...0.8),
            azimuth: random.uniform(0...2 * Double.pi), roll: random.uniform(0...2 * Double.pi),
            center: PixelPoint(160.3, 119.8), focalLength: 600)
        var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 128)
        tag.draw(on: &image) { place in
            let isMargin = min(place.x, place.y, 10 - place.x, 10 - place.y) < 1
            let isBit =
                (2..<8).contains(Int(place.x)) && (2..<8).contains(Int(place.y))
                && (Int(place.x) * Int(place.y)) % 3 == 0
            return isMargin || isBit ? 220 : 30
        }
        var configuration = Self.everything
        configuration.minimumSize = 12.0 / 240
        let found = RectangleDetector(configuration).detect(in: image.withNoise(1.5, &random))
        let border = tag.quad(1...9, 1...9).upright
        let error = found.map { $0.quad.cornerError(to: border) }.min() ?? .infinity
        #expect(error < 0.5, "\(error)")
    }

    /// Corners go clockwise and begin at the side that looks up, whichever way the sheet lies.
    @Test func cornersAreNamedAsTheyAreSeen() throws {
        for step in 0..<16 {
            let roll = Double(step) / 16 * 2 * .pi + 0.01
            let sheet = PrintedPlane(
                width: 130, height: 90, unitPixels: 1, tilt: 0, azimuth: 0, roll: roll, center: PixelPoint(160, 120),
                focalLength: 600)
            var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 60)
            sheet.draw(on: &image) { _ in 200 }
            let quad = try #require(RectangleDetector(Self.everything).detect(in: image).first).quad
            #expect(quad.isConvex)
            let across = quad.topRight.vector - quad.topLeft.vector
            #expect(across.x >= abs(across.y) - 1)
            #expect(quad.bottomLeft.y > quad.topLeft.y)
        }
    }

    // MARK: Limits

    /// Five rectangles of several shapes and sizes.
    private static let shapes: ImageBuffer = {
        var image = ImageBuffer(size: ImageSize(width: 400, height: 400), format: .gray8, filledWith: 50)
        func draw(_ width: Double, _ height: Double, _ x: Double, _ y: Double, skew: Double = 0) {
            let plane = PrintedPlane(
                width: width, height: height, unitPixels: 1, tilt: skew, azimuth: 0.8, roll: 0.1,
                center: PixelPoint(x, y),
                focalLength: 600)
            plane.draw(on: &image) { _ in 200 }
        }
        draw(120, 120, 90, 90)
        draw(150, 90, 290, 90)
        draw(150, 50, 100, 230)
        draw(60, 55, 250, 220)
        draw(120, 120, 290, 320, skew: 1)
        return image
    }()

    private static func shapes(_ change: (inout RectangleDetector.Configuration) -> Void) -> [DetectedRectangle] {
        var configuration = RectangleDetector.Configuration()
        configuration.maximumObservations = 0
        // Three sides of a shape and a part of its neighbour's make 0.63.
        configuration.minimumConfidence = 0.7
        configuration.minimumSize = 0.1
        configuration.minimumAspectRatio = 0.1
        configuration.quadratureTolerance = 45 * .pi / 180
        change(&configuration)
        let found = RectangleDetector(configuration).detect(in: shapes)
        for rectangle in found { #expect(configuration.admits(rectangle.quad, imageSize: shapes.size)) }
        return found
    }

    @Test func allShapesAreFoundWithoutLimits() { #expect(Self.shapes { _ in }.count == 5) }

    @Test func aspectRatiosAreLimited() {
        #expect(Self.shapes { $0.minimumAspectRatio = 0.5 }.count == 4)
        #expect(Self.shapes { $0.maximumAspectRatio = 0.5 }.count == 1)
        #expect(
            Self.shapes {
                $0.minimumAspectRatio = 0.55; $0.maximumAspectRatio = 0.65
            }.count == 1)
    }

    @Test func sizesAreLimited() {
        #expect(Self.shapes { $0.minimumSize = 0.15 }.count == 3)
        #expect(Self.shapes { $0.minimumSize = 0.27 }.count == 1)
        #expect(Self.shapes { $0.minimumSize = 0.6 }.isEmpty)
    }

    @Test func anglesAreLimited() {
        #expect(Self.shapes { $0.quadratureTolerance = 10 * .pi / 180 }.count == 4)
        #expect(Self.shapes { $0.quadratureTolerance = 0 }.isEmpty)
    }

    @Test func numbersAreLimited() {
        let all = Self.shapes { _ in }
        for count in 1...4 { #expect(Self.shapes { $0.maximumObservations = count } == Array(all.prefix(count))) }
        #expect(all.allSatisfy { $0.confidence >= 0.7 && $0.confidence <= 1 })
        #expect(RectangleDetector().detect(in: Self.shapes).count == 1)
    }

    /// A sheet whose upper side is interrupted is less certain than a whole one: a limit between them keeps one of the two.
    @Test func confidencesAreLimited() throws {
        var image = ImageBuffer(size: ImageSize(width: 400, height: 200), format: .gray8, filledWith: 50)
        for left in [40, 240] {
            for row in 50..<150 { for column in left..<left + 120 { image.bytes[row * 400 + column] = 200 } }
        }
        for row in 45..<60 { for column in 290..<302 { image.bytes[row * 400 + column] = 50 } }
        var configuration = Self.everything
        let both = RectangleDetector(configuration).detect(in: image)
        try #require(both.count == 2)
        #expect(both[0].quad.topLeft.x < 100)
        #expect(both[0].confidence > both[1].confidence + 0.02)
        configuration.minimumConfidence = (both[0].confidence + both[1].confidence) / 2
        #expect(RectangleDetector(configuration).detect(in: image) == [both[0]])
    }

    // MARK: Nothing there

    @Test(arguments: 0..<6) func noiseHoldsNoRectangles(number: Int) {
        var random = TestRandom(case: number)
        var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 128)
        switch number % 3 {
        case 0: image = image.withNoise(Double(3 + 8 * number), &random)
        case 1: image = WaveTexture(&random).picture(Self.size)
        default: for index in image.bytes.indices { image.bytes[index] = UInt8(random.uniform(0...255)) }
        }
        var configuration = Self.everything
        configuration.minimumSize = 0.1
        #expect(RectangleDetector(configuration).detect(in: image).isEmpty)
    }

    @Test(arguments: [(1, 1), (3, 200), (16, 16), (21, 21), (33, 47), (641, 37)])
    func picturesOfAnySizeAreSearched(width: Int, height: Int) {
        var random = TestRandom(case: width)
        var image = ImageBuffer(size: ImageSize(width: width, height: height), format: .rgb8)
        for index in image.bytes.indices { image.bytes[index] = UInt8(random.uniform(0...255)) }
        for rectangle in RectangleDetector(Self.everything).detect(in: image) { #expect(rectangle.quad.isConvex) }
    }

    @Test func samePicturesGiveTheSameRectangles() {
        let detector = RectangleDetector(Self.everything)
        #expect(detector.detect(in: Self.shapes) == detector.detect(in: Self.shapes))
        #expect(detector.detect(in: Self.shapes) == detector.detect(in: Self.shapes.rgb))
    }
}
