// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

/// How a device moves in a scene.
struct DeviceMotion {
    /// The motion of the inertial sensor.
    var worldFromImu: PoseSpline
    /// How the motion was found in a trajectory file, where it comes from one.
    var fit: TrajectoryFit?
}

extension Scene {
    /// Where the camera sits in the device; in a device without inertial sensor the camera's optical axes are its own.
    var imuFromOptical: RigidTransform { imu?.imuFromOptical ?? .identity }

    /// The motion of the device, with the tremor of the hand that holds it.
    ///
    /// All of it ends up in one spline: the camera's way is sampled densely, the tremor added to the samples, the camera
    /// exchanged for the inertial sensor, and a spline laid through what comes out. A recorded motion without tremor is
    /// taken as it is.
    func makeDeviceMotion() throws(SceneError) -> DeviceMotion {
        let imuFromCamera = imuFromOptical * .opticalFromCamera
        let way: CameraWay
        var fit: TrajectoryFit?
        if let generator = cameraPath.generator {
            var random = SeededRandom(seed: seed, purpose: "camera path \(cameraPath.kind.rawValue)")
            // The spline's end, where its acceleration is zero, lies behind the scene's.
            way = CameraWay(
                endSeconds: durationSeconds + min(10 * generator.knotSeconds, 1), knotSeconds: generator.knotSeconds,
                worldFromCamera: generator.makeMotion(&random))
        } else if cameraPath.kind == .trajectory {
            let recorded = try fitTrajectory()
            fit = recorded
            guard isTrembling else { return DeviceMotion(worldFromImu: recorded.motion, fit: fit) }
            way = CameraWay(
                endSeconds: recorded.motion.endSeconds, knotSeconds: recorded.motion.intervalSeconds,
                worldFromCamera: { recorded.motion.worldFromBody(at: $0) * imuFromCamera })
        } else {
            way = cameraPath.wayThroughWaypoints
        }
        let tremor = HandTremor(meters: cameraPath.tremorMeters, radians: cameraPath.tremorRadians, seed: seed)
        let knotSeconds = isTrembling ? min(way.knotSeconds, HandTremor.knotSeconds) : way.knotSeconds
        let count = max(1, Int((way.endSeconds / knotSeconds - 1e-9).rounded(.up)))
        let interval = way.endSeconds / Double(count)
        let cameraFromImu = imuFromCamera.inverse
        let poses = (0...count).map { index in
            let seconds = Double(index) * interval
            let steady = way.worldFromCamera(seconds)
            return (isTrembling ? steady * tremor.steadyFromCamera(at: seconds) : steady) * cameraFromImu
        }
        return DeviceMotion(worldFromImu: PoseSpline(through: poses, intervalSeconds: interval), fit: fit)
    }

    private var isTrembling: Bool { cameraPath.tremorMeters > 0 || cameraPath.tremorRadians > 0 }

    private func fitTrajectory() throws(SceneError) -> TrajectoryFit {
        TrajectoryFit(
            try trajectoryPoses(errorPosition: ScenePosition(file: "(scene \(name))", line: 1, column: 1)),
            positionCutoffInHertz: cameraPath.trajectory.positionCutoffInHertz,
            rotationCutoffInHertz: cameraPath.trajectory.rotationCutoffInHertz)
    }
}

/// A camera's way before anybody trembles.
private struct CameraWay {
    var endSeconds: Double
    /// Knots that are this far apart carry the way.
    var knotSeconds: Double
    var worldFromCamera: (Double) -> RigidTransform
}

extension Scene.CameraPath {
    /// The way through the waypoints.
    ///
    /// At equal intervals it is the spline with its knots there. At other times position and quaternion go along natural
    /// cubic splines, the quaternion scaled back to length one, which keeps it twice continuously differentiable.
    fileprivate var wayThroughWaypoints: CameraWay {
        let poses = waypoints.map { waypoint in
            guard let pose = waypoint.worldFromCamera else {
                preconditionFailure("\(waypoint) looks along the vertical; validate the scene first")
            }
            return pose
        }
        let times = waypointTimes
        let end = times[times.count - 1]
        guard waypoints[0].atSeconds != nil else {
            let spline = PoseSpline(through: poses, intervalSeconds: intervalSeconds)
            let knotsPerInterval = (intervalSeconds / 0.05).rounded(.up)
            return CameraWay(
                endSeconds: end, knotSeconds: intervalSeconds / knotsPerInterval,
                worldFromCamera: spline.worldFromBody(at:))
        }
        let positions = NaturalCubicSpline(through: poses.map(\.translation), at: times)
        let quaternions = NaturalCubicSpline(through: Self.neighbouring(poses.map(\.rotation)), at: times)
        let shortest = zip(times, times.dropFirst()).reduce(0.4) { min($0, $1.1 - $1.0) }
        return CameraWay(endSeconds: end, knotSeconds: max(shortest / 8, 0.005)) { seconds in
            RigidTransform(
                rotation: Rotation(unitCoefficients: quaternions.value(at: seconds)).normalized,
                translation: positions.value(at: seconds))
        }
    }

    /// The rotations' quaternions, each with the sign that brings it near the one before.
    private static func neighbouring(_ rotations: [Rotation]) -> [Vector4] {
        var quaternions: [Vector4] = []
        for rotation in rotations {
            let q = rotation.coefficients
            quaternions.append((quaternions.last.map { $0.dot(q) } ?? 1) < 0 ? -q : q)
        }
        return quaternions
    }
}
