// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision
import Foundation
import TestSupport
import Testing
import VisionTestSupport

@testable import ARVision

@Suite struct PatchOriginTests {
    /// Where the pixels of a patch go as the camera turns, and moves past the plane of which the patch is a piece, is what an affine
    /// warp and the curvature say. The affine warp alone leaves more than ten times as much (root mean squares: at the edge of a
    /// lens that hardly grows any more, terms of third order are as large).
    @Test(arguments: SampleCamera.small, [0, 0.3]) func curvatureIsOfSecondOrder(
        sample: SampleCamera, way: Double
    ) throws {
        let (camera, size) = (sample.camera, sample.imageSize)
        var random = TestRandom()
        var (affine, curved, count) = (0.0, 0.0, 0.0)
        for _ in 0..<200 {
            let pixel = PixelPoint(
                random.uniform(40...Double(size.width - 40)), random.uniform(40...Double(size.height - 40)))
            let turn = Rotation(rotationVector: 0.4 * random.vector3(-1...1))
            let shift = way * random.vector3(-1...1)
            let middle = try #require(camera.unproject(pixel))
            // In depths of the middle.
            let slope = 0.7 * random.vector2(-1...1)
            func place(_ direction: Vector3) -> Point3 {
                let (x, y) = (direction.x / direction.z, direction.y / direction.z)
                let inverseDepth =
                    1 + slope.x * (x - middle.x / middle.z) + slope.y * (y - middle.y / middle.z)
                return turn * Vector3(x, y, 1) / inverseDepth + shift
            }
            guard let new = camera.project(place(middle)),
                (30...Double(size.width - 30)).contains(new.x), (30...Double(size.height - 30)).contains(new.y)
            else { continue }
            func seen(_ u: Vector2) throws -> Vector2 {
                let direction = try #require(camera.unproject(PixelPoint(pixel.x + u.x, pixel.y + u.y)))
                return try #require(camera.project(place(direction))).vector - new.vector
            }
            // The first derivatives by differences, to the fourth order.
            func derivative(_ axis: Vector2) throws -> Vector2 {
                try (8 * (seen(axis) - seen(-1 * axis)) - (seen(2 * axis) - seen(-2 * axis))) / 12
            }
            let (byU, byV) = (try derivative(Vector2(1, 0)), try derivative(Vector2(0, 1)))
            var origin = PatchOrigin(pixel, onLevel: 0, camera: camera, opticalFromFirstOptical: .identity)
            origin.look(camera, at: new, opticalFromFirstOptical: turn)
            origin.curve(
                camera,
                as: CVisionWarp(
                    x: new.x, y: new.y, xx: Float(byU.x), xy: Float(byV.x), yx: Float(byU.y), yy: Float(byV.y)))
            let view = origin.view
            if way == 0 {
                #expect((view.acrossColumns - byU).length < 0.01)
                #expect((view.acrossRows - byV).length < 0.01)
            }
            for _ in 0..<10 {
                let u = random.vector2(-9...9)
                let bent = u + view.curvature.moved(u)
                affine += try (seen(u) - u.x * byU - u.y * byV).squaredLength
                curved += try (seen(u) - bent.x * byU - bent.y * byV).squaredLength
                count += 1
            }
        }
        #expect((affine / count).squareRoot() > 0.01)
        #expect(curved < 0.01 * affine)
    }

    /// Without a turn nothing is curved, nor where the turn is not known.
    @Test(arguments: SampleCamera.small) func whatDoesNotTurnIsNotCurved(sample: SampleCamera) throws {
        let camera = sample.camera
        let turn = Rotation(rotationVector: Vector3(0.1, 0.4, -0.2))
        var origin = PatchOrigin(PixelPoint(60, 50), onLevel: 0, camera: camera, opticalFromFirstOptical: turn)
        func largest(_ now: Rotation) throws -> Double {
            let middle = try #require(camera.unproject(PixelPoint(60, 50)))
            let pixel = try #require(camera.project(now * turn.inverse * middle))
            origin.look(camera, at: pixel, opticalFromFirstOptical: now)
            let (u, v) = (origin.view.acrossColumns, origin.view.acrossRows)
            origin.curve(
                camera,
                as: CVisionWarp(
                    x: pixel.x, y: pixel.y, xx: Float(u.x), xy: Float(v.x), yx: Float(u.y), yy: Float(v.y)))
            let curvature = origin.view.curvature
            return [Vector2(9, 0), Vector2(0, 9), Vector2(9, 9)].map { curvature.moved($0).length }.max()!
        }
        #expect(try largest(turn) < 1e-6)
        #expect(try largest(.identity) > 0.05)
        let old = origin.view
        origin.forgetTurn()
        #expect(try largest(turn) == 0)
        #expect(origin.view.acrossColumns == old.acrossColumns && origin.view.acrossRows == old.acrossRows)
    }

    /// A warp that shows what a turn made of the patch, with whatever the camera's way made of it before, shows the same after
    /// another turn.
    @Test(arguments: SampleCamera.small) func warpsTurnWithTheCamera(sample: SampleCamera) throws {
        let camera = sample.camera
        var random = TestRandom()
        for _ in 0..<20 {
            var origin = PatchOrigin(
                PixelPoint(150, 120), onLevel: 0, camera: camera, opticalFromFirstOptical: .identity)
            func warp(_ shape: [Vector2]) -> CVisionWarp {
                let (u, v) = (origin.view.acrossColumns, origin.view.acrossRows)
                let columns = shape[0].x * u + shape[0].y * v, rows = shape[1].x * u + shape[1].y * v
                return CVisionWarp(
                    x: 7, y: 9, xx: Float(columns.x), xy: Float(rows.x), yx: Float(columns.y), yy: Float(rows.y))
            }
            let shape = [Vector2(1, 0) + random.vector2(-0.2...0.2), Vector2(0, 1) + random.vector2(-0.2...0.2)]
            var views: [(view: PatchView, warp: CVisionWarp)] = []
            for _ in 0..<2 {
                let turn = Rotation(rotationVector: 0.3 * random.vector3(-1...1))
                let middle = try #require(camera.unproject(PixelPoint(150, 120)))
                origin.look(
                    camera, at: try #require(camera.project(turn * middle)), opticalFromFirstOptical: turn)
                views.append((origin.view, warp(shape)))
            }
            let turned = views[0].warp.turned(from: views[0].view, to: views[1].view)
            let expected = views[1].warp
            for (a, b) in [
                (turned.xx, expected.xx), (turned.xy, expected.xy), (turned.yx, expected.yx), (turned.yy, expected.yy),
            ] { #expect(abs(a - b) < 1e-5) }
            #expect(turned.x == 7 && turned.y == 9)
        }
    }

    /// What a camera sees that turns on the spot: light of its own in each direction.
    private static func picture(_ texture: WaveTexture, _ sample: SampleCamera, opticalFromWorld: Rotation)
        -> ImageBuffer
    {
        let worldFromOptical = opticalFromWorld.inverse
        return texture.picture(sample.imageSize) { place in
            guard let direction = sample.camera.unproject(PixelPoint(place.x, place.y)) else { return .zero }
            let seen = worldFromOptical * direction
            return 200 * Vector2(atan2(seen.x, seen.z), seen.y)
        }
    }

    /// A camera turns by half a radian: on average points stay on what they were seen on to within a hundredth of a pixel,
    /// along the turn, although the lens curves what they were seen by.
    @Test(arguments: SampleCamera.small) func turnsDoNotDragPoints(sample: SampleCamera) throws {
        let camera = sample.camera
        var random = TestRandom()
        var errors: [Double] = []
        for _ in 0..<3 {
            let texture = WaveTexture(&random)
            var tracker = FeatureTracker(camera: camera, imageSize: sample.imageSize)
            let step = Rotation(rotationVector: Vector3(0, 0.025, 0))
            var opticalFromWorld = Rotation.identity
            var births: [FeatureID: Vector3] = [:]
            for number in 0..<20 {
                if number > 0 { opticalFromWorld = step * opticalFromWorld }
                let frame = tracker.track(
                    Self.picture(texture, sample, opticalFromWorld: opticalFromWorld),
                    motion: number > 0 ? PredictedMotion(opticalFromPreviousOptical: step) : nil)
                for point in frame.observations {
                    let direction = births[point.id] ?? opticalFromWorld.inverse * point.direction
                    births[point.id] = direction
                    guard point.frameCount >= 12, let truth = camera.project(opticalFromWorld * direction) else {
                        continue
                    }
                    errors.append(point.pixel.x - truth.x)
                }
            }
        }
        #expect(errors.count > 300)
        let mean = errors.reduce(0, +) / Double(errors.count)
        #expect(abs(mean) < 0.003)
    }
}
