// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct Matrix4x4Tests {
    @Test func columnsReadAsOnApple() {
        var matrix = Matrix4x4(
            rows: Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16))
        #expect(matrix.columns.3.x == 4)
        #expect(matrix[3][1] == 8)
        #expect(matrix[3, 2] == 12)
        #expect(matrix.columns.0 == Vector4(1, 5, 9, 13))
        matrix[2, 0] = 30
        matrix[1] = .zero
        #expect(matrix.columns.2.x == 30)
        #expect(matrix.columns.1 == .zero)
        #expect(Matrix4x4(diagonal: Vector4(1, 2, 3, 4))[2] == Vector4(0, 0, 3, 0))
    }

    @Test(arguments: 0..<100) func associativity(number: Int) {
        var random = TestRandom(case: number)
        let (a, b, c) = (random.matrix4x4(), random.matrix4x4(), random.matrix4x4())
        let v = Vector4(random.vector3(), random.uniform())
        expectClose((a * b) * c, a * (b * c), tolerance: 1e-14)
        expectClose((a * b) * v, a * (b * v), tolerance: 1e-14)
        expectClose(a * .identity, a, tolerance: 0)
        expectClose(.identity * a, a, tolerance: 0)
        expectClose((a * b).transpose, b.transpose * a.transpose, tolerance: 1e-15)
        expectClose((a * b).determinant, a.determinant * b.determinant, tolerance: 1e-14)
        expectClose(a.transpose.determinant, a.determinant, tolerance: 1e-15)
    }

    @Test(arguments: 0..<200) func inverse(number: Int) throws {
        var random = TestRandom(case: number)
        let matrix = random.matrix4x4()
        let inverse = try #require(matrix.inverse)
        // The residual grows with the condition number.
        let condition = inverse.coordinates.map { abs($0) }.max()!
        expectClose(inverse * matrix, .identity, tolerance: 1e-14, scale: max(1, condition))
        expectClose(matrix * inverse, .identity, tolerance: 1e-14, scale: max(1, condition))
    }

    @Test func inverseOfWhatHasNone() {
        #expect(Matrix4x4.zero.inverse == nil)
        #expect(Matrix4x4(diagonal: Vector4(1, 1, 0, 1)).inverse == nil)
        #expect(Matrix4x4(diagonal: Vector4(1, 1, .nan, 1)).inverse == nil)
        #expect(Matrix4x4(diagonal: Vector4(1, 1, .infinity, 1)).inverse == nil)
        let column = Vector4(1, 2, 3, 4)
        #expect(Matrix4x4(column, column * 2, Vector4(0, 1, 0, 0), Vector4(0, 0, 1, 0)).inverse == nil)
    }

    @Test func projection() {
        let perspective = Matrix4x4(
            Vector4(1, 0, 0, 0), Vector4(0, 1, 0, 0), Vector4(0, 0, -1, -1), Vector4(0, 0, -0.1, 0))
        #expect(perspective.project(Vector3(1, 2, -4)) == Vector3(0.25, 0.5, (4 - 0.1) / 4))
        #expect(perspective.project(Vector3(1, 2, 0)) == nil)
        #expect(perspective.project(Vector3(1, 2, .nan)) == nil)
    }

    @Test func equalMatricesHashAlike() {
        var random = TestRandom()
        let matrix = random.matrix4x4()
        #expect(Set([matrix, Matrix4x4(columns: matrix.columns), .identity]).count == 2)
    }
}
