// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARRecording
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

/// Recordings whose program was killed, or whose disk lost the ends of files: read as far as they go.
@Suite struct UnfinishedRecordingTests {
    private let source = GeneratedSource()

    /// A recording that was never finished; its inertial samples go on after the last frame, and are flushed.
    private func record(
        _ source: some SensorSource & TruthSource, to folder: URL
    ) throws -> [SensorEvent] {
        let writer = try RecordingWriter(
            creating: folder, rig: source.rig, session: SessionDescription(device: "", madeBy: ""),
            longestDelayNanoseconds: source.longestDelayNanoseconds)
        let outcome = try Outcome(source)
        for event in outcome.events { try writer.append(event) }
        withExtendedLifetime(writer) {}
        return outcome.events
    }

    private func isOf(_ stream: SensorEvent.Stream) -> (SensorEvent) -> Bool { { $0.stream == stream } }

    @Test func everyCutLeavesAPrefixOfEachSensor() throws {
        let folder = try TemporaryFolder()
        let whole = try record(
            GeneratedSource(seconds: 0.6, size: ImageSize(width: 16, height: 12)), to: folder("recording"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder("recording").path).filter {
            $0.hasSuffix(".csv") || $0.hasSuffix(".jsonl") || $0.hasSuffix(".png")
        }.sorted()
        var random = TestRandom()
        for name in files {
            let file = folder("recording").appendingPathComponent(name)
            let bytes = try Data(contentsOf: file)
            for length in [0, 1, bytes.count - 1]
                + (0..<5).map({ _ in Int.random(in: 0..<bytes.count, using: &random) })
            {
                try bytes.prefix(max(length, 0)).write(to: file)
                try check(folder("recording"), against: whole, "\(name) cut at \(length)")
            }
            try bytes.write(to: file)
        }
    }

    /// What is read is the beginning of each sensor's events, and the validator counts exactly that.
    private func check(_ folder: URL, against whole: [SensorEvent], _ comment: String) throws {
        let validation = Recording.validate(folder)
        guard let recording = try? Recording(opening: folder), let events = try? Outcome(recording).events else {
            #expect(!validation.isValid, "\(comment)")
            return
        }
        for stream in SensorEvent.Stream.allCases {
            let read = events.filter(isOf(stream))
            #expect(read == Array(whole.filter(isOf(stream)).prefix(read.count)), "\(comment)")
        }
        #expect(validation.isValid, "\(comment): \(validation.findings)")
        let frames = events.filter(isOf(.camera))
        let samples = events.filter(isOf(.imu))
        #expect(validation.readableFrameCount == frames.count, "\(comment)")
        #expect(validation.imuSampleCount == samples.count, "\(comment)")
        let words = validation.findings.last { $0.rule == .incompleteRecording }?.found ?? ""
        #expect(
            words.contains(frames.isEmpty ? "no readable frames" : "\(frames.count) readable frames up to "), "\(words)"
        )
        if let first = events.first(where: { $0.stream != .user }), let last = samples.last {
            let seconds = last.timestamp.seconds(since: first.timestamp)
            #expect(words.contains("\(samples.count) readable inertial samples up to "))
            #expect(validation.readableSeconds >= seconds - 1e-9)
        }
    }

    @Test func samplesMayGoFurtherThanFrames() throws {
        let folder = try TemporaryFolder()
        _ = try record(GeneratedSource(seconds: 1.05), to: folder("recording"))
        let pictures = folder("recording/mav0/cam0/data")
        let last = try #require(
            try FileManager.default.contentsOfDirectory(atPath: pictures.path).max {
                $0.count == $1.count ? $0 < $1 : $0.count < $1.count
            })
        try Data().write(to: pictures.appendingPathComponent(last))
        let validation = Recording.validate(folder("recording"))
        #expect(validation.findings.map(\.rule) == [.cutPicture, .incompleteRecording])
        #expect(
            validation.findings.last?.found.contains(
                "10 readable frames up to 0.9 s, 101 readable inertial samples up to 1 s") == true,
            "\(validation.findings)")
        #expect(try Outcome(Recording(opening: folder("recording"))).frames.count == 10)
    }

    @Test(arguments: ["late: {sensor: both, probability: 0.3, delay_s: 0.3}", "doubled: {sensor: both, delay_s: 0.1}"])
    func lateEventsAreReadAsFarAsTheyGo(_ text: String) throws {
        let folder = try TemporaryFolder()
        let whole = try record(source.with(.yaml(text)), to: folder("recording"))
        let read = try Outcome(Recording(opening: folder("recording"))).events
        // What is lost: the rows that still waited, and with them what came after the first of them.
        let isSame = zip(read, whole).prefix { $0 == $1 }.count
        #expect(isSame > whole.count / 2)
        #expect(Recording.validate(folder("recording")).isValid)
    }
}
