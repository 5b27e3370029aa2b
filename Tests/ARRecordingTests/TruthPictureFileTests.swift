// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

/// Truth pictures on disk: written beside the truth's rows, read when they are asked for, and never far from their frames.
@Suite struct TruthPictureFileTests {
    private static let all = Set(TruthPictureKind.allCases)

    /// A session whose every frame has a truth with pictures; depths are whole millimetres.
    private static func session(frames: Int = 4, offset: Int64 = 0) -> RandomSession {
        var random = TestRandom(case: frames)
        var session = RandomSession(&random, frames: frames, hasFingertip: false)
        // A camera's pose travels as a matrix, and comes back with two roundings.
        session.trueCamera = nil
        session.rig.camera.imuFromCameraTimeOffsetNanoseconds = offset
        session.objects = [
            TruthObject(id: 1, name: "desk", kind: "box"), TruthObject(id: 7, name: "Ada", kind: "head"),
        ]
        let size = session.rig.camera.imageSize
        let count = size.width * size.height
        session.truths = session.events.compactMap { event in
            guard case .frame(let frame) = event else { return nil }
            var truth = FrameTruth(timestamp: frame.timestamp, worldFromCamera: random.rigidTransform())
            truth.pictures.depth = DepthPicture(
                size: size, meters: (0..<count).map { _ in Float(Int.random(in: 0...65535, using: &random)) / 1000 })
            truth.pictures.objects = ObjectPicture(
                size: size, ids: (0..<count).map { _ in [0, 1, 7].randomElement(using: &random)! })
            return truth
        }
        return session
    }

    private static func read(_ folder: URL, _ kinds: Set<TruthPictureKind> = all) throws -> [FrameTruth] {
        let recording = try Recording(opening: folder)
        #expect(recording.availableTruthPictures == all)
        #expect(recording.truthPictures.isEmpty)
        return try recording.with(kinds).allTruths()
    }

    @Test(arguments: [Int64(0), 7_000_000]) func whatIsWrittenIsRead(offset: Int64) throws {
        let session = Self.session(offset: offset)
        let folder = try TemporaryFolder()
        try session.record(to: folder("recording"))
        let truths = try Self.read(folder("recording"))
        #expect(truths.map(\.pictures) == session.truths.map(\.pictures))
        #expect(try Recording(opening: folder("recording")).sessionTruth() == session.sessionTruth())
        #expect(try Self.read(folder("recording"), []).allSatisfy { $0.pictures == TruthPictures() })
        let depths = try Self.read(folder("recording"), [.depth])
        #expect(depths.allSatisfy { $0.pictures.depth != nil && $0.pictures.objects == nil })
        #expect(Recording.validate(folder("recording")).findings == [])
        // The files are what the format says: millimetres, and the ids as they are.
        let stamp = session.truths[2].timestamp
        let depth = try #require(session.truths[2].pictures.depth)
        #expect(
            try Gray16Image(contentsOf: folder("recording/truth/depth/\(stamp).png")).values
                == depth.meters.map { UInt16(($0 * 1000).rounded()) })
        #expect(
            try Gray16Image(contentsOf: folder("recording/truth/objects/\(stamp).png")).values
                == session.truths[2].pictures.objects?.ids)
    }

    @Test func whatMillimetersCannotSayIsNothing() throws {
        var session = Self.session(frames: 1)
        let size = session.rig.camera.imageSize
        var meters = [Float](repeating: 2, count: size.width * size.height)
        meters.replaceSubrange(0..<6, with: [0, 65.535, 65.5356, 1e9, .infinity, 1.2344])
        session.truths[0].pictures.depth?.meters = meters
        let folder = try TemporaryFolder()
        try session.record(to: folder("recording"))
        let read = try #require(Self.read(folder("recording"))[0].pictures.depth)
        #expect(read.meters.prefix(7) == [0, 65.535, 0, 0, 0, 1.234, 2])
    }

    @Test func convertingKeepsThem() throws {
        let session = Self.session()
        let folder = try TemporaryFolder()
        try session.record(to: folder("first"))
        try RecordingWriter.convert(Recording(opening: folder("first")), to: folder("second"))
        #expect(try Self.read(folder("second")).map(\.pictures) == session.truths.map(\.pictures))
    }

    /// A frame that is dropped takes its pictures along; one that comes late, or again, or with another stamp keeps them.
    @Test func theyFollowTheirFramesThroughFaults() throws {
        let session = Self.session(frames: 30)
        let folder = try TemporaryFolder()
        try session.record(to: folder("recording"))
        let pictures = Dictionary(uniqueKeysWithValues: session.truths.map { ($0.worldFromCamera, $0.pictures) })
        let faults = [
            "dropped_frames: {probability: 0.4}", "doubled: {sensor: camera, probability: 0.5}",
            "late: {sensor: camera, probability: 0.5, delay_s: 0.12}",
            "stamp_jitter: {sensor: camera, standard_deviation_s: 0.003}", "trim: {from_s: 0.4, to_s: 1.1}",
            "retime: {speed: 2, imu: drop}", "frozen_frames: {from_s: 0.2, to_s: 0.5}",
            "covered_lens: {from_s: 0.1, to_s: 0.6}", "camera_imu_offset: {offset_s: 0.02}",
            "wrong_calibration: {focal_percent: 1}",
        ]
        for (number, fault) in faults.enumerated() {
            let output = folder("mutated \(number)")
            let mutation = try RecordingWriter.mutate(
                Recording(opening: folder("recording")),
                faults: [Fault(YamlReader.read(fault, file: "fault"))], seed: 5, to: output)
            let truths = try Self.read(output)
            #expect(!truths.isEmpty && truths.count <= mutation.frameCount, "\(fault)")
            for truth in truths { #expect(truth.pictures == pictures[truth.worldFromCamera], "\(fault)") }
            let findings = Recording.validate(output).findings.filter { $0.severity != .information }
            #expect(findings == [], "\(fault)")
        }
    }

    /// A writer that was killed leaves whole pictures; the last may have no row yet.
    @Test func aKilledWriterLeavesAValidRecording() throws {
        let session = Self.session()
        let folder = try TemporaryFolder()
        let writer = try RecordingWriter(creating: folder("recording"), rig: session.rig, session: session.session)
        try writer.write(session.sessionTruth())
        var frames = 0
        for event in session.events {
            if case .frame = event {
                try writer.append(session.truths[frames])
                frames += 1
                if frames == 3 { break }
            }
            try writer.append(event)
        }
        let validation = Recording.validate(folder("recording"))
        #expect(validation.findings.map(\.rule) == [.incompleteRecording])
        #expect(try Self.read(folder("recording")).map(\.pictures) == session.truths.prefix(2).map(\.pictures))
        withExtendedLifetime(writer) {}
    }

    @Test func theValidatorKnowsThem() throws {
        let session = Self.session()
        let stamps = session.truths.map(\.timestamp)
        let depth = "truth/depth/\(stamps[1]).png"
        let objects = "truth/objects/\(stamps[2]).png"
        let size = session.rig.camera.imageSize
        func gray16(_ value: UInt16, _ size: ImageSize) -> Gray16Image {
            Gray16Image(size: size, values: .init(repeating: value, count: size.width * size.height))
        }
        let damages: [(RecordingError.Rule, String, (RecordingFolder) throws -> Void)] = [
            (.frameWithoutImage, "truth.jsonl", { try $0.remove(depth) }),
            (
                .damagedImage, depth,
                { try ImageFile.writePNG(ImageBuffer(size: size, format: .gray8), to: $0.file(depth)) }
            ),
            (.damagedImage, depth, { try Data(contentsOf: $0.file(depth)).dropLast(9).write(to: $0.file(depth)) }),
            (.imageSize, depth, { try gray16(1, ImageSize(width: 3, height: 2)).writePNG(to: $0.file(depth)) }),
            (.unknownObject, objects, { try gray16(2, size).writePNG(to: $0.file(objects)) }),
            (
                .imageWithoutFrame, "truth/objects/5.png",
                { try gray16(1, size).writePNG(to: $0.file("truth/objects/5.png")) }
            ),
            (.malformedDocument, "truth.json", { try $0.replace("\"id\":7", by: "\"id\":0", in: "truth.json") }),
        ]
        for (rule, file, damage) in damages {
            let folder = try TemporaryFolder()
            try session.record(to: folder("recording"))
            try damage(RecordingFolder(url: folder("recording")))
            let finding = try #require(Recording.validate(folder("recording")).findings.first)
            #expect(finding.rule == rule && finding.file == file, "\(finding)")
        }
    }
}
