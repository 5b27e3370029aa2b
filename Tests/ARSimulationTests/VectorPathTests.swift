// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct VectorPathTests {
    private static let size = ImageSize(width: 80, height: 60)

    /// The area that a path covers of a picture, in pixels.
    private static func area(_ path: VectorPath) -> Double {
        Coverage(of: path, size: size).values.reduce(0) { $0 + Double($1) }
    }

    /// Level edges are off by at most 1/32 of a pixel, chords by the tolerance of 0.05; the pieces add up along the rim.
    private static func tolerance(rim: Double) -> Double { rim * (1.0 / 32 + 0.05) }

    @Test func convexFiguresHaveTheirAreas() {
        var random = TestRandom()
        for _ in 0..<50 {
            let center = Point2(random.uniform(30...50), random.uniform(25...35))
            let radii = Vector2(random.uniform(1...20), random.uniform(1...20))
            let rim = 4 * (radii.x + radii.y)
            let ellipse = Self.area(.ellipse(center, radii: radii))
            #expect(abs(ellipse - .pi * radii.x * radii.y) < Self.tolerance(rim: rim))
            let rectangle = Self.area(.rectangle(center - radii, center + radii))
            #expect(abs(rectangle - 4 * radii.x * radii.y) < Self.tolerance(rim: 4 * radii.x))
            let radius = 0.4 * min(radii.x, radii.y)
            let rounded = Self.area(.rectangle(center - radii, center + radii, cornerRadius: radius))
            let expected = 4 * radii.x * radii.y - (4 - .pi) * radius * radius
            #expect(abs(rounded - expected) < Self.tolerance(rim: rim))
        }
    }

    /// Triangles of any shape, inside the picture: the shoelace formula gives the same area.
    @Test func trianglesHaveTheirAreas() {
        var random = TestRandom()
        for _ in 0..<100 {
            let corners = (0..<3).map { _ in Point2(random.uniform(0...80), random.uniform(0...60)) }
            let expected = Polygon2(corners).area
            let rim = Polygon2(corners).perimeter
            #expect(abs(Self.area(.polygon(corners)) - expected) < Self.tolerance(rim: rim))
        }
    }

    @Test func figuresOfOneDirectionAreUnitedAndOthersAreHoles() {
        let large = VectorPath.rectangle(Point2(10, 10), Point2(50, 50))
        let small = VectorPath.rectangle(Point2(20, 20), Point2(30, 40))
        let aside = VectorPath.rectangle(Point2(40, 20), Point2(70, 30))
        #expect(abs(Self.area(large + small) - 1600) < 1e-3)
        #expect(abs(Self.area(large + small.reversed) - 1400) < 1e-3)
        #expect(abs(Self.area(large + aside) - 1800) < 1e-3)
    }

    @Test func whatLiesOutsideIsCutOff() {
        #expect(abs(Self.area(.rectangle(Point2(-100, -100), Point2(200, 200))) - 4800) < 1e-2)
        #expect(abs(Self.area(.rectangle(Point2(-1e6, 10), Point2(40, 1e6))) - 2000) < 1e-2)
        #expect(Self.area(.rectangle(Point2(90, 0), Point2(99, 60))) == 0)
        #expect(Self.area(VectorPath()) == 0)
    }

    /// The pen's outline: a strip with two half discs.
    @Test func strokesAreAsWideAsThePen() {
        var random = TestRandom()
        for _ in 0..<30 {
            let ends = (0..<2).map { _ in Point2(random.uniform(15...65), random.uniform(15...45)) }
            let width = random.uniform(1...12)
            let length = (ends[1] - ends[0]).length
            let expected = length * width + .pi * width * width / 4
            let area = Self.area(VectorPath.polyline(ends).stroked(width: width, tolerance: 0.05))
            #expect(abs(area - expected) < Self.tolerance(rim: 2 * length + 4 * width))
        }
    }

    @Test func reversedTwiceIsTheSame() {
        let path = VectorPath.circle(Point2(3, 4), radius: 2) + .star(points: 5, inner: 0.4)
        #expect(path.reversed.reversed == path)
    }

    @Test func chordsStayWithinTheTolerance() {
        var random = TestRandom()
        for _ in 0..<50 {
            let corners = (0..<4).map { _ in random.vector2(-50...50) }
            let curve = CubicBezier(corners[0], corners[1], corners[2], corners[3])
            var path = VectorPath()
            path.move(to: corners[0])
            path.cubic(corners[1], corners[2], to: corners[3])
            let tolerance = pow(10, random.uniform(-3...0))
            let points = path.polylines(tolerance: tolerance)[0]
            let chords = zip(points, points.dropFirst()).map { Segment2($0, $1) }
            for step in 0...200 {
                let point = curve.point(at: Double(step) / 200)
                let distance = chords.map { $0.distance(to: point) }.min() ?? .infinity
                #expect(distance <= tolerance * (1 + 1e-9))
            }
        }
    }

    /// Half a black pixel on white is half the light, not half the byte.
    @Test func edgesAreMixedAsLight() {
        var canvas = VectorCanvas(size: ImageSize(width: 2, height: 1), width: 2, ground: Vector3(1, 1, 1))
        canvas.fill(.rectangle(Point2(0, 0), Point2(0.5, 1)), Vector3())
        let half = UInt8((ColorTransfer.sRGB(fromLinear: 0.5) * 255).rounded())
        #expect(canvas.image.bytes == [half, half, half, 255, 255, 255])
    }
}
