// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

/// The covariance of a place in the picture.
@Suite struct PixelCovarianceTests {
    /// Law: of a covariance given along a direction and across it, these are the variances along both, and the two have nothing in
    /// common: dᵀ Σ d = a, nᵀ Σ n = b, dᵀ Σ n = 0.
    @Test(arguments: 0..<20) func variancesAlongAndAcrossAreThoseGiven(number: Int) {
        var random = TestRandom(case: number)
        let angle = random.uniform(0...(2 * .pi))
        let (direction, across) = (Vector2(cos(angle), sin(angle)), Vector2(-sin(angle), cos(angle)))
        let (along, aside) = (random.uniform(0...4), random.uniform(0...4))
        let covariance = PixelCovariance(along: along, of: direction, across: aside)
        func common(_ a: Vector2, _ b: Vector2) -> Double {
            a.x * (covariance.xx * b.x + covariance.xy * b.y) + a.y * (covariance.xy * b.x + covariance.yy * b.y)
        }
        #expect(abs(common(direction, direction) - along) < 1e-12)
        #expect(abs(common(across, across) - aside) < 1e-12)
        #expect(abs(common(direction, across)) < 1e-12)
        #expect(abs(covariance.trace - along - aside) < 1e-12)
    }

    /// Laws: the covariance of a sum is the sum of covariances, from which what was added can be taken again, and the norm is that of
    /// the eigenvalues: it does not know how the picture is turned.
    @Test(arguments: 0..<20) func sumsAndNorms(number: Int) {
        var random = TestRandom(case: number)
        let angle = random.uniform(0...(2 * .pi))
        let direction = Vector2(cos(angle), sin(angle))
        let (a, b) = (random.uniform(0...4), random.uniform(0...4))
        let one = PixelCovariance(along: a, of: direction, across: 0)
        let other = PixelCovariance(along: 0, of: direction, across: b)
        #expect((one + other - PixelCovariance(along: a, of: direction, across: b)).norm < 1e-12)
        #expect((one + other - other - one).norm < 1e-12)
        #expect(abs((one - other).norm - hypot(a, b)) < 1e-12)
        #expect(abs((one + other).norm - hypot(a, b)) < 1e-12)
    }
}
