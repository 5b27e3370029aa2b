// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A frame with the pose that was found for it: what the world is built on.
public struct TrackedFrame: Hashable, Sendable {
    /// The frame's instant.
    public var timestamp: Timestamp
    /// How far the pose can be trusted.
    public var trackingState: TrackingState
    /// Whether the picture is one that came before, from elsewhere: of a camera that has stopped, or a video that was brought to a higher
    /// rate. Where the camera is, the picture does not show then.
    public var showsOldPicture: Bool
    /// The camera's pose: ARKit's axes, world +Y up. The last known one while the state is
    /// ``TrackingState/notAvailable``.
    public var worldFromCamera: RigidTransform
    /// The lens and the sensor.
    public var camera: Camera
    /// Columns and rows of the frame.
    public var imageSize: ImageSize
    /// What the tracker knows of the motion; `nil` where the pose was not estimated or nothing is known yet.
    public var motion: MotionEstimate?
    /// The points that this frame shows whose place in the world is known, in the order of their ids: ARKit's raw feature
    /// points.
    public var featurePoints: [EstimatedLandmark]
    /// Where the frame shows the points that are followed, those whose place is not known yet among them, in the order of their
    /// ids.
    public var sightings: [PointSighting]

    /// A frame with this pose.
    public init(
        timestamp: Timestamp, trackingState: TrackingState, showsOldPicture: Bool = false,
        worldFromCamera: RigidTransform, camera: Camera, imageSize: ImageSize, motion: MotionEstimate? = nil,
        featurePoints: [EstimatedLandmark] = [], sightings: [PointSighting] = []
    ) {
        self.timestamp = timestamp
        self.trackingState = trackingState
        self.showsOldPicture = showsOldPicture
        self.worldFromCamera = worldFromCamera
        self.camera = camera
        self.imageSize = imageSize
        self.motion = motion
        self.featurePoints = featurePoints
        self.sightings = sightings
    }

    /// The pose with OpenCV's axes: +X right, +Y down, +Z forward.
    public var worldFromOptical: RigidTransform { worldFromCamera * .cameraFromOptical }

    /// The pixel where a point of the world is seen, or `nil` outside the camera's domain. It may lie outside the
    /// picture.
    public func project(_ pointInWorld: Point3) -> PixelPoint? {
        camera.project(worldFromOptical.inverse * pointInWorld)
    }

    /// The direction in the world in which a pixel looks, or `nil` where the camera sees nothing.
    public func directionInWorld(of pixel: PixelPoint) -> Vector3? {
        camera.unproject(pixel).map { worldFromOptical.rotation * $0 }
    }
}

/// A point that is followed, as one frame shows it.
public struct PointSighting: Hashable, Sendable {
    /// The point's number, as in ``EstimatedLandmark/id``.
    public var id: UInt64
    /// Where it is in the picture.
    public var pixel: PixelPoint

    /// A point at that pixel.
    public init(id: UInt64, pixel: PixelPoint) {
        self.id = id
        self.pixel = pixel
    }
}
