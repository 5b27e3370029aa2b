// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// Rigid transforms against Eigen, as quaternions and as isometries: `size` different ones, over and over until `total`
/// are done.
func poseBenchmarks(size: Int, total: Int) -> [Benchmark] {
    precondition(MemoryLayout<RigidTransform>.stride == MemoryLayout<CSolvePose>.stride)
    var random = SystemIndependentRandom()
    let aFromB = Batch(count: size) { random.pose() }
    let bFromC = Batch(count: size) { random.pose() }
    // Both sides write to the same memory where they can: where a buffer lies changes the time of a streaming pass.
    let poses = Batch(count: size) { RigidTransform.identity }

    let isometryAFromB = aFromB.mapped { Matrix4x4($0) }
    let isometryBFromC = bFromC.mapped { Matrix4x4($0) }
    let theirIsometries = Batch(count: size) { Matrix4x4.zero }

    let points = Batch(count: size) { random.vector() }
    let movedPoints = Batch(count: size) { Point3.zero }
    let packedPoints = points.mapped(PackedPoint.init)
    let movedPackedPoints = Batch(count: size) { PackedPoint(.zero) }

    let compose = { repeatedly(size, total: total) { composeAll(aFromB.values, bFromC.values, into: poses.values) } }
    return [
        Benchmark(
            name: "rigid compose, quaternions", rival: "Eigen", count: total, results: poses, comparing: 7,
            ours: compose,
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(csolve_compose_poses(aFromB.poses, bFromC.poses, Int64(size), poses.poses))
                }
            }),
        Benchmark(
            name: "rigid compose, isometries", rival: "Eigen", count: total, ours: compose,
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(
                        csolve_compose_isometries(
                            isometryAFromB.doubles, isometryBFromC.doubles, Int64(size), theirIsometries.doubles))
                }
            },
            disagreement: {
                poses.mapped { Matrix4x4($0) }.largestDifference(from: theirIsometries, comparing: 16)
            }),
        Benchmark(
            name: "point transform, 32 bytes a point", rival: "Eigen", count: total, results: movedPoints, comparing: 3,
            ours: {
                repeatedly(size, total: total) {
                    aFromB.values[0].transform(UnsafeBufferPointer(points.values), into: movedPoints.values)
                }
            },
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(
                        csolve_transform_points(aFromB.poses, points.doubles, Int64(size), 4, movedPoints.doubles))
                }
            }),
        Benchmark(
            name: "point transform, packed", rival: "Eigen", count: total, results: movedPackedPoints, comparing: 3,
            ours: {
                repeatedly(size, total: total) {
                    aFromB.values[0].transform(
                        packed: UnsafeBufferPointer(start: packedPoints.doubles, count: 3 * size),
                        into: UnsafeMutableBufferPointer(start: movedPackedPoints.doubles, count: 3 * size))
                }
            },
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(
                        csolve_transform_points(
                            aFromB.poses, packedPoints.doubles, Int64(size), 3, movedPackedPoints.doubles))
                }
            }),
    ]
}

extension Batch where Value == RigidTransform {
    /// The transforms as the façade sees them: a quaternion and a translation in 64 bytes.
    fileprivate var poses: UnsafeMutablePointer<CSolvePose> {
        UnsafeMutableRawPointer(values.baseAddress!).assumingMemoryBound(to: CSolvePose.self)
    }
}

@inline(never) private func composeAll(
    _ aFromB: UnsafeMutableBufferPointer<RigidTransform>, _ bFromC: UnsafeMutableBufferPointer<RigidTransform>,
    into aFromC: UnsafeMutableBufferPointer<RigidTransform>
) {
    for index in aFromB.indices { aFromC[index] = aFromB[index] * bFromC[index] }
}
