// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// The frames of a video file, one after the other, decoded by Debian's `ffmpeg`, which runs beside us and hands over
/// raw pixels. Every frame of the file is given once, whatever its time stamps say; the flags make its arithmetic exact.
public final class VideoReader {
    /// The file's name in errors.
    public let name: String
    /// Columns and rows of each frame.
    public let size: ImageSize
    /// What the pixels mean.
    public let format: PixelFormat

    private let decoder: Subprocess
    private let decoderName: String
    private var frameCount = 0

    /// Starts decoding a video.
    /// - Parameters:
    ///   - file: the video, of any kind that `ffmpeg` plays, or a bare stream of JPEG pictures.
    ///   - name: what errors call the file.
    ///   - format: what the pixels shall mean; `nil` for grey from grey video and colour from all other.
    ///   - decoder: the program that decodes, `ffmpeg`.
    ///   - prober: the program that tells the size, `ffprobe`.
    public init(
        _ file: URL, name: String, format: PixelFormat?, decoder: String = "ffmpeg", prober: String = "ffprobe"
    ) throws(RecordingError) {
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw RecordingError(.missingFile, file: name, found: "no such file", expected: "a video")
        }
        self.name = name
        decoderName = decoder
        let stream = try VideoStream(probing: file, name: name, prober: prober)
        size = stream.size
        self.format = format ?? (stream.pixelFormat.hasPrefix("gray") ? .gray8 : .rgb8)
        let arguments = [
            "-v", "error", "-nostdin", "-threads", "1", "-flags", "bitexact", "-i", file.path, "-map", "0:v:0",
            "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", self.format == .gray8 ? "gray" : "rgb24",
            "-sws_flags", "bicubic+accurate_rnd+full_chroma_int+bitexact", "pipe:1",
        ]
        guard let process = Subprocess(decoder, arguments) else {
            throw RecordingError.missingProgram(decoder, file: name)
        }
        self.decoder = process
    }

    /// The next frame, or `nil` after the last.
    public func next() throws(RecordingError) -> ImageBuffer? {
        var image = ImageBuffer(size: size, format: format)
        let count = image.bytes.withUnsafeMutableBytes { decoder.read(into: $0) }
        if count == image.bytes.count {
            frameCount += 1
            return image
        }
        let ending = decoder.wait()
        guard ending.status == 0, count == 0 else {
            throw RecordingError(
                .videoFailed, file: name,
                found:
                    "\(decoderName) stopped after \(frameCount) frames with status \(ending.status): \(ending.message)",
                expected: "a video that plays to its end")
        }
        return nil
    }
}

/// What the first video stream of a file is.
private struct VideoStream {
    var size: ImageSize
    var pixelFormat: String

    init(probing file: URL, name: String, prober: String) throws(RecordingError) {
        let arguments = [
            "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height,pix_fmt", "-of",
            "default=noprint_wrappers=1", file.path,
        ]
        guard let process = Subprocess(prober, arguments) else {
            throw RecordingError.missingProgram(prober, file: name)
        }
        let output = String(decoding: process.readAll(), as: UTF8.self)
        let ending = process.wait()
        var values: [Substring: Substring] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard ending.status == 0, let width = values["width"].flatMap({ Int($0) }),
            let height = values["height"].flatMap({ Int($0) }), width > 0, height > 0,
            width * height <= ImageFile.pixelLimit
        else {
            throw RecordingError(
                .videoFailed, file: name, found: ending.message.isEmpty ? "no video stream" : ending.message,
                expected: "a video file")
        }
        size = ImageSize(width: width, height: height)
        pixelFormat = String(values["pix_fmt"] ?? "")
    }
}

extension RecordingError {
    /// The error that a program is not installed.
    static func missingProgram(_ program: String, file: String) -> RecordingError {
        RecordingError(
            .videoProgram, file: file, found: "no program \(program)", expected: "\(program) on the search path")
    }
}
