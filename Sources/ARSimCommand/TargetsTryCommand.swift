// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct TargetsTryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Tell which targets of a database are recognised in pictures and recordings.",
        discussion: """
            Of a picture it is told which targets are recognised, and where: corners in pixels from the centre of the upper \
            left one, the print's own upper left, upper right, lower right and lower left. Of a recording or a scene it is \
            told how many frames show each target, and when the first one did. The folder given with --output receives each \
            picture, and the first frame in each second, with the targets drawn on it, as PNG.
            """)

    @Argument(help: ArgumentHelp("The database.", valueName: "database")) var database: String
    @Argument(help: ArgumentHelp("Pictures, recordings' folders, or scenes.", valueName: "input")) var inputs: [String]
    @Option(name: .shortAndLong, help: ArgumentHelp("Draw what is recognised.", valueName: "folder"))
    var output: String?
    @Flag(help: "Print the findings as JSON.") var json = false

    func validate() throws {
        guard !inputs.isEmpty else { throw ValidationError("Give at least one picture, recording or scene.") }
    }

    func run() throws {
        let databases = try TargetDatabases.open([database])
        let places = inputs.map { URL(fileURLWithPath: $0) }
        let drawings = output.map { DrawingFiles(of: places, in: URL(fileURLWithPath: $0)) }
        try drawings?.outputs.prepare(besides: places)
        var recognizer = TargetRecognizer(databases)
        var findings: [JSONValue] = []
        for (number, input) in inputs.enumerated() {
            let drawing = drawings?.files[number]
            let found =
                isPicture(places[number])
                ? try tryPicture(places[number], named: input, with: &recognizer, drawing: drawing)
                : try trySession(SessionInput(input), databases, drawing: drawing)
            if !json { found.lines.forEach { print($0) } }
            findings.append(found.json)
        }
        if json { print(JSONValue.list(findings).indentedText, terminator: "") }
    }

    private func isPicture(_ place: URL) -> Bool { !place.isFolder && (try? ImageFile.size(of: place)) != nil }

    private func tryPicture(
        _ file: URL, named name: String, with recognizer: inout TargetRecognizer, drawing: URL?
    ) throws -> TargetFindings {
        let image = try ImageFile.read(file)
        let sightings = recognizer.recognize(in: image, camera: nil)
        if let drawing {
            let sketch = DetectionSketch(image: image, rectangles: [], codes: [], targets: sightings)
            try ImageFile.writePNG(sketch.drawn(), to: drawing)
        }
        return TargetFindings(picture: name, sightings)
    }

    private func trySession(
        _ input: SessionInput, _ databases: [(name: String, database: TargetDatabase)], drawing: URL?
    ) throws -> TargetFindings {
        let search = ImageTargetSearch(databases: databases)
        let replay = try SessionReplay(
            input, settings: [], mode: .pinned, configuration: SessionConfiguration(imageTargets: search))
        var tally = TargetTally()
        _ = try replay.run(
            trace: nil, pictures: drawing.map { $0.deletingPathExtension() }, showing: .targets
        ) { frame in
            tally.count(frame)
            return []
        }
        return TargetFindings(session: input.description, tally)
    }
}

/// How often a session's frames show each target.
struct TargetTally {
    /// A thing that wears a target's picture.
    struct Entry {
        let target: SessionTarget
        /// Seconds from the first frame to the first that shows it.
        let firstSeconds: Double
        var frameCount = 0
    }

    /// In the order in which they were first seen.
    private(set) var entries: [Entry] = []
    private(set) var frameCount = 0
    private var start: Timestamp?

    /// Takes a frame in.
    /// - Returns: the targets that no frame showed before.
    @discardableResult
    mutating func count(_ frame: SessionFrame) -> [SessionTarget] {
        let start = self.start ?? frame.timestamp
        self.start = start
        frameCount += 1
        var new: [SessionTarget] = []
        for target in frame.targets ?? [] where target.sighting != nil {
            if let index = entries.firstIndex(where: { $0.target.identifier == target.identifier }) {
                entries[index].frameCount += 1
            } else {
                new.append(target)
                entries.append(
                    Entry(target: target, firstSeconds: frame.timestamp.seconds(since: start), frameCount: 1))
            }
        }
        return new
    }
}

/// What was recognised in an input, as it is printed.
private struct TargetFindings {
    let lines: [String]
    let json: JSONValue

    init(picture: String, _ sightings: [TargetSighting]) {
        lines =
            ["\(picture): \(counted(sightings.count, "target"))"]
            + sightings.map { sighting in
                let corners = sighting.corners.corners.map { "(\(rounded($0.x, 2)), \(rounded($0.y, 2)))" }
                return "  \(sighting.target.name) \(corners.joined(separator: " "))  "
                    + "confidence \(rounded(sighting.confidence, 3))  \(counted(sighting.inlierCount, "feature"))"
            }
        json = .record([
            "input": .string(picture),
            "targets": .list(
                sightings.map { sighting in
                    .record([
                        "name": .string(sighting.target.name), "database": .string(sighting.target.database),
                        "confidence": .number(rounded(sighting.confidence, 3)),
                        "features": .integer(Int64(sighting.inlierCount)),
                        "corners_px": .list(
                            sighting.corners.corners.map { .numbers([rounded($0.x, 3), rounded($0.y, 3)]) }),
                    ])
                }),
        ])
    }

    init(session: String, _ tally: TargetTally) {
        lines =
            ["\(session): \(counted(tally.entries.count, "target")) in \(counted(tally.frameCount, "frame"))"]
            + tally.entries.map { entry in
                "  \(entry.target.identity.name)  in \(counted(entry.frameCount, "frame")), "
                    + "the first after \(rounded(entry.firstSeconds, 2)) s"
            }
        json = .record([
            "input": .string(session), "frames": .integer(Int64(tally.frameCount)),
            "targets": .list(
                tally.entries.map { entry in
                    .record([
                        "name": .string(entry.target.identity.name),
                        "database": .string(entry.target.identity.database),
                        "frames": .integer(Int64(entry.frameCount)),
                        "first_s": .number(rounded(entry.firstSeconds, 3)),
                    ])
                }),
        ])
    }
}

private func rounded(_ value: Double, _ places: Int) -> Double {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    return (value * factor).rounded() / factor
}
