// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// Sessions of scenes with an inertial sensor.
@Suite struct SensedSessionTests {
    private static func session(change: (inout Scene.ImuSettings) -> Void = { _ in }) throws -> SceneSession {
        var scene = try Scene(yaml: smallScene, file: "small")
        var imu = Scene.ImuSettings(.phone)
        change(&imu)
        scene.imu = imu
        return try SceneSession(scene: scene, threads: 1)
    }

    private static func events(of source: some SensorSource) throws -> [SensorEvent] {
        var stream = try source.makeStream()
        var events: [SensorEvent] = []
        while let event = try stream.next() { events.append(event) }
        return events
    }

    @Test func samplesComeInOrderAndFirst() throws {
        let session = try Self.session { $0.stampJitterSeconds = 0 }
        let events = try Self.events(of: session)
        let samples = events.compactMap { if case .imu(let sample) = $0 { sample } else { nil } }
        #expect(samples.count == 201)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
        for (event, next) in zip(events, events.dropFirst()) where event.timestamp == next.timestamp {
            #expect(event.rank < next.rank)
        }
        // Frames, touches and samples share instants, so that the rule above has something to say.
        #expect(zip(events, events.dropFirst()).filter { $0.timestamp == $1.timestamp }.count >= 20)
        #expect(session.rig.imu == session.scene.imu?.calibration)
        #expect(session.rig.camera.imuFromCameraTimeOffsetNanoseconds == 0)
    }

    /// Directly, or written and read back: the same device, the same events, whatever the clocks do, and truth for each frame.
    @Test func aRecordingGivesTheSame() throws {
        let session = try Self.session {
            $0.clockOffsetSeconds = 0.0123
            $0.clockDriftPartsPerMillion = 80
        }
        let folder = try TemporaryFolder()
        let writer = try RecordingWriter(
            creating: folder("recording"), rig: session.rig, session: SessionDescription(device: "", madeBy: ""))
        let events = try Self.events(of: session)
        var truths = session.makeTruthStream()
        for event in events {
            try writer.append(event)
            if case .frame(let frame) = event { try writer.append(try #require(try truths.truth(at: frame.timestamp))) }
        }
        try writer.finish()
        let recording = try Recording(opening: folder("recording"))
        #expect(recording.rig.imu == session.rig.imu)
        expectClose(
            recording.rig.camera.imuFromOptical, session.rig.camera.imuFromOptical, radians: 1e-12, metres: 1e-12)
        #expect(try Self.events(of: recording) == events)
        var recorded = try recording.makeTruthStream()
        var direct = session.makeTruthStream()
        for event in events {
            guard case .frame(let frame) = event else { continue }
            let (a, b) = (try recorded.truth(at: frame.timestamp), try direct.truth(at: frame.timestamp))
            #expect(try #require(a).worldFromCamera == #require(b).worldFromCamera)
        }
    }

    /// The samples belong to the camera's motion: integrated from the first frame's truth they lead to the others.
    @Test func samplesAndFramesTellOfOneMotion() throws {
        let session = try Self.session { $0 = Scene.ImuSettings(.ideal) }
        let imuFromCamera = session.camera.imuFromCamera
        for reading in try #require(session.inertialSensor).makeReadings() where reading.trueSeconds > 0.1 {
            let t = reading.trueSeconds
            let (before, after) = (session.worldFromCamera(at: t - 1e-4), session.worldFromCamera(at: t + 1e-4))
            let turn = (before.rotation.inverse * after.rotation).rotationVector / 2e-4
            guard t < 1.9 else { break }
            expectClose(imuFromCamera.rotation * turn, reading.sample.angularVelocity, tolerance: 1e-5)
            let imu = { (time: Double) in (session.worldFromCamera(at: time) * imuFromCamera.inverse).translation }
            let h = 1e-3
            let acceleration = (imu(t + h) - 2 * imu(t) + imu(t - h)) / (h * h)
            let up =
                session.worldFromCamera(at: t).rotation * imuFromCamera.rotation.inverse
                * reading.sample.specificForce
            expectClose(up, acceleration + Vector3(0, 9.81, 0), tolerance: 1e-2)
        }
    }

    @Test(arguments: Scene.ImuSettings.Preset.allCases) func filesRoundTrip(preset: Scene.ImuSettings.Preset) throws {
        var settings = Scene.ImuSettings(preset)
        settings.rateInHertz = 1000.0 / 3
        settings.gyroscope.matrix[1, 0] = 1.0 / 3
        settings.imuFromOpticalMatrix[3, 2] = 0.1 + 0.2
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.imu = settings
        let read = try Scene(yaml: scene.yaml, file: "written").imu
        #expect(read == settings)
    }

    /// Each case: what is written under `imu`, and the message after the file's name.
    static let malformed: [(keys: String, message: String)] = [
        ("preset: adis", "6:15: 'preset' is 'adis', expected one of phone, euroc, ideal"),
        ("rate_hz: 0", "6:16: 'rate_hz' is 0, expected 1.0 to 10000.0"),
        (
            "gyroscope_bias_rad_per_s: [1, 2]",
            "6:33: 'gyroscope_bias_rad_per_s' is a list of 2, expected a list of 3 numbers"
        ),
        (
            "accelerometer_matrix: [1, 0, 0]",
            "6:29: 'accelerometer_matrix' is a list of 3, expected a list of 9 numbers"
        ),
        (
            "imu_from_optical: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]",
            "6:25: 'imu_from_optical' is no rigid motion, expected 16 numbers, row after row: a rotation, a translation, and 0, 0, 0, 1"
        ),
    ]

    @Test(arguments: malformed) func malformedSettingsAreRefused(keys: String, message: String) throws {
        let yaml = smallScene.replacingOccurrences(of: "duration_s: 2\n", with: "duration_s: 2\nimu: {\(keys)}\n")
        let error = #expect(throws: SceneError.self) { try Scene(yaml: yaml, file: "s.yaml") }
        #expect(error.map { "\($0)" } == "s.yaml:" + message)
    }
}

extension SensorEvent {
    /// Which comes first at equal stamps.
    fileprivate var rank: Int {
        switch self {
        case .imu: 0
        case .user: 1
        case .frame: 2
        }
    }
}
