// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct DemoDrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw", abstract: "Write on a desk with a bare finger, and get the word as a solid.",
        discussion: """
            The fingertip is found in the pictures and followed; where it is down, its ray meets the plane that is drawn \
            on. The folder given with --output receives word.obj, the strokes as one solid, in metres, +Y up; preview.png, a \
            picture of it; word.ardrawing, the strokes; trace.jsonl; and pictures/ with what was known a second apart. \
            Where the input has a truth, the errors against it are printed.
            """)

    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput = SessionInput(shippedScene: "draw")
    @Option(help: "tracked: poses are found from pictures and inertial samples; pinned: they are the truth's.")
    var mode: PoseMode = .tracked
    @Option(name: .shortAndLong, help: "The folder of the results.") var output = "out/demo-draw"
    @Option(help: ArgumentHelp("The width of a stroke.", valueName: "metres")) var width = 0.004
    @Option(help: ArgumentHelp("The solid's height.", valueName: "metres")) var height = 0.01
    @OptionGroup var settings: SceneSettings

    func validate() throws {
        try require(width, within: Stroke.widths, of: "--width")
        try require(height, within: SolidOptions.lengths, of: "--height")
    }

    func run() throws {
        let folder = URL(fileURLWithPath: output)
        func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
        let (trace, preview, strokes) = (file("trace.jsonl"), file("preview.png"), file("word.ardrawing"))
        let export = try DrawingExport(to: file("word.obj"))
        let results = [export.url, export.materialFile, preview, strokes].compactMap { $0 }
        let replay = try SessionReplay(
            input, settings: settings.set, mode: mode,
            configuration: SessionConfiguration(pen: .fingertip, strokeWidth: width))
        var pen = try PenEvaluation(of: replay.source)
        let session = try replay.run(
            trace: trace, pictures: file("pictures"), others: Outputs(files: results, folders: [folder]),
            showing: [.planes, .drawing]
        ) { frame in
            try pen.add(frame)
            return []
        }
        guard !session.drawing.strokes.isEmpty else { throw CameToNothing.nothingDrawn(SessionSummary(session)) }
        let solids = try export.write(
            session.drawing, SolidOptions(style: .solid, height: height, join: .round, cap: .round, unites: true))
        if let picture = MeshPreview.render(solids.map(\.mesh)) { try ImageFile.writePNG(picture, to: preview) }
        try DrawingFile(strokes).write(session.drawing)
        try SummaryPrinter(session: session, solid: .init(solids, file: export.url.relativePath)).print(asJSON: false)
        print("preview     \(preview.relativePath)")
        try printErrors(of: session, pen: pen, trace: trace, source: replay.source)
    }

    /// What the truth says of the pen and its strokes; without a truth, nothing.
    private func printErrors(
        of session: Session, pen: PenEvaluation, trace: URL, source: any SensorSource & TruthSource
    ) throws {
        guard let truth = try? Trajectory(truthOf: source), !truth.poses.isEmpty else { return }
        let evaluation = try ComparisonOptions.parse([]).compare(trace, with: TruthInput(input, source: source))
        let truthFromSession = mode == .tracked ? evaluation.truthFromNormal : .identity
        guard let report = pen.report(of: session.drawing, truthFromSession: truthFromSession) else { return }
        func text(_ spread: PenEvaluation.Spread?, _ scale: Double, _ unit: String) -> String {
            guard let spread else { return "unknown" }
            return
                "\(rounded(spread.median * scale)) \(unit) median, \(rounded(spread.tail * scale)) \(unit) nine of ten"
        }
        print("")
        print("fingertip   \(text(report.pixels, 1, "px")) from the point of contact")
        print(
            "pen         \(text(report.tip, 1000, "mm")); not seen in \(rounded(100 * report.lostShare)) % of "
                + counted(report.drawingFrameCount, "frame"))
        if let distance = report.strokeDistance {
            print("word        within \(rounded(1000 * distance)) mm of what the finger truly wrote (Hausdorff)")
        }
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
