// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What a session answered about its world, frame by frame: what is compared with the truth.
///
/// It comes from a trace, or from the frames of a session that runs.
public struct SessionAnswers: Hashable, Sendable {
    /// Where the poses come from, in the words of a trace; `nil` where nobody says.
    public var mode: String?
    /// The frames, in the order of their instants.
    public var frames: [FrameAnswers]

    /// The answers of these frames.
    public init(mode: String? = nil, frames: [FrameAnswers] = []) {
        self.mode = mode
        self.frames = frames
    }
}

/// What a session answered at one frame. Places are in the session's own world.
public struct FrameAnswers: Hashable, Sendable {
    /// The frame's instant.
    public var timestamp: Timestamp
    /// The camera's pose with ARKit's axes; `nil` where it was not known.
    public var worldFromCamera: RigidTransform?
    /// Whether the session vouched for the pose: the state `normal`.
    public var isTracked: Bool
    /// The planes that were new at this frame, or not as they had been.
    public var changedPlanes: [PlaneAnswer] = []
    /// The identifiers of the anchors that were gone from this frame on.
    public var removedAnchors: [String] = []
    /// The hit tests that were made.
    public var hits: [HitAnswer] = []
    /// The rectangles that the picture shows; `nil` where nobody looked for any.
    public var rectangles: [RectangleAnswer]?
    /// The rectangles whose place in the world is known; `nil` where nobody looked for any.
    public var placedRectangles: [PlacedRectangleAnswer]?
    /// The codes that the picture shows; `nil` where nobody looked for any.
    public var codes: [CodeAnswer]?
    /// The image targets that the picture shows; `nil` where nobody looked for any.
    public var targets: [TargetAnswer]?
    /// The faces that are followed; `nil` where nobody looked for any.
    public var faces: [FaceAnswer]?

    /// A frame about which nothing else was answered.
    public init(timestamp: Timestamp, worldFromCamera: RigidTransform?, isTracked: Bool = true) {
        self.timestamp = timestamp
        self.worldFromCamera = worldFromCamera
        self.isTracked = isTracked
    }
}
