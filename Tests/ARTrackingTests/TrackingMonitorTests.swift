// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import Testing

@testable import ARTracking

/// What a pose is called, from what is known of it.
@Suite struct TrackingMonitorTests {
    private static func evidence(
        atSeconds seconds: Double, velocity: Double = 0.005, position: Double = 0.01, rotation: Double = 0.003,
        followed: Int = 120, agreeing: Int = 30, contradicting: Int = 0, rate: Double = 0.3
    ) -> TrackingMonitor.Evidence {
        TrackingMonitor.Evidence(
            timestamp: Timestamp(nanoseconds: Int64(seconds * 1e9)), deviation: (velocity, position, rotation),
            followed: followed, agreeing: agreeing, contradicting: contradicting, rate: rate)
    }

    private static func blind(
        atSeconds seconds: Double, position: Double, rate: Double = 0.3
    ) -> TrackingMonitor.Evidence {
        evidence(
            atSeconds: seconds, velocity: 0.1, position: position, followed: 2, agreeing: 0, rate: rate)
    }

    private static func monitor() -> TrackingMonitor {
        var monitor = TrackingMonitor(thresholds: TrackingThresholds())
        #expect(monitor.state(evidence(atSeconds: 0)) == .normal)
        return monitor
    }

    @Test func isInitializingUntilPointsHoldTheVelocity() {
        var monitor = TrackingMonitor(thresholds: TrackingThresholds())
        var nothing = Self.evidence(atSeconds: 0)
        nothing.deviation = nil
        #expect(monitor.state(nothing) == .limited(.initializing))
        #expect(monitor.state(Self.evidence(atSeconds: 0.1, velocity: 0.2)) == .limited(.initializing))
        #expect(monitor.state(Self.evidence(atSeconds: 0.2)) == .normal)
    }

    @Test func aShortLossIsBridged() {
        var monitor = Self.monitor()
        #expect(monitor.state(Self.blind(atSeconds: 0.2, position: 0.02)) == .normal)
        #expect(monitor.state(Self.evidence(atSeconds: 0.4, position: 0.02)) == .normal)
    }

    @Test func aLossIsSaidAndWhy() {
        var monitor = Self.monitor()
        #expect(monitor.state(Self.blind(atSeconds: 1, position: 0.2)) == .limited(.insufficientFeatures))
        #expect(monitor.state(Self.blind(atSeconds: 1.1, position: 0.2, rate: 4)) == .limited(.excessiveMotion))
    }

    /// Points that come back hold the pose where it is believed to be, which may be elsewhere.
    @Test func aPlaceThatFadedIsOnlyKnownAgainBySight() {
        var monitor = Self.monitor()
        _ = monitor.state(Self.blind(atSeconds: 1, position: 0.2))
        #expect(monitor.state(Self.evidence(atSeconds: 2, position: 0.2)) == .limited(.relocalizing))
        #expect(monitor.state(Self.evidence(atSeconds: 9, position: 0.2)) == .limited(.relocalizing))
        monitor.arrive()
        #expect(monitor.state(Self.evidence(atSeconds: 9.1, position: 0.2)) == .normal)
    }

    /// A covariance grows with the way, too: while points hold the pose, that is no loss.
    @Test func driftIsNoLoss() {
        var monitor = Self.monitor()
        for step in 1...100 {
            let evidence = Self.evidence(atSeconds: Double(step) * 0.1, position: 0.01 + 0.001 * Double(step))
            #expect(monitor.state(evidence) == .normal)
        }
    }

    @Test func whatIsContradictedForLongIsGivenUp() {
        var monitor = Self.monitor()
        for step in 1...8 {
            let time = Double(step) * 0.1
            let evidence = Self.evidence(atSeconds: time, agreeing: 1, contradicting: 25)
            #expect(monitor.state(evidence) != .normal)
            #expect(monitor.isHopeless(at: evidence.timestamp) == (time > 0.7))
        }
        monitor.startOver()
        #expect(!monitor.isHopeless(at: Timestamp(nanoseconds: 900_000_000)))
        #expect(monitor.state(Self.evidence(atSeconds: 2)) == .limited(.relocalizing))
    }

    @Test func aStartThatNeverHeldIsNoLoss() {
        var monitor = TrackingMonitor(thresholds: TrackingThresholds())
        _ = monitor.state(Self.evidence(atSeconds: 0, velocity: 0.5))
        monitor.startOver()
        #expect(monitor.state(Self.evidence(atSeconds: 1)) == .normal)
    }
}
