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
            #expect(detections.age == number % 5)
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
}
