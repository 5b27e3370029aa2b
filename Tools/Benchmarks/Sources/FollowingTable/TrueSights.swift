// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
@testable import ARSimulation

/// Where a scene's frames really show the points that were seen first at some pixel, in the mean over the exposure: that is where a blurred
/// picture shows them. What stands still alone is asked for.
final class TrueSights {
    private let session: SceneSession
    /// Half of the exposure.
    private let halfNanoseconds: Int64
    private let raycaster: Raycaster
    private let rays = RayBatch(capacity: 1, near: 1e-3)
    private let hits = HitBatch(capacity: 1)

    /// - Parameter exposureSeconds: how long each frame was exposed.
    init(_ scene: Scene, exposureSeconds: Double) throws {
        halfNanoseconds = Int64(exposureSeconds / 2 * 1e9)
        session = try SceneSession(scene: scene, threads: 1)
        raycaster = session.stage.makeRaycaster()
        session.stage.place(session.shot(at: 0), in: raycaster)
    }

    deinit { hits.deallocate() }

    /// The camera's turn from one frame to a later one, in optical axes.
    func opticalFromPreviousOptical(from previous: Timestamp, to next: Timestamp) -> Rotation {
        worldFromOptical(next).rotation.inverse * worldFromOptical(previous).rotation
    }

    /// What a frame shows at a pixel, and whether all that surrounds it so far belongs to the same surface.
    func pointInWorld(at pixel: PixelPoint, inFrameAt timestamp: Timestamp, surroundings pixels: Double)
        -> (place: Point3, isAlone: Bool)?
    {
        // What is at the pixel in the mean is aside of it in the middle of the exposure.
        guard let near = hit(at: pixel, inFrameAt: timestamp),
            let mean = self.pixel(of: near.place, inFrameAt: timestamp),
            let hit = hit(at: PixelPoint(2 * pixel.x - mean.x, 2 * pixel.y - mean.y), inFrameAt: timestamp)
        else { return nil }
        let steps = [-pixels, 0, pixels]
        let isAlone = steps.allSatisfy { down in
            steps.allSatisfy { right in
                let other = self.hit(at: PixelPoint(pixel.x + right, pixel.y + down), inFrameAt: timestamp)
                return other?.object == hit.object && other?.primitive == hit.primitive
            }
        }
        return (hit.place, isAlone)
    }

    /// What is met first on the ray of the instant at which a pixel's row was exposed.
    private func hit(at pixel: PixelPoint, inFrameAt timestamp: Timestamp)
        -> (place: Point3, object: Int32, primitive: UInt32)?
    {
        let row = Int64(session.shutter.offsetSeconds(ofRow: pixel.y) * 1e9)
        let worldFromOptical = worldFromOptical(timestamp.advanced(byNanoseconds: row))
        guard let ray = session.scene.camera.model.unproject(pixel) else { return nil }
        let direction = worldFromOptical.rotation * ray
        rays.set(0, origin: worldFromOptical.translation, direction: direction, far: .infinity)
        raycaster.intersect(rays, count: 1, hits: hits)
        guard hits.object[0] >= 0 else { return nil }
        return (
            worldFromOptical.translation + direction * Double(hits.depth[0]), hits.object[0], hits.primitive[0]
        )
    }

    /// Where a frame shows a point of the world, in the mean (Simpson's rule).
    func pixel(of pointInWorld: Point3, inFrameAt timestamp: Timestamp) -> PixelPoint? {
        func pixel(after nanoseconds: Int64) -> Vector2? {
            session.project(pointInWorld, inFrameAt: timestamp.advanced(byNanoseconds: nanoseconds))?.vector
        }
        guard let first = pixel(after: -halfNanoseconds), let middle = pixel(after: 0),
            let last = pixel(after: halfNanoseconds)
        else { return nil }
        let mean = (first + 4 * middle + last) / 6
        return PixelPoint(mean.x, mean.y)
    }

    /// The direction in which a frame's camera looks at a point of the world, of length one.
    func direction(to place: Point3, inFrameAt timestamp: Timestamp) -> Vector3 {
        (place - worldFromOptical(timestamp).translation).normalized() ?? .zero
    }

    private func worldFromOptical(_ timestamp: Timestamp) -> RigidTransform {
        session.worldFromCamera(at: timestamp.seconds(since: SceneSession.start)) * .cameraFromOptical
    }
}
