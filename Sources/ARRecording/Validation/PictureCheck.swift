// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// Checks the pictures of a camera's rows: files of a folder, or the frames of a video.
struct PictureCheck {
    private let layout: RecordingLayout
    private let imageSize: ImageSize?
    private let video: VideoReader?
    /// A video that cannot be read is one finding, not one for each row.
    private var videoFailed = false
    private var unlisted: Set<String>

    init(layout: RecordingLayout, imageSize: ImageSize?, report: (RecordingError) -> Void) {
        self.layout = layout
        self.imageSize = imageSize
        guard let name = layout.video else {
            video = nil
            let path = layout.url(RecordingLayout.images).path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            unlisted = Set(names.filter { !$0.hasPrefix(".") })
            return
        }
        unlisted = []
        do {
            video = try VideoReader(layout.url(name), name: name, format: .gray8)
            if let size = video?.size { checkSize(size, file: name, report) }
        } catch {
            video = nil
            videoFailed = true
            report(error)
        }
    }

    /// Checks the picture of the next row; where it is not wanted, only notes that it has a row.
    mutating func check(_ row: TimedRow<String>, isWanted: Bool = true, report: (RecordingError) -> Void) {
        guard !videoFailed else { return }
        if let video {
            if isWanted { checkNextFrame(of: video, row, report) }
        } else {
            unlisted.remove(row.value)
            if isWanted { checkFile("\(RecordingLayout.images)/\(row.value)", row, report) }
        }
    }

    /// Checks that every picture had a row.
    mutating func checkUnlisted(report: (RecordingError) -> Void) {
        for name in unlisted.sorted() {
            report(
                RecordingError(
                    .imageWithoutFrame, file: "\(RecordingLayout.images)/\(name)", found: "a picture without a row",
                    expected: "a row in \(RecordingLayout.frames)"))
        }
        guard let video, !videoFailed else { return }
        do {
            if try video.next() != nil {
                report(
                    RecordingError(
                        .imageWithoutFrame, file: video.name, found: "more frames than rows",
                        expected: "a row in \(RecordingLayout.frames) for each"))
            }
        } catch {
            report(error)
        }
    }

    private mutating func checkNextFrame(
        of video: VideoReader, _ row: TimedRow<String>, _ report: (RecordingError) -> Void
    ) {
        do {
            guard try video.next() == nil else { return }
            videoFailed = true
            report(
                RecordingError(
                    .frameWithoutImage, file: RecordingLayout.frames, line: row.line,
                    found: "no more frames in \(video.name)", expected: "a frame of the video for each row"))
        } catch {
            videoFailed = true
            report(error)
        }
    }

    private func checkFile(_ name: String, _ row: TimedRow<String>, _ report: (RecordingError) -> Void) {
        do {
            checkSize(try ImageFile.read(layout.url(name)).size, file: name, report)
        } catch {
            report(RecordingError(error, name: name, table: RecordingLayout.frames, line: row.line))
        }
    }

    private func checkSize(_ size: ImageSize, file: String, _ report: (RecordingError) -> Void) {
        guard let imageSize, size != imageSize else { return }
        report(RecordingError(.imageSize, file: file, found: "\(size)", expected: "\(imageSize)"))
    }
}
