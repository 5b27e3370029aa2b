// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// A device that swings and turns by a law, and is shown where it is by pictures, more or less exactly.
@Suite struct PlaceReturnTests {
    private static let gravity = Vector3(0, -9.81, 0)
    private static let calibration = CameraState(
        CameraCalibration(
            camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 480, fy: 480, cx: 319.5, cy: 239.5))),
            imageSize: ImageSize(width: 640, height: 480), rateInHertz: 30))

    private static func instant(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    private static func pose(_ t: Double) -> RigidTransform {
        RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0.3, 0.7, -0.2) * sin(1.5 * t)),
            translation: Vector3(0.2 * sin(2 * t), 0.1 * cos(3 * t), 0.15 * sin(t)))
    }

    private static func velocity(_ t: Double) -> Vector3 {
        Vector3(0.4 * cos(2 * t), -0.3 * sin(3 * t), 0.15 * cos(t))
    }

    private static func force(_ t: Double) -> Vector3 {
        Vector3(-0.8 * sin(2 * t), -0.9 * cos(3 * t), -0.15 * sin(t)) - gravity
    }

    /// What the device's sensors read in three seconds.
    private static let history: ImuHistory = {
        var history = ImuHistory(
            calibration: ImuCalibration(
                rateInHertz: 200, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-6,
                accelerometerNoiseDensity: 1e-3, accelerometerRandomWalk: 1e-4))
        for number in 0...600 {
            let t = Double(number) / 200
            history.insert(
                ImuSample(
                    timestamp: instant(t), angularVelocity: Vector3(0.3, 0.7, -0.2) * (1.5 * cos(1.5 * t)),
                    specificForce: pose(t).rotation.inverse * force(t)))
        }
        return history
    }()

    /// An error with that standard deviation along each axis.
    private static func error(_ deviation: Double, _ random: inout TestRandom) -> Vector3 {
        random.vector3() * (deviation * 3.0.squareRoot())
    }

    /// A place that a picture shows at an instant, with errors as large as is said: along and about each axis.
    private static func place(
        at t: Double, metres: Double, radians: Double, _ random: inout TestRandom
    ) -> Place {
        let worldFromOptical = pose(t) * calibration.imuFromOptical
        return Place(
            worldFromOptical: RigidTransform(
                rotation: Rotation(rotationVector: error(radians, &random)) * worldFromOptical.rotation,
                translation: worldFromOptical.translation + error(metres, &random)),
            poseCovariance: Matrix6x6(
                translationByTranslation: Matrix3x3(diagonal: Vector3(repeating: metres * metres)),
                translationByRotation: .zero, rotationByTranslation: .zero,
                rotationByRotation: Matrix3x3(diagonal: Vector3(repeating: radians * radians))),
            inlierCount: 30, inlierShare: 0.8)
    }

    private static func motion(_ back: inout PlaceReturn, at t: Double, _ place: Place, limit: Double = 1)
        -> KnownMotion?
    {
        back.motion(
            at: place, instant: instant(t), history: history, calibration: calibration, errors: ImuErrors(),
            gravity: gravity, velocityDeviation: limit)
    }

    /// The velocity that two places and the samples tell is the true one, but for what is said of it; the pose is that of the
    /// newer place.
    @Test func twoPlacesTellTheVelocity() throws {
        var random = TestRandom()
        var squares: [Double] = []
        for _ in 0..<400 {
            let (t, seconds) = (random.uniform(0...2), random.uniform(0.1...0.9))
            var back = PlaceReturn()
            let (old, new) = (
                Self.place(at: t, metres: 0.004, radians: 0.002, &random),
                Self.place(at: t + seconds, metres: 0.004, radians: 0.002, &random)
            )
            #expect(Self.motion(&back, at: t, old) == nil)
            let known = try #require(Self.motion(&back, at: t + seconds, new))
            #expect(known.timestamp == Self.instant(t + seconds))
            expectClose(
                known.worldFromImu * Self.calibration.imuFromOptical, new.worldFromOptical, radians: 1e-9, metres: 1e-9)
            let error = (known.velocity - Self.velocity(t + seconds)).length / known.deviations.velocity
            squares.append(error * error / 3)
        }
        // The sensors have no biases here: what is said leaves room for them.
        #expect((0.4...1.1).contains(squares.reduce(0, +) / 400))
    }

    /// While places are too near in time for their errors, the velocity is not told; and with exact places it is exact.
    @Test func theVelocityIsToldWhenItIsKnown() throws {
        var random = TestRandom()
        var back = PlaceReturn()
        var told: Double?
        for step in 0..<10 where told == nil {
            let t = 1 + 0.1 * Double(step)
            let place = Self.place(at: t, metres: 0.008, radians: 0.001, &random)
            told = Self.motion(&back, at: t, place, limit: 0.06).map { _ in t }
        }
        #expect(try #require(told) == 1.2)
        var exact = PlaceReturn()
        _ = Self.motion(&exact, at: 1, Self.place(at: 1, metres: 1e-9, radians: 1e-9, &random))
        let known = try #require(
            Self.motion(&exact, at: 1.5, Self.place(at: 1.5, metres: 1e-9, radians: 1e-9, &random)))
        #expect((known.velocity - Self.velocity(1.5)).length < 1e-4)
    }

    /// Where the samples say that the device turned otherwise than two places do, neither counts; the next two do.
    @Test func placesThatContradictTheTurnAreForgotten() {
        var random = TestRandom()
        var back = PlaceReturn()
        func seen(_ t: Double) -> Place { Self.place(at: t, metres: 0.002, radians: 0.001, &random) }
        var wrong = seen(1)
        wrong.worldFromOptical.rotation =
            Rotation(rotationVector: Vector3(0, 0.05, 0)) * wrong.worldFromOptical.rotation
        #expect(Self.motion(&back, at: 1, wrong) == nil)
        #expect(Self.motion(&back, at: 1.2, seen(1.2)) == nil)
        #expect(Self.motion(&back, at: 1.4, seen(1.4)) != nil)
        // Nor does a place count that was seen long ago.
        var late = PlaceReturn()
        #expect(Self.motion(&late, at: 1, seen(1)) == nil)
        #expect(Self.motion(&late, at: 2.5, seen(2.5)) == nil)
    }
}
