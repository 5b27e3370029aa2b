// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSim
@testable import ARTargets

struct TargetPlacementTests {
    private static let worldFromTarget = RigidTransform(
        rotation: Rotation(rotationVector: Vector3(0.3, 0.2, -0.1)), translation: Vector3(0.4, 1.2, -0.8))

    /// A camera that walks around and looks at the target.
    private static func camera(_ frame: Int) -> RigidTransform {
        let angle = Double(frame) / 20
        let place = worldFromTarget * Point3(0.5 * sin(angle), 0.7 + 0.1 * cos(angle), 0.3 * sin(2 * angle))
        return RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, 0.1 * sin(angle), 0.1 * cos(angle))), translation: place)
    }

    /// What the camera sees with small errors, more along its ray.
    private static func view(
        _ frame: Int, of worldFromTarget: RigidTransform = worldFromTarget, _ random: inout TestRandom
    ) -> TargetPlacement.Observation {
        let camera = camera(frame)
        var pose = camera.inverse * worldFromTarget
        pose.translation *= 1 + 0.005 * random.uniform()
        pose.translation += 0.001 * random.vector3()
        pose.rotation = (pose.rotation * Rotation(rotationVector: 0.02 * random.vector3())).normalized
        return TargetPlacement.Observation(worldFromCamera: camera, cameraFromTarget: pose, covariance: nil)
    }

    @Test(arguments: 0..<5) func aPrintAtRestIsKnownBetterAndBetter(seed: Int) {
        var random = TestRandom(case: seed)
        var placement = TargetPlacement(Self.view(0, &random))
        for frame in 1..<80 { placement.update(with: Self.view(frame, &random)) }
        #expect(!placement.isMoving)
        let error = placement.worldFromTarget.inverse * Self.worldFromTarget
        #expect(error.translation.length < 0.0015 && error.rotation.angle < 0.01, "\(error)")
    }

    /// One view that is wrong changes nothing; a print that is moved is followed from the second view on.
    @Test func printsThatAreMoved() {
        var random = TestRandom()
        var placement = TargetPlacement(Self.view(0, &random))
        for frame in 1..<40 { placement.update(with: Self.view(frame, &random)) }
        var moved = Self.worldFromTarget
        moved.translation += Vector3(0.2, 0, 0.1)
        placement.update(with: Self.view(40, of: moved, &random))
        #expect((placement.worldFromTarget.translation - Self.worldFromTarget.translation).length < 0.003)
        for frame in 41..<60 {
            moved.translation += Vector3(0.03, 0.01, 0)
            placement.update(with: Self.view(frame, of: moved, &random))
            #expect((placement.worldFromTarget.translation - moved.translation).length < 0.012, "frame \(frame)")
        }
        #expect(placement.isMoving)
        for frame in 60..<100 { placement.update(with: Self.view(frame, of: moved, &random)) }
        #expect(!placement.isMoving)
    }

    /// The covariance of a print that is larger than stated is that of a print that was stated as large.
    @Test(arguments: 0..<20) func covarianceOfAnotherSize(seed: Int) throws {
        var random = TestRandom(case: seed)
        let camera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 900, fy: 905, cx: 640, cy: 355)))
        // A print before the camera, turned by up to half a radian about each axis, its top towards the picture's.
        let facing = try #require(Rotation(Matrix3x3(Vector3(1, 0, 0), Vector3(0, 0, -1), Vector3(0, 1, 0))))
        let opticalFromTarget = RigidTransform(
            rotation: Rotation(rotationVector: 0.5 * random.vector3()) * facing,
            translation: Vector3(random.uniform(-0.05...0.05), random.uniform(-0.05...0.05), 0.4))
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].compactMap {
            camera.project(opticalFromTarget * Vector3(0.1 * $0.0, 0, 0.12 * $0.1))
        }
        let pixelFromPrint = try #require(PixelQuad(corners: corners).pixelFromUnitSquare)
        func pose(width: Double) throws -> PrintPose {
            try #require(
                PrintPose(
                    pixelFromPrint: pixelFromPrint, physicalSize: Vector2(width, 1.2 * width), camera: camera,
                    deviation: 0.3, partCount: 60))
        }
        let scale = random.uniform(0.2...5)
        let (stated, real) = (try pose(width: 0.1), try pose(width: 0.1 * scale))
        let scaled = stated.covariance.ofPrint(timesAsLarge: scale)
        for column in 0..<6 {
            let (found, expected) = (scaled[column], real.covariance[column])
            let size = expected.translation.length + expected.rotation.length
            #expect((found.translation - expected.translation).length < 1e-6 * size)
            #expect((found.rotation - expected.rotation).length < 1e-6 * size)
        }
    }

    /// The scale follows from the camera's own way, whatever it is; standing still tells nothing.
    @Test(arguments: [0.2, 0.9, 1.0, 1.5, 5.0]) func scaleFromTheCamerasWay(truth: Double) throws {
        var random = TestRandom(case: Int(10 * truth))
        var (moving, still) = (TargetScale(), TargetScale())
        for frame in 0..<60 {
            for isStill in [false, true] {
                let camera = Self.camera(isStill ? 0 : frame)
                var offset = (Self.worldFromTarget.translation - camera.translation) / truth
                offset += 0.003 * offset.length * random.vector3()
                if isStill {
                    still.add(camera: camera.translation, offset: offset, planeScale: nil)
                } else {
                    moving.add(camera: camera.translation, offset: offset, planeScale: nil)
                }
            }
        }
        let estimate = try #require(moving.estimate)
        expectClose(estimate.scale / truth, 1, tolerance: 0.01)
        #expect(abs(estimate.scale / truth - 1) < 4 * estimate.deviation + 0.001)
        #expect(still.estimate == nil)
    }

    /// The plane on which a print lies tells its size from few views; single wrong ones do not count.
    @Test func scaleFromThePlane() throws {
        var scale = TargetScale()
        for (frame, value) in [2.01, 1.99, 7, 2, 2.02, 0.1, 1.98].enumerated() {
            scale.add(camera: Self.camera(0).translation, offset: Vector3(0, 0, -0.5), planeScale: value)
            #expect((scale.estimate != nil) == (frame >= 2))
        }
        expectClose(try #require(scale.estimate).scale, 2, tolerance: 0.02)
    }

    /// Four corners tell the pose of a print up to its size.
    @Test(arguments: 0..<50) func posesOfUnitWidth(seed: Int) throws {
        var random = TestRandom(case: seed)
        let camera = Camera.pinhole(
            PinholeCamera(PinholeIntrinsics(fx: 900, fy: 905, cx: 640, cy: 355)))
        let aspectRatio = random.uniform(0.5...2)
        // Tilted by up to 55°, anywhere in the picture.
        let pose = RigidTransform(
            rotation: (Rotation(rotationVector: Vector3(.pi / 2, 0, 0))
                * Rotation(rotationVector: Vector3(random.uniform(), random.uniform(-3...3), random.uniform()) * 0.95))
                .normalized,
            translation: Vector3(random.uniform(-0.8...0.8), random.uniform(-0.5...0.5), -random.uniform(2.5...6)))
        let corners = try [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, z in
            let place = pose * Point3(x / 2, 0, z * aspectRatio / 2)
            return try #require(camera.project(RigidTransform.opticalFromCamera * place))
        }
        let quad = PixelQuad(corners: corners)
        guard quad.isConvex else { return }
        let sighting = TargetSighting(
            target: TargetIdentity(database: "", name: ""), confidence: 1,
            pixelFromPrint: try #require(quad.pixelFromUnitSquare), corners: quad, inlierCount: 4,
            cameraFromTarget: nil, covariance: nil, isInverse: false)
        let found = try #require(sighting.cameraFromUnitTarget(camera: camera, aspectRatio: aspectRatio))
        let error = found.inverse * pose
        #expect(error.rotation.angle < 1e-6 && error.translation.length < 1e-6, "\(error)")
    }
}
