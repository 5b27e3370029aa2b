// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension SceneSession {
    /// Where a fixed point of the world is in the frame with that stamp: in the row that is exposed while the camera sees
    /// it there, and in the middle of that row's exposure.
    ///
    /// The pixel may lie outside the picture. It is `nil` behind the camera and wherever else the lens sees nothing, and
    /// where the point moves up or down faster than the rows are read. Laws: `RollingShutterTests`.
    public func project(_ pointInWorld: Point3, inFrameAt timestamp: Timestamp) -> PixelPoint? {
        project(inFrameAt: timestamp) { _ in pointInWorld }
    }

    /// Where a moving point of the world is in the frame with that stamp.
    ///
    /// - pointInWorld: the point's place at a time of the scene, in seconds.
    public func project(
        inFrameAt timestamp: Timestamp, movingPoint pointInWorld: (Double) -> Point3
    ) -> PixelPoint? {
        let frameSeconds = timestamp.seconds(since: Self.start)
        return RollingShutterProjection(camera: scene.camera.model, shutter: shutter).project { offset in
            let opticalFromWorld = RigidTransform.opticalFromCamera * worldFromCamera(at: frameSeconds + offset).inverse
            return opticalFromWorld * pointInWorld(frameSeconds + offset)
        }
    }
}
