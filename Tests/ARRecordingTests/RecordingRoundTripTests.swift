// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct RecordingRoundTripTests {
    @Test(arguments: 0..<12) func whatIsWrittenIsRead(_ number: Int) throws {
        var random = TestRandom(case: number)
        let session = RandomSession(&random)
        let folder = try TemporaryFolder()
        try session.record(to: folder("recording"))

        let recording = try Recording(opening: folder("recording"))
        #expect(recording.isComplete)
        #expect(recording.session == session.session)
        #expect(recording.declaredPlanes == session.declaredPlanes)
        #expect(recording.expectedFrameCount == 4)
        var (samples, sent) = (try #require(recording.rig.imu), try #require(session.rig.imu))
        // Shares travel as percentages: two roundings.
        for share in [\ImuCalibration.Uncertainty.gyroscopeScale, \.accelerometerScale] {
            let (read, written) = (samples.uncertainty[keyPath: share], sent.uncertainty[keyPath: share])
            #expect(abs((read ?? -1) - (written ?? -1)) < 1e-16)
            samples.uncertainty[keyPath: share] = nil
            sent.uncertainty[keyPath: share] = nil
        }
        #expect(samples == sent)
        #expect(recording.rig.interfaceOrientation == session.rig.interfaceOrientation)
        #expect(recording.rig.camera.camera == session.rig.camera.camera)
        #expect(recording.rig.camera.imageSize == session.rig.camera.imageSize)
        #expect(recording.rig.camera.readoutNanoseconds == session.rig.camera.readoutNanoseconds)
        let (read, written) = (recording.rig.camera.uncertainty, session.rig.camera.uncertainty)
        #expect(abs((read.focalShare ?? -1) - (written.focalShare ?? -1)) < 1e-16)
        #expect(read.principalPointPixels == written.principalPointPixels)
        #expect(read.rotationRadians == written.rotationRadians)
        #expect(read.translationMeters == written.translationMeters)
        #expect(read.timeOffsetSeconds == written.timeOffsetSeconds)
        #expect(read.readoutSeconds == written.readoutSeconds)
        #expect(read.radialDistortion == written.radialDistortion)
        // The rotation travels as a matrix: two roundings.
        let error = recording.rig.camera.imuFromOptical.inverse * session.rig.camera.imuFromOptical
        #expect(error.rotation.angle < 1e-14)
        #expect(recording.rig.camera.imuFromOptical.translation == session.rig.camera.imuFromOptical.translation)

        #expect(try recording.allEvents() == session.events)
        #expect(try recording.allTruths() == session.truths)
        var found = try recording.sessionTruth()
        let truth = session.sessionTruth()
        if let camera = found.camera, let sentCamera = truth.camera {
            expectClose(camera.imuFromOptical, sentCamera.imuFromOptical, radians: 1e-14, metres: 0)
            found.camera?.imuFromOptical = sentCamera.imuFromOptical
        }
        #expect(found == truth)
        // A source can be read any number of times.
        #expect(try recording.allEvents() == session.events)
    }

    /// A readout of which nothing is said may be any; one that is stated is as uncertain as is said, or as a stated one usually is. Copies say
    /// the same.
    @Test(
        arguments: [
            ([], 0, CameraCalibration.Uncertainty.unstatedReadoutSeconds), (["readout_deviation_s: 0.004"], 0, 0.004),
            (["readout_ns: 8000000"], 8_000_000, nil),
            (["readout_ns: -8000000", "readout_deviation_s: 0.0002"], -8_000_000, 0.0002),
        ] as [([String], Int64, Double?)])
    func whatIsSaidOfTheReadoutIsKept(lines: [String], nanoseconds: Int64, deviation: Double?) throws {
        var random = TestRandom()
        let folder = try TemporaryFolder()
        try RandomSession(&random).record(to: folder("recording"))
        let yaml = folder("recording").appendingPathComponent("mav0/cam0/sensor.yaml")
        let others = try String(contentsOf: yaml, encoding: .utf8).split(separator: "\n").filter {
            !$0.hasPrefix("readout")
        }
        try (others.map(String.init) + lines).joined(separator: "\n").write(to: yaml, atomically: true, encoding: .utf8)
        let recording = try Recording(opening: folder("recording"))
        try RecordingWriter.convert(recording, to: folder("copy"))
        for found in [recording, try Recording(opening: folder("copy"))] {
            #expect(found.rig.camera.readoutNanoseconds == nanoseconds)
            #expect(found.rig.camera.uncertainty.readoutSeconds == deviation)
        }
    }

    @Test func theSameSessionGivesTheSameBytes() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] {
            var random = TestRandom()
            try RandomSession(&random).record(to: folder(name))
        }
        #expect(try contents(of: folder("a")) == contents(of: folder("b")))
    }

    @Test func convertingKeepsEverything() throws {
        var random = TestRandom()
        var session = RandomSession(&random)
        session.trueCamera = RandomSession.otherCamera(&random, than: session.rig.camera)
        let folder = try TemporaryFolder()
        try session.record(to: folder("first"))
        var progress: [Int] = []
        let count = try RecordingWriter.convert(Recording(opening: folder("first")), to: folder("second")) {
            progress.append($0)
        }
        #expect(count == 4)
        #expect(progress == [1, 2, 3, 4])
        let second = try Recording(opening: folder("second"))
        #expect(try second.allEvents() == session.events)
        #expect(try second.allTruths() == session.truths)
        #expect(try second.trueCamera().camera == #require(session.trueCamera).camera)
        // Which camera took the pictures is no part of what a session is told.
        #expect(second.rig.camera.camera == session.rig.camera.camera)
    }

    /// EuRoC's ground truth is the IMU's; where the camera is, the true camera's place on it says, not what is told of it.
    @Test(arguments: [false, true]) func groundTruthAloneGivesTheSamePoses(calibrationIsWrong: Bool) throws {
        var random = TestRandom()
        var session = RandomSession(&random, frames: 6, hasFingertip: false)
        session.trueCamera = calibrationIsWrong ? RandomSession.otherCamera(&random, than: session.rig.camera) : nil
        let folder = try TemporaryFolder()
        try session.record(to: folder("recording"))
        try FileManager.default.removeItem(at: folder("recording/truth.jsonl"))
        let poses = Dictionary(
            uniqueKeysWithValues: try Recording(opening: folder("recording")).allTruths().map {
                ($0.timestamp, $0.worldFromCamera)
            })
        #expect(!session.truths.isEmpty)
        for truth in session.truths {
            let error = try #require(poses[truth.timestamp]).inverse * truth.worldFromCamera
            #expect(error.rotation.angle < 1e-13)
            // Positions are up to 1 km from the origin, and so are the camera's in the IMU.
            #expect(error.translation.length < 1e-11)
        }
    }

    @Test(arguments: [Int64(0), 7_000_000, -7_000_000])
    func theTimeOffsetIsAppliedOnce(_ offset: Int64) throws {
        var random = TestRandom()
        var session = RandomSession(&random)
        session.rig.camera.imuFromCameraTimeOffsetNanoseconds = offset
        let folder = try TemporaryFolder()
        try session.record(to: folder("recording"))
        let recording = try Recording(opening: folder("recording"))
        #expect(recording.appliedCameraTimeOffsetNanoseconds == offset)
        #expect(recording.rig.camera.imuFromCameraTimeOffsetNanoseconds == 0)

        let events = try recording.allEvents()
        let stamps = events.map(\.timestamp)
        #expect(stamps == stamps.sorted())
        func frameStamps(_ events: [SensorEvent]) -> [Int64] {
            events.compactMap { if case .frame(let frame) = $0 { frame.timestamp.nanoseconds } else { nil } }
        }
        #expect(frameStamps(events) == frameStamps(session.events).map { $0 + offset })
        #expect(
            try recording.allTruths().map(\.timestamp)
                == session.truths.map { $0.timestamp.advanced(byNanoseconds: offset) })
        // The ground truth is on the IMU's clock too: its rows are the frames' instants.
        try FileManager.default.removeItem(at: folder("recording/truth.jsonl"))
        let rows = try recording.allTruths().map(\.timestamp)
        for truth in session.truths { #expect(rows.contains(truth.timestamp.advanced(byNanoseconds: offset))) }
    }

    @Test func anUnfinishedRecordingIsReadUpToItsLastFrame() throws {
        var random = TestRandom()
        let session = RandomSession(&random)
        let folder = try TemporaryFolder()
        let writer = try RecordingWriter(creating: folder("recording"), rig: session.rig, session: session.session)
        let lastFrame = try #require(session.events.lastIndex { if case .frame = $0 { true } else { false } })
        for event in session.events { try writer.append(event) }
        // What comes after the last frame was not flushed. Half a row, as a full disk leaves it:
        let table = try FileHandle(forWritingTo: folder("recording/mav0/imu0/data.csv"))
        try table.seekToEnd()
        try table.write(contentsOf: Data("1403636579913555584,0.25,0.".utf8))
        try table.close()

        let recording = try Recording(opening: folder("recording"))
        #expect(!recording.isComplete)
        #expect(try recording.allEvents() == Array(session.events[...lastFrame]))
        withExtendedLifetime(writer) {}
    }

    @Test func aFolderWithFilesIsNotOverwritten() throws {
        var random = TestRandom()
        let session = RandomSession(&random)
        let folder = try TemporaryFolder()
        try folder.write("precious", to: "file")
        let error = #expect(throws: RecordingError.self) { try session.record(to: folder.url) }
        #expect(error?.rule == .outputExists)
        #expect(try folder.names() == ["file"])
    }

    @Test func stampsMustIncrease() throws {
        var random = TestRandom()
        let session = RandomSession(&random)
        let folder = try TemporaryFolder()
        let writer = try RecordingWriter(creating: folder("recording"), rig: session.rig, session: session.session)
        let sample = ImuSample(timestamp: Timestamp(nanoseconds: 5), angularVelocity: .zero, specificForce: .zero)
        var earlier = sample
        earlier.timestamp.nanoseconds = 4
        try writer.append(.imu(sample))
        #expect(throws: RecordingError.self) { try writer.append(.imu(sample)) }
        let error = #expect(throws: RecordingError.self) { try writer.append(.imu(earlier)) }
        #expect(error?.rule == .stampOrder)
        let small = ImageBuffer(size: ImageSize(width: 2, height: 2), format: .gray8)
        let frame = CameraFrame(timestamp: sample.timestamp, image: small)
        #expect(throws: RecordingError.self) { try writer.append(.frame(frame)) }
    }
}
