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

    /// No picture shows the code, and twelve of them together do; then it stays where it is.
    @Test func severalPicturesShowWhatNoneDoes() throws {
        var random = TestRandom()
        let modules = try PrintedCode.modules("https://example.org/cards/7")
        var limits = RectangleDetector.Configuration()
        limits.maximumObservations = 0
        limits.quadratureTolerance = 0.8
        limits.minimumAspectRatio = 0.2
        var sequence = DetectionSequence(detector: RectangleDetector(limits), reader: CodeReader(), interval: 3)
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

    /// A rectangle whose pictures show no code costs three looks and reports nothing.
    @Test func plainRectanglesHaveNoCodes() {
        var random = TestRandom()
        var sequence = DetectionSequence(detector: RectangleDetector(), reader: CodeReader(), interval: 3)
        let chess = (0..<25).map { row in (0..<25).map { (row + $0) % 2 == 0 } }
        for _ in 0..<20 { #expect(sequence.next(Self.frame(chess, &random).0).codes.isEmpty) }
    }
}
