// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

/// A recording with faults gives what the source with faults gives, event for event.
@Suite struct FaultReplayTests {
    private let source = GeneratedSource()

    private func description(_ faults: [Fault] = []) -> SessionDescription {
        SessionDescription(device: "generated", madeBy: "a test", faults: faults)
    }

    /// Records a source with faults and replays it.
    private func expectReplay(of faulted: FaultedSource, _ comment: String) throws {
        let folder = try TemporaryFolder()
        try RecordingWriter.record(faulted, truth: faulted, to: folder("recording"), session: description())
        let recording = try Recording(opening: folder("recording"))
        let (memory, replayed) = (try Outcome(faulted), try Outcome(recording))
        expectEqual(replayed.events, memory.events, comment)
        #expect(replayed.truths == memory.truths, "\(comment)")
        #expect(recording.session.faults == faulted.faults)
        var found = try recording.sessionTruth()
        let truth = try faulted.sessionTruth()
        if let camera = found.camera, let sent = truth.camera {
            // A rotation travels as a matrix: two roundings.
            expectClose(camera.imuFromOptical, sent.imuFromOptical, radians: 1e-14, metres: 0)
            found.camera?.imuFromOptical = sent.imuFromOptical
        }
        #expect(found == truth, "\(comment)")
        let findings = Recording.validate(folder("recording")).findings
        #expect(findings.map(\.rule) == faulted.faults.map { _ in .declaredFault }, "\(comment): \(findings)")
    }

    private func expectEqual(_ actual: [SensorEvent], _ expected: [SensorEvent], _ comment: String) {
        #expect(actual.count == expected.count, "\(comment)")
        guard let index = zip(actual, expected).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset
        else {
            return
        }
        Issue.record(
            "\(comment): event \(index) is \(actual[index].stream) at \(actual[index].timestamp), expected \(expected[index].stream) at \(expected[index].timestamp)"
        )
    }

    @Test(arguments: Fault.examples) func replayEqualsMemory(_ text: String) throws {
        try expectReplay(of: source.with(.yaml(text)), text)
    }

    @Test(arguments: 0..<12) func replayEqualsMemoryForAnyList(_ number: Int) throws {
        var random = TestRandom(case: number)
        let texts = (0..<4).map { _ in Fault.examples.randomElement(using: &random)! }
        try expectReplay(
            of: FaultedSource(source, faults: texts.map(Fault.yaml), seed: UInt64(number)), texts.joined(separator: " ")
        )
    }

    @Test(arguments: Fault.examples) func mutatingARecordingEqualsMutatingTheSource(_ text: String) throws {
        let folder = try TemporaryFolder()
        try RecordingWriter.record(source, truth: source, to: folder("clean"), session: description())
        let clean = try Recording(opening: folder("clean"))
        var progress: [Int] = []
        let mutation = try RecordingWriter.mutate(
            clean, faults: [.yaml(text)], seed: 1, to: folder("mutated")
        ) { progress.append($0) }
        let mutated = try Recording(opening: folder("mutated"))
        let (replayed, memory) = (try Outcome(mutated), try Outcome(source.with(.yaml(text))))
        expectEqual(replayed.events, memory.events, text)
        #expect(replayed.truths == memory.truths)
        #expect(mutation.frameCount == memory.frames.count)
        #expect(progress == progress.sorted() && progress.last ?? 0 <= 30)

        // Faults applied to what has some are added to the manifest.
        _ = try RecordingWriter.mutate(mutated, faults: [.yaml("flash: {to_s: 1}")], to: folder("again"))
        let again = try Recording(opening: folder("again"))
        #expect(again.session.faults == mutation.faults.map(\.fault) + [try .yaml("flash: {to_s: 1}")])
        #expect(try Outcome(again).samples == replayed.samples)
    }

    /// EuRoC's ground truth is the IMU's, whatever is wrong with the camera's stamps and calibration.
    @Test(arguments: [
        "camera_imu_offset: {offset_s: 0.04}", "stamp_jitter: {sensor: camera, standard_deviation_s: 0.1}",
        "wrong_calibration: {rotation_rad: [0.3, 0, 0], translation_m: [1, 0, 0]}",
        "late: {sensor: camera, delay_s: 0.3}",
        "doubled: {sensor: camera, delay_s: 0.2}",
    ]) func theGroundTruthStaysTrue(_ text: String) throws {
        let folder = try TemporaryFolder()
        let faulted = try source.with(.yaml(text))
        try RecordingWriter.record(faulted, truth: faulted, to: folder("recording"), session: description())
        let reader = try TrajectoryReader(folder("recording/mav0/state_groundtruth_estimate0/data.csv"))
        let cameraInImu = source.rig.camera.imuFromCamera
        var count = 0
        while let row = try reader.next() {
            let worldFromCamera = RigidTransform.yUpFromZUp * row.worldFromBody * cameraInImu
            expectClose(worldFromCamera.translation, [Double(count) / 10, 0, 0], tolerance: 1e-12)
            #expect(row.timestamp == GeneratedSource.timestamp(Double(count) / 10))
            count += 1
        }
        #expect(count == 30)
    }

    @Test func otherSystemsReadSortedTables() throws {
        let folder = try TemporaryFolder()
        let faulted = try source.with(
            .yaml("late: {sensor: both, probability: 0.5, delay_s: 0.3}"), .yaml("doubled: {sensor: both}"))
        try RecordingWriter.record(faulted, truth: faulted, to: folder("recording"), session: description())
        for table in ["cam0", "imu0", "state_groundtruth_estimate0"] {
            let rows = try String(contentsOf: folder("recording/mav0/\(table)/data.csv"), encoding: .utf8)
            let stamps = rows.split(separator: "\n").dropFirst().map { Int64($0.prefix { $0 != "," })! }
            #expect(stamps == Set(stamps).sorted())
            #expect(stamps.count == (table == "imu0" ? 300 : 30))
        }
    }

    @Test func whatIsNotDeclaredIsFound() throws {
        let folder = try TemporaryFolder()
        let faulted = try source.with(
            .yaml("late: {sensor: imu, probability: 0.1, delay_s: 0.05}"), .yaml("imu_gap: {from_s: 1, to_s: 2}"))
        try RecordingWriter.record(faulted, truth: faulted, to: folder("recording"), session: description())
        let file = folder("recording/session.json")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        // The list of faults stands on lines of its own: nothing else may be lost with them.
        let start = try #require(lines.firstIndex { $0.contains("\"faults\"") })
        let end = try #require(lines[start...].firstIndex { $0.contains("]") })
        try Data((Array(lines[..<start]) + Array(lines[(end + 1)...])).joined(separator: "\n").utf8).write(to: file)
        let validation = Recording.validate(folder("recording"))
        #expect(validation.findings.map(\.rule) == [.undeclaredArrival, .undeclaredGap], "\(validation.findings)")
        #expect(validation.isValid)
    }
}
