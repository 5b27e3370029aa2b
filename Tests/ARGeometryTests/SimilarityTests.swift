// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct SimilarityTests {
    /// Translations reach 1e3 m and scales 10: a rounding there is 1e-12 m.
    let metres = 4e-11
    let radians = 4e-15
    let scale = 4e-15

    @Test(arguments: 0..<200) func groupLaws(number: Int) {
        var random = TestRandom(case: number)
        let (aFromB, bFromC, cFromD) = (random.similarity(), random.similarity(), random.similarity())
        let inC = random.vector3()
        func expect(_ actual: Similarity, _ expected: Similarity, line: Int = #line) {
            expectClose(actual, expected, radians: radians, metres: metres, scale: scale, "line \(line)")
        }
        expect(aFromB * .identity, aFromB)
        expect(.identity * aFromB, aFromB)
        expect(aFromB * aFromB.inverse, .identity)
        expect(aFromB.inverse * aFromB, .identity)
        expectClose(
            (aFromB * bFromC) * cFromD, aFromB * (bFromC * cFromD), radians: radians, metres: 10 * metres, scale: scale)
        expectClose((aFromB * bFromC) * inC, aFromB * (bFromC * inC), tolerance: metres)
    }

    @Test func withScaleOneIsRigid() {
        var random = TestRandom()
        let rigid = random.rigidTransform()
        let point = random.vector3()
        expectClose(Similarity(rigid) * point, rigid * point, tolerance: 0)
        let twist = Twist(translation: random.vector3(), rotation: random.vector3())
        expectClose(
            Similarity(SimilarityTwist(translation: twist.translation, rotation: twist.rotation)),
            Similarity(RigidTransform(twist)), radians: radians, metres: 1e-15, scale: 0)
    }

    @Test(arguments: 0..<200) func expLogRoundTrip(number: Int) {
        var random = TestRandom(case: number)
        let similarity = random.similarity()
        expectClose(Similarity(similarity.twist), similarity, radians: radians, metres: metres, scale: 1e-14)
    }

    static let growths = [-20, -3, -1, -0.1, -1e-9, -1e-200, 0, 1e-12, 0.1, 0.99, 1.01, 3]

    /// The tangent vector comes back to its last digits for every mixture of growth and turn, about the places where the
    /// formulas change as well.
    @Test(arguments: growths, [0, 1e-200, 1e-9, 1e-3, 0.1, 0.99, 1.01, 3]) func logExpRoundTrip(
        growth: Double, angle: Double
    ) {
        var random = TestRandom()
        for _ in 0..<10 {
            let twist = SimilarityTwist(
                translation: random.vector3(), rotation: random.direction() * angle, logScale: growth)
            expectClose(Similarity(twist).twist, twist, tolerance: 1e-13)
        }
    }

    /// The fourth power of the fourth part of a motion is the whole motion: this crosses from the power series to the
    /// closed form.
    @Test(arguments: growths, [0, 1e-9, 1e-3, 0.99, 3, 6]) func powers(growth: Double, angle: Double) {
        var random = TestRandom()
        let twist = SimilarityTwist(
            translation: random.vector3(), rotation: random.direction() * angle, logScale: growth)
        let quarter = Similarity(
            SimilarityTwist(
                translation: twist.translation / 4, rotation: twist.rotation / 4, logScale: twist.logScale / 4))
        // A logarithm of 20 has digits of 4e-15, and the scale inherits them.
        expectClose(
            quarter * quarter * quarter * quarter, Similarity(twist), radians: 1e-14, metres: 1e-13, scale: 4e-14)
    }

    @Test(arguments: 0..<200) func adjoint(number: Int) {
        var random = TestRandom(case: number)
        let targetFromSource = random.similarity()
        let rigid = random.twist()
        let twist = SimilarityTwist(
            translation: rigid.translation, rotation: rigid.rotation, logScale: random.uniform())
        expectClose(
            targetFromSource * Similarity(twist),
            Similarity(targetFromSource.adjoint(twist)) * targetFromSource, radians: 1e-14, metres: 1e-10, scale: scale)
    }
}
