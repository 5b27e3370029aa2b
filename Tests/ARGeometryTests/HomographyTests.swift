// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct HomographyTests {
    private static func quad(_ random: inout TestRandom) -> PixelQuad {
        func corner(_ x: Double, _ y: Double) -> PixelPoint {
            PixelPoint(x + random.uniform(-25...25), y + random.uniform(-25...25))
        }
        return PixelQuad(corners: [corner(0, 0), corner(100, 0), corner(100, 100), corner(0, 100)])
    }

    private static let unitSquare = PixelQuad(corners: [
        PixelPoint(0, 0), PixelPoint(1, 0), PixelPoint(1, 1), PixelPoint(0, 1),
    ])

    @Test(arguments: 0..<20) func theUnitSquareBecomesTheQuadrilateral(number: Int) throws {
        var random = TestRandom(case: number)
        let quad = Self.quad(&random)
        let homography = try #require(quad.pixelFromUnitSquare)
        let image = try #require(homography.image(of: Self.unitSquare))
        for (a, b) in zip(image.corners, quad.corners) { #expect(a.distance(to: b) < 1e-9) }
        #expect(homography.image(of: Self.unitSquare, within: 200) == image)
        #expect(homography.image(of: Self.unitSquare, within: 20) == nil)
    }

    /// What lies on the horizon or behind it has no image; what lies just before it has a far one.
    @Test func nothingIsSeenBeyondTheHorizon() throws {
        // A road to the horizon at v = −1.
        let homography = Matrix3x3(Vector3(1, 0, 0), Vector3(0, 0, 1), Vector3(0, 1, 1))
        #expect(homography.image(of: Vector2(0, 0)) == Vector2(0, 1))
        #expect(homography.image(of: Vector2(1, -1)) == nil)
        #expect(homography.image(of: Vector2(1, -1.5)) == nil)
        #expect(homography.image(of: Vector2(1, -1 + 1e-10)) == nil)
        let far = try #require(homography.image(of: Vector2(1, -1 + 1e-7)))
        #expect(far.x > 9e6)
        #expect(homography.image(of: Vector2(1, -1 + 1e-7), within: 1e5) == nil)
        #expect(homography.image(of: Vector2(.nan, 0), within: 1e5) == nil)
    }
}
