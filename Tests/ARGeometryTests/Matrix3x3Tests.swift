// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct Matrix3x3Tests {
    @Test func columnsReadAsOnApple() {
        var matrix = Matrix3x3(rows: Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))
        #expect(matrix.columns.2.x == 3)
        #expect(matrix[2][1] == 6)
        #expect(matrix[0, 2] == 7)
        #expect(matrix.trace == 15)
        matrix[1, 0] = 20
        #expect(matrix.columns.1.x == 20)
        #expect(matrix.description == "[1.0 20.0 3.0; 4.0 5.0 6.0; 7.0 8.0 9.0]")
    }

    @Test(arguments: 0..<100) func algebra(number: Int) {
        var random = TestRandom(case: number)
        let (a, b, c) = (random.matrix3x3(), random.matrix3x3(), random.matrix3x3())
        let v = random.vector3()
        let w = random.vector3()
        expectClose((a * b) * c, a * (b * c), tolerance: 1e-14)
        expectClose((a + b) * v - a * v, b * v, tolerance: 1e-15)
        expectClose((a - b) + b, a, tolerance: 1e-15)
        expectClose(-a + a, .zero, tolerance: 0)
        expectClose(2 * a, a + a, tolerance: 0)
        expectClose((a * b).transpose, b.transpose * a.transpose, tolerance: 1e-15)
        expectClose((a * b).determinant, a.determinant * b.determinant, tolerance: 1e-15)
        expectClose(Matrix3x3.crossProduct(v) * w, v.cross(w), tolerance: 0)
        expectClose(Matrix3x3.outerProduct(v, w) * c[0], v * w.dot(c[0]), tolerance: 1e-15)
    }

    @Test(arguments: 0..<200) func inverse(number: Int) throws {
        var random = TestRandom(case: number)
        let matrix = random.matrix3x3()
        let inverse = try #require(matrix.inverse)
        expectClose(inverse * matrix, .identity, tolerance: 1e-14, scale: max(1, inverse.maximumMagnitude))
        expectClose(matrix * inverse, .identity, tolerance: 1e-14, scale: max(1, inverse.maximumMagnitude))
    }

    @Test func inverseOfWhatHasNone() {
        #expect(Matrix3x3.zero.inverse == nil)
        #expect(Matrix3x3.outerProduct(Vector3(1, 2, 4), Vector3(1, 0.5, 8)).inverse == nil)
        #expect(Matrix3x3(diagonal: Vector3(1, .infinity, 1)).inverse == nil)
    }

    @Test func maximumMagnitudeSeesEveryElement() {
        for column in 0..<3 {
            for row in 0..<3 {
                var matrix = Matrix3x3.identity
                matrix[column, row] = -7
                #expect(matrix.maximumMagnitude == 7)
                matrix[column, row] = .nan
                #expect(matrix.maximumMagnitude.isNaN)
            }
        }
    }
}
