// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// 4×4 matrices against Eigen: `size` different ones, over and over until `total` are done.
func matrixBenchmarks(size: Int, total: Int) -> [Benchmark] {
    var random = SystemIndependentRandom()
    let left = Batch(count: size) { random.matrix() }
    let right = Batch(count: size) { random.matrix() }
    // Both sides write to the same memory: where a buffer lies can make a streaming pass half as slow again.
    let results = Batch(count: size) { Matrix4x4.zero }
    return [
        Benchmark(
            name: "4×4 multiply", rival: "Eigen", count: total, results: results, comparing: 16,
            ours: { repeatedly(size, total: total) { multiply(left.values, right.values, into: results.values) } },
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(csolve_multiply_4x4(left.doubles, right.doubles, Int64(size), results.doubles))
                }
            }),
        Benchmark(
            name: "4×4 inverse", rival: "Eigen", count: total, results: results, comparing: 16,
            ours: { repeatedly(size, total: total) { invert(left.values, into: results.values) } },
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(csolve_invert_4x4(left.doubles, Int64(size), results.doubles))
                }
            }),
    ]
}

@inline(never) private func multiply(
    _ left: UnsafeMutableBufferPointer<Matrix4x4>, _ right: UnsafeMutableBufferPointer<Matrix4x4>,
    into product: UnsafeMutableBufferPointer<Matrix4x4>
) {
    for index in left.indices { product[index] = left[index] * right[index] }
}

@inline(never) private func invert(
    _ matrices: UnsafeMutableBufferPointer<Matrix4x4>, into inverses: UnsafeMutableBufferPointer<Matrix4x4>
) {
    for index in matrices.indices { inverses[index] = matrices[index].inverse ?? .zero }
}
