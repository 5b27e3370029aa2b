// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// When something was seen of the world: in which span of ``WorldErrors``, and at which instant.
struct Moment: Comparable, Sendable {
    var span = 0
    var instant = Timestamp(nanoseconds: 0)

    static func < (a: Moment, b: Moment) -> Bool { (a.span, a.instant) < (b.span, b.instant) }
}

/// How well the tracker knew where its world lies, over time.
///
/// A point's own covariance holds for a camera that is where it is believed to be. What the camera errs by moves all points
/// that it sees at that time: where it hangs by δθ too far to one side, what lies r away lies δθ × r elsewhere, all of it
/// together. A tracker that has just begun knows how it hangs to half a degree, two centimetres at two metres, and a second
/// later ten times as well. What was seen before that is known as badly as then for ever, however many points it was.
struct WorldErrors: Sendable {
    /// The covariances of the world about its origin, translation first, one for each span of time in which it was about the same,
    /// the oldest first.
    private var spans: [Matrix6x6] = [.zero]
    /// The number of the first span that is remembered.
    private var firstSpan = 0
    private var now = Matrix6x6.zero

    /// How many spans are remembered.
    private static let capacity = 64

    /// The number of the present span.
    var span: Int { firstSpan + spans.count - 1 }

    /// Takes in the covariance of a frame's pose, position before rotation, in the world's axes; tells whether a new span began:
    /// when the variance of how the world hangs has changed by a fifth.
    mutating func learn(_ poseCovariance: Matrix6x6, at place: Point3) -> Bool {
        now = Self.aboutOrigin(poseCovariance, at: place)
        let (before, tilt) = (Self.tiltVariance(spans[spans.count - 1]), Self.tiltVariance(now))
        guard tilt < 0.8 * before || tilt > 1.25 * before else { return false }
        if spans.count == Self.capacity {
            spans.removeFirst()
            firstSpan += 1
        }
        spans.append(now)
        return true
    }

    /// How well the world hangs at present, as a variance about each level axis.
    var tiltVariance: Double { Self.tiltVariance(now) }

    /// By how much the plane of level axes may have moved since a span, as seen from the present world, or from that of a later
    /// span: the covariance of its offset and its slopes.
    ///
    /// Of each only as much as the world has become surer since: the rest is common to both.
    func wander(ofPlaneIn levelFromWorld: RigidTransform, since span: Int, until later: Int? = nil) -> Matrix3x3 {
        guard span < later ?? self.span else { return .zero }
        return Self.excess(
            of: Self.planeCovariance(covariance(in: span), in: levelFromWorld),
            over: Self.planeCovariance(later.map(covariance) ?? now, in: levelFromWorld))
    }

    /// By how much such a plane may have moved between two moments: because the world has become surer, and because it drifts. From a
    /// moment to an earlier one it has not moved.
    ///
    /// Movements follow upon each other: what was seen at a third moment between moved with what was seen before from then on. Law:
    /// `WorldErrorsTests.movementsFollowUponEachOther`.
    func wander(ofPlaneIn levelFromWorld: RigidTransform, from: Moment, to: Moment) -> Matrix3x3 {
        let seconds = max(0, to.instant.seconds(since: from.instant))
        return wander(ofPlaneIn: levelFromWorld, since: from.span, until: to.span)
            + Matrix3x3(diagonal: seconds * Self.driftVarianceBySecond)
    }

    /// The variances by which a plane's offset and its slopes drift in a second: 2 mm and 0.5 mrad.
    static let driftVarianceBySecond = Vector3(0.002 * 0.002, 0.0005 * 0.0005, 0.0005 * 0.0005)

    private func covariance(in span: Int) -> Matrix6x6 { spans[max(0, span - firstSpan)] }

    /// By how much a point of the world may have moved since a span, as seen from the present world: a covariance, of each axis
    /// only as much as the world has become surer since.
    func movement(of point: Point3, since span: Int) -> Matrix3x3 {
        guard span < self.span else { return .zero }
        return Self.excess(
            of: Self.covariance(of: point, under: covariance(in: span)), over: Self.covariance(of: point, under: now))
    }

    /// What a covariance has more than another one, each coordinate scaled down to the difference of its variances.
    private static func excess(of then: Matrix3x3, over now: Matrix3x3) -> Matrix3x3 {
        func part(_ index: Int) -> Double {
            let (then, now) = (then[index][index], now[index][index])
            return then > now ? (1 - now / then).squareRoot() : 0
        }
        let parts = Matrix3x3(diagonal: Vector3(part(0), part(1), part(2)))
        return parts * then * parts
    }

    /// The covariance of a point's place under that of the world about its origin: the upper left block of ``aboutPoint(_:_:)``.
    private static func covariance(of point: Point3, under world: Matrix6x6) -> Matrix3x3 {
        let lever = -Matrix3x3.crossProduct(point)
        return world.translationByTranslation + lever * world.rotationByTranslation
            + (world.translationByRotation + lever * world.rotationByRotation) * lever.transpose
    }

    /// The world's covariance about a point rather than the origin: where it errs by (ρ, θ), the point does by (ρ + θ × x, θ).
    private static func aboutPoint(_ covariance: Matrix6x6, _ point: Point3) -> Matrix6x6 {
        let map = Matrix6x6(
            translationByTranslation: .identity, translationByRotation: -Matrix3x3.crossProduct(point),
            rotationByTranslation: .zero, rotationByRotation: .identity)
        return map * covariance * map.transpose
    }

    /// A pose's covariance as that of the world about its origin: where the pose errs by (δp, δθ) at p, the origin errs
    /// by (δp − δθ × p, δθ).
    private static func aboutOrigin(_ covariance: Matrix6x6, at place: Point3) -> Matrix6x6 {
        aboutPoint(covariance, -place)
    }

    private static func tiltVariance(_ covariance: Matrix6x6) -> Double {
        (covariance.rotationByRotation[0].x + covariance.rotationByRotation[2].z) / 2
    }

    /// The covariance of offset and slopes of a plane through the origin of level axes, when the world errs by (ρ, θ): the point
    /// (x, 0, z) of these axes then is higher by ρ.y + θ.z x − θ.x z.
    private static func planeCovariance(_ covariance: Matrix6x6, in levelFromWorld: RigidTransform) -> Matrix3x3 {
        let local = aboutPoint(covariance, levelFromWorld.inverse.translation)
        let turn = levelFromWorld.rotation.matrix
        let shift = turn * local.translationByTranslation * turn.transpose
        let cross = turn * local.translationByRotation * turn.transpose
        let tilt = turn * local.rotationByRotation * turn.transpose
        let (offsetByX, offsetByZ, xByZ) = (cross[2].y, -cross[0].y, -tilt[0].z)
        return Matrix3x3(
            Vector3(shift[1].y, offsetByX, offsetByZ), Vector3(offsetByX, tilt[2].z, xByZ),
            Vector3(offsetByZ, xByZ, tilt[0].x))
    }
}
