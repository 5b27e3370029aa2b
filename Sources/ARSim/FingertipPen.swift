// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import ARWorld
import Foundation

/// The pen that a fingertip seen in the pictures holds.
///
/// A finger ends in a ball that rests on the plane. The picture shows the ball's outline: its centre's ray, met with the plane
/// raised by the ball's radius, gives the centre, and straight beneath it the finger touches. The radius in metres
/// follows from that in pixels at the distance at which the ray arrives.
struct FingertipPen: Sendable {
    private var tracker = FingertipTracker()
    private var plane: UUID?
    private var filter: PlaneMotionFilter?
    private var lastTimestamp: Timestamp?
    /// Whether the finger leaves the plane, where that is looked for.
    private var lift: FingertipLift?

    init(seeingLifts: Bool = false) { lift = seeingLifts ? FingertipLift() : nil }

    /// The fingertip in the last picture.
    var fingertip: Fingertip? { tracker.fingertip }

    /// Where the finger in the next picture touches a plane or, lifted, would touch it straight along its ray.
    ///
    /// It is down while it is pressed and, where lifts are looked for, not seen above the plane.
    mutating func contact(in image: ImageBuffer, snapshot: WorldSnapshot, isPressed: Bool) -> PenContact? {
        guard image.format == .rgb8, let fingertip = tracker.next(image),
            let touch = touch(of: fingertip, in: snapshot, stayingOnPlane: isPressed)
        else { return nil }
        let timestamp = snapshot.frame.timestamp
        let elapsed = lastTimestamp.map { timestamp.seconds(since: $0) } ?? .infinity
        if touch.plane.identifier != plane || elapsed > Self.longestGap {
            filter = nil
            lift = lift.map { _ in FingertipLift() }
        }
        plane = touch.plane.identifier
        lastTimestamp = timestamp
        let deviation = max(Self.leastDeviationPixels, touch.pixelDeviation) * touch.metersPerPixel
        let moved = filter?.updated(with: touch.position, deviation: deviation, after: elapsed)
        let current = moved ?? PlaneMotionFilter(at: touch.position, deviation: deviation)
        filter = current
        // Of a first sight the time since the one before it does not count.
        lift?.update(
            radiusOnPlane: touch.radius, cameraHeight: touch.cameraHeight, after: min(elapsed, Self.longestGap))
        return PenContact(
            plane: touch.plane, position: current.position, isDown: isPressed && lift?.isLifted != true)
    }

    /// After this many seconds without the finger, how it moved before says nothing.
    private static let longestGap = 0.25
    /// An outline is never better known than this.
    private static let leastDeviationPixels = 0.25

    private struct Touch {
        var plane: PlaneAnchor
        var position: Point2
        /// The ball's radius, in metres.
        var radius: Double
        /// How high the camera is above the plane, in metres.
        var cameraHeight: Double
        var metersPerPixel: Double
        var pixelDeviation: Double
    }

    /// The nearest plane that faces the camera and under whose outline the fingertip is, or for want of one the nearest level
    /// plane, however far it is known; a pressed pen stays on its plane.
    private func touch(of fingertip: Fingertip, in snapshot: WorldSnapshot, stayingOnPlane: Bool) -> Touch? {
        let (size, center) = (snapshot.frame.imageSize, fingertip.center)
        let across = Vector2(-fingertip.direction.y, fingertip.direction.x)
        let side = PixelPoint(center.vector + fingertip.radius * across)
        guard let ray = snapshot.ray(through: NormalizedImagePoint(center, imageSize: size)),
            let sideRay = snapshot.ray(through: NormalizedImagePoint(side, imageSize: size))
        else { return nil }
        // The sine of the angle under which the ball's radius is seen.
        let sine = ray.direction.cross(sideRay.direction).length
        let spread = fingertip.covariance
        var (nearest, beyond): ((distance: Double, touch: Touch)?, (distance: Double, touch: Touch)?)
        for plane in snapshot.planes {
            let anchorFromWorld = plane.worldFromAnchor.inverse
            let (origin, direction) = (anchorFromWorld * ray.origin, anchorFromWorld.rotation * ray.direction)
            // The ball's centre is as high above the plane as its radius: origin.y + t·direction.y = t·sine.
            guard direction.y < 0, origin.y > 0 else { continue }
            let distance = origin.y / (sine - direction.y)
            let position = Point2(origin.x + distance * direction.x, origin.z + distance * direction.z)
            let isCurrent = stayingOnPlane && plane.identifier == self.plane
            let touch = Touch(
                plane: plane, position: position, radius: distance * sine, cameraHeight: origin.y,
                metersPerPixel: distance * sine / fingertip.radius,
                pixelDeviation: max(spread.xx, spread.yy).squareRoot())
            if isCurrent { return touch }
            if plane.boundaryContains(position) {
                if distance < nearest?.distance ?? .infinity { nearest = (distance, touch) }
            } else if plane.alignment == .horizontal, distance < beyond?.distance ?? .infinity {
                beyond = (distance, touch)
            }
        }
        return (nearest ?? beyond)?.touch
    }
}

extension SessionConfiguration.Pen {
    /// What should hold the pen in a session made from a source: the fingertip that its pictures show, where they are in
    /// colour and the truth has a finger that draws or, for want of any truth, the first picture shows a pointing hand.
    /// Else ``automatic``.
    public static func suited(to source: some SensorSource & TruthSource) throws -> SessionConfiguration.Pen {
        var stream = try source.makeStream()
        while let event = try stream.next() {
            guard case .frame(let frame) = event else { continue }
            guard frame.image.format == .rgb8 else { return .automatic }
            var truths = try source.makeTruthStream()
            guard try truths.truth(at: frame.timestamp) == nil else {
                return try source.sessionTruth().strokes.isEmpty ? .automatic : .fingertip
            }
            return FingertipFinder(minimumConfidence: 0.7).find(in: frame.image) == nil ? .automatic : .fingertip
        }
        return .automatic
    }
}

/// A point that moves on a plane with a velocity that changes at random: a Kalman filter, the same along both axes.
///
/// What is seen counts by its own uncertainty, so that a sharp outline is followed without delay and a blurred one is
/// smoothed.
/// - Reference: Bar-Shalom, Li, Kirubarajan 2001, "Estimation with Applications to Tracking and Navigation", section 6.2.2
///   (discretised continuous white noise acceleration).
struct PlaneMotionFilter: Sendable {
    /// The position, in metres.
    private(set) var position: Point2
    private var velocity = Vector2.zero
    /// The variances of position and velocity along an axis, and their covariance.
    private var variance: (position: Double, both: Double, velocity: Double)

    /// The spectral density of the acceleration of a writing hand, in m²/s³: 2 m/s² that lasts a tenth of a second.
    private static let accelerationDensity = 0.4
    /// How fast a finger may move that was not seen before, in m/s.
    private static let initialSpeed = 0.3
    /// What lies farther than this many standard deviations from where it was expected begins a new motion.
    private static let gate = 6.0

    /// A point seen for the first time.
    init(at position: Point2, deviation: Double) {
        self.position = position
        variance = (deviation * deviation, 0, Self.initialSpeed * Self.initialSpeed)
    }

    /// The motion with where the point was seen some seconds after the last time; `nil` where it cannot be the same motion.
    func updated(with seen: Point2, deviation: Double, after seconds: Double) -> PlaneMotionFilter? {
        let (t, q) = (seconds, Self.accelerationDensity)
        let predicted = position + t * velocity
        let grown = (
            position: variance.position + 2 * t * variance.both + t * t * variance.velocity + q * t * t * t / 3,
            both: variance.both + t * variance.velocity + q * t * t / 2, velocity: variance.velocity + q * t
        )
        let innovation = seen - predicted
        let total = grown.position + deviation * deviation
        guard innovation.squaredLength < Self.gate * Self.gate * total else { return nil }
        let (gain, speedGain) = (grown.position / total, grown.both / total)
        var next = self
        next.position = predicted + gain * innovation
        next.velocity += speedGain * innovation
        next.variance = ((1 - gain) * grown.position, (1 - gain) * grown.both, grown.velocity - speedGain * grown.both)
        return next
    }
}
