// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// Decides how far a frame's pose can be trusted.
struct TrackingMonitor: Sendable {
    /// How long a frame waits for its samples.
    static let longestWaitNanoseconds: Int64 = 150_000_000
    /// Below so many points the picture does not hold the pose.
    static let fewestPoints = 12
    /// A velocity that is known no better is no ground to build on, in m/s.
    static let largestVelocityDeviation = 0.06

    private var hasBeenNormal = false

    mutating func state(of odometry: Odometry?, features: FeatureFrame, at timestamp: Timestamp) -> TrackingState {
        guard let odometry, !odometry.isProvisional else { return .limited(.initializing) }
        let covariance = odometry.filter.covariance
        let velocityVariance = (0..<3).reduce(0) {
            $0 + covariance[StateLayout.velocity + $1, StateLayout.velocity + $1]
        }
        if velocityVariance > Self.largestVelocityDeviation * Self.largestVelocityDeviation {
            return .limited(hasBeenNormal ? .insufficientFeatures : .initializing)
        }
        if features.observations.count < Self.fewestPoints { return .limited(.insufficientFeatures) }
        hasBeenNormal = true
        return .normal
    }
}
