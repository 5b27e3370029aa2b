// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct PixelQuadTests {
    /// A square that three of four corners pull out of shape, clockwise and convex.
    private static func quad(_ random: inout TestRandom) -> PixelQuad {
        let corners = [Vector2(0, 0), Vector2(100, 0), Vector2(100, 100), Vector2(0, 100)]
        let angle = random.uniform(-Double.pi...Double.pi)
        return PixelQuad(
            corners: corners.map { corner in
                let moved = corner + random.vector2(-20...20)
                return PixelPoint(moved * cos(angle) + moved.perpendicular * sin(angle))
            })
    }

    @Test func homographyTakesTheUnitSquareToTheCorners() throws {
        var random = TestRandom()
        for _ in 0..<100 {
            let quad = Self.quad(&random)
            for (corner, place) in zip(quad.corners, [(0.0, 0.0), (1, 0), (1, 1), (0, 1)]) {
                #expect(try #require(quad.point(place.0, place.1)).distance(to: corner) < 1e-9)
            }
            // Diagonals stay straight: they cross in the middle's image.
            let center = try #require(quad.center)
            #expect(try #require(quad.point(0.5, 0.5)).distance(to: center) < 1e-9)
            #expect(quad.isConvex && quad.contains(center))
        }
    }

    @Test func uprightDependsOnlyOnTheOutline() {
        var random = TestRandom()
        for _ in 0..<100 {
            let quad = Self.quad(&random)
            let upright = quad.upright
            for turn in -5...5 { #expect(quad.turned(by: turn).upright == upright) }
            let across =
                (upright.topRight.vector + upright.bottomRight.vector)
                - (upright.topLeft.vector + upright.bottomLeft.vector)
            let down =
                (upright.bottomLeft.vector + upright.bottomRight.vector)
                - (upright.topLeft.vector + upright.topRight.vector)
            #expect(across.x > 0)
            // No other naming has a top that lies flatter.
            #expect(abs(across.y) / across.length <= abs(down.x) / down.length + 1 || down.x < 0)
            #expect(across.x / across.length >= max(down.x / down.length, -down.x / down.length))
            #expect(upright.signedArea == quad.signedArea || abs(upright.signedArea - quad.signedArea) < 1e-9)
        }
    }

    /// As the corners' angles say, in quadrilaterals of all shapes, even where they run the other way, cross themselves or have
    /// no angles.
    @Test func rightAnglesAreThoseNearANinetyDegreeTurn() {
        var random = TestRandom()
        var (right, wrong) = (0, 0)
        for number in 0..<400 {
            let spread = number % 4 == 0 ? 120.0 : 25.0
            let corners = [Vector2(0, 0), Vector2(100, 0), Vector2(100, 100), Vector2(0, 100)]
                .map { $0 + random.vector2(-spread...spread) }
            let quad = PixelQuad(corners: corners.map { PixelPoint($0) })
            let largest = (0..<4).map { index in
                let (next, last) = (
                    corners[(index + 1) % 4] - corners[index], corners[(index + 3) % 4] - corners[index]
                )
                return abs(atan2(next.cross(last), next.dot(last)) - .pi / 2)
            }.max()!
            let tolerance = random.uniform(0.05...1.5)
            guard abs(largest - tolerance) > 1e-9 else { continue }
            #expect(quad.hasRightAngles(within: tolerance) == (largest < tolerance), "\(quad.corners), \(tolerance)")
            if largest < tolerance { right += 1 } else { wrong += 1 }
        }
        #expect(right > 50 && wrong > 50)
        let square = PixelQuad(corners: [PixelPoint(1, 1), PixelPoint(3, 1), PixelPoint(3, 3), PixelPoint(1, 3)])
        #expect(square.hasRightAngles(within: 0))
        #expect(!PixelQuad(corners: square.corners.reversed()).hasRightAngles(within: 1.5))
        #expect(!PixelQuad(corners: [PixelPoint](repeating: PixelPoint(1, 1), count: 4)).hasRightAngles(within: 1.5))
    }

    @Test func shapesThatAreNoQuadrilateralsAreTold() {
        let line = PixelQuad(corners: [PixelPoint(0, 0), PixelPoint(1, 1), PixelPoint(2, 2), PixelPoint(3, 3)])
        #expect(!line.isConvex && line.center == nil && line.pixelFromUnitSquare == nil)
        let crossed = PixelQuad(corners: [PixelPoint(0, 0), PixelPoint(1, 0), PixelPoint(0, 1), PixelPoint(1, 1)])
        #expect(!crossed.isConvex)
        let behind = PixelQuad(corners: [PixelPoint(0, 0), PixelPoint(0, 1), PixelPoint(1, 1), PixelPoint(1, 0)])
        #expect(!behind.isConvex && behind.signedArea < 0)
    }
}
