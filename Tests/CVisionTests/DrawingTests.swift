// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CVision
import Testing

/// A picture in memory that the façade draws on.
private struct Picture {
    var pixels: [UInt8]
    let width: Int
    let height: Int
    let channels: Int

    init(width: Int, height: Int, channels: Int, filledWith value: UInt8 = 0) {
        pixels = Array(repeating: value, count: width * height * channels)
        self.width = width
        self.height = height
        self.channels = channels
    }

    mutating func draw(_ body: (CVisionCanvas) -> CVisionStatus) -> CVisionStatus {
        pixels.withUnsafeMutableBufferPointer { buffer in
            body(
                CVisionCanvas(
                    pixels: buffer.baseAddress, width: Int32(width), height: Int32(height),
                    bytes_per_row: Int32(width * channels), channels: Int32(channels)))
        }
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * width + x) * channels
        return Array(pixels[start..<start + channels])
    }

    /// The mean position of the picture's brightness, in pixels.
    var centroid: (x: Double, y: Double) {
        var sum = (x: 0.0, y: 0.0, weight: 0.0)
        for y in 0..<height {
            for x in 0..<width {
                let weight = Double(self[x, y][0])
                sum = (sum.x + weight * Double(x), sum.y + weight * Double(y), sum.weight + weight)
            }
        }
        return (sum.x / sum.weight, sum.y / sum.weight)
    }
}

private let red = CVisionColor(red: 255, green: 0, blue: 0)
private let white = CVisionColor(red: 255, green: 255, blue: 255)

@Suite struct DrawingTests {
    @Test func coloursAreStoredRedFirst() {
        var picture = Picture(width: 20, height: 20, channels: 3)
        #expect(picture.draw { cvision_draw_polyline($0, [2, 10, 18, 10], 2, 0, 3, red) } == CVISION_OK)
        #expect(picture[10, 10] == [255, 0, 0])
        #expect(picture[10, 2] == [0, 0, 0])
    }

    @Test func greyCanvasTakesTheLuma() {
        var picture = Picture(width: 20, height: 20, channels: 1)
        #expect(picture.draw { cvision_draw_polyline($0, [2, 10, 18, 10], 2, 0, 3, red) } == CVISION_OK)
        #expect(picture[10, 10] == [76])
    }

    // OpenCV's anti-aliasing approximates coverage: 0.14 px at worst, at half a pixel.
    @Test(arguments: [0.0, 0.2, 0.5, 0.8]) func linesLieWhereTheirCoordinatesSay(fraction: Double) {
        var picture = Picture(width: 64, height: 64, channels: 1)
        let y = 30 + fraction
        #expect(picture.draw { cvision_draw_polyline($0, [12.5, y, 50.5, y], 2, 0, 2, white) } == CVISION_OK)
        #expect(abs(picture.centroid.y - y) < 0.15)
        #expect(abs(picture.centroid.x - 31.5) < 0.15)
    }

    @Test func closedPolylineReturnsToItsStart() {
        let triangle = [4.0, 4, 28, 4, 16, 28]
        var open = Picture(width: 32, height: 32, channels: 1)
        var closed = open
        #expect(open.draw { cvision_draw_polyline($0, triangle, 3, 0, 1, white) } == CVISION_OK)
        #expect(closed.draw { cvision_draw_polyline($0, triangle, 3, 1, 1, white) } == CVISION_OK)
        #expect(open[10, 16] == [0])
        #expect(closed[10, 16][0] > 100)
    }

    @Test(arguments: [0.0, 0.25, 1.0]) func polygonIsBlendedByItsOpacity(opacity: Double) {
        var picture = Picture(width: 32, height: 32, channels: 3, filledWith: 100)
        let square = [8.0, 8, 24, 8, 24, 24, 8, 24]
        #expect(picture.draw { cvision_fill_polygon($0, square, 4, opacity, red) } == CVISION_OK)
        let expected = [100 + opacity * 155, 100 - opacity * 100, 100 - opacity * 100].map { UInt8($0.rounded()) }
        #expect(picture[16, 16].elementsEqual(expected) { abs(Int($0) - Int($1)) <= 1 })
        #expect(picture[3, 3] == [100, 100, 100])
    }

    @Test func whatLiesOutsideIsCutOff() {
        var picture = Picture(width: 16, height: 16, channels: 1)
        let covering = [-9e5, -9e5, 9e5, -9e5, 9e5, 9e5, -9e5, 9e5]
        #expect(picture.draw { cvision_fill_polygon($0, covering, 4, 1, white) } == CVISION_OK)
        #expect(picture.pixels.allSatisfy { $0 == 255 })
        var untouched = Picture(width: 16, height: 16, channels: 1)
        let beside = [100.0, 100, 200, 100, 200, 200]
        #expect(untouched.draw { cvision_fill_polygon($0, beside, 3, 1, white) } == CVISION_OK)
        #expect(untouched.draw { cvision_draw_polyline($0, beside, 3, 1, 3, white) } == CVISION_OK)
        #expect(untouched.pixels.allSatisfy { $0 == 0 })
    }

    @Test func capitalsHaveTheHeightAskedFor() {
        var picture = Picture(width: 120, height: 60, channels: 1)
        #expect(picture.draw { cvision_draw_text($0, "HIT", 5, 50, 30, 1, white) } == CVISION_OK)
        let rows = (0..<60).filter { y in (0..<120).contains { picture[$0, y][0] > 127 } }
        #expect(abs(rows.count - 30) <= 2)
        #expect(abs((rows.max() ?? 0) - 50) <= 1)
        var width: Int32 = 0
        #expect(cvision_measure_text("HIT", 30, 1, &width) == CVISION_OK)
        let columns = (0..<120).filter { x in (0..<60).contains { picture[x, $0][0] > 127 } }
        #expect((columns.max() ?? 0) <= 5 + Int(width))
    }

    @Test func badArgumentsAreRefused() {
        var width: Int32 = 0
        var picture = Picture(width: 16, height: 16, channels: 3)
        for bad in [Double.nan, .infinity, 2e6] {
            let points = [bad, 0, 5, 5]
            #expect(picture.draw { cvision_draw_polyline($0, points, 2, 0, 1, red) } == CVISION_INVALID_ARGUMENT)
            #expect(picture.draw { cvision_fill_polygon($0, points, 2, 1, red) } == CVISION_INVALID_ARGUMENT)
            #expect(picture.draw { cvision_draw_text($0, "a", bad, 0, 10, 1, red) } == CVISION_INVALID_ARGUMENT)
        }
        #expect(picture.draw { cvision_draw_polyline($0, [1, 1, 5, 5], 2, 0, 0, red) } == CVISION_INVALID_ARGUMENT)
        #expect(picture.draw { cvision_draw_polyline($0, nil, 2, 0, 1, red) } == CVISION_INVALID_ARGUMENT)
        #expect(picture.draw { cvision_fill_polygon($0, [1, 1, 5, 5], 2, .nan, red) } == CVISION_INVALID_ARGUMENT)
        #expect(picture.draw { cvision_draw_text($0, nil, 0, 0, 10, 1, red) } == CVISION_INVALID_ARGUMENT)
        #expect(picture.draw { cvision_draw_text($0, "a", 0, 0, .max, 1, red) } == CVISION_INVALID_ARGUMENT)
        #expect(cvision_measure_text("a", .max, 1, &width) == CVISION_INVALID_ARGUMENT)
        #expect(picture.pixels.allSatisfy { $0 == 0 })
        let narrow = CVisionCanvas(pixels: nil, width: 4, height: 4, bytes_per_row: 11, channels: 3)
        #expect(cvision_draw_polyline(narrow, [1, 1, 5, 5], 2, 0, 1, red) == CVISION_INVALID_ARGUMENT)
    }
}
