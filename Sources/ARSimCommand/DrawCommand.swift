// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct DrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw", abstract: "Replay a session and turn what its pen drew into a solid.",
        discussion: """
            The output's extension names the format: .obj (with a .mtl beside it), .stl, .ply, .glb, .svg (the plan), or \
            .ardrawing (the strokes themselves). Meshes are in metres, +Y up, one object a stroke, closed and manifold. \
            The pen is the index fingertip, where the first picture shows a pointing hand, else the point of a plane that the \
            screen's centre looks at. The input may be a drawing, too: a file .ardrawing.
            """)

    @OptionGroup var replay: ReplayOptions
    @Option(
        help: """
            What lifts a fingertip off the plane. events: the input's; seen: also how wide it looks, which is often wrong.
            """)
    var penLift = SessionConfiguration.PenLift.events
    @Option(name: .shortAndLong, help: "The file for what was drawn.") var output: String
    @Option(help: "solid: what the pen covered, extruded; ribbon: a strip along the stroke; tube: a round tube.")
    var style = SolidOptions.Style.solid
    @Option(help: ArgumentHelp("The solid's height.", valueName: "metres")) var height: Double = 0.01
    @Option(help: "The outer side of a solid's corners.") var join = StrokeJoin.round
    @Option(help: "The ends of solids and tubes.") var cap = StrokeCap.round
    @Flag(help: "Make strokes that meet one solid.") var unite = false
    @Flag(help: "Fill what closed strokes enclose.") var fill = false
    @Option(help: "The unit of lengths: m, or mm for printers (.obj, .stl, .ply).") var unit: LengthUnit?
    @Option(help: ArgumentHelp("Also write the trace.", valueName: "file")) var trace: String?
    @Option(help: ArgumentHelp("Also write a picture a second of what the session knew.", valueName: "folder"))
    var pictures: String?
    @Option(help: ArgumentHelp("Also write a picture of the solid.", valueName: "png")) var preview: String?

    func validate() throws {
        try require(height, within: SolidOptions.lengths, of: "--height")
        _ = try export()
    }

    func run() throws {
        let export = try export()
        let results = [export.url] + [export.materialFile, preview.map(URL.init(fileURLWithPath:))].compactMap { $0 }
        if replay.input.url.pathExtension == "ardrawing" {
            try Outputs(files: results).prepare(besides: [replay.input.url])
            let drawing = try DrawingFile(replay.input.url).read()
            return try SummaryPrinter(drawing: drawing, solid: makeSolid(of: drawing, export)).print(
                asJSON: replay.json)
        }
        let session = try replay.replay(penLift: penLift).run(
            trace: trace.map(URL.init(fileURLWithPath:)), pictures: pictures.map(URL.init(fileURLWithPath:)),
            others: Outputs(files: results))
        guard !session.drawing.strokes.isEmpty else {
            throw CameToNothing.nothingDrawn(SessionSummary(session))
        }
        let solid = try makeSolid(of: session.drawing, export)
        try SummaryPrinter(session: session, solid: solid).print(asJSON: replay.json)
    }

    /// Writes the drawing's solid, and its picture where asked.
    private func makeSolid(of drawing: Drawing, _ export: DrawingExport) throws -> SummaryPrinter.SolidSummary {
        let solids = try export.write(
            drawing, SolidOptions(style: style, height: height, join: join, cap: cap, unites: unite, fills: fill))
        if let preview, let picture = MeshPreview.render(solids.map(\.mesh)) {
            try ImageFile.writePNG(picture, to: URL(fileURLWithPath: preview))
        }
        return .init(solids, file: output)
    }

    private func export() throws -> DrawingExport {
        do {
            return try DrawingExport(to: URL(fileURLWithPath: output), unit: unit)
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

extension SolidOptions.Style: ExpressibleByArgument {}
extension StrokeJoin: ExpressibleByArgument {}
extension StrokeCap: ExpressibleByArgument {}
extension LengthUnit: ExpressibleByArgument {}
