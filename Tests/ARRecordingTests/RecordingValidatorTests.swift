// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

/// Something done to a good recording, and the findings that it must give: no more and no others.
struct Damage: CustomTestStringConvertible, Sendable {
    struct Finding: Hashable, Sendable {
        var rule: RecordingError.Rule
        var file: String
        var line: Int?
    }

    let testDescription: String
    let findings: [Finding]
    let apply: @Sendable (RecordingFolder) throws -> Void

    init(
        _ description: String, _ findings: [(RecordingError.Rule, String, Int?)],
        _ apply: @escaping @Sendable (RecordingFolder) throws -> Void
    ) {
        testDescription = description
        self.findings = findings.map { Finding(rule: $0.0, file: $0.1, line: $0.2) }
        self.apply = apply
    }
}

/// The folder of a recording, to be damaged.
struct RecordingFolder: Sendable {
    let url: URL

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func text(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

    func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: file(name)) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: file(name)) }

    /// Replaces a part of a file, which must be there.
    func replace(_ old: String, by new: String, in name: String) throws {
        let text = try text(name)
        try #require(text.contains(old), "\(old) is not in \(name)")
        try write(text.replacingOccurrences(of: old, with: new), to: name)
    }

    /// Changes the lines of a file.
    func edit(_ name: String, _ change: (inout [String]) -> Void) throws {
        var lines = try text(name).split(separator: "\n").map(String.init)
        change(&lines)
        try write(lines.joined(separator: "\n") + "\n", to: name)
    }

    /// The path of the picture with that number, from 0.
    func picture(_ number: Int) throws -> String {
        let row = try text(frames).split(separator: "\n")[number + 1]
        return "mav0/cam0/data/" + row.split(separator: ",")[1]
    }
}

private let frames = "mav0/cam0/data.csv"
private let camera = "mav0/cam0/sensor.yaml"
private let imu = "mav0/imu0/data.csv"
private let imuYaml = "mav0/imu0/sensor.yaml"
private let truth = "truth.jsonl"
private let events = "events.jsonl"
private let groundTruth = "mav0/state_groundtruth_estimate0/data.csv"
private let session = "session.json"
private let trueCamera = "truth/camera.yaml"
private let firstStamp = "1403636579763555584"

@Suite struct RecordingValidatorTests {
    /// A finished recording of four frames.
    private func makeRecording(in folder: TemporaryFolder) throws -> RecordingFolder {
        var random = TestRandom(case: 1, "the recording to be damaged")
        var source = RandomSession(&random)
        source.rig.camera.camera = .radialTangential(
            RadialTangentialCamera(source.rig.camera.camera.intrinsics, k1: -0.1, k2: 0.01, p1: 1e-4, p2: -1e-5))
        source.rig.camera.uncertainty = CameraCalibration.Uncertainty()
        source.trueCamera = RandomSession.otherCamera(&random, than: source.rig.camera)
        source.rig.imu?.uncertainty = ImuCalibration.Uncertainty()
        source.session.declaredPlanes = [
            DeclaredPlane(name: "desk", worldFromPlane: .identity, boundary: [[0, 0], [0, 1], [1, 1], [1, 0]])
        ]
        try source.record(to: folder("recording"))
        return RecordingFolder(url: folder("recording"))
    }

    @Test func aGoodRecordingHasNoFinding() throws {
        let folder = try TemporaryFolder()
        let recording = try makeRecording(in: folder)
        var progress: [[Int]] = []
        let validation = Recording.validate(recording.url) { progress.append([$0, $1]) }
        #expect(validation.findings == [])
        #expect(validation.isValid)
        #expect(validation.frameCount == 4)
        #expect(validation.imuSampleCount == 40)
        #expect(progress == [[1, 4], [2, 4], [3, 4], [4, 4]])
        #expect(Recording.validate(recording.file("mav0")).findings == [])
    }

    @Test(arguments: damages) func eachDamageIsFound(_ damage: Damage) throws {
        let folder = try TemporaryFolder()
        let recording = try makeRecording(in: folder)
        try damage.apply(recording)
        let validation = Recording.validate(recording.url)
        let found = validation.findings.map { Damage.Finding(rule: $0.rule, file: $0.file, line: $0.line) }
        #expect(found == damage.findings, "\(validation.findings)")
        #expect(validation.isValid == damage.findings.allSatisfy { $0.rule.severity == .warning })
        for finding in validation.findings {
            #expect(finding.description.contains(finding.file))
            #expect(finding.description.hasSuffix(finding.advice))
        }
    }

    static let damages: [Damage] = layoutDamages + calibrationDamages + tableDamages + pictureDamages + sessionDamages

    static let layoutDamages = [
        Damage("no mav0", [(.missingFile, "mav0", nil)]) { try $0.remove("mav0") },
        Damage("no rows of frames", [(.missingFile, frames, nil), (.countMismatch, session, nil)]) {
            try $0.remove(frames)
        },
        Damage("no camera calibration", [(.missingFile, camera, nil)]) { try $0.remove(camera) },
        Damage("no IMU calibration", [(.missingFile, imuYaml, nil)]) { try $0.remove(imuYaml) },
        Damage("no IMU rows", [(.missingFile, imu, nil), (.countMismatch, session, nil)]) { try $0.remove(imu) },
        Damage("a table that is a folder", [(.unreadableFile, truth, nil)]) {
            try $0.remove(truth)
            try FileManager.default.createDirectory(at: $0.file(truth), withIntermediateDirectories: false)
        },
    ]

    static let calibrationDamages = [
        Damage("a bent T_BS", [(.notRigid, camera, 4)]) { try $0.replace("data: [", by: "data: [9", in: camera) },
        Damage("a T_BS of fifteen", [(.malformedDocument, camera, 6)]) {
            try $0.replace(", 0, 0, 0, 1]", by: ", 0, 0, 1]", in: camera)
        },
        Damage("a T_BS with a perspective row", [(.notRigid, camera, 4)]) {
            try $0.replace(", 0, 0, 0, 1]", by: ", 0, 0, 1, 1]", in: camera)
        },
        Damage("a negative focal length", [(.focalLength, camera, 10)]) {
            try $0.replace("intrinsics: [20", by: "intrinsics: [-20", in: camera)
        },
        Damage("a calibration without error", [(.malformedDocument, camera, 13)]) {
            try $0.replace("readout_ns: 16000000", by: "principal_point_deviation_px: 0", in: camera)
        },
        Damage("a true camera without a focal length", [(.focalLength, trueCamera, 10)]) {
            try $0.edit(trueCamera) { $0[9] = "intrinsics: [0, 20, 7, 5]" }
        },
        Damage("a true camera with other pictures", [(.imageSize, trueCamera, nil)]) {
            try $0.replace("resolution: [16, 12]", by: "resolution: [17, 12]", in: trueCamera)
        },
        Damage("inertial axes without error", [(.malformedDocument, imuYaml, 9)]) {
            try $0.replace(
                "gyroscope_random_walk: ", by: "gyroscope_misalignment_deviation_rad: 0\ngyroscope_random_walk: ",
                in: imuYaml)
        },
        Damage("a principal point outside", [(.principalPoint, camera, 10)]) {
            try $0.replace("7.25, 5.5]", by: "7.25, 55]", in: camera)
        },
        Damage(
            "everything wrong at once",
            [
                (.notRigid, camera, 4), (.focalLength, camera, 10), (.principalPoint, camera, 10),
                (.unknownModel, camera, 9),
            ]
        ) {
            try $0.replace("data: [", by: "data: [9", in: camera)
            try $0.replace("[20, 21, 7.25", by: "[0, 21, -7.25", in: camera)
            try $0.replace("camera_model: pinhole", by: "camera_model: omni", in: camera)
        },
        Damage("a size without pixels", [(.malformedDocument, camera, 8)]) {
            try $0.replace("[16, 12]", by: "[0, 12]", in: camera)
        },
        Damage("an unknown camera model", [(.unknownModel, camera, 9)]) {
            try $0.replace("camera_model: pinhole", by: "camera_model: omni", in: camera)
        },
        Damage("an unknown distortion", [(.unknownModel, camera, 11)]) {
            try $0.replace("radial-tangential", by: "fov", in: camera)
        },
        Damage("coefficients without model", [(.unknownModel, camera, 1)]) {
            try $0.replace("radial-tangential", by: "none", in: camera)
        },
        Damage("too few coefficients", [(.malformedDocument, camera, 12)]) {
            try $0.replace("[-0.1, ", by: "[", in: camera)
        },
        Damage("too few coefficients of a fisheye", [(.malformedDocument, camera, 12)]) {
            try $0.replace("radial-tangential", by: "equidistant", in: camera)
            try $0.replace("[-0.1, ", by: "[", in: camera)
        },
        Damage("a missing rate", [(.malformedDocument, camera, 1)]) {
            try $0.replace("rate_hz: 20\n", by: "", in: camera)
        },
        Damage("a rate that is a word", [(.malformedDocument, imuYaml, 7)]) {
            try $0.replace("rate_hz: 200", by: "rate_hz: fast", in: imuYaml)
        },
        Damage("YAML that ends too early", [(.malformedDocument, camera, 9)]) {
            try $0.replace("resolution: [16, 12]", by: "resolution: [16, 12", in: camera)
            try $0.edit(camera) { $0 = Array($0.prefix(8)) }
        },
        Damage("a key twice", [(.malformedDocument, imuYaml, 7)]) {
            try $0.edit(imuYaml) { $0.append("rate_hz: 100") }
        },
    ]

    static let tableDamages = [
        Damage("IMU rows in the wrong order", [(.stampOrder, imu, 4)]) { try $0.edit(imu) { $0.swapAt(2, 3) } },
        Damage("an IMU row twice", [(.duplicateStamp, imu, 4), (.countMismatch, session, nil)]) {
            try $0.edit(imu) { $0.insert($0[2], at: 3) }
        },
        Damage("an IMU column too few", [(.columnCount, imu, 5)]) {
            try $0.edit(imu) { $0[4] = String($0[4].prefix { $0 != "," }) }
        },
        Damage("NaN in the IMU", [(.notFinite, imu, 2)]) { try $0.edit(imu) { $0[1] = firstStamp + ",0,0,nan,0,0,0" } },
        Damage("a word in the IMU", [(.badNumber, imu, 2)]) {
            try $0.edit(imu) { $0[1] = firstStamp + ",0,0,zero,0,0,0" }
        },
        Damage("a stamp with a fraction", [(.badNumber, imu, 2)]) { try $0.edit(imu) { $0[1] = "1.5,0,0,0,0,0,0" } },
        Damage("a lost IMU row", [(.countMismatch, session, nil)]) { try $0.edit(imu) { $0.remove(at: 5) } },
        Damage("a last row without newline", [(.unterminatedRow, imu, nil)]) {
            try $0.write(String($0.text(imu).dropLast()), to: imu)
        },
        Damage("a quaternion of length two", [(.quaternionLength, groundTruth, 2)]) {
            try $0.edit(groundTruth) { $0[1] = firstStamp + ",0,0,0,2,0,0,0" }
        },
        Damage("ground truth of seven columns", [(.columnCount, groundTruth, 2)]) {
            try $0.edit(groundTruth) { $0[1] = firstStamp + ",0,0,0,1,0,0" }
        },
        Damage("a broken line of truth", [(.malformedDocument, truth, 2)]) {
            try $0.edit(truth) { $0[1].removeLast() }
        },
        Damage("truth without a pose", [(.malformedDocument, truth, 1)]) {
            try $0.edit(truth) { $0[0] = "{\"t_ns\":5}" }
        },
        Damage("an unknown action", [(.malformedDocument, events, 1)]) {
            try $0.edit(events) { $0[0] = "{\"action\":\"shake\",\"t_ns\":\(firstStamp)}" }
        },
        Damage("events in the wrong order", [(.stampOrder, events, 2)]) {
            try $0.edit(events) { $0[1] = "{\"action\":\"pen_up\",\"t_ns\":5}" }
        },
        Damage("binary instead of a table", [(.unreadableFile, truth, 1)]) {
            try Data(count: LineReader.longestLine + 1).write(to: $0.file(truth))
        },
    ]

    static let pictureDamages = [
        Damage("a missing picture", [(.frameWithoutImage, frames, 3)]) { try $0.remove($0.picture(1)) },
        Damage("a picture without row", [(.imageWithoutFrame, "mav0/cam0/data/7.png", nil)]) {
            try FileManager.default.copyItem(at: $0.file($0.picture(0)), to: $0.file("mav0/cam0/data/7.png"))
        },
        Damage(
            "a lost row",
            [(.imageWithoutFrame, "mav0/cam0/data/1403636579813555584.png", nil), (.countMismatch, session, nil)]
        ) { try $0.edit(frames) { $0.remove(at: 2) } },
        Damage("frames in the wrong order", [(.stampOrder, frames, 4)]) { try $0.edit(frames) { $0.swapAt(2, 3) } },
        Damage("no frames", [(.noFrames, frames, nil), (.countMismatch, session, nil)]) {
            try $0.edit(frames) { $0 = [$0[0]] }
        },
        Damage("a cut picture", [(.damagedImage, "mav0/cam0/data/\(firstStamp).png", nil)]) {
            let file = $0.file(try $0.picture(0))
            try Data(contentsOf: file).dropLast(20).write(to: file)
        },
        Damage("a picture of another size", [(.imageSize, "mav0/cam0/data/\(firstStamp).png", nil)]) {
            let image = ImageBuffer(size: ImageSize(width: 12, height: 16), format: .gray8)
            try ImageFile.writePNG(image, to: $0.file($0.picture(0)))
        },
        Damage("a frame's row of one column", [(.columnCount, frames, 2)]) {
            try $0.edit(frames) { $0[1] = firstStamp }
        },
    ]

    static let sessionDamages = [
        Damage("a newer version", [(.formatVersion, session, 5)]) {
            try $0.write("{\n\"complete\": true,\n\n\n\"format_version\": 2}", to: session)
        },
        Damage("no version", [(.malformedDocument, session, 1)]) { try $0.write("{\"complete\": true}", to: session) },
        Damage("not finished", [(.incompleteRecording, session, nil)]) {
            try $0.replace("\"complete\": true", by: "\"complete\": false", in: session)
        },
        Damage("wrong counts", [(.countMismatch, session, nil)]) {
            try $0.replace("\"frames\": 4", by: "\"frames\": 5", in: session)
        },
        Damage("two planes of one name", [(.declaredPlane, session, nil)]) {
            let text = try $0.text(session)
            let start = try #require(text.range(of: "[{"))
            let end = try #require(text.range(of: "}],"))
            let plane = text[text.index(after: start.lowerBound)...end.lowerBound]
            try $0.write(text.replacingCharacters(in: start, with: "[\(plane), {"), to: session)
        },
        Damage("a plane seen from below", [(.declaredPlane, session, nil)]) {
            try $0.replace("[[0, 0], [0, 1], [1, 1], [1, 0]]", by: "[[0, 0], [1, 0], [1, 1], [0, 1]]", in: session)
        },
    ]

    // Whatever a crash or a full disk leaves: never a crash of ours, always a recording or a reason. Each file is
    // cut to nothing, and to a third of its shorter lengths.
    @Test(.tags(.slow), .whenSlowTestsRun) func truncatedFilesAreReadOrExplained() throws {
        let folder = try TemporaryFolder()
        var random = TestRandom()
        try RandomSession(&random, frames: 1).record(to: folder("recording"))
        for (name, whole) in try contents(of: folder("recording")).sorted(by: { $0.key < $1.key }) {
            let file = folder("recording").appendingPathComponent(name)
            for length in 0..<whole.count where length == 0 || Int.random(in: 0..<3, using: &random) == 0 {
                try whole.prefix(length).write(to: file)
                let validation = Recording.validate(folder("recording"))
                do {
                    let recording = try Recording(opening: folder("recording"))
                    _ = try recording.allEvents()
                    _ = try recording.allTruths()
                } catch let error as RecordingError {
                    #expect(!validation.isValid, "\(name) cut at \(length): \(error)")
                }
                if name.hasSuffix(".png") { #expect(validation.findings.map(\.rule) == [.damagedImage]) }
            }
            try whole.write(to: file)
        }
        #expect(Recording.validate(folder("recording")).findings == [])
    }

    @Test func aThoroughlyBrokenRecordingFillsNoMemory() throws {
        let folder = try TemporaryFolder()
        let recording = try makeRecording(in: folder)
        try recording.write(String(repeating: "x\n", count: 5000), to: imu)
        let validation = Recording.validate(recording.url)
        #expect(validation.findings.count == RecordingValidation.listedFindings)
        #expect(validation.errorCount == 5000)
        #expect(validation.warningCount == 1)
    }

    @Test(.enabled(if: RealData.has("euroc_micro_v101/mav0"), "euroc_micro_v101 is absent"))
    func theRealRecordingIsValid() {
        let validation = Recording.validate(RealData.url("euroc_micro_v101"))
        #expect(validation.findings == [])
        #expect(validation.frameCount == 95)
        #expect(validation.imuSampleCount == 29120)
    }
}
