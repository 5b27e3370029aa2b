// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct DemoCardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card", abstract: "Find a card on a table, measure it, read who it is, and put its copy on it.",
        discussion: """
            The folder given with --output receives trace.jsonl, top-view.svg, pictures/ with what was known a second \
            apart, and for each card that was identified card-1.obj and so on: its copy, a textured quadrilateral where the \
            card lies, in metres, +Y up. Where the input has a truth, the errors against it are printed.
            """)

    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput = SessionInput(shippedScene: "card")
    @Option(help: "tracked: poses are found from pictures and inertial samples; pinned: they are the truth's.")
    var mode: PoseMode = .tracked
    @Option(name: .shortAndLong, help: "The folder of the results.") var output = "out/demo-card"
    @OptionGroup var settings: SceneSettings

    func run() throws {
        let folder = URL(fileURLWithPath: output)
        let (trace, topView) = (
            folder.appendingPathComponent("trace.jsonl"), folder.appendingPathComponent("top-view.svg")
        )
        let replay = try SessionReplay(
            input, settings: settings.set, mode: mode, configuration: SessionConfiguration(pictureSearch: .cards))
        var collection = CardCollection()
        let session = try replay.run(
            trace: trace, pictures: folder.appendingPathComponent("pictures"),
            others: Outputs(files: [topView], folders: [folder]), showing: [.planes, .codes]
        ) { frame in
            collection.consider(frame)
            return collection.cards.compactMap(\.copy)
        }
        let cards = collection.cards
        guard !cards.isEmpty else { throw CameToNothing.noCardFound(frames: session.counts.frames, mode: mode) }
        try SummaryPrinter(session: session).print(asJSON: false)
        for (number, card) in cards.enumerated() {
            let file = folder.appendingPathComponent("card-\(number + 1).obj")
            try card.copy?.write(placedAs: card.tracked.rectangle, to: file)
            for line in card.lines(copy: card.copy == nil ? nil : file.relativePath) { print(line) }
        }
        removeCopies(in: folder, after: cards.count)
        try printErrors(of: trace, source: replay.source, to: topView)
    }

    /// Copies that an earlier run left, of cards that this one did not find.
    private func removeCopies(in folder: URL, after count: Int) {
        let files = FileManager.default
        var number = count + 1
        while files.fileExists(atPath: folder.appendingPathComponent("card-\(number).obj").path) {
            for ending in ["obj", "mtl", "png"] {
                try? files.removeItem(at: folder.appendingPathComponent("card-\(number).\(ending)"))
            }
            number += 1
        }
    }

    /// What the truth says of it, and the view from above; without a truth, nothing.
    private func printErrors(of trace: URL, source: any SensorSource & TruthSource, to topView: URL) throws {
        let answers = try SessionAnswers(contentsOf: trace)
        let file = try AtomicFile(replacing: topView)
        if let truth = try? Trajectory(truthOf: source), !truth.poses.isEmpty {
            let evaluation = try ComparisonOptions.parse([]).compare(trace, with: TruthInput(input, source: source))
            print()
            for line in EvaluationText(EvaluationReport([.init(name: trace.path, evaluation: evaluation)])).lines {
                print(line)
            }
            try file.write(
                TopView(
                    answers, truth: .init(of: source, truthFromSession: evaluation.truthFromNormal),
                    title: input.description
                ).svg)
        } else {
            try file.write(TopView(answers, title: input.description).svg)
        }
        try file.commit()
        print("top view    \(topView.relativePath)")
    }
}

/// The cards that a session identified, with their best pictures.
struct CardCollection {
    /// A rectangle that a code identifies, and how it was found.
    struct Card {
        var tracked: TrackedRectangle
        let code: TrackedRectangle.Code
        /// How long after the first frame it was identified.
        let seconds: Double
        var copy: RectangleCopy?
    }

    private var candidates: [Card] = []
    /// The rectangles that have a code by now.
    private var identified: Set<UUID> = []
    private var start: Timestamp?

    /// In the order in which they were identified. Edges of a print and of what lies beside it may have had a code, too, until the card
    /// was seen more often.
    var cards: [Card] { candidates.filter { identified.contains($0.tracked.identifier) } }

    mutating func consider(_ frame: SessionFrame) {
        let start = self.start ?? frame.timestamp
        self.start = start
        guard let rectangles = frame.rectangles else { return }
        identified = Set(rectangles.lazy.filter { $0.code != nil }.map(\.identifier))
        for tracked in rectangles {
            guard let code = tracked.code, let quad = tracked.quad, frame.shows(code, within: quad) else { continue }
            let number =
                candidates.firstIndex { $0.tracked.identifier == tracked.identifier }
                ?? {
                    candidates.append(
                        Card(tracked: tracked, code: code, seconds: frame.timestamp.seconds(since: start)))
                    return candidates.count - 1
                }()
            candidates[number].tracked = tracked
            // A better picture is one that is a good deal larger: each costs time.
            if min(quad.width, quad.height) > 1.1 * (candidates[number].copy?.sharpness ?? 0) {
                candidates[number].copy = RectangleCopy(of: tracked, in: frame) ?? candidates[number].copy
            }
        }
    }
}

extension SessionFrame {
    /// Whether the picture shows a code that leaves room around it in a rectangle: its own outline is none that it identifies.
    fileprivate func shows(_ code: TrackedRectangle.Code, within quad: PixelQuad) -> Bool {
        (detections?.codes ?? []).contains { seen in
            seen.payload == code.payload && seen.quad.center.map(quad.contains) ?? false
                && abs(seen.quad.signedArea) < 0.8 * abs(quad.signedArea)
        }
    }
}

extension CardCollection.Card {
    /// What is said of it.
    fileprivate func lines(copy: String?) -> [String] {
        let rectangle = tracked.rectangle
        func millimetres(_ metres: Double) -> String { "\((metres * 10_000).rounded() / 10)" }
        var lines = [
            "card        \(code.payload) (\(code.symbology.rawValue)), after \((seconds * 100).rounded() / 100) s",
            "size        \(millimetres(rectangle.size.width)) x \(millimetres(rectangle.size.height)) mm, "
                + "± \(millimetres(rectangle.sizeDeviation.width)) x \(millimetres(rectangle.sizeDeviation.height)) mm",
        ]
        if let heading = rectangle.heading {
            lines.append("heading     \((heading * 1800 / .pi).rounded() / 10)°")
        }
        if let copy { lines.append("copy        \(copy)") }
        return lines
    }
}
