// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct RigidTransformExponentialTests {
    @Test(arguments: 0..<200) func expLogRoundTrip(number: Int) {
        var random = TestRandom(case: number)
        let transform = random.rigidTransform()
        // The logarithm's last digits move a translation of 1e3 m by 1e-12 m.
        expectClose(RigidTransform(transform.twist), transform, radians: 4e-15, metres: 1e-11)
    }

    @Test(arguments: 0..<200) func logExpRoundTrip(number: Int) {
        var random = TestRandom(case: number)
        var twist = random.twist()
        // The logarithm gives the shorter way round.
        if twist.rotation.length > .pi { twist.rotation *= 0.5 }
        expectClose(RigidTransform(twist).twist, twist, tolerance: 1e-13)
    }

    /// The fourth power of the fourth part of a motion is the whole motion.
    @Test(arguments: 0..<100) func powers(number: Int) {
        var random = TestRandom(case: number)
        let twist = random.twist()
        let quarter = RigidTransform(0.25 * twist)
        expectClose(quarter * quarter * quarter * quarter, RigidTransform(twist), radians: 1e-14, metres: 1e-13)
        expectClose(RigidTransform(-twist), RigidTransform(twist).inverse, radians: 4e-15, metres: 1e-13)
    }

    @Test(arguments: 0..<200) func adjoint(number: Int) {
        var random = TestRandom(case: number)
        let targetFromSource = random.rigidTransform()
        let twist = random.twist()
        expectClose(
            targetFromSource * RigidTransform(twist),
            RigidTransform(targetFromSource.adjoint * twist) * targetFromSource, radians: 1e-14, metres: 4e-11)
    }

    @Test(arguments: 0..<100) func adjointOfProductAndInverse(number: Int) {
        var random = TestRandom(case: number)
        let (a, b) = (random.rigidTransform(), random.rigidTransform())
        // Elements of the adjoints are of the translations' size, up to 1e3.
        expectClose((a * b).adjoint, a.adjoint * b.adjoint, tolerance: 1e-11)
        expectClose(a.adjoint * a.inverse.adjoint, .identity, tolerance: 1e-11)
    }

    @Test(arguments: 0..<100) func rightJacobianIsTheDerivative(number: Int) {
        var random = TestRandom(case: number)
        let twist = random.twist()
        let inverse = RigidTransform(twist).inverse
        let jacobian = RigidTransform.rightJacobian(twist)
        expectJacobian((0..<6).map { jacobian[$0] }, of: { (inverse * RigidTransform($0)).twist }, at: twist)
        expectClose(jacobian * RigidTransform.rightJacobianInverse(twist), .identity, tolerance: 1e-11)
    }

    @Test(arguments: 0..<100) func leftJacobianIsTheDerivative(number: Int) {
        var random = TestRandom(case: number)
        let twist = random.twist()
        let inverse = RigidTransform(twist).inverse
        let jacobian = RigidTransform.leftJacobian(twist)
        expectJacobian((0..<6).map { jacobian[$0] }, of: { (RigidTransform($0) * inverse).twist }, at: twist)
        expectClose(jacobian * RigidTransform.leftJacobianInverse(twist), .identity, tolerance: 1e-11)
    }

    @Test(arguments: 0..<50) func blocksAreAMatrix(number: Int) {
        var random = TestRandom(case: number)
        let matrix = Matrix6x6(coordinates: (0..<36).map { _ in random.uniform() })
        let other = Matrix6x6(coordinates: (0..<36).map { _ in random.uniform() })
        let twist = random.twist()
        var byElements = [Double](repeating: 0, count: 6)
        for (column, weight) in twist.coordinates.enumerated() {
            for row in 0..<6 { byElements[row] += matrix.coordinates[column * 6 + row] * weight }
        }
        expectClose((matrix * twist).coordinates, byElements, tolerance: 1e-14)
        expectClose((matrix * other) * twist, matrix * (other * twist), tolerance: 1e-13)
        expectClose((matrix + other) * twist, matrix * twist + other * twist, tolerance: 1e-14)
        expectClose((matrix * other).transpose, other.transpose * matrix.transpose, tolerance: 1e-15)
    }
}
