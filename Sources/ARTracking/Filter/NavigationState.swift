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
        let coasted: Vector3 = velocity * t + gravity * (0.5 * t * t)
        next.worldFromImu.translation += coasted + worldFromImu.rotation * motion.position
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
        let coasted: Vector3 = earlier.velocity * t + gravity * (0.5 * t * t)
        earlier.worldFromImu.translation -= coasted + earlier.worldFromImu.rotation * motion.position
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
        let (rotation, displacement) = readout.motion(at: seconds)
        return RigidTransform(
            rotation: worldFromImu.rotation * rotation,
            translation: worldFromImu.translation + velocity * seconds + gravity * (0.5 * seconds * seconds)
                + worldFromImu.rotation * displacement)
    }

    /// The same, and how the IMU moved there.
    func row(at seconds: Double, gravity: Vector3) -> RowMotion {
        let pose = worldFromImu(at: seconds, gravity: gravity)
        let (rate, displacementRate) = readout.rates(at: seconds)
        return RowMotion(
            worldFromImu: pose, angularVelocity: pose.rotation * rate,
            velocity: velocity + gravity * seconds + worldFromImu.rotation * displacementRate)
    }
}

/// Where the IMU was when a row was exposed, and how it moved there: all in the world, in rad/s and m/s.
struct RowMotion: Sendable {
    var worldFromImu: RigidTransform
    var angularVelocity: Vector3
    var velocity: Vector3
}

/// How an IMU moved about a frame's instant: rotation, and displacement without that of velocity and gravity, both in
/// the IMU's frame at the instant. Tabulated; linear between, and beyond.
struct ReadoutMotion: Sendable {
    private let halfSeconds: Double
    private var rotations: [Vector3]
    private var displacements: [Vector3]

    private static let intervalsPerHalf = 4
    /// To each side of the instant: a readout that seems to take no time may yet turn out to take some.
    private static let leastHalfNanoseconds: Int64 = 2_000_000

    /// A shutter that exposes all rows at once, and always will.
    static let global = ReadoutMotion(halfSeconds: 0, rotations: [], displacements: [])

    private init(halfSeconds: Double, rotations: [Vector3], displacements: [Vector3]) {
        self.halfSeconds = halfSeconds
        self.rotations = rotations
        self.displacements = displacements
    }

    /// The motion that samples tell, from half the readout before an instant to half of it after, and a little way at least.
    init(about instant: Timestamp, readoutSeconds: Double, history: ImuHistory, errors: ImuErrors) {
        let count = Self.intervalsPerHalf
        let half = max(Int64((abs(readoutSeconds) * 0.5e9).rounded()), Self.leastHalfNanoseconds)
        self.init(halfSeconds: Double(half) * 1e-9, rotations: [], displacements: [])
        let instants = (-count...count).map { instant.advanced(byNanoseconds: half * Int64($0) / Int64(count)) }
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
        let (index, fraction) = line(at: seconds)
        return (
            Rotation(rotationVector: Self.between(rotations, index, fraction)),
            Self.between(displacements, index, fraction)
        )
    }

    /// How fast it changes: the rotation's rate in the axes of the IMU as it is turned then.
    func rates(at seconds: Double) -> (rotation: Vector3, displacement: Vector3) {
        guard halfSeconds > 0 else { return (.zero, .zero) }
        let (index, fraction) = line(at: seconds)
        let perSecond = Double(rotations.count - 1) / (2 * halfSeconds)
        let turn = (rotations[index + 1] - rotations[index]) * perSecond
        return (
            Rotation.rightJacobian(Self.between(rotations, index, fraction)) * turn,
            (displacements[index + 1] - displacements[index]) * perSecond
        )
    }

    /// After which entry of the table, and how far after it, measured by the way to the next.
    private func line(at seconds: Double) -> (index: Int, fraction: Double) {
        let last = rotations.count - 1
        let place = (seconds / halfSeconds + 1) / 2 * Double(last)
        let index = min(max(Int(place), 0), last - 1)
        return (index, place - Double(index))
    }

    private static func between(_ table: [Vector3], _ index: Int, _ fraction: Double) -> Vector3 {
        table[index] + (table[index + 1] - table[index]) * fraction
    }
}
