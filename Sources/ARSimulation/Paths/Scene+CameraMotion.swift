// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension Scene {
    /// The camera's motion: through the waypoints, and on top of it the tremor of the hand.
    ///
    /// Both end up in one spline: the waypoints' own is sampled every 50 ms, the tremor added to the samples, and a
    /// spline laid through the sums. Tremor above 10 Hz, which 50 ms cannot carry, is left out.
    var worldFromCameraMotion: PoseSpline {
        let waypoints = cameraPath.waypoints.map { waypoint in
            guard let pose = waypoint.worldFromCamera else {
                preconditionFailure("\(waypoint) looks along the vertical; validate the scene first")
            }
            return pose
        }
        let steady = PoseSpline(through: waypoints, intervalSeconds: cameraPath.intervalSeconds)
        guard cameraPath.tremorMeters > 0 || cameraPath.tremorRadians > 0 else { return steady }
        let interval = 0.05
        let positionTremor = HandTremor(
            deviation: cameraPath.tremorMeters, seed: seed, purpose: "camera tremor position")
        let rotationTremor = HandTremor(
            deviation: cameraPath.tremorRadians, seed: seed, purpose: "camera tremor rotation")
        let count = Int((steady.endSeconds / interval).rounded(.up))
        let poses = (0...count).map { index in
            let seconds = Double(index) * interval
            let tremor = RigidTransform(
                rotation: Rotation(rotationVector: rotationTremor.value(at: seconds)),
                translation: positionTremor.value(at: seconds))
            return steady.worldFromBody(at: seconds) * tremor
        }
        return PoseSpline(through: poses, intervalSeconds: interval)
    }
}

extension Scene {
    /// Where the camera sits in the device; in a device without inertial sensor the camera's optical axes are its own.
    var imuFromOptical: RigidTransform { imu?.imuFromOptical ?? .identity }

    /// The motion of the device's inertial sensor.
    var worldFromImuMotion: PoseSpline {
        let camera = worldFromCameraMotion
        let cameraFromImu = (imuFromOptical * .opticalFromCamera).inverse
        let count = Int((camera.endSeconds / camera.intervalSeconds).rounded())
        let poses = (0...count).map { camera.worldFromBody(at: Double($0) * camera.intervalSeconds) * cameraFromImu }
        return PoseSpline(through: poses, intervalSeconds: camera.intervalSeconds)
    }
}

/// The unrest of a hand: per axis, a sum of waves between a slow sway and the physiological tremor around 8 Hz.
///
/// Amplitudes fall with frequency as those of hand-held cameras do; their spectrum is an assumption here, not a fit.
private struct HandTremor {
    private struct Wave {
        var radiansPerSecond: Double
        var phase: Vector3
        var amplitude: Double
    }

    private let waves: [Wave]

    /// Tremor with that standard deviation on each axis.
    init(deviation: Double, seed: UInt64, purpose: String) {
        var random = SeededRandom(seed: seed, purpose: purpose)
        let frequencies = [0.35, 0.6, 1.0, 1.6, 2.5, 4.0, 6.0, 8.0]
        let unscaled = frequencies.map { frequency in
            Wave(
                radiansPerSecond: 2 * .pi * frequency * random.uniform(0.85..<1.15),
                phase: Vector3(
                    random.uniform(0..<2 * .pi), random.uniform(0..<2 * .pi), random.uniform(0..<2 * .pi)),
                amplitude: 1 / frequency)
        }
        let variance = unscaled.reduce(0) { $0 + $1.amplitude * $1.amplitude / 2 }
        let scale = deviation / variance.squareRoot()
        waves = unscaled.map { wave in
            var wave = wave
            wave.amplitude *= scale
            return wave
        }
    }

    func value(at seconds: Double) -> Vector3 {
        waves.reduce(.zero) { sum, wave in
            let angle = wave.radiansPerSecond * seconds
            return sum + wave.amplitude
                * Vector3(sin(angle + wave.phase.x), sin(angle + wave.phase.y), sin(angle + wave.phase.z))
        }
    }
}
