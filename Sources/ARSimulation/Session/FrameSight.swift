// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// What the camera of a session sees in one frame: where points are in its picture, and what hides them.
///
/// Everything is looked at in the row that shows it, at that row's instant: from where the camera is then, past what is in
/// the way then. Law: `SceneTruthTests.visibilityIsThatOfTheRow`.
struct FrameSight {
    private let session: SceneSession
    private let timestamp: Timestamp
    private let occlusion: Raycaster
    /// Where everything is.
    let shot: Shot
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
        shot = session.shot(at: seconds)
        session.stage.place(shot, in: occlusion)
    }

    /// Where a point is in the picture, or `nil` behind the camera; it may lie outside.
    func pixel(of pointInWorld: (Double) -> Point3) -> PixelPoint? {
        session.project(inFrameAt: timestamp, movingPoint: pointInWorld)
    }

    /// Which part of a surface is seen, 0…1, by area; `surface` gives its points at a time of the scene, in an order that
    /// does not change.
    ///
    /// Points move evenly from the first row's instant to the last's. One counts as hidden when something lies between
    /// the camera and a place just before it: two millimetres, more than cloth and skin sink in between two of their
    /// vertices.
    func visibleFraction(of surface: (_ seconds: Double) -> [SurfaceSample]) -> VisibleFraction {
        let half = session.shutter.readoutSeconds / 2
        let first = surface(seconds - half)
        let last = half == 0 ? first : surface(seconds + half)
        let total = first.reduce(0) { $0 + $1.area }
        guard total > 0 else { return 0 }
        let rays = RayBatch(capacity: first.count, near: 0)
        var areas: [Double] = []
        for (start, end) in zip(first, last) {
            guard let look = look(at: start, movingTo: end) else { continue }
            rays.set(
                areas.count, origin: look.origin, direction: look.way, far: Float(1 - Self.margin / look.way.length),
                time: Float(look.time))
            areas.append(start.area)
        }
        var isHidden = [UInt8](repeating: 0, count: areas.count)
        occlusion.occluded(rays, count: areas.count, into: &isHidden)
        return zip(areas, isHidden).reduce(0) { $0 + ($1.1 == 0 ? $1.0 : 0) } / total
    }

    private static let margin = 2e-3

    /// Whether a moving point is inside the picture and nothing hides it up to that many metres before it.
    func isSeen(_ point: (Double) -> Point3, margin: Double) -> Bool {
        guard let pixel = pixel(of: point), let row = row(of: pixel) else { return false }
        let time = shot.time(ofRow: row)
        let pointThen = point(seconds + session.shutter.readoutSeconds * (time - 0.5))
        return !occlusion.isBlocked(
            from: shot.worldFromCameraByRow[row].translation, to: pointThen, margin: margin, time: Float(time))
    }

    /// The row of a pixel, or `nil` outside the picture.
    private func row(of pixel: PixelPoint) -> Int? {
        session.scene.camera.size.contains(pixel) ? max(Int(pixel.y.rounded()), 0) : nil
    }

    /// A look at a point of a surface, from the camera as it is in the point's row, at that fraction of the readout.
    private struct Look {
        let origin: Point3
        let way: Vector3
        let time: Double
    }

    /// The look at a point, when it is in the picture and its front faces the camera.
    private func look(at start: SurfaceSample, movingTo end: SurfaceSample) -> Look? {
        let readout = session.shutter.readoutSeconds
        func position(_ time: Double) -> Point3 { mix(start.position, end.position, time) }
        let pixel = pixel { now in
            readout == 0 ? start.position : position((now - seconds) / readout + 0.5)
        }
        guard let pixel, let row = row(of: pixel) else { return nil }
        let time = shot.time(ofRow: row)
        let origin = shot.worldFromCameraByRow[row].translation
        let way = position(time) - origin
        guard mix(start.normal, end.normal, time).dot(way) < 0 else { return nil }
        return Look(origin: origin, way: way, time: time)
    }
}
