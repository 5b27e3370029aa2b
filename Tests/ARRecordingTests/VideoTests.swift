// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

private let hasFFmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
}

@Suite(.enabled(if: hasFFmpeg, "ffmpeg is absent: apt-get install ffmpeg")) struct VideoTests {
    /// A recording whose frames are in a lossless video; the grey pictures that it was made of.
    private func makeVideoRecording(
        in folder: TemporaryFolder, frames: Int = 5
    ) throws -> (recording: URL, images: [ImageBuffer]) {
        var random = TestRandom(case: frames, "video")
        var session = RandomSession(&random, frames: frames)
        session.trueCamera = nil
        var images: [ImageBuffer] = []
        for (index, event) in session.events.enumerated() {
            guard case .frame(var frame) = event else { continue }
            frame.image = frame.image.gray
            images.append(frame.image)
            session.events[index] = .frame(frame)
        }
        let url = folder("recording")
        try session.record(to: url)
        try encode(url.appendingPathComponent("mav0/cam0/data"), to: url.appendingPathComponent("mav0/cam0/data.mkv"))
        try FileManager.default.removeItem(at: url.appendingPathComponent("mav0/cam0/data"))
        return (url, images)
    }

    private func encode(_ pictures: URL, to video: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-y", "-framerate", "20", "-pattern_type", "glob", "-i", "\(pictures.path)/*.png",
            "-c:v", "ffv1", "-pix_fmt", "gray", video.path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test func rowsAreTheFramesOfTheVideo() throws {
        let folder = try TemporaryFolder()
        let (url, images) = try makeVideoRecording(in: folder)
        let recording = try Recording(opening: url)
        let frames = try recording.allEvents().compactMap {
            if case .frame(let frame) = $0 { frame.image } else { nil }
        }
        #expect(frames == images)
        #expect(Recording.validate(url).findings == [])
    }

    @Test func aStreamMayBeDroppedHalfway() throws {
        let folder = try TemporaryFolder()
        let (url, images) = try makeVideoRecording(in: folder, frames: 30)
        let recording = try Recording(opening: url)
        for _ in 0..<3 {
            var stream = try recording.makeStream()
            var first: ImageBuffer?
            while first == nil, let event = try stream.next() {
                if case .frame(let frame) = event { first = frame.image }
            }
            #expect(first == images[0])
        }
    }

    @Test func aShortVideoIsFoundAtItsRow() throws {
        let folder = try TemporaryFolder()
        let (url, _) = try makeVideoRecording(in: folder)
        let rows = url.appendingPathComponent("mav0/cam0/data.csv")
        let table = try String(contentsOf: rows, encoding: .utf8)
        try (table + "1403636580763555584,x.png\n").write(to: rows, atomically: true, encoding: .utf8)
        let findings = Recording.validate(url).findings
        #expect(findings.map(\.rule) == [.frameWithoutImage, .countMismatch])
        #expect(findings.first?.line == 7)
        let error = #expect(throws: RecordingError.self) { try Recording(opening: url).allEvents() }
        #expect(error == findings.first)
    }

    @Test func aLongVideoIsFound() throws {
        let folder = try TemporaryFolder()
        let (url, _) = try makeVideoRecording(in: folder)
        let rows = url.appendingPathComponent("mav0/cam0/data.csv")
        let table = try String(contentsOf: rows, encoding: .utf8)
        try table.split(separator: "\n").dropLast().joined(separator: "\n").appending("\n")
            .write(to: rows, atomically: true, encoding: .utf8)
        #expect(Recording.validate(url).findings.map(\.rule) == [.imageWithoutFrame, .countMismatch])
    }

    @Test func aVideoOfAnotherSizeIsFoundOnce() throws {
        let folder = try TemporaryFolder()
        let (url, _) = try makeVideoRecording(in: folder)
        let yaml = url.appendingPathComponent("mav0/cam0/sensor.yaml")
        let text = try String(contentsOf: yaml, encoding: .utf8).replacingOccurrences(of: "[16, 12]", with: "[16, 16]")
        try text.write(to: yaml, atomically: true, encoding: .utf8)
        #expect(Recording.validate(url).findings.map(\.rule) == [.imageSize])
    }

    @Test func whatIsNoVideoIsExplained() throws {
        let folder = try TemporaryFolder()
        let (url, _) = try makeVideoRecording(in: folder)
        let video = url.appendingPathComponent("mav0/cam0/data.mkv")
        try Data("no video".utf8).write(to: video)
        let findings = Recording.validate(url).findings
        #expect(findings.map(\.rule) == [.videoFailed])
        #expect(findings.first?.file == "mav0/cam0/data.mkv")
        #expect(findings.first?.found.isEmpty == false)
    }

    @Test func aMissingProgramOrFileIsNamed() throws {
        let folder = try TemporaryFolder()
        let (url, _) = try makeVideoRecording(in: folder)
        let video = url.appendingPathComponent("mav0/cam0/data.mkv")
        let noProber = try #require(throws: RecordingError.self) {
            try VideoReader(video, name: "v", format: nil, prober: "no-such-program")
        }
        #expect(noProber.rule == .videoProgram)
        #expect(noProber.found == "no program no-such-program")
        #expect(noProber.advice == "install it: apt-get install ffmpeg")
        let noDecoder = try #require(throws: RecordingError.self) {
            try VideoReader(video, name: "v", format: nil, decoder: "no-such-program")
        }
        #expect(noDecoder.rule == .videoProgram)
        let noFile = try #require(throws: RecordingError.self) {
            try VideoReader(folder("no.mp4"), name: "no.mp4", format: nil)
        }
        #expect(noFile.rule == .missingFile)
        // A decoder that fails is quoted.
        let failing = try VideoReader(video, name: "v", format: .rgb8, decoder: "false")
        let failed = try #require(throws: RecordingError.self) { try failing.next() }
        #expect(failed.rule == .videoFailed)
        #expect(failed.found.hasPrefix("false stopped after 0 frames with status 1"))
    }

    @Test(.enabled(if: RealData.has("boofcv_fiducial/chessboard/movie.mjpeg"), "boofcv_fiducial is absent"))
    func aBareStreamOfJpegsIsAVideo() throws {
        let reader = try VideoReader(
            RealData.url("boofcv_fiducial/chessboard/movie.mjpeg"), name: "movie.mjpeg", format: nil)
        #expect(reader.size == ImageSize(width: 640, height: 480))
        #expect(reader.format == .rgb8)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == 142)
    }
}
