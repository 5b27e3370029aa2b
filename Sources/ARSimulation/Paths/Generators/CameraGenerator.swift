// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

/// A way in which people move a camera, for as long as the scene lasts.
protocol CameraGenerator: SceneMapping {
    /// The camera's pose over time, smooth on the scale of ``knotSeconds``; all that is random is drawn from `random`.
    func makeMotion(_ random: inout SeededRandom) -> (Double) -> RigidTransform

    /// The time between the knots that carry this motion.
    var knotSeconds: Double { get }
}

extension RigidTransform {
    /// A camera at a place that looks along a heading (0 along −z, counter-clockwise seen from above), tilted up by the
    /// pitch, and turned about its axis by the roll.
    init(cameraAt position: Point3, heading: Double, pitch: Double, roll: Double = 0) {
        let turn = Rotation(rotationVector: Vector3(0, heading, 0))
        let tilt = Rotation(rotationVector: Vector3(pitch, 0, 0))
        self.init(
            rotation: turn * tilt * Rotation(rotationVector: Vector3(0, 0, roll)), translation: position)
    }

    /// A camera at a place that looks at a point which is not straight above or below it.
    init(cameraAt position: Point3, lookingAt target: Point3, roll: Double = 0) {
        var view = Scene.Waypoint()
        view.position = position
        view.lookAt = target
        view.rollRadians = roll
        guard let pose = view.worldFromCamera else {
            preconditionFailure("a camera at \(position) cannot look straight up or down at \(target)")
        }
        self = pose
    }
}
