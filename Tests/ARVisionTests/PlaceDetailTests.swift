// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARVision

/// Points of a picture that are found again in another one.
@Suite struct PlaceDetailTests {
    private let size = ImageSize(width: 320, height: 240)
    private let pixels = [70, 115, 160, 205, 250].flatMap { x in
        [70, 120, 170].map { PixelPoint(Double(x) + 0.3, Double($0) - 0.2) }
    }

    /// What another picture shows is turned, scaled and sheared about its middle, and shifted.
    private struct View {
        let byColumn = Vector2(1.08, 0.21)
        let byRow = Vector2(-0.13, 0.94)
        let middle = Vector2(159.5, 119.5)
        let shift = Vector2(4.4, -3.7)

        func pixel(of place: Vector2) -> Vector2 {
            let d = place - middle
            return middle + shift + byColumn * d.x + byRow * d.y
        }

        func place(at pixel: Vector2) -> Vector2 {
            let d = pixel - middle - shift
            let determinant = byColumn.x * byRow.y - byRow.x * byColumn.y
            return middle + Vector2(byRow.y * d.x - byRow.x * d.y, byColumn.x * d.y - byColumn.y * d.x) / determinant
        }
    }

    /// Points that are expected up to three pixels aside, turned by a tenth of a radian less than they are, in a dimmer light.
    @Test(arguments: 0..<5) func pointsAreFoundToAFractionOfAPixel(number: Int) throws {
        var random = TestRandom(case: number)
        let (texture, view) = (WaveTexture(&random), View())
        let first = PlaceDetail(texture.picture(size))
        let second = PlaceDetail(texture.picture(size, gain: 0.7, offset: 20) { view.place(at: $0) })
        let turn = 0.1
        func turned(_ v: Vector2) -> Vector2 {
            Vector2(cos(turn) * v.x + sin(turn) * v.y, cos(turn) * v.y - sin(turn) * v.x)
        }
        let expectations = pixels.map { pixel in
            let aside = Vector2(random.uniform(-2...2), random.uniform(-2...2))
            return PlaceDetail.Expectation(
                pixel: pixel, expected: PixelPoint(view.pixel(of: pixel.vector) + aside),
                byColumn: turned(view.byColumn), byRow: turned(view.byRow))
        }
        let errors = zip(pixels, first.find(expectations, in: second)).compactMap { pixel, found in
            found.map { ($0.vector - view.pixel(of: pixel.vector)).length }
        }
        #expect(errors.count >= pixels.count - 1)
        #expect(try #require(errors.max()) < 0.2)
    }

    /// Another texture is not what was seen.
    @Test(arguments: 0..<5) func whatIsNotThereIsNotFound(number: Int) {
        var random = TestRandom(case: number)
        let first = PlaceDetail(WaveTexture(&random).picture(size))
        let second = PlaceDetail(WaveTexture(&random).picture(size))
        let expectations = pixels.map {
            PlaceDetail.Expectation(pixel: $0, expected: $0, byColumn: Vector2(1, 0), byRow: Vector2(0, 1))
        }
        #expect(first.find(expectations, in: second).count { $0 != nil } <= 1)
    }

    /// What lies outside the pictures, or at their rims where a half-sized pixel is cut, is not found.
    @Test func whatIsOutsideIsNotFound() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let inside = PixelPoint(160, 120)
        for small in [ImageSize(width: 1, height: 1), ImageSize(width: 33, height: 21), size] {
            let detail = PlaceDetail(texture.picture(small))
            let outside = [
                PixelPoint(0, 0), PixelPoint(Double(small.width - 1), Double(small.height - 1)), PixelPoint(-5, 10),
                PixelPoint(1e9, 10), PixelPoint(.nan, 10),
            ]
            let points = outside.flatMap { [($0, inside), (inside, $0)] }.map {
                PlaceDetail.Expectation(
                    pixel: $0.0, expected: $0.1, byColumn: Vector2(1, 0), byRow: Vector2(0, 1))
            }
            #expect(detail.find(points, in: detail).allSatisfy { $0 == nil })
        }
    }

    /// Pictures of odd sizes lose their last row and column, and nothing else.
    @Test func oddPicturesAreHalved() throws {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let odd = PlaceDetail(texture.picture(ImageSize(width: 321, height: 241)))
        let even = PlaceDetail(texture.picture(size))
        let point = PlaceDetail.Expectation(
            pixel: PixelPoint(160, 120), expected: PixelPoint(160, 120), byColumn: Vector2(1, 0), byRow: Vector2(0, 1))
        let found = try #require(even.find([point], in: odd)[0])
        expectClose(found.vector, Vector2(160, 120), tolerance: 1e-3)
    }
}
