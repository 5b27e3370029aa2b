// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

extension SessionConfiguration.Pen: ExpressibleByArgument {}
extension PoseMode: ExpressibleByArgument {}

/// What `replay` and `draw` share: a session is run from its first frame to its last.
struct ReplayOptions: ParsableArguments {
    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput
    @Option(help: "pinned: poses are the truth's; tracked: they are found from pictures and inertial samples.")
    var mode: PoseMode = .pinned
    @Option(help: "What holds the pen.") var pen: SessionConfiguration.Pen = .automatic
    @Option(help: ArgumentHelp("The width of a stroke.", valueName: "metres")) var width: Double = 0.003
    @OptionGroup var settings: SceneSettings
    @Flag(help: "Print the summary as JSON.") var json = false

    func validate() throws {
        try require(width, within: Stroke.widths, of: "--width")
    }

    /// Replays the session; writes the trace, and a picture of the first frame in each second, where asked.
    ///
    /// All outputs are made ready as soon as the session can begin: those named here, and others that the caller writes.
    /// `onFrame` receives each frame as well.
    func run(
        trace: URL?, pictures: URL?, others: Outputs = Outputs(), search: PictureSearch = PictureSearch(),
        showing parts: OverlayParts = .all, onFrame: (SessionFrame) throws -> Void = { _ in }
    ) throws -> Session {
        let source = try input.open(settings.set)
        let configuration = SessionConfiguration(pen: pen, strokeWidth: width, pictureSearch: search)
        var session =
            switch mode {
            case .pinned: try Session(pinned: source, configuration: configuration)
            case .tracked: try Session(tracking: source, configuration: configuration)
            }
        try Outputs(
            files: others.files + [trace].compactMap { $0 }, folders: others.folders + [pictures].compactMap { $0 }
        )
        .prepare(besides: [input.place])
        var album = pictures.map { PictureAlbum(in: $0, showing: parts) }
        let writer = try trace.map { try TraceWriter(creating: $0, for: session) }
        var progress = ProgressBar("replaying", total: source.expectedFrameCount)
        defer { progress.finish() }
        while let frame = try session.next() {
            try writer?.append(frame)
            try album?.consider(frame, drawing: session.drawing)
            try onFrame(frame)
            progress.show(session.counts.frames)
        }
        guard session.counts.frames > 0 else { throw CameToNothing.nothingReplayed(input: input.description) }
        try writer?.finish()
        return session
    }
}

/// A folder that receives the picture of the first frame in each second of a session.
struct PictureAlbum {
    private let folder: URL
    private let parts: OverlayParts
    private var nextPicture: Timestamp?

    init(in folder: URL, showing parts: OverlayParts) {
        self.folder = folder
        self.parts = parts
    }

    mutating func consider(
        _ frame: SessionFrame, drawing: @autoclosure () -> Drawing, copies: [RectangleCopy] = []
    ) throws {
        if let nextPicture, frame.timestamp < nextPicture { return }
        nextPicture = frame.timestamp.advanced(byNanoseconds: 1_000_000_000)
        let number = String(frame.index)
        let name = "frame_" + String(repeating: "0", count: max(0, 6 - number.count)) + number + ".png"
        try ImageFile.writePNG(
            frame.picture(with: drawing(), showing: parts, copies: copies), to: folder.appendingPathComponent(name))
    }
}

/// Throws a usage error when an option's value lies outside a range; a length, unless another unit is named.
func require(_ value: Double, within range: ClosedRange<Double>, of option: String, unit: String = " m") throws {
    guard range.contains(value) else {
        throw ValidationError("\(option) must be \(range.lowerBound) to \(range.upperBound)\(unit), not \(value)")
    }
}
