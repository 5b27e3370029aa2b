// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARTruth
import Foundation

/// Where a recording's files are: EuRoC's layout and our additions beside it.
struct RecordingLayout: Sendable {
    static let session = "session.json"
    static let events = "events.jsonl"
    static let arrivals = "arrivals.csv"
    static let truth = "truth.jsonl"
    static let sessionTruth = "truth.json"
    static let truthFolder = "truth"
    static let trueCamera = "\(truthFolder)/camera.yaml"
    static let cameraYaml = "mav0/cam0/sensor.yaml"
    static let frames = "mav0/cam0/data.csv"
    static let images = "mav0/cam0/data"
    static let imuYaml = "mav0/imu0/sensor.yaml"
    static let imu = "mav0/imu0/data.csv"
    static let groundTruthYaml = "mav0/state_groundtruth_estimate0/sensor.yaml"
    static let groundTruth = "mav0/state_groundtruth_estimate0/data.csv"
    /// A video may stand in for the folder of pictures: `data.` and one of these.
    static let videoExtensions = ["mp4", "avi", "mjpeg", "mkv", "mov", "webm"]

    let folder: URL

    /// The folder of the truth pictures of a kind: `truth/depth`, `truth/objects`.
    static func folder(of kind: TruthPictureKind) -> String { "\(truthFolder)/\(kind.rawValue)" }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(name).path) }

    /// The bytes of a small file.
    func bytes(of name: String) throws(RecordingError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            let reader = try LineReader(url(name))
            while let line = try reader.next() {
                bytes.append(contentsOf: line.bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        } catch {
            throw RecordingError(error, name: name)
        }
        return bytes
    }

    /// The video that holds the frames, where there is one.
    var video: String? { Self.videoExtensions.map { "\(Self.images).\($0)" }.first(where: exists) }
}
