// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// What a session is told of its camera, and what is true of it.
@Suite struct CameraCalibrationTests {
    private static func session(
        imu: Scene.ImuSettings? = Scene.ImuSettings(.phone), change: (inout Scene.CameraSettings) -> Void = { _ in }
    ) throws -> SceneSession {
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.imu = imu
        change(&scene.camera)
        return try SceneSession(scene: scene, threads: 1)
    }

    private static func err(_ camera: inout Scene.CameraSettings) {
        camera.calibrationDeviations.focalPercent = 0.2
        camera.calibrationDeviations.principalPointPixels = 1.5
        camera.calibrationDeviations.rotationRadians = 0.01
        camera.calibrationDeviations.translationMeters = 0.004
        camera.calibrationDeviations.radialDistortion = 0.003
        camera.calibrationDeviations.readoutMilliseconds = 0.8
    }

    /// Over many seeds each number errs by the deviation that is set, and focal lengths half together.
    @Test func errorsAreAsLargeAsIsSaid() throws {
        let session = try Self.session(change: Self.err)
        let truth = session.camera
        let seeds = 4000
        var squares = [Double](repeating: 0, count: 12)
        var common = 0.0
        for seed in 0..<UInt64(seeds) {
            let told = session.withSensorSeed(seed).rig.camera
            let (a, b) = (truth.camera.intrinsics, told.camera.intrinsics)
            let turn = (truth.imuFromOptical.rotation.inverse * told.imuFromOptical.rotation).rotationVector
            let shift = told.imuFromOptical.translation - truth.imuFromOptical.translation
            let errors = [
                (b.fx / a.fx - 1) / 0.002, (b.fy / a.fy - 1) / 0.002, (b.cx - a.cx) / 1.5, (b.cy - a.cy) / 1.5,
                turn.x / 0.01, turn.y / 0.01, turn.z / 0.01, shift.x / 0.004, shift.y / 0.004, shift.z / 0.004,
                told.camera.distortion[0] / 0.003, Double(told.readoutNanoseconds - truth.readoutNanoseconds) / 0.8e6,
            ]
            for (index, error) in errors.enumerated() { squares[index] += error * error / Double(seeds) }
            common += errors[0] * errors[1] / Double(seeds)
        }
        // The mean of so many squares scatters by √(2 / 4000), about 0.022.
        for square in squares { #expect(abs(square - 1) < 0.09) }
        #expect(abs(common - 0.5) < 0.09)
    }

    /// The deviations are stated where that is asked for, and only those that can be.
    @Test func errorsAreStated() throws {
        let nothing = CameraCalibration.Uncertainty()
        #expect(try Self.session(change: Self.err).rig.camera.uncertainty == nothing)
        let stating = try Self.session { camera in
            Self.err(&camera)
            camera.calibrationDeviations.principalPointPixels = 0
            camera.statesDeviations = true
        }.rig.camera.uncertainty
        var expected = nothing
        (expected.focalShare, expected.rotationRadians, expected.translationMeters) = (0.002, 0.01, 0.004)
        (expected.radialDistortion, expected.readoutSeconds) = (0.003, 0.0008)
        #expect(stating == expected)
        // Without an inertial sensor the device's axes are the camera's: there is no place on it to be mistaken.
        let alone = try Self.session(imu: nil) { camera in
            Self.err(&camera)
            camera.statesDeviations = true
        }
        #expect(alone.rig.camera.imuFromOptical == .identity)
        #expect(alone.rig.camera.uncertainty.rotationRadians == nil)
        #expect(alone.rig.camera.camera != alone.camera.camera)
        // That a shutter is global is known, though nobody can say how well; how long rows take is not.
        let shutters = try [0, 15].map { readout in
            try Self.session { ($0.statesDeviations, $0.readoutMilliseconds) = (true, readout) }.rig.camera.uncertainty
        }
        #expect(shutters.map(\.readoutSeconds) == [1e-6, nil])
        #expect(Scene.CameraSettings(.euroc).statesDeviations && !Scene.CameraSettings(.phone).statesDeviations)
    }

    /// What is told is wrong, and nothing else: pictures, samples, touches and poses are those of the camera.
    @Test func nothingElseErrs() throws {
        func everything(_ session: SceneSession) throws -> (events: [SensorEvent], truths: [FrameTruth]) {
            var (stream, truths) = (session.makeStream(), session.makeTruthStream())
            var found: (events: [SensorEvent], truths: [FrameTruth]) = ([], [])
            while let event = try stream.next() {
                found.events.append(event)
                if case .frame(let frame) = event {
                    try truths.truth(at: frame.timestamp).map { found.truths.append($0) }
                }
            }
            return found
        }
        let (exact, erring) = (try Self.session(), try Self.session(change: Self.err))
        let (a, b) = (try everything(exact), try everything(erring))
        #expect(a.events == b.events && a.truths == b.truths && !a.truths.isEmpty)
        #expect(exact.sessionTruth().camera == nil && exact.rig.camera == exact.camera)
        #expect(erring.sessionTruth().camera == exact.camera && erring.rig.camera != exact.camera)
        #expect(try erring.trueCamera() == exact.camera)
        #expect(erring.withSensorSeed(7).rig.camera != erring.rig.camera)
        #expect(erring.withSensorSeed(7).rig.camera == erring.withSensorSeed(7).rig.camera)
    }

    @Test func filesKeepTheDeviations() throws {
        var scene = try Scene(yaml: smallScene, file: "small")
        Self.err(&scene.camera)
        scene.camera.statesDeviations = true
        #expect(try Scene(yaml: scene.yaml, file: "written") == scene)
    }

    @Test(arguments: [
        (
            "calibration_focal_deviation_percent: 11",
            "'calibration_focal_deviation_percent' is 11, expected 0.0 to 10.0"
        ),
        ("calibration_rotation_deviation_rad: -1", "'calibration_rotation_deviation_rad' is -1, expected 0.0 to 0.5"),
        ("states_deviations: 3", "'states_deviations' is '3', expected true or false"),
    ]) func mistakesAreRefused(key: String, words: String) {
        let yaml = smallScene.replacingOccurrences(of: "camera:\n", with: "camera:\n  \(key)\n")
        let error = #expect(throws: SceneError.self) { try Scene(yaml: yaml, file: "small") }
        #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
