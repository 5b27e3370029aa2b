// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

extension SessionConfiguration.Pen: ExpressibleByArgument {}

/// What `replay` and `draw` share: a session is run from its first frame to its last.
struct ReplayOptions: ParsableArguments {
    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput
    @Option(help: "What holds the pen.") var pen: SessionConfiguration.Pen = .automatic
    @Option(help: ArgumentHelp("The width of a stroke.", valueName: "metres")) var width: Double = 0.003
    @Flag(help: "Print the summary as JSON.") var json = false

    func validate() throws {
        guard width > 0, width.isFinite else { throw ValidationError("--width must be more than 0 m, not \(width)") }
    }

    /// Replays the session; writes the trace, and a picture of the first frame in each second, where asked.
    func run(trace: URL?, pictures: URL?) throws -> Session {
        let source = try input.open()
        let configuration = SessionConfiguration(pen: pen, strokeWidth: width)
        var session = try Session(pinned: source, configuration: configuration)
        var album = try pictures.map { try PictureAlbum(in: $0) }
        var progress = ProgressBar("replaying", total: source.expectedFrameCount)
        defer { progress.finish() }

        if let trace {
            try FileManager.default.createDirectory(
                at: trace.deletingLastPathComponent(), withIntermediateDirectories: true)
            let writer = try TraceWriter(creating: trace, for: session)
            while let frame = try session.next() {
                try writer.append(frame)
                try album?.consider(frame, drawing: session.drawing)
                progress.show(session.counts.frames)
            }
            try writer.finish()
        } else {
            while let frame = try session.next() {
                try album?.consider(frame, drawing: session.drawing)
                progress.show(session.counts.frames)
            }
        }
        guard session.counts.frames > 0 else { throw NothingReplayed(input: input.description) }
        return session
    }
}

/// A folder that receives the picture of the first frame in each second of a session.
struct PictureAlbum {
    private let folder: URL
    private var nextPicture: Timestamp?

    init(in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    mutating func consider(_ frame: SessionFrame, drawing: @autoclosure () -> Drawing) throws {
        if let nextPicture, frame.timestamp < nextPicture { return }
        nextPicture = frame.timestamp.advanced(byNanoseconds: 1_000_000_000)
        let number = String(frame.index)
        let name = "frame_" + String(repeating: "0", count: max(0, 6 - number.count)) + number + ".png"
        try ImageFile.writePNG(frame.picture(with: drawing()), to: folder.appendingPathComponent(name))
    }
}

/// A session without frames proves nothing, so it is a failure.
struct NothingReplayed: Error, CustomStringConvertible {
    let input: String
    var description: String { "'\(input)' has no frames: nothing was replayed" }
}

/// A session in which the pen never touched a plane.
struct NothingDrawn: Error, CustomStringConvertible {
    let summary: SessionSummary
    var description: String {
        "nothing was drawn in \(summary.framesReplayed) frames (\(summary.framesWithPose) with a pose, "
            + "\(summary.penSamples) pen samples): the pen must touch a plane that the session declares"
    }
}
