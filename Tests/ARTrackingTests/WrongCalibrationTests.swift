// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARTracking

/// A device that is not what it is said to be, by much more than such devices are wrong: guessed focal lengths, a lens that distorts, a
/// camera that sits askew, clocks that have nothing to do with each other.
@Suite struct WrongCalibrationTests {
    /// How the device is described wrongly.
    enum Mistake: CaseIterable {
        case longer, shorter, distorted, askew

        func describe(_ calibration: CameraState) -> CameraState {
            var described = calibration
            let focal = Vector2(calibration.camera.intrinsics.fx, calibration.camera.intrinsics.fy)
            switch self {
            case .longer: described.correct(focal: 0.15 * focal)
            case .shorter: described.correct(focal: -0.12 * focal)
            case .distorted: described.correct(radial: 0.08)
            case .askew: described.correct(turn: Vector3(0.12, -0.1, 0.08))
            }
            return described
        }
    }

    private static func session() throws -> PointCloudSession {
        var session = try OdometryTests.session(
            OdometryTests.paths[1], seconds: 5.5, seed: 5,
            camera: "preset: phone, lens: radial_tangential, distortion: [0.05, 0, 0, 0, 0]")
        session.pixelNoise = 0.1
        session.pixelDeviation = 0.12
        return session
    }

    /// A camera that two seconds of motion contradict is looked for far from what is said of it, and found, and the motion with it is
    /// believed.
    @Test(arguments: Mistake.allCases) func aContradictedCameraIsAnother(mistake: Mistake) throws {
        let session = try Self.session()
        let (frames, samples) = session.take(during: 3.2..<5.2)
        let (truth, settings) = (CameraState(session.calibration), InitialisationSettings())
        let found = try #require(
            MotionAlignment(
                frames: frames, history: samples, calibration: mistake.describe(truth), settings: settings))
        #expect(found.isTrusted(by: settings, seconds: 2))
        let camera = found.motion.calibration
        #expect(found.motion.isCameraContradicted)
        let focal = camera.camera.intrinsics.fx / truth.camera.intrinsics.fx
        #expect(abs(focal - 1) < 0.01, "\(focal)")
        let turn = (camera.imuFromOptical.rotation * truth.imuFromOptical.rotation.inverse).rotationVector
        #expect(turn.length < 0.01, "\(turn)")
    }

    /// Who has to look for the camera, too, must know the scale twice as well.
    @Test func aContradictedCameraMakesScaleDoubtful() throws {
        let session = try Self.session()
        let (frames, samples) = session.take(during: 3.2..<4.5)
        let settings = InitialisationSettings()
        let found = try #require(
            MotionAlignment(
                frames: frames, history: samples,
                calibration: Mistake.longer.describe(CameraState(session.calibration)),
                settings: settings))
        try #require(found.motion.isCameraContradicted && found.isExplanation(by: settings))
        let deviation = found.motion.relativeScaleDeviation
        let limit = settings.largestScaleDeviation
        try #require(2 * deviation > limit.ofOneSecond && 2 * deviation < limit.ofLongestWindow)
        for seconds in stride(from: 1, through: 2, by: 0.05) {
            let isKnown = 2 * deviation < settings.largestScaleDeviation(ofSeconds: seconds)
            #expect(found.isTrusted(by: settings, seconds: seconds) == isKnown)
        }
    }

    /// A camera that is as it is said to be is not contradicted by what is seen.
    @Test(arguments: [1.2, 2.2, 3.2]) func aCameraAsStatedIsBelieved(start: Double) throws {
        let session = try Self.session()
        let (frames, samples) = session.take(during: start..<(start + 2))
        let found = try #require(
            MotionAlignment(
                frames: frames, history: samples, calibration: CameraState(session.calibration),
                settings: InitialisationSettings()))
        #expect(!found.motion.isCameraContradicted)
    }

    /// Clocks that are farther off than a search looks are found by the searches after it, and so is the motion.
    @Test(arguments: [-190, -90, 90, 190]) func clocksFarOffAreFound(milliseconds: Int64) throws {
        let session = try Self.session()
        var told = session.calibration
        told.imuFromCameraTimeOffsetNanoseconds += milliseconds * 1_000_000
        var run = PointCloudRun(session, from: 0.5, told: told)
        session.forEachFrame { run.step($0, history: $1) }
        let calibration = try #require(run.odometry?.filter.calibration)
        let truth = CameraState(session.calibration).timeOffsetSeconds
        #expect(abs(calibration.timeOffsetSeconds - truth) < 0.002)
        #expect(try #require(run.firstPoseSeconds) < 4)
    }
}
