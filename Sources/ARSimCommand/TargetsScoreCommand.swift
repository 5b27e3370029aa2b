// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct TargetsScoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score", abstract: "Tell how well pictures will be recognised, and why.",
        discussion: """
            A score of 0 to 100, and one to five stars. \(TargetScore.passMark) is the pass mark: where a picture has less, \
            the exit code is 1. The same picture has the same score in every version. Folders and lists are those that \
            'targets build' takes: with --against, their pictures are told from all targets but themselves.
            """)

    @Argument(
        help: ArgumentHelp(
            "PNG, JPEG or PGM/PPM files, folders of them, or lists in CSV or JSON.", valueName: "picture"))
    var pictures: [String]
    @Option(help: ArgumentHelp("Draw where each picture's features are, as PNG.", valueName: "folder"))
    var heatMap: String?
    @Option(help: ArgumentHelp("The database from whose targets they must be told.", valueName: "database"))
    var against: String?
    @Flag(help: "Print the scores as JSON.") var json = false

    func validate() throws {
        guard !pictures.isEmpty else { throw ValidationError("Give at least one picture.") }
    }

    func run() throws {
        let candidates = try pictures.flatMap { try Candidate.all(at: $0) }
        let files = candidates.map(\.file)
        let maps = heatMap.map { DrawingFiles(of: files, in: URL(fileURLWithPath: $0)) }
        try maps?.outputs.prepare(besides: files + pictures.map { URL(fileURLWithPath: $0) })
        let database = try against.map { try TargetDatabase(opening: URL(fileURLWithPath: $0), isVerified: true) }
        var scores: [ScoredPicture] = []
        var progress = ProgressBar("scoring", total: files.count)
        defer { progress.finish() }
        for (number, candidate) in candidates.enumerated() {
            let picture = try ImageFile.read(candidate.file)
            let score =
                database.map { TargetScore(of: picture, named: candidate.name, against: $0) }
                ?? TargetScore(of: picture)
            scores.append(ScoredPicture(name: candidate.name, file: candidate.path, score: score))
            if let maps { try ImageFile.writePNG(TargetScore.heatMap(of: picture), to: maps.files[number]) }
            progress.show(number + 1)
        }
        progress.finish()
        if json {
            print(JSONValue.list(scores.map(\.json)).indentedText, terminator: "")
        } else {
            for score in scores { score.lines.forEach { print($0) } }
        }
        let failed = scores.count { !$0.score.passes }
        guard failed == 0 else { throw CameToNothing.belowPassMark(count: failed, of: scores.count) }
    }
}

/// A picture that is to be scored, under the name that a database would give it.
private struct Candidate {
    let name: String
    let file: URL
    /// As it is printed.
    let path: String

    /// A picture's file, or all pictures of a folder or a list.
    static func all(at path: String) throws -> [Candidate] {
        let place = URL(fileURLWithPath: path)
        guard place.isFolder || ["csv", "json"].contains(place.pathExtension.lowercased()) else {
            return [Candidate(name: place.deletingPathExtension().lastPathComponent, file: place, path: path)]
        }
        return try ReferenceList(contentsOf: place).entries.map { entry in
            let path = place.isFolder ? place.appendingPathComponent(entry.picture.lastPathComponent) : entry.picture
            return Candidate(name: entry.name, file: entry.picture, path: path.relativePath)
        }
    }
}

/// A picture's score, as it is printed.
private struct ScoredPicture {
    let name: String
    let file: String
    let score: TargetScore

    var lines: [String] {
        let stars = String(repeating: "★", count: score.stars) + String(repeating: "☆", count: 5 - score.stars)
        return ["\(file): \(score.value) of 100  \(stars)  \(score.passes ? "passes" : "fails")"]
            + score.reasons.map { "  \($0)" }
    }

    var json: JSONValue {
        .record([
            "name": .string(name), "picture": .string(file), "score": .integer(Int64(score.value)),
            "stars": .integer(Int64(score.stars)),
            "passes": .bool(score.passes), "useful_features": .number(score.usefulFeatureCount),
            "endurance": .number(score.endurance), "coverage": .number(score.coverage),
            "distant_evidence": .number(score.distantEvidence),
            "marks": .integer(Int64(score.markCount)),
            "reasons": .list(score.reasons.map(\.json)),
        ])
    }
}

extension TargetScoreReason {
    fileprivate var json: JSONValue {
        var entries: [String: JSONValue] = ["reason": .string(name), "text": .string(description)]
        switch self {
        case .tooFewMarks(let count, let least):
            entries["count"] = .integer(Int64(count))
            entries["least"] = .integer(Int64(least))
        case .tooFewFeatures(let useful, let advised):
            entries["useful"] = .number(useful)
            entries["advised"] = .number(advised)
        case .fineDetail(let endurance, let advised):
            entries["endurance"] = .number(endurance)
            entries["advised"] = .number(advised)
        case .fewDistantFigures(let evidence, let advised):
            entries["evidence"] = .number(evidence)
            entries["advised"] = .number(advised)
        case .emptyRegions(let regions):
            entries["regions"] = .list(regions.map { .numbers([$0.x, $0.y, $0.width, $0.height]) })
        case .repetition(let part): entries["part"] = .number(part)
        case .symmetry(let turns, let share):
            entries["turn_deg"] = .integer(Int64(90 * turns))
            entries["share"] = .number(share)
        case .lowContrast(let deviation, let advised):
            entries["deviation"] = .number(deviation)
            entries["advised"] = .number(advised)
        case .pictureTooSmall(let size, let side):
            entries["size_px"] = .list([.integer(Int64(size.width)), .integer(Int64(size.height))])
            entries["advised_side_px"] = .integer(Int64(side))
        case .confusion(let other):
            entries["target"] = .string(other.name)
            entries["likeness"] = .number(other.likeness)
        }
        return .record(entries)
    }
}
