// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// When a pose is called `normal`.
public struct TrackingThresholds: Hashable, Sendable {
    /// Below so many points that are followed, the picture does not hold the pose.
    public var fewestPoints = 10
    /// A velocity that is known no better is no ground to build on, in m/s.
    public var velocityDeviation = 0.06
    /// A place that has become this much less certain since points last held it is lost, in metres…
    public var positionDeviation = 0.03
    /// … and so is an attitude, in radians.
    public var rotationDeviation = 0.015

    /// The defaults.
    public init() {}
}

/// Decides how far a frame's pose can be trusted, from what the estimator knows and what it was contradicted in.
///
/// A covariance says how far the pose may be off, as long as what is measured agrees with it. So a pose is `normal` while
/// points hold it, and again after they did not, if it has not become much less certain meanwhile; otherwise the place is
/// lost, and only what is known of it by sight brings it back.
///
/// Law: `TrackingMonitorTests`.
struct TrackingMonitor: Sendable {
    /// How long a frame waits for its samples.
    static let longestWaitNanoseconds: Int64 = 150_000_000
    /// A device that turns faster while nothing holds the pose moves too fast, in rad/s.
    private static let excessiveRate = 2.0
    /// An estimate that nearly all points have contradicted for so long is wrong, and one that nothing has held for so long
    /// is worth nothing, in seconds.
    private static let contradictionSeconds = 0.7
    private static let blindSeconds = 4.0

    private let thresholds: TrackingThresholds
    /// How well the pose was known when points last held it: metres and radians, `nil` before that.
    private var heldAt: (position: Double, rotation: Double)?
    private var lastHeld: Timestamp?
    private var lastAgreement: Timestamp?
    /// Whether the place in the world is unknown because the estimate began anew.
    private(set) var isElsewhere = false

    init(thresholds: TrackingThresholds) { self.thresholds = thresholds }

    /// What a frame showed.
    struct Evidence {
        var timestamp: Timestamp
        /// Standard deviations: metres per second, metres, radians; `nil` while there is no estimate of the motion.
        var deviation: (velocity: Double, position: Double, rotation: Double)?
        /// Points that were followed from the last frame.
        var followed: Int
        /// Landmarks and tracks that agreed with the estimate, and that did not.
        var agreeing: Int
        var contradicting: Int
        /// How fast the device turns, in rad/s.
        var rate: Double
    }

    /// Whether the estimate is beyond repair.
    func isHopeless(at timestamp: Timestamp) -> Bool {
        func isLong(_ since: Timestamp?, _ seconds: Double) -> Bool {
            since.map { timestamp.seconds(since: $0) > seconds } ?? false
        }
        return isLong(lastAgreement, Self.contradictionSeconds) || isLong(lastHeld, Self.blindSeconds)
    }

    /// Says that the estimate begins anew, somewhere.
    mutating func startOver() {
        isElsewhere = isElsewhere || heldAt != nil
        (heldAt, lastHeld, lastAgreement) = (nil, nil, nil)
    }

    /// Says that the place in the world is known again.
    mutating func arrive() {
        isElsewhere = false
        heldAt = nil
    }

    mutating func state(_ evidence: Evidence) -> TrackingState {
        let waiting: TrackingState.Reason = isElsewhere ? .relocalizing : .initializing
        guard let deviation = evidence.deviation else { return .limited(waiting) }
        let isContradicted = evidence.contradicting > 2 * evidence.agreeing + 5
        if !isContradicted || lastAgreement == nil { lastAgreement = evidence.timestamp }
        let isHeld =
            evidence.followed >= thresholds.fewestPoints && !isContradicted
            && deviation.velocity <= thresholds.velocityDeviation
        guard isHeld else {
            guard heldAt != nil else { return .limited(waiting) }
            let isFast = evidence.rate > Self.excessiveRate
            // For a moment the samples carry the pose as well as it was.
            if !isContradicted, !hasFaded(deviation) { return .normal }
            return .limited(isElsewhere ? .relocalizing : isFast ? .excessiveMotion : .insufficientFeatures)
        }
        if hasFaded(deviation) { isElsewhere = true }
        lastHeld = evidence.timestamp
        if isElsewhere { return .limited(.relocalizing) }
        heldAt = (deviation.position, deviation.rotation)
        return .normal
    }

    /// Whether the pose is much less certain than when points last held it.
    private func hasFaded(_ deviation: (velocity: Double, position: Double, rotation: Double)) -> Bool {
        guard let heldAt else { return false }
        let (p, r) = (deviation.position, deviation.rotation)
        let position = max(p * p - heldAt.position * heldAt.position, 0).squareRoot()
        let rotation = max(r * r - heldAt.rotation * heldAt.rotation, 0).squareRoot()
        return position > thresholds.positionDeviation || rotation > thresholds.rotationDeviation
    }
}
