// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct RotationTests {
    /// A few roundings of numbers of size one.
    let rounding = 4e-15

    @Test(arguments: 0..<200) func expLogRoundTrip(number: Int) {
        var random = TestRandom(case: number)
        let rotation = random.rotation()
        expectClose(Rotation(rotationVector: rotation.rotationVector), rotation, tolerance: rounding)
    }

    /// A vector shorter than π comes back to the last digits, relative to its own length: no absolute tolerance would
    /// notice that a tiny one was lost.
    @Test(arguments: [1e-300, 1e-160, 1e-12, 1e-8, 0.9e-4, 1.1e-4, 1e-5, 2.1e-5, 1e-2, 1, 3, Double.pi - 1e-9])
    func logExpRoundTrip(angle: Double) {
        var random = TestRandom()
        for _ in 0..<50 {
            let vector = random.direction() * angle
            expectClose(Rotation(rotationVector: vector).rotationVector, vector, tolerance: rounding, scale: angle)
        }
    }

    @Test(arguments: 0..<200) func groupLaws(number: Int) {
        var random = TestRandom(case: number)
        let (aFromB, bFromC, cFromD) = (random.rotation(), random.rotation(), random.rotation())
        let inC = random.vector3()
        expectClose(aFromB * .identity, aFromB, tolerance: rounding)
        expectClose(.identity * aFromB, aFromB, tolerance: rounding)
        expectClose(aFromB * aFromB.inverse, .identity, tolerance: rounding)
        expectClose((aFromB * bFromC) * cFromD, aFromB * (bFromC * cFromD), tolerance: rounding)
        expectClose((aFromB * bFromC) * inC, aFromB * (bFromC * inC), tolerance: rounding)
        expectClose(aFromB.matrix * inC, aFromB * inC, tolerance: rounding)
        expectClose((aFromB * bFromC).matrix, aFromB.matrix * bFromC.matrix, tolerance: rounding)
    }

    @Test(arguments: 0..<200) func matrixRoundTrip(number: Int) throws {
        var random = TestRandom(case: number)
        let rotation = random.rotation()
        expectClose(try #require(Rotation(rotation.matrix)), rotation, tolerance: rounding)
    }

    @Test func matrixThatIsNoRotationIsRefused() {
        #expect(Rotation(Matrix3x3(diagonal: Vector3(1, 1, -1))) == nil)
        #expect(Rotation(Matrix3x3(diagonal: Vector3(1, 1, 1.001))) == nil)
        #expect(Rotation(Matrix3x3(Vector3(1, 0, 0), Vector3(0.001, 1, 0), Vector3(0, 0, 1))) == nil)
        #expect(Rotation(Matrix3x3(diagonal: Vector3(1, .nan, 1))) == nil)
        #expect(Rotation(.zero) == nil)
    }

    @Test(arguments: 0..<100) func rightJacobianIsTheDerivative(number: Int) {
        var random = TestRandom(case: number)
        let v = random.direction() * [1e-9, 1e-3, 0.02, 1, 3, 6].randomElement(using: &random)!
        let inverse = Rotation(rotationVector: v).inverse
        let jacobian = Rotation.rightJacobian(v)
        expectJacobian(
            (0..<3).map { jacobian[$0] }, of: { (inverse * Rotation(rotationVector: $0)).rotationVector }, at: v)
        expectClose(jacobian * Rotation.rightJacobianInverse(v), .identity, tolerance: 1e-12)
    }

    @Test(arguments: 0..<100) func leftJacobianIsTheDerivative(number: Int) {
        var random = TestRandom(case: number)
        let v = random.direction() * [1e-9, 1e-3, 0.02, 1, 3, 6].randomElement(using: &random)!
        let inverse = Rotation(rotationVector: v).inverse
        let jacobian = Rotation.leftJacobian(v)
        expectJacobian(
            (0..<3).map { jacobian[$0] }, of: { (Rotation(rotationVector: $0) * inverse).rotationVector }, at: v)
        expectClose(jacobian * Rotation.leftJacobianInverse(v), .identity, tolerance: 1e-12)
    }

    @Test func signOfTheQuaternionDoesNotMatter() throws {
        var random = TestRandom()
        let rotation = random.rotation()
        let opposite = Rotation(unitCoefficients: -rotation.coefficients)
        #expect(rotation == opposite)
        #expect(rotation.hashValue == opposite.hashValue)
        #expect(opposite.canonical.real >= 0)
    }

    @Test func quaternionWithoutDirectionIsRefused() {
        #expect(Rotation(x: 0, y: 0, z: 0, w: 0) == nil)
        #expect(Rotation(x: .nan, y: 0, z: 0, w: 1) == nil)
        #expect(Rotation(x: .infinity, y: 0, z: 0, w: 1) == nil)
        let halfTurnAboutZ = Rotation(unitCoefficients: Vector4(0, 0, 1, 0))
        #expect(Rotation(x: 0, y: 0, z: .leastNonzeroMagnitude, w: 0) == halfTurnAboutZ)
        #expect(Rotation(x: 0, y: 0, z: -3e300, w: 0) == halfTurnAboutZ)
    }
}
