// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// The rows of `cam0/data.csv` and their pictures: files of a folder, or the frames of a video in the order of the rows.
final class FrameReader {
    private let table: TimedTable<String>
    private let layout: RecordingLayout
    private let imageSize: ImageSize
    private let video: VideoReader?

    init(_ recording: Recording) throws(RecordingError) {
        layout = recording.layout
        imageSize = recording.rig.camera.imageSize
        table = try layout.frameTable(isComplete: recording.isComplete)
        if let name = layout.video {
            video = try VideoReader(layout.url(name), name: name, format: nil)
        } else {
            video = nil
        }
    }

    /// The next row, or `nil` at the end.
    func nextRow() throws(RecordingError) -> TimedRow<String>? { try table.next() }

    /// The picture of the row that was read last.
    func image(of row: TimedRow<String>) throws(RecordingError) -> ImageBuffer {
        let image: ImageBuffer
        let name: String
        if let video {
            name = video.name
            guard let frame = try video.next() else {
                throw RecordingError(
                    .frameWithoutImage, file: table.name, line: row.line, found: "no more frames in \(video.name)",
                    expected: "a frame of the video for each row")
            }
            image = frame
        } else {
            name = "\(RecordingLayout.images)/\(row.value)"
            image = try readImage(name, line: row.line)
        }
        guard image.size == imageSize else {
            throw RecordingError(.imageSize, file: name, found: "\(image.size)", expected: "\(imageSize)")
        }
        return image
    }

    private func readImage(_ name: String, line: Int) throws(RecordingError) -> ImageBuffer {
        do {
            return try ImageFile.read(layout.url(name))
        } catch {
            throw RecordingError(error, name: name, table: table.name, line: line)
        }
    }
}

extension RecordingError {
    /// The error that the picture of a table's row cannot be read.
    init(_ error: ImageFileError, name: String, table: String, line: Int? = nil) {
        if case .unreadable(_, let reason) = error {
            self.init(
                .frameWithoutImage, file: table, line: line, found: "\(name): \(reason)", expected: "a picture file")
        } else {
            self.init(.damagedImage, file: name, found: "a file that \(error.problem)", expected: "a whole picture")
        }
    }
}
