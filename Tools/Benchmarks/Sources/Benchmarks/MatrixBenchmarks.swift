// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// 4×4 matrices against Eigen: `size` different ones, over and over until `total` are done.
func matrixBenchmarks(size: Int, total: Int) -> [Benchmark] {
    var random = SystemIndependentRandom()
    let left = Batch(count: size) { random.matrix() }
    let right = Batch(count: size) { random.matrix() }
    let ours = Batch(count: size) { Matrix4x4.zero }
    let theirs = Batch(count: size) { Matrix4x4.zero }
    return [
        Benchmark(
            name: "4×4 multiply", rival: "Eigen", count: total,
            ours: { repeatedly(size, total: total) { multiply(left.values, right.values, into: ours.values) } },
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(csolve_multiply_4x4(left.doubles, right.doubles, Int64(size), theirs.doubles))
                }
            },
            disagreement: { ours.largestDifference(from: theirs, comparing: 16) }),
        Benchmark(
            name: "4×4 inverse", rival: "Eigen", count: total,
            ours: { repeatedly(size, total: total) { invert(left.values, into: ours.values) } },
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(csolve_invert_4x4(left.doubles, Int64(size), theirs.doubles))
                }
            },
            disagreement: { ours.largestDifference(from: theirs, comparing: 16) }),
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
