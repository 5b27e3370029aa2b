// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Rotation {
    /// The shortest rotation that turns the direction of `source` into the direction of `target`, or `nil` when either
    /// has none.
    ///
    /// It is half a turn about `source` followed by half a turn about the bisector of the two. Opposite directions have
    /// no shortest rotation: any half turn about an axis at a right angle serves, and the one about
    /// `source.anyPerpendicular()` is returned. Laws: `RotationInterpolationTests.fromTo`,
    /// `RotationDomainTests.oppositeUpToTheLastDigit`.
    public init?(from source: Vector3, to target: Vector3) {
        guard let source = source.normalized(), let target = target.normalized() else { return nil }
        var bisector = source + target
        if source.dot(target) < 0 {
            // Nearly opposite directions cancel in the sum; what is left of it must still be at a right angle to their
            // difference, which does not cancel. Twice, because what the first time leaves may be mostly rounding; when
            // the second time takes most of it away again, all of it was.
            guard let difference = (source - target).normalized() else { return nil }
            let across = { (v: Vector3) in v - difference * difference.dot(v) }
            bisector = across(bisector).normalized().map(across) ?? .zero
        }
        let direction = bisector.length > 0.5 ? bisector.normalized() : source.anyPerpendicular()
        guard let bisector = direction else { return nil }
        self = Rotation(unitCoefficients: Vector4(source.cross(bisector), source.dot(bisector))).normalized
    }

    /// The rotation on the shortest arc to `target`, turned at constant speed: this one at fraction 0, `target` at 1.
    ///
    /// R · Exp(fraction · Log(R⁻¹ · target)), which is Shoemake's slerp. Quaternions of opposite sign are the same
    /// rotation and give the same result. Between rotations half a turn apart both arcs are equally short; the axis with
    /// a positive first component is taken. Fractions outside 0…1 extrapolate.
    /// - Reference: Shoemake 1985, "Animating rotation with quaternion curves".
    ///   Law: `RotationInterpolationTests.slerp`.
    public func interpolated(to target: Rotation, fraction: Double) -> Rotation {
        self * Rotation(rotationVector: fraction * (inverse * target).rotationVector)
    }
}
