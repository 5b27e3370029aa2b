// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// A session that runs from its first frame to its last.
struct SessionReplay {
    /// What it is made from, and the truth of that.
    let source: any SensorSource & TruthSource
    private let input: SessionInput
    private let session: Session

    init(
        _ input: SessionInput, settings: [SceneSetting], mode: PoseMode, configuration: SessionConfiguration
    ) throws {
        self.input = input
        source = try input.open(settings)
        session =
            switch mode {
            case .pinned: try Session(pinned: source, configuration: configuration)
            case .tracked: try Session(tracking: source, configuration: configuration)
            }
    }

    /// Replays the session; writes the trace, and a picture of the first frame in each second, where asked.
    ///
    /// All outputs are made ready before: those named here, and others that the caller writes. `onFrame` receives each frame,
    /// and gives what is drawn on its picture besides.
    func run(
        trace: URL?, pictures: URL?, others: Outputs = Outputs(), showing parts: OverlayParts = .all,
        onFrame: (SessionFrame) throws -> [RectangleCopy] = { _ in [] }
    ) throws -> Session {
        try Outputs(
            files: others.files + [trace].compactMap { $0 }, folders: others.folders + [pictures].compactMap { $0 }
        )
        .prepare(besides: [input.url])
        var session = session
        var album = pictures.map { PictureAlbum(in: $0, showing: parts) }
        let writer = try trace.map { try TraceWriter(creating: $0, for: session) }
        var progress = ProgressBar("replaying", total: source.expectedFrameCount)
        defer { progress.finish() }
        while let frame = try session.next() {
            try writer?.append(frame)
            let copies = try onFrame(frame)
            try album?.consider(frame, drawing: session.drawing, copies: copies)
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
