// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// How a device moves that has come back to what it remembers: two pictures show where it is, the samples between them tell the
/// rest.
///
/// With the IMU at p₁ with the attitude R₁, at p₂ after Δt, and with Δp and Δv what the samples make of rest without gravity,
/// p₂ = p₁ + v₁ Δt + ½ g Δt² + R₁ Δp and v₂ = v₁ + g Δt + R₁ Δv (Forster et al. 2017, eq. 31), so that
///
///     v₂ = (p₂ − p₁ − R₁ Δp) / Δt + ½ g Δt + R₁ Δv.
///
/// No time is needed to find out how long a way is, nor any push of the device, as for a beginning in an unknown world.
///
/// Laws: `PlaceReturnTests`.
struct PlaceReturn: Sendable {
    private var stands: [Stand] = []

    /// Where the device was at an instant of the IMU's clock.
    private struct Stand {
        var timestamp: Timestamp
        var worldFromImu: RigidTransform
        /// Standard deviations along and about each axis, in metres and radians.
        var positionDeviation: Double
        var attitudeDeviation: Double
    }

    /// Places that are further apart in time say little about the velocity now, in seconds.
    private static let longestSeconds = 1.0
    /// How far the gyroscope's bias may have gone since it was known, in rad/s, and the accelerometer's, in m/s².
    private static let gyroscopeBiasDeviation = 0.003
    private static let accelerometerBiasDeviation = 0.05

    /// Takes a place in: how the device moves there, once two of them tell its velocity to within a standard deviation.
    ///
    /// - instant: of the IMU's clock, when the picture was taken.
    /// - errors: what was known of the inertial sensor before.
    mutating func motion(
        at place: Place, instant: Timestamp, history: ImuHistory, calibration: CameraState, errors: ImuErrors,
        gravity: Vector3, velocityDeviation limit: Double
    ) -> KnownMotion? {
        let new = Stand(
            timestamp: instant, worldFromImu: place.worldFromOptical * calibration.imuFromOptical.inverse,
            positionDeviation: place.positionDeviation / 3.0.squareRoot(),
            attitudeDeviation: place.attitudeDeviation / 3.0.squareRoot())
        stands.removeAll { instant.seconds(since: $0.timestamp) > Self.longestSeconds }
        defer { stands.append(new) }
        guard let old = stands.first else { return nil }
        let seconds = instant.seconds(since: old.timestamp)
        let motion = history.motion(from: old.timestamp, to: instant, errors: errors)
        let attitude = old.worldFromImu.rotation * motion.rotation
        let turnVariance =
            old.attitudeDeviation * old.attitudeDeviation + new.attitudeDeviation * new.attitudeDeviation
            + Self.gyroscopeBiasDeviation * Self.gyroscopeBiasDeviation * seconds * seconds
        guard attitude.angle(to: new.worldFromImu.rotation) < 4 * turnVariance.squareRoot() else {
            // One of the two is wrong, and nothing says which.
            stands.removeAll()
            return nil
        }
        let way = new.worldFromImu.translation - old.worldFromImu.translation
        let velocity =
            (way - old.worldFromImu.rotation * motion.position) / seconds + gravity * (seconds / 2)
            + old.worldFromImu.rotation * motion.velocity
        let byPlaces =
            (old.positionDeviation * old.positionDeviation + new.positionDeviation * new.positionDeviation)
            / (seconds * seconds)
        let byForce = (gravity.length * old.attitudeDeviation + Self.accelerometerBiasDeviation) * seconds / 2
        let deviation = (byPlaces + byForce * byForce).squareRoot()
        guard deviation < limit else { return nil }
        var deviations = KnownMotion.Deviations()
        deviations.velocity = deviation
        deviations.tilt = new.attitudeDeviation
        deviations.gyroscopeBias = Self.gyroscopeBiasDeviation
        deviations.accelerometerBias = Self.accelerometerBiasDeviation
        return KnownMotion(
            timestamp: instant, worldFromImu: new.worldFromImu, velocity: velocity,
            gyroscopeBias: errors.gyroscopeBias, accelerometerBias: errors.accelerometerBias, deviations: deviations)
    }
}
