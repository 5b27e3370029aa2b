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
        let candidates = samples.filter(isTurnedHereAndInThePicture)
        guard total > 0, !candidates.isEmpty else { return 0 }
        let rays = RayBatch(capacity: candidates.count, near: 0)
        for (index, sample) in candidates.enumerated() {
            let way = sample.position - worldFromCamera.translation
            rays.set(
                index, origin: worldFromCamera.translation, direction: way, far: Float(1 - Self.margin / way.length))
        }
        var isHidden = [UInt8](repeating: 0, count: candidates.count)
        occlusion.occluded(rays, count: candidates.count, into: &isHidden)
        return zip(candidates, isHidden).reduce(0) { $0 + ($1.1 == 0 ? $1.0.area : 0) } / total
    }

    private static let margin = 2e-3

    /// Whether a point is inside the picture and nothing hides it up to that many metres before it.
    func isSeen(_ point: Point3, margin: Double) -> Bool {
        guard let pixel = pixel(of: { _ in point }), session.scene.camera.size.contains(pixel) else { return false }
        return !occlusion.isBlocked(from: worldFromCamera.translation, to: point, margin: margin)
    }

    private func isTurnedHereAndInThePicture(_ sample: SurfaceSample) -> Bool {
        guard sample.normal.dot(worldFromCamera.translation - sample.position) > 0 else { return false }
        return pixel { _ in sample.position }.map(session.scene.camera.size.contains) ?? false
    }
}
