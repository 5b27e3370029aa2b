// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct AffineTransform2DTests {
    private func transform(_ random: inout TestRandom) -> AffineTransform2D {
        AffineTransform2D(coordinates: (0..<6).map { _ in random.uniform(-2...2) })
    }

    @Test(arguments: 0..<50) func composition(number: Int) {
        var random = TestRandom(case: number)
        let (cFromB, bFromA, point) = (transform(&random), transform(&random), random.vector2())
        expectClose((cFromB * bFromA) * point, cFromB * (bFromA * point), tolerance: 1e-14)
    }

    @Test(arguments: 0..<50) func inverse(number: Int) throws {
        var random = TestRandom(case: number)
        let transform = transform(&random)
        let inverse = try #require(transform.inverse)
        let condition = inverse.coordinates.map { abs($0) }.max() ?? 1
        expectClose(inverse * transform, .identity, tolerance: 1e-14, scale: max(1, condition * condition))
    }

    @Test func flatMapsHaveNoInverse() {
        #expect(AffineTransform2D(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0).inverse == nil)
        #expect(AffineTransform2D(a: .nan, b: 2, c: 2, d: 4, tx: 0, ty: 0).inverse == nil)
    }

    @Test func scalingKeepsItsCenter() {
        let transform = AffineTransform2D.scaling(Vector2(3, -2), about: Point2(5, 7))
        expectClose(transform * Point2(5, 7), Point2(5, 7), tolerance: 1e-15)
        expectClose(transform * Point2(6, 8), Point2(8, 5), tolerance: 1e-15)
    }

    /// The numbers' places are CoreGraphics's: x' = a x + c y + tx.
    @Test func placesOfTheNumbers() {
        let image = AffineTransform2D(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6) * Point2(10, 100)
        #expect(image == Point2(315, 426))
    }
}
