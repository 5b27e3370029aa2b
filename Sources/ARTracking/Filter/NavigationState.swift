// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where the IMU is, how fast, and what it reads too much.
struct NavigationState: Hashable, Sendable {
    /// The instant, on the IMU's clock.
    var timestamp: Timestamp
    /// The IMU's pose.
    var worldFromImu: RigidTransform
    /// The IMU's velocity in the world, in m/s.
    var velocity: Vector3
    /// What is wrong with the IMU's readings.
    var errors: ImuErrors

    /// The state after a motion (Forster et al. 2017, eq. 26).
    func advanced(by motion: PreintegratedMotion, gravity: Vector3, to end: Timestamp) -> NavigationState {
        let t = motion.seconds
        var next = self
        next.timestamp = end
        next.worldFromImu.translation +=
            velocity * t + gravity * (0.5 * t * t) + worldFromImu.rotation * motion.position
        next.velocity += gravity * t + worldFromImu.rotation * motion.velocity
        next.worldFromImu.rotation = (worldFromImu.rotation * motion.rotation).normalized
        return next
    }

    /// The state before a motion that ended with this one. Law: `PreintegrationTests.aMotionIsUndone`.
    func before(_ motion: PreintegratedMotion, gravity: Vector3, at start: Timestamp) -> NavigationState {
        let t = motion.seconds
        var earlier = self
        earlier.timestamp = start
        earlier.worldFromImu.rotation = (worldFromImu.rotation * motion.rotation.inverse).normalized
        earlier.velocity -= gravity * t + earlier.worldFromImu.rotation * motion.velocity
        earlier.worldFromImu.translation -=
            earlier.velocity * t + gravity * (0.5 * t * t) + earlier.worldFromImu.rotation * motion.position
        return earlier
    }
}

/// The IMU's pose at a frame.
struct Clone: Sendable {
    /// The frame's stamp, on the camera's clock.
    var timestamp: Timestamp
    /// The instant that the pose stands for, on the IMU's clock: the frame's with the offset of the clocks as it was
    /// estimated then.
    var instant: Timestamp
    /// The IMU's pose.
    var worldFromImu: RigidTransform
    /// The IMU's velocity in the world, in m/s. It is no variable of its own: it follows from the present velocity and
    /// the samples since.
    var velocity: Vector3
    /// How the IMU moved while the picture was read out.
    var readout: ReadoutMotion

    /// The IMU's pose when a row was exposed, `seconds` after the frame's instant.
    func worldFromImu(at seconds: Double, gravity: Vector3) -> RigidTransform {
        guard seconds != 0 else { return worldFromImu }
        let (rotation, displacement) = readout.motion(at: seconds)
        return RigidTransform(
            rotation: worldFromImu.rotation * rotation,
            translation: worldFromImu.translation + velocity * seconds + gravity * (0.5 * seconds * seconds)
                + worldFromImu.rotation * displacement)
    }
}

/// How an IMU moved about a frame's instant: rotation, and displacement without that of velocity and gravity, both in
/// the IMU's frame at the instant. Tabulated, and linear between.
struct ReadoutMotion: Sendable {
    private let halfSeconds: Double
    private var rotations: [Vector3]
    private var displacements: [Vector3]

    private static let intervalsPerHalf = 4

    /// A shutter that exposes all rows at once.
    static let global = ReadoutMotion(halfSeconds: 0, rotations: [], displacements: [])

    private init(halfSeconds: Double, rotations: [Vector3], displacements: [Vector3]) {
        self.halfSeconds = halfSeconds
        self.rotations = rotations
        self.displacements = displacements
    }

    /// The motion that samples tell, from half the readout before an instant to half of it after.
    init(about instant: Timestamp, readoutNanoseconds: Int64, history: ImuHistory, errors: ImuErrors) {
        guard readoutNanoseconds > 0 else {
            self = .global
            return
        }
        let count = ReadoutMotion.intervalsPerHalf
        self.init(halfSeconds: Double(readoutNanoseconds) * 0.5e-9, rotations: [], displacements: [])
        let instants = (-count...count).map { step in
            instant.advanced(byNanoseconds: readoutNanoseconds * Int64(step) / Int64(2 * count))
        }
        // Backwards: from the row's instant to the frame's, seen from the latter.
        for row in instants.prefix(count) {
            let motion = history.motion(from: row, to: instant, errors: errors)
            rotations.append(motion.rotation.inverse.rotationVector)
            displacements.append(motion.rotation.inverse * (motion.velocity * motion.seconds - motion.position))
        }
        for motion in history.motions(from: instant, to: Array(instants.suffix(count + 1)), errors: errors) {
            rotations.append(motion.rotation.rotationVector)
            displacements.append(motion.position)
        }
    }

    func motion(at seconds: Double) -> (rotation: Rotation, displacement: Vector3) {
        guard halfSeconds > 0 else { return (.identity, .zero) }
        let last = rotations.count - 1
        let place = min(max((seconds / halfSeconds + 1) / 2 * Double(last), 0), Double(last))
        let index = min(Int(place), last - 1)
        let fraction = place - Double(index)
        return (
            Rotation(rotationVector: rotations[index] + (rotations[index + 1] - rotations[index]) * fraction),
            displacements[index] + (displacements[index + 1] - displacements[index]) * fraction
        )
    }
}
