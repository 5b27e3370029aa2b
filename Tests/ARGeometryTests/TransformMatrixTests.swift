// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct TransformMatrixTests {
    @Test(arguments: 0..<100) func rigidRoundTrip(number: Int) throws {
        var random = TestRandom(case: number)
        let transform = random.rigidTransform()
        let point = random.vector3()
        let matrix = Matrix4x4(transform)
        expectClose(try RigidTransform(matrix), transform, radians: 4e-15, metres: 0)
        #expect(matrix.columns.3 == Vector4(transform.translation, 1))
        expectClose((matrix * Vector4(point, 1)).xyz, transform * point, tolerance: 1e-12)
        expectClose(try #require(matrix.project(point)), transform * point, tolerance: 1e-12)
    }

    @Test(arguments: 0..<100) func similarityRoundTrip(number: Int) throws {
        var random = TestRandom(case: number)
        let transform = random.similarity()
        let point = random.vector3()
        let matrix = Matrix4x4(transform)
        expectClose(try Similarity(matrix), transform, radians: 4e-15, metres: 0, scale: 4e-15)
        expectClose((matrix * Vector4(point, 1)).xyz, transform * point, tolerance: 1e-12)
    }

    @Test(arguments: 0..<100) func productAndInverseAgree(number: Int) throws {
        var random = TestRandom(case: number)
        let (a, b) = (random.rigidTransform(), random.rigidTransform())
        expectClose(Matrix4x4(a) * Matrix4x4(b), Matrix4x4(a * b), tolerance: 1e-11)
        expectClose(try #require(Matrix4x4(a).inverse), Matrix4x4(a.inverse), tolerance: 1e-11)
    }

    /// Matrices that went through Float are still transforms.
    @Test(arguments: 0..<50) func floatsAreAccepted(number: Int) throws {
        var random = TestRandom(case: number)
        let transform = random.rigidTransform()
        let rounded = Matrix4x4(coordinates: Matrix4x4(transform).coordinates.map { Double(Float($0)) })
        expectClose(try RigidTransform(rounded), transform, radians: 1e-6, metres: 1e-4)
    }

    @Test func everyRefusalSaysWhy() {
        func refusal(_ change: (inout Matrix4x4) -> Void) -> TransformMatrixError? {
            var matrix = Matrix4x4(RigidTransform(translation: Vector3(1, 2, 3)))
            change(&matrix)
            do throws(TransformMatrixError) {
                _ = try RigidTransform(matrix)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0[3, 1] = .nan } == .notFinite(column: 3, row: 1))
        #expect(refusal { $0[0, 3] = .infinity } == .notFinite(column: 0, row: 3))
        #expect(refusal { $0 = $0.transpose } == .lastRow(found: Vector4(1, 2, 3, 1)))
        #expect(refusal { $0[3, 3] = 0 } == .lastRow(found: .zero))
        #expect(refusal { $0[2, 2] = -1 } == .reflection(determinant: -1))
        #expect(refusal { $0[2, 2] = 0 } == .reflection(determinant: 0))
        #expect(refusal { $0[0, 0] = 2 } == .notOrthonormal(deviation: 3, scale: 1, tolerance: 1e-5))
        #expect(refusal { $0[1, 0] = 0.5 } == .notOrthonormal(deviation: 0.5, scale: 1, tolerance: 1e-5))
    }

    @Test func stretchIsNoSimilarity() {
        #expect(throws: TransformMatrixError.notOrthonormal(deviation: 3, scale: 2, tolerance: 1e-5)) {
            try Similarity(Matrix4x4(diagonal: Vector4(4, 2, 1, 1)))
        }
    }

    @Test(arguments: [
        TransformMatrixError.notFinite(column: 1, row: 2), .lastRow(found: Vector4(1, 2, 3, 1)),
        .notOrthonormal(deviation: 0.5, scale: 1, tolerance: 1e-5), .reflection(determinant: -1),
    ])
    func descriptionsCarryTheEvidence(error: TransformMatrixError) {
        let evidence =
            switch error {
            case .notFinite: "column 1, row 2"
            case .lastRow: "1.0 2.0 3.0 1.0"
            case .notOrthonormal: "0.5"
            case .reflection: "-1.0"
            }
        #expect(error.description.contains(evidence))
    }
}
