// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct RigidTransformTests {
    /// Translations reach 1e3 m: a rounding there is 1e-13 m.
    let metres = 4e-12
    let radians = 4e-15

    @Test(arguments: 0..<200) func groupLaws(number: Int) {
        var random = TestRandom(case: number)
        let (aFromB, bFromC, cFromD) = (random.rigidTransform(), random.rigidTransform(), random.rigidTransform())
        let inC = random.vector3()
        expectClose(aFromB * .identity, aFromB, radians: radians, metres: metres)
        expectClose(.identity * aFromB, aFromB, radians: radians, metres: metres)
        expectClose(aFromB * aFromB.inverse, .identity, radians: radians, metres: metres)
        expectClose(aFromB.inverse * aFromB, .identity, radians: radians, metres: metres)
        expectClose((aFromB * bFromC) * cFromD, aFromB * (bFromC * cFromD), radians: radians, metres: metres)
        expectClose((aFromB * bFromC) * inC, aFromB * (bFromC * inC), tolerance: metres)
        expectClose(aFromB.inverse * (aFromB * inC), inC, tolerance: metres)
    }

    @Test(arguments: 0..<100) func batchOfPoints(number: Int) {
        var random = TestRandom(case: number)
        let aFromB = random.rigidTransform()
        let inB = (0..<(number % 9)).map { _ in random.vector3() }
        var inA = [Point3](repeating: .zero, count: inB.count)
        inB.withUnsafeBufferPointer { source in
            inA.withUnsafeMutableBufferPointer { target in aFromB.transform(source, into: target) }
        }
        for (inA, inB) in zip(inA, inB) { expectClose(inA, aFromB * inB, tolerance: metres) }
    }

    @Test(arguments: 0..<100) func batchOfPackedPoints(number: Int) {
        var random = TestRandom(case: number)
        let aFromB = random.rigidTransform()
        let inB = (0..<(number % 9)).map { _ in random.vector3() }
        var packed = inB.flatMap { [$0.x, $0.y, $0.z] }
        packed.withUnsafeMutableBufferPointer { aFromB.transform(packed: UnsafeBufferPointer($0), into: $0) }
        for (index, inB) in inB.enumerated() {
            let inA = Point3(packed[3 * index], packed[3 * index + 1], packed[3 * index + 2])
            expectClose(inA, aFromB * inB, tolerance: metres)
        }
    }

    @Test func opticalAxes() {
        let opticalFromCamera = RigidTransform.opticalFromCamera
        expectClose(opticalFromCamera.rotation.matrix, Matrix3x3(diagonal: Vector3(1, -1, -1)), tolerance: 0)
        expectClose(opticalFromCamera * Vector3(0, 0, -2), Vector3(0, 0, 2), tolerance: 0, "forward")
        expectClose(RigidTransform.cameraFromOptical * Vector3(0, 1, 0), Vector3(0, -1, 0), tolerance: 0, "down")
    }

    @Test func upAxes() {
        let yUpFromZUp = RigidTransform.yUpFromZUp
        expectClose(yUpFromZUp * Vector3(0, 0, 1), Vector3(0, 1, 0), tolerance: 1e-15, "up")
        expectClose(yUpFromZUp * Vector3(0, 1, 0), Vector3(0, 0, -1), tolerance: 1e-15)
        expectClose(yUpFromZUp * Vector3(1, 0, 0), Vector3(1, 0, 0), tolerance: 1e-15)
    }

    @Test(arguments: 0..<50) func interpolation(number: Int) {
        var random = TestRandom(case: number)
        let (start, end) = (random.rigidTransform(), random.rigidTransform())
        expectClose(start.interpolated(to: end, fraction: 0), start, radians: radians, metres: 0)
        expectClose(start.interpolated(to: end, fraction: 1), end, radians: radians, metres: metres)
        let third = start.interpolated(to: end, fraction: 1.0 / 3)
        expectClose(third.translation, (2 * start.translation + end.translation) / 3, tolerance: metres)
        expectClose(
            third.rotation, start.rotation.interpolated(to: end.rotation, fraction: 1.0 / 3), tolerance: radians)
    }
}
