// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
@testable import ARSimulation

/// Where a scene's frames really show the points that were seen first at some pixel. What stands still alone is asked for.
final class TrueSights {
    private let session: SceneSession
    private let raycaster: Raycaster
    private let rays = RayBatch(capacity: 1, near: 1e-3)
    private let hits = HitBatch(capacity: 1)

    init(_ scene: Scene) throws {
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
        guard let hit = hit(at: pixel, inFrameAt: timestamp) else { return nil }
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

    /// Where a frame shows a point of the world.
    func pixel(of pointInWorld: Point3, inFrameAt timestamp: Timestamp) -> PixelPoint? {
        session.project(pointInWorld, inFrameAt: timestamp)
    }

    /// The direction in which a frame's camera looks at a point of the world, of length one.
    func direction(to place: Point3, inFrameAt timestamp: Timestamp) -> Vector3 {
        (place - worldFromOptical(timestamp).translation).normalized() ?? .zero
    }

    private func worldFromOptical(_ timestamp: Timestamp) -> RigidTransform {
        session.worldFromCamera(at: timestamp.seconds(since: SceneSession.start)) * .cameraFromOptical
    }
}
