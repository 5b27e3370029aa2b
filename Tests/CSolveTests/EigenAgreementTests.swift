// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve
import TestSupport
import Testing

/// The same numbers through Eigen: relative to the size of the numbers involved, the last digits of a double.
@Suite struct EigenAgreementTests {
    let tolerance = 1e-12

    /// Runs a batch function of the façade over numbers that are aligned as it asks.
    private func batch(
        _ inputs: [[Double]], resultCount: Int,
        _ function: ([UnsafeMutablePointer<Double>], UnsafeMutablePointer<Double>) -> CSolveStatus
    ) throws -> [Double] {
        func buffer(_ count: Int) -> UnsafeMutablePointer<Double> {
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(1, count) * 8, alignment: 16)
            return bytes.bindMemory(to: Double.self, capacity: count)
        }
        let arguments = inputs.map { numbers in
            let argument = buffer(numbers.count)
            argument.initialize(from: numbers, count: numbers.count)
            return argument
        }
        let result = buffer(resultCount)
        result.initialize(repeating: .nan, count: resultCount)
        defer { (arguments + [result]).forEach { $0.deallocate() } }
        try #require(function(arguments, result) == CSOLVE_OK)
        return Array(UnsafeBufferPointer(start: result, count: resultCount))
    }

    private func coordinates(_ transform: RigidTransform) -> [Double] {
        transform.rotation.coefficients.coordinates + transform.translation.coordinates + [0]
    }

    private func transform(_ coordinates: ArraySlice<Double>) -> RigidTransform {
        let numbers = Array(coordinates)
        return RigidTransform(
            rotation: Rotation(unitCoefficients: Vector4(coordinates: Array(numbers[0..<4]))),
            translation: Vector3(coordinates: Array(numbers[4..<7])))
    }

    @Test func matrices4x4() throws {
        var random = TestRandom()
        let count = 1000
        let a = (0..<count).map { _ in random.matrix4x4() }
        let b = (0..<count).map { _ in random.matrix4x4() }
        let (left, right) = (a.flatMap(\.coordinates), b.flatMap(\.coordinates))
        let product = try batch([left, right], resultCount: 16 * count) {
            csolve_multiply_4x4($0[0], $0[1], Int64(count), $1)
        }
        let inverse = try batch([left], resultCount: 16 * count) { csolve_invert_4x4($0[0], Int64(count), $1) }
        let determinant = try batch([left], resultCount: count) { csolve_determinant_4x4($0[0], Int64(count), $1) }
        for index in 0..<count {
            let place = 16 * index..<16 * (index + 1)
            expectClose((a[index] * b[index]).coordinates, Array(product[place]), tolerance: tolerance)
            expectClose(a[index].determinant, determinant[index], tolerance: tolerance)
            // Both inverses are off by the condition number times a rounding of the inverse's size.
            let size = inverse[place].map { abs($0) }.max()!
            expectClose(
                try #require(a[index].inverse).coordinates, Array(inverse[place]), tolerance: tolerance,
                scale: max(1, size * size))
        }
    }

    @Test func matrices3x3() throws {
        var random = TestRandom()
        let count = 1000
        let a = (0..<count).map { _ in random.matrix3x3() }
        let b = (0..<count).map { _ in random.matrix3x3() }
        let (left, right) = (a.flatMap(\.coordinates), b.flatMap(\.coordinates))
        let product = try batch([left, right], resultCount: 9 * count) {
            csolve_multiply_3x3($0[0], $0[1], Int64(count), $1)
        }
        let inverse = try batch([left], resultCount: 9 * count) { csolve_invert_3x3($0[0], Int64(count), $1) }
        let determinant = try batch([left], resultCount: count) { csolve_determinant_3x3($0[0], Int64(count), $1) }
        for index in 0..<count {
            let place = 9 * index..<9 * (index + 1)
            expectClose((a[index] * b[index]).coordinates, Array(product[place]), tolerance: tolerance)
            expectClose(a[index].determinant, determinant[index], tolerance: tolerance)
            let size = inverse[place].map { abs($0) }.max()!
            expectClose(
                try #require(a[index].inverse).coordinates, Array(inverse[place]), tolerance: tolerance,
                scale: max(1, size * size))
        }
    }

    @Test func composition() throws {
        var random = TestRandom()
        let count = 1000
        let a = (0..<count).map { _ in random.rigidTransform() }
        let b = (0..<count).map { _ in random.rigidTransform() }
        let poses = try batch([a.flatMap(coordinates), b.flatMap(coordinates)], resultCount: 8 * count) {
            inputs, result in
            let poses = (inputs + [result]).map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: CSolvePose.self) }
            return csolve_compose_poses(poses[0], poses[1], Int64(count), poses[2])
        }
        let matrices = try batch(
            [a, b].map { $0.flatMap { Matrix4x4($0).coordinates } }, resultCount: 16 * count
        ) { csolve_compose_isometries($0[0], $0[1], Int64(count), $1) }
        for index in 0..<count {
            let ours = a[index] * b[index]
            // Translations reach 1e3 m.
            expectClose(
                ours, transform(poses[8 * index..<8 * (index + 1)]), radians: tolerance, metres: 1e3 * tolerance)
            expectClose(
                Matrix4x4(ours).coordinates, Array(matrices[16 * index..<16 * (index + 1)]), tolerance: tolerance,
                scale: 1e3)
        }
    }

    @Test(arguments: [3, 4]) func points(doublesPerPoint: Int) throws {
        var random = TestRandom()
        let count = 1001
        let targetFromSource = random.rigidTransform()
        let points = (0..<count).map { _ in random.vector3() }
        let padding = [Double](repeating: 0, count: doublesPerPoint - 3)
        let found = try batch(
            [coordinates(targetFromSource), points.flatMap { $0.coordinates + padding }],
            resultCount: doublesPerPoint * count
        ) { inputs, result in
            let pose = UnsafeMutableRawPointer(inputs[0]).assumingMemoryBound(to: CSolvePose.self)
            return csolve_transform_points(pose, inputs[1], Int64(count), Int32(doublesPerPoint), result)
        }
        for (index, point) in points.enumerated() {
            let first = index * doublesPerPoint
            expectClose(
                (targetFromSource * point).coordinates, Array(found[first..<first + 3]), tolerance: tolerance,
                scale: 1e3)
        }
    }

    @Test func quaternions() throws {
        var random = TestRandom()
        let rotations = (0..<1000).map { _ in random.rotation() }
        let found = try batch([rotations.flatMap { $0.matrix.coordinates }], resultCount: 4 * rotations.count) {
            csolve_quaternions_from_3x3($0[0], Int64(rotations.count), $1)
        }
        for (index, rotation) in rotations.enumerated() {
            let coefficients = Vector4(coordinates: Array(found[4 * index..<4 * (index + 1)]))
            expectClose(
                try #require(Rotation(rotation.matrix)), Rotation(unitCoefficients: coefficients), tolerance: tolerance)
        }
    }

    /// [θ]× + σ·I with ρ beside it: the 4×4 matrix whose exponential is the transform.
    private func generator(_ twist: SimilarityTwist) -> Matrix4x4 {
        var generator = Matrix4x4(
            linear: .crossProduct(twist.rotation) + twist.logScale * .identity, translation: twist.translation)
        generator[3, 3] = 0
        return generator
    }

    @Test(arguments: 0..<100) func exponentials(number: Int) throws {
        var random = TestRandom(case: number)
        let twist = random.twist()
        let growing = SimilarityTwist(
            translation: twist.translation, rotation: twist.rotation, logScale: random.uniform(-2...2))
        let rigid = SimilarityTwist(translation: twist.translation, rotation: twist.rotation)
        for (twist, ours) in [
            (growing, Matrix4x4(Similarity(growing))), (rigid, Matrix4x4(RigidTransform(twist))),
        ] {
            let found = try batch([generator(twist).coordinates], resultCount: 16) {
                csolve_matrix_exponential($0[0], 4, $1)
            }
            expectClose(ours.coordinates, found, tolerance: tolerance)
        }
    }

    @Test(arguments: 0..<100) func logarithms(number: Int) throws {
        var random = TestRandom(case: number)
        // Close to half a turn Eigen's logarithm loses digits; ours is tested there by round trips.
        let similarity = Similarity(
            scale: random.uniform(0.1...3),
            rotation: Rotation(rotationVector: random.direction() * random.uniform(0...3)),
            translation: random.vector3())
        let found = try batch([Matrix4x4(similarity).coordinates], resultCount: 16) {
            csolve_matrix_logarithm($0[0], 4, $1)
        }
        expectClose(generator(similarity.twist).coordinates, found, tolerance: tolerance, scale: 10)
    }

    @Test(arguments: [[-1.0], [0.0], [-1, 0, 0, 2], [-1, 0, 0, -1], [1, 1, 1, 1]])
    func logarithmsThatAreNotRealAreRefused(matrix: [Double]) {
        var logarithm = [Double](repeating: 0, count: matrix.count)
        let size = Int32(Double(matrix.count).squareRoot())
        #expect(csolve_matrix_logarithm(matrix, size, &logarithm) == CSOLVE_FAILED)
    }

    @Test func badArgumentsAreRefused() {
        var numbers = [Double](repeating: 1, count: 40)
        numbers.withUnsafeMutableBufferPointer { buffer in
            let start = buffer.baseAddress!
            let aligned = start + Int(bitPattern: start) / 8 % 2
            #expect(csolve_invert_4x4(nil, 1, aligned) == CSOLVE_INVALID_ARGUMENT)
            #expect(csolve_invert_4x4(aligned, 1, nil) == CSOLVE_INVALID_ARGUMENT)
            #expect(csolve_invert_4x4(aligned, -1, aligned + 16) == CSOLVE_INVALID_ARGUMENT)
            #expect(csolve_invert_4x4(aligned + 1, 1, aligned + 20) == CSOLVE_INVALID_ARGUMENT)
            #expect(csolve_invert_4x4(nil, 0, nil) == CSOLVE_OK)
            #expect(csolve_multiply_3x3(aligned, nil, 1, aligned + 9) == CSOLVE_INVALID_ARGUMENT)
            #expect(csolve_matrix_exponential(aligned, -1, aligned + 16) == CSOLVE_INVALID_ARGUMENT)
            start[0] = .nan
            #expect(csolve_matrix_exponential(start, 4, start + 16) == CSOLVE_FAILED)
        }
        #expect(String(cString: csolve_status_message(CSOLVE_INVALID_ARGUMENT)).contains("aligned"))
        #expect(String(cString: csolve_status_message(CSOLVE_FAILED)).contains("undefined"))
    }
}
