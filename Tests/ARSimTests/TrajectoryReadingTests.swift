// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

/// Trajectories out of our own files and those of others.
@Suite struct TrajectoryReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String, up: TrajectoryReading.Up = .y) throws -> Trajectory {
        try folder.write(text, to: "file")
        return try Trajectory(contentsOf: folder("file"), TrajectoryReading(up: up))
    }

    /// A camera on a winding way over a table, lost for two frames.
    private var source: ScriptedSource {
        ScriptedSource(
            moments: (0..<40).map { index in
                let t = Double(index) / 10
                return .init(cameraOverTable: (7...8).contains(index) ? nil : Point2(0.3 * sin(t), 0.2 * cos(1.7 * t)))
            })
    }

    @Test func aTraceComesBack() throws {
        var session = try Session(pinned: source)
        let writer = try TraceWriter(creating: folder("trace.jsonl"), for: session)
        var frames: [SessionFrame] = []
        while let frame = try session.next() {
            try writer.append(frame)
            frames.append(frame)
        }
        try writer.finish()

        let trajectory = try Trajectory(contentsOf: folder("trace.jsonl"))
        #expect(trajectory.mode == "pinned")
        #expect(trajectory.states.map(\.timestamp) == frames.map(\.timestamp))
        #expect(trajectory.states.map(\.state) == frames.map(\.trackingState.description))
        let known = frames.filter { $0.trackingState != .notAvailable }
        #expect(known.count == 38)
        #expect(trajectory.poses.map(\.timestamp) == known.map(\.timestamp))
        for (pose, frame) in zip(trajectory.poses, known) {
            #expect(pose.worldFromBody.translation == frame.worldFromCamera.translation)
            expectClose(pose.worldFromBody.rotation, frame.worldFromCamera.rotation, tolerance: 1e-15)
        }
    }

    /// Records the way with a device that has an inertial sensor beside its camera.
    private func record() throws -> SensorRig {
        let device = Device(source: source)
        try RecordingWriter.record(
            device, truth: source, to: folder("recording"), session: SessionDescription(device: "", madeBy: "a test"))
        return device.rig
    }

    @Test func theTruthOfARecordingIsThatOfItsSource() throws {
        let rig = try record()
        let truth = try Trajectory(contentsOf: folder("recording"))
        #expect(truth.poses.count == 38)
        #expect(try Trajectory(contentsOf: folder("recording/truth.jsonl")) == truth)
        #expect(truth.poses[0].worldFromBody.translation.y == 0.5)

        let imu = try Trajectory(contentsOf: folder("recording"), TrajectoryReading(body: .imu))
        let optical = try Trajectory(contentsOf: folder("recording"), TrajectoryReading(body: .optical))
        let cameraFromImu = rig.camera.imuFromCamera.inverse
        for (index, pose) in truth.poses.enumerated() {
            expectClose(
                imu.poses[index].worldFromBody, pose.worldFromBody * cameraFromImu, radians: 1e-12, metres: 1e-12)
            expectClose(
                optical.poses[index].worldFromBody, pose.worldFromBody * .cameraFromOptical, radians: 1e-12,
                metres: 1e-12)
        }
    }

    @Test func theThirdAxisBecomesTheSecond() throws {
        let row = "1.5 1 2 3 0 0 0 1\n"
        #expect(try read(row, up: .y).poses[0].worldFromBody.translation == Vector3(1, 2, 3))
        expectClose(try read(row, up: .z).poses[0].worldFromBody.translation, Vector3(1, 3, -2), tolerance: 1e-15)
    }

    @Test func kittiHasMatricesAndNoStamps() throws {
        let trajectory = try read("1 0 0 4 0 1 0 5 0 0 1 6\n0 0 1 1 1 0 0 2 0 1 0 3\n")
        #expect(trajectory.poses.map(\.timestamp.nanoseconds) == [0, 100_000_000])
        #expect(trajectory.poses[0].worldFromBody == RigidTransform(translation: Vector3(4, 5, 6)))
        let second = trajectory.poses[1].worldFromBody
        expectClose(second * Vector3(1, 0, 0), Vector3(1, 3, 3), tolerance: 1e-15)
        expectClose(second * Vector3(0, 0, 1), Vector3(2, 2, 3), tolerance: 1e-15)
    }

    @Test func covariancesAreReadRowByRow() throws {
        let numbers = (0..<36).map { "\($0)" }.joined(separator: ",")
        let pose = #""world_from_camera":{"orientation_xyzw":[0,0,0,1],"position_m":[1,2,3]}"#
        let trajectory = try read(
            """
            {"arsim_trace":1,"mode":"tracked","something_new":[1]}
            {"time_ns":5,"tracking_state":"limited(initializing)"}
            {"time_ns":6,"tracking_state":"normal",\(pose)}
            {"time_ns":7,"tracking_state":"normal",\(pose),"pose_covariance":[\(numbers)],"velocity_m_per_s":[0,0,1]}

            """)
        #expect(trajectory.mode == "tracked")
        #expect(trajectory.states.map(\.state) == ["limited(initializing)", "normal", "normal"])
        #expect(Array(trajectory.covariances.keys) == [1])
        let covariance = try #require(trajectory.covariances[1])
        #expect(covariance.translationByTranslation[2, 1] == 8)
        #expect(covariance.translationByRotation[0, 0] == 3)
        #expect(covariance.rotationByTranslation[0, 0] == 18)
        #expect(covariance.rotationByRotation[2, 2] == 35)
    }

    private static let frame = #"{"time_ns":5,"tracking_state":"normal"}"#
    private static func pose(_ pose: String) -> String {
        #"{"time_ns":5,"tracking_state":"normal","world_from_camera":"# + pose + "}"
    }

    @Test(arguments: [
        (#"{"arsim_trace":2,"mode":"tracked"}"#, 1, "a trace of version 1"),
        (#"{"arsim_trace":1}"#, 1, "the key \"mode\""),
        (frame + "\n" + #"{"arsim_trace":1,"mode":"tracked"}"#, 2, "one header"),
        (frame + "\n" + #"{"time_ns":4,"tracking_state":"normal"}"#, 2, "an instant that is not before 5"),
        (frame + "\n" + #"{"time_ns":6}"#, 2, "the key \"tracking_state\""),
        (frame + "\n" + #"{"time_ns":6,"#, 2, "a key"),
        (frame + "\n" + #"{"frame":6}"#, 2, "the key \"t_ns\""),
        (pose(#"{"position_m":[0,0,0]}"#), 1, "the key \"orientation_xyzw\""),
        (pose(#"{"orientation_xyzw":[0,0,0,2],"position_m":[0,0,0]}"#), 1, "length 1"),
        (pose(#"{"orientation_xyzw":[0,0,0,1],"position_m":[0,0]}"#), 1, "a list of 3"),
        ("1 0 0 4 0 1 0 5 0 0 1 6\n1 0 0 4 0 1 0 5 0 0 1", 2, "12 numbers"),
        ("1 0 0 4 0 1 0 5 0 0 1 6\n1 0 0 4 0 x 0 5 0 0 1 6", 2, "a number"),
        ("1 0 0 4 0 1 0 5 0 0 2 6", 1, "a rotation"),
        ("-9e9 0 0 0 0 0 0 1\n9e9 0 0 0 0 0 0 1", 1, "less than 292 years"),
    ]) func badRowsAreNamed(_ text: String, _ line: Int, _ expected: String) throws {
        let error = try #require(throws: DocumentError.self) { try read(text) }
        #expect(error.file == "file" && error.line == line && error.expected.contains(expected), "\(error)")
    }

    @Test func aPinnedReplayHasNoError() throws {
        _ = try record()
        var session = try Session(pinned: Recording(opening: folder("recording")))
        let writer = try TraceWriter(creating: folder("trace.jsonl"), for: session)
        while let frame = try session.next() { try writer.append(frame) }
        try writer.finish()
        let evaluation = try Evaluation(
            of: Trajectory(contentsOf: folder("trace.jsonl")), against: Trajectory(contentsOf: folder("recording")))
        #expect(evaluation.frameCount == 40 && evaluation.matches.pairs.count == 38)
        #expect(evaluation.position.maximum < 1e-12 && evaluation.rotation.maximum < 1e-12)
    }
}

/// A scripted session on a device with an inertial sensor.
private struct Device: SensorSource {
    let source: ScriptedSource

    var rig: SensorRig {
        var rig = source.rig
        rig.camera.imuFromOptical = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0.1, 1.2, -0.3)), translation: Vector3(0.02, -0.07, 0.01))
        rig.imu = ImuCalibration(
            rateInHertz: 20, gyroscopeNoiseDensity: 0, gyroscopeRandomWalk: 0, accelerometerNoiseDensity: 0,
            accelerometerRandomWalk: 0)
        return rig
    }

    var expectedFrameCount: Int? { source.expectedFrameCount }

    func makeStream() -> any SensorStream { source.makeStream() }
}
