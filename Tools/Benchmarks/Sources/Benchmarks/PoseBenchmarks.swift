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
    let ours = Batch(count: size) { RigidTransform.identity }
    let theirs = Batch(count: size) { RigidTransform.identity }

    let isometryAFromB = aFromB.mapped { Matrix4x4($0) }
    let isometryBFromC = bFromC.mapped { Matrix4x4($0) }
    let theirIsometries = Batch(count: size) { Matrix4x4.zero }

    let points = Batch(count: size) { random.vector() }
    let ourPoints = Batch(count: size) { Point3.zero }
    let theirPoints = Batch(count: size) { Point3.zero }
    let packedPoints = points.mapped(PackedPoint.init)
    let theirPackedPoints = Batch(count: size) { PackedPoint(.zero) }

    let compose = { repeatedly(size, total: total) { composeAll(aFromB.values, bFromC.values, into: ours.values) } }
    let transform = {
        repeatedly(size, total: total) {
            aFromB.values[0].transform(UnsafeBufferPointer(points.values), into: ourPoints.values)
        }
    }
    return [
        Benchmark(
            name: "rigid compose, quaternions", rival: "Eigen", count: total, ours: compose,
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(csolve_compose_poses(aFromB.poses, bFromC.poses, Int64(size), theirs.poses))
                }
            },
            disagreement: { ours.largestDifference(from: theirs, comparing: 7) }),
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
                ours.mapped { Matrix4x4($0) }.largestDifference(from: theirIsometries, comparing: 16)
            }),
        Benchmark(
            name: "point transform, 32 bytes a point", rival: "Eigen", count: total, ours: transform,
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(
                        csolve_transform_points(
                            aFromB.poses, points.doubles, Int64(size), 4, theirPoints.doubles))
                }
            },
            disagreement: { ourPoints.largestDifference(from: theirPoints, comparing: 3) }),
        Benchmark(
            name: "point transform, theirs 24 bytes", rival: "Eigen", count: total, ours: transform,
            theirs: {
                repeatedly(size, total: total) {
                    expectSuccess(
                        csolve_transform_points(
                            aFromB.poses, packedPoints.doubles, Int64(size), 3, theirPackedPoints.doubles))
                }
            },
            disagreement: {
                ourPoints.mapped(PackedPoint.init).largestDifference(from: theirPackedPoints, comparing: 3)
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
