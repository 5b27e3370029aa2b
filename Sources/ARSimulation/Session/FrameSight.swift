// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// What the camera of a session sees in one frame: where points are in its picture, and what hides them.
struct FrameSight {
    private let session: SceneSession
    private let timestamp: Timestamp
    private let occlusion: Raycaster
    /// The time of the scene.
    let seconds: Double
    /// The camera's pose at the frame's instant.
    let worldFromCamera: RigidTransform

    /// The sight at a frame's instant; `occlusion` holds the stage, and is used by nobody else meanwhile.
    init(of session: SceneSession, at timestamp: Timestamp, occlusion: Raycaster) {
        self.session = session
        self.timestamp = timestamp
        self.occlusion = occlusion
        seconds = timestamp.seconds(since: SceneSession.start)
        worldFromCamera = session.worldFromCamera(at: seconds)
        session.stage.place(at: seconds, in: occlusion)
    }

    /// Where a point is in the picture, or `nil` behind the camera; it may lie outside.
    func pixel(of pointInWorld: (Double) -> Point3) -> PixelPoint? {
        session.project(inFrameAt: timestamp, movingPoint: pointInWorld)
    }

    /// Which part of a surface is seen, 0…1, by area.
    ///
    /// A sample counts as hidden when something lies between the camera and a place just before it: two millimetres, more
    /// than cloth and skin sink in between two of their vertices.
    func visibleFraction(of samples: [SurfaceSample]) -> VisibleFraction {
        let total = samples.reduce(0) { $0 + $1.area }
        guard total > 0 else { return 0 }
        let seen = samples.reduce(0) { $0 + (isSeen($1) ? $1.area : 0) }
        return seen / total
    }

    /// Whether a point is inside the picture and nothing hides it up to that many metres before it.
    func isSeen(_ point: Point3, margin: Double) -> Bool {
        guard let pixel = pixel(of: { _ in point }), session.scene.camera.size.contains(pixel) else { return false }
        return !occlusion.isBlocked(from: worldFromCamera.translation, to: point, margin: margin)
    }

    private func isSeen(_ sample: SurfaceSample) -> Bool {
        sample.normal.dot(worldFromCamera.translation - sample.position) > 0 && isSeen(sample.position, margin: 2e-3)
    }
}
