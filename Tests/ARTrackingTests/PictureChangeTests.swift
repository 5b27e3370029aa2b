// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARTracking

/// Two frames that show almost the same: how much of the change is a turn, and how much is not.
@Suite struct PictureChangeTests {
    private static let calibration = CameraState(
        CameraCalibration(
            camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 500, fy: 500, cx: 319.5, cy: 239.5))),
            imageSize: ImageSize(width: 640, height: 480), rateInHertz: 30))

    /// The frames of a camera before and after a small motion, of points three metres before it.
    private static func frames(_ motion: RigidTransform) -> [MotionAlignment.Frame] {
        [RigidTransform.identity, motion].enumerated().map { number, worldFromOptical in
            MotionAlignment.Frame(
                timestamp: Timestamp(nanoseconds: Int64(number) * 400_000_000),
                points: (0..<63).compactMap { index in
                    let point = Vector3(Double(index % 9) * 0.4 - 1.6, Double(index / 9) * 0.4 - 1.2, 3)
                    return calibration.camera.project(worldFromOptical.inverse * point).map {
                        SeenPoint(id: UInt64(index), pixel: $0, deviationPixels: 0.3)
                    }
                })
        }
    }

    private static func change(_ motion: RigidTransform) throws -> PictureChange {
        let frames = frames(motion)
        return try #require(PictureChange(from: frames[0], to: frames[1], calibration))
    }

    @Test func aTurnIsATurn() throws {
        let turn = Vector3(0.004, -0.008, 0.003)
        let change = try Self.change(RigidTransform(rotation: Rotation(rotationVector: turn)))
        #expect((try #require(change.motion).turn - turn).length < 2e-4)
        #expect(change.displacementPixels > 4 && change.displacementPixels < 6)
        #expect(change.parallaxPixels < 0.1)
    }

    /// A tenth of a radian moves the picture by fifty pixels, and leaves nothing else.
    @Test func aLargeTurnIsATurn() throws {
        let turn = Vector3(0.06, -0.08, 0)
        let change = try Self.change(RigidTransform(rotation: Rotation(rotationVector: turn)))
        #expect((try #require(change.motion).turn - turn).length < 1e-3)
        #expect(change.displacementPixels > 45)
        #expect(change.parallaxPixels < 1)
    }

    /// Ten centimetres ahead at three metres spread a picture by a thirtieth.
    @Test func aFlightAheadIsNone() throws {
        let change = try Self.change(RigidTransform(translation: Vector3(0, 0, 0.1)))
        #expect(try #require(change.motion).turn.length < 1e-6)
        #expect(change.displacementPixels > 5 && change.displacementPixels < 9)
        #expect(change.parallaxPixels > 0.8 * change.displacementPixels)
    }

    @Test func fewPointsTellNothing() {
        var frames = Self.frames(.identity)
        frames[1].points.removeLast(frames[1].points.count - 7)
        #expect(PictureChange(from: frames[0], to: frames[1], Self.calibration) == nil)
    }
}
