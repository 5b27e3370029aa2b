// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension RigidTransform {
    /// Transforms every point of `source` into the place with the same index in `target`, which must be at least as long.
    ///
    /// The rotation becomes a matrix once. Law: `RigidTransformTests.batchOfPoints`.
    @inlinable public func transform(
        _ source: UnsafeBufferPointer<Point3>, into target: UnsafeMutableBufferPointer<Point3>
    ) {
        precondition(
            target.count >= source.count, "\(source.count) points do not fit into room for \(target.count)")
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        let (x, y, z) = rotation.matrix.columns
        for index in 0..<source.count {
            let point = from[index]
            to[index] = translation + x * point.x + y * point.y + z * point.z
        }
    }
}
