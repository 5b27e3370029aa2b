// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@Suite struct DetectionSequenceTests {
    private static let size = ImageSize(width: 320, height: 240)

    /// A print that glides and turns before a still ground.
    private static func frame(_ number: Int, _ print: WaveTexture, _ random: inout TestRandom) -> (
        ImageBuffer, PixelQuad
    ) {
        let time = Double(number)
        let plane = PrintedPlane(
            width: 130, height: 90, unitPixels: 1 + 0.005 * time, tilt: 0.5, azimuth: 0.7, roll: 0.02 * time,
            center: PixelPoint(140 + 2.2 * time, 120 - 1.1 * time), focalLength: 600)
        var image = ImageBuffer(size: size, format: .gray8, filledWith: 60)
        plane.draw(on: &image) { place in
            let margin = min(place.x, place.y, 130 - place.x, 90 - place.y)
            return margin < 6 ? 200 : 120 + 0.5 * (print.light(at: place) - 128)
        }
        return (image.withNoise(1, &random), plane.outline)
    }

    /// Searched in every fifth picture, and as accurate in those between.
    @Test func rectanglesAreFollowedBetweenSearches() throws {
        var random = TestRandom()
        let print = WaveTexture(&random)
        var sequence = DetectionSequence(detector: RectangleDetector(), reader: nil, interval: 5)
        for number in 0..<12 {
            let (image, outline) = Self.frame(number, print, &random)
            let detections = sequence.next(image)
            #expect(detections.age == number % 5 && (detections.searched != nil) == (number % 5 == 0))
            let rectangle = try #require(detections.rectangles.first, "frame \(number)")
            #expect(rectangle.quad.cornerError(to: outline) < 0.3, "frame \(number)")
        }
    }

    /// What is hidden is not followed, and found again by the next search.
    @Test func whatIsHiddenIsGone() {
        var random = TestRandom()
        let print = WaveTexture(&random)
        var sequence = DetectionSequence(detector: RectangleDetector(), reader: nil, interval: 4)
        #expect(sequence.next(Self.frame(0, print, &random).0).rectangles.count == 1)
        #expect(sequence.next(ImageBuffer(size: Self.size, format: .gray8, filledWith: 60)).rectangles.isEmpty)
        #expect(sequence.next(Self.frame(2, print, &random).0).rectangles.isEmpty)
        #expect(sequence.next(Self.frame(3, print, &random).0).rectangles.isEmpty)
        #expect(sequence.next(Self.frame(4, print, &random).0).rectangles.count == 1)
    }

    /// A code is read once, then followed with its payload; its corners stay as accurate.
    @Test func codesAreFollowedBetweenReadings() throws {
        var random = TestRandom()
        let modules = try PrintedCode.modules("card-7")
        let side = Double(modules.count) + 8
        var sequence = DetectionSequence(detector: nil, reader: CodeReader(), interval: 6)
        for number in 0..<8 {
            let time = Double(number)
            let plane = PrintedPlane(
                width: side, height: side, unitPixels: 4 + 0.02 * time, tilt: 0.6, azimuth: 0.7,
                roll: 0.3 + 0.02 * time,
                center: PixelPoint(140 + 2.2 * time, 120 - 1.1 * time), focalLength: 600)
            var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 90)
            plane.draw(on: &image) { place in
                let (column, row) = (Int(place.x) - 4, Int(place.y) - 4)
                return modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
                    ? 40 : 215
            }
            let detections = sequence.next(image.withNoise(1, &random))
            #expect(detections.age == number % 6)
            #expect(detections.rectangles.isEmpty)
            let code = try #require(detections.codes.first, "frame \(number)")
            #expect(code.payload == "card-7")
            #expect(code.quad.cornerError(to: plane.quad(4...side - 4, 4...side - 4)) < 0.5, "frame \(number)")
        }
    }

    /// Both detectors at once find what they find in turn; and one that is not asked finds nothing. (Codes that only
    /// rectangles show: `CodeKindTests.codesInRectanglesAreReadFromTheFront`.)
    @Test func bothAtOnceFindWhatTheyFindInTurn() throws {
        var random = TestRandom()
        let modules = try PrintedCode.modules("card-7")
        let side = Double(modules.count) + 16
        let (detector, reader) = (RectangleDetector(), CodeReader())
        for tilt in [0.2, 0.5, 0.7] {
            let plane = PrintedPlane(
                width: side, height: side, unitPixels: 5, tilt: tilt, azimuth: 0.7, roll: 0.1,
                center: PixelPoint(160, 120), focalLength: 600)
            var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 90)
            plane.draw(on: &image) { place in
                let (column, row) = (Int(place.x) - 8, Int(place.y) - 8)
                return modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
                    ? 40 : 215
            }
            image = image.withNoise(1, &random)
            let found = Detections(in: image, detector: detector, reader: reader)
            #expect(found.rectangles == detector.detect(in: image) && found.rectangles.count == 1)
            #expect(found.codes == reader.read(in: image, rectangles: found.rectangles))
            #expect(found.codes.map(\.payload) == ["card-7"])
            let rectangles = Detections(in: image, detector: detector, reader: nil)
            #expect(rectangles.rectangles == found.rectangles && rectangles.codes.isEmpty && found.age == 0)
            #expect(found.searched == detector.configuration && rectangles.searched == detector.configuration)
            let codes = Detections(in: image, detector: nil, reader: reader)
            #expect(codes.codes == reader.read(in: image) && codes.rectangles.isEmpty)
            #expect(codes.searched == nil)
        }
        let tiny = ImageBuffer(size: ImageSize(width: 7, height: 3), format: .gray8)
        let nothing = Detections(in: tiny, detector: detector, reader: reader)
        #expect(nothing.rectangles.isEmpty && nothing.codes.isEmpty)
    }

    /// A picture of another size is searched, whatever is known of the one before.
    @Test func picturesOfAnotherSizeBeginAnew() {
        var random = TestRandom()
        let print = WaveTexture(&random)
        var sequence = DetectionSequence(detector: RectangleDetector(), reader: nil, interval: 100)
        let (image, _) = Self.frame(0, print, &random)
        #expect(sequence.next(image).age == 0)
        #expect(sequence.next(Self.frame(1, print, &random).0).age == 1)
        var cropped = ImageBuffer(size: ImageSize(width: 320, height: 200), format: .gray8)
        cropped.bytes = Array(image.bytes.prefix(cropped.bytes.count))
        let detections = sequence.next(cropped)
        #expect(detections.age == 0)
        #expect(detections.rectangles.count == 1)
        #expect(sequence.next(cropped).age == 1)
        #expect(sequence.next(ImageBuffer(size: ImageSize(width: 15, height: 9), format: .gray8)) == Detections())
        #expect(sequence.next(image).age == 0)
    }
}
