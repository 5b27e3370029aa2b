// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct DrawCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw", abstract: "Replay a session and turn what its pen drew into a solid.",
        discussion: """
            The solid is an OBJ in metres, +Y up, one object a stroke, closed and manifold. The pen is the fingertip \
            where the session has one, else the point of a plane that the screen's centre looks at.
            """)

    @OptionGroup var replay: ReplayOptions
    @Option(name: .shortAndLong, help: "The OBJ file.") var output: String
    @Option(help: "footprint: the stroke's true outline, crossings united; ribbon: a strip along the stroke.")
    var style = Style.footprint
    @Option(help: ArgumentHelp("The solid's height.", valueName: "metres")) var height: Double = 0.01
    @Option(help: ArgumentHelp("Also write the trace.", valueName: "file")) var trace: String?
    @Option(help: ArgumentHelp("Also write a picture a second of what the session knew.", valueName: "folder"))
    var pictures: String?
    @Option(help: ArgumentHelp("Also write a picture of the solid.", valueName: "png")) var preview: String?

    enum Style: String, ExpressibleByArgument, CaseIterable {
        case footprint, ribbon

        var ofSolid: SolidOptions.Style { self == .footprint ? .footprint : .ribbon }
    }

    func validate() throws {
        try require(height, within: SolidOptions.lengths, of: "--height")
    }

    func run() throws {
        let results = ([output] + [preview].compactMap { $0 }).map(URL.init(fileURLWithPath:))
        let session = try replay.run(
            trace: trace.map(URL.init(fileURLWithPath:)), pictures: pictures.map(URL.init(fileURLWithPath:)),
            others: Outputs(files: results))
        let solids = try session.drawing.solids(SolidOptions(style: style.ofSolid, height: height))
        guard !solids.isEmpty else {
            throw CameToNothing.nothingDrawn(SessionSummary(session))
        }
        try OBJWriter().write(solids, to: URL(fileURLWithPath: output))
        if let preview, let picture = MeshPreview.render(solids.map(\.mesh)) {
            try ImageFile.writePNG(picture, to: URL(fileURLWithPath: preview))
        }
        try SummaryPrinter(session: session, solid: .init(solids, file: output)).print(asJSON: replay.json)
    }
}
