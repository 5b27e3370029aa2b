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

extension RigidTransform {
    /// Transforms points that are packed as x y z x y z …, as files, meshes and other libraries hold them, into a place
    /// that must be at least as long. Both may be the same memory.
    ///
    /// Three quarters of the memory of ``transform(_:into:)`` go by, which is what counts for many points. Two points are
    /// three pairs of numbers, (x y) (z x') (y' z'); each pair of the result is a sum of pairs of the matrix's elements.
    /// Law: `RigidTransformTests.batchOfPackedPoints`.
    /// - Parameter source: three numbers a point.
    @inlinable public func transform(
        packed source: UnsafeBufferPointer<Double>, into target: UnsafeMutableBufferPointer<Double>
    ) {
        precondition(source.count % 3 == 0, "\(source.count) numbers are no whole number of points")
        precondition(
            target.count >= source.count, "\(source.count) numbers do not fit into room for \(target.count)")
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        let (a, b, c) = rotation.matrix.columns
        let t = translation
        let (aXY, bXY, cXY, tXY) = (Vector2(a.x, a.y), Vector2(b.x, b.y), Vector2(c.x, c.y), Vector2(t.x, t.y))
        let (aZX, bZX, cZX, tZX) = (Vector2(a.z, a.x), Vector2(b.z, b.x), Vector2(c.z, c.x), Vector2(t.z, t.x))
        let (aYZ, bYZ, cYZ, tYZ) = (Vector2(a.y, a.z), Vector2(b.y, b.z), Vector2(c.y, c.z), Vector2(t.y, t.z))
        var index = 0
        while index + 6 <= source.count {
            let (x, y, z) = (from[index], from[index + 1], from[index + 2])
            let (x1, y1, z1) = (from[index + 3], from[index + 4], from[index + 5])
            let first = tXY + aXY * x + bXY * y + cXY * z
            let second = tZX + aZX * Vector2(x, x1) + bZX * Vector2(y, y1) + cZX * Vector2(z, z1)
            let third = tYZ + aYZ * x1 + bYZ * y1 + cYZ * z1
            (to[index], to[index + 1]) = (first.x, first.y)
            (to[index + 2], to[index + 3]) = (second.x, second.y)
            (to[index + 4], to[index + 5]) = (third.x, third.y)
            index += 6
        }
        if index < source.count {
            let point = t + a * from[index] + b * from[index + 1] + c * from[index + 2]
            (to[index], to[index + 1], to[index + 2]) = (point.x, point.y, point.z)
        }
    }
}
