// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARSensing
import ARSimulation
import ARTargets
import Foundation

/// Thousands of pictures, a third each with a target, with a print that is in no database, and without any: what is named, and
/// is it right. Each hundred pictures are a line of a ledger, below one that says of what run it is; a run goes on where the
/// ledger ends.
///
/// A stranger with the same drawing as a target, as whole pictures are compared in grey (``PictureLook``), is none, and is left
/// out, and so is one with the drawing of a target's print in one ink: prints in changed colours and in one ink are to be
/// recognised, and nobody could tell that it is none of these.
struct NamingRun {
    let pictures: PictureFolder
    let file: URL
    let grounds: ColorGrounds
    /// The numbers of pictures that are in no database, and of those that are no target's twins.
    let numbers: ClosedRange<Int>
    private let strangers: [Int]
    let ledger: URL
    private let database: TargetDatabase
    /// Whether the pictures are in colours, or in grey.
    private let inColor: Bool

    init(
        pictures: PictureFolder, file: URL, grounds: ColorGrounds, strangers numbers: ClosedRange<Int>, inColor: Bool,
        ledger: URL
    ) throws {
        (self.pictures, self.file, self.grounds) = (pictures, file, grounds)
        (self.numbers, self.ledger, self.inColor) = (numbers, ledger, inColor)
        let database = try TargetDatabase(opening: file)
        let targets = try database.targets.indices.flatMap { index in
            let name = database.targets.name(at: index)
            guard let number = Int(name) else {
                refuse("a database whose targets are called by the numbers of their pictures, not '\(name)'")
            }
            let prints = pictures.contains(number, isOneInk: true) ? [false, true] : [false]
            return try prints.map { isOneInk in
                PictureLook(try pictures.picture(number, isOneInk: isOneInk), inColor: false)
            }
        }
        strangers = try numbers.filter { number in
            let look = PictureLook(try pictures.picture(number), inColor: false)
            return targets.allSatisfy { $0.likeness(to: look) < Emblem.twinLikeness }
        }
        self.database = database
    }

    /// What came out of a hundred pictures.
    private struct Batch: Codable {
        var number: Int
        var targets = 0
        var found = 0
        var strangers = 0
        var empty = 0
        var wrong: [Wrong] = []
    }

    private struct Wrong: Codable {
        var frame: Int
        /// The print's number; `nil` where the picture shows none.
        var shown: Int?
        /// How alike the drawings of the print and of the named target are, and they themselves in their colours.
        var likeness: [Double]?
        var named: String
        var confidence: Double
    }

    private static let batchSize = 100

    func run(frameCount: Int) throws {
        var recognizer = TargetRecognizer()
        recognizer.activate(database, as: "targets")
        let ledger = try Ledger<Batch>(
            at: ledger,
            run: [
                "database": Ledger<Batch>.checksum(of: file),
                "configuration": "\(recognizer.configuration)",
                "program": Ledger<Batch>.checksum(of: URL(fileURLWithPath: "/proc/self/exe")),
                "strangers": "\(numbers)",
                "twins": "from \(Emblem.twinLikeness), in one ink too",
                "colours": "\(inColor)",
                "grounds": "\(grounds.pictures.count)",
            ])
        let known = Set(ledger.entries.map(\.number))
        for number in 0..<frameCount / Self.batchSize where !known.contains(number) {
            try ledger.append(look(at: number, with: &recognizer))
        }
        printTable(ledger.entries)
    }

    private func look(at number: Int, with recognizer: inout TargetRecognizer) throws -> Batch {
        var batch = Batch(number: number)
        for frame in number * Self.batchSize..<(number + 1) * Self.batchSize {
            var random = SeededRandom(seed: UInt64(frame), purpose: "naming")
            let shown = try shownPrint(frame, &batch, &random)
            var picture = ColorFrame(ground: grounds.pictures[Int(random.uniform(0..<Double(grounds.pictures.count)))])
            if let shown {
                let print = try pictures.picture(shown)
                picture.add(print, posed: posed(&random), random: &random)
            }
            picture.addNoise(random: &random)
            let sightings = recognizer.recognize(in: inColor ? picture.image : picture.image.gray)
            let isTarget = frame % 3 == 0
            if isTarget, let shown, sightings.contains(where: { $0.target.name == "\(shown)" }) { batch.found += 1 }
            batch.wrong += try sightings.filter { !isTarget || $0.target.name != "\(shown ?? -1)" }.map { sighting in
                Wrong(
                    frame: frame, shown: shown, likeness: try shown.map { try likeness($0, sighting.target.name) },
                    named: sighting.target.name, confidence: sighting.confidence)
            }
        }
        return batch
    }

    /// In grey, and in colours.
    private func likeness(_ shown: Int, _ named: String) throws -> [Double] {
        let (first, second) = (try pictures.picture(shown), try pictures.picture(Int(named)!))
        return [false, true].map { inColor in
            PictureLook(first, inColor: inColor).likeness(to: PictureLook(second, inColor: inColor))
        }
    }

    private func shownPrint(_ frame: Int, _ batch: inout Batch, _ random: inout SeededRandom) throws -> Int? {
        switch frame % 3 {
        case 0:
            batch.targets += 1
            let index = Int(random.uniform(0..<Double(database.targets.count)))
            return Int(database.targets.name(at: index))
        case 1:
            batch.strangers += 1
            return strangers[Int(random.uniform(0..<Double(strangers.count)))]
        default:
            batch.empty += 1
            return nil
        }
    }

    /// 8 % to 35 % of the picture, tilts up to 50°, motion up to 3 pixels.
    private func posed(_ random: inout SeededRandom) -> PosedPrint {
        while true {
            var conditions = PosedPrint.Conditions()
            conditions.fill = random.uniform(0.08..<0.35)
            conditions.tilt = random.uniform(0..<50) * .pi / 180
            conditions.motionBlur = random.uniform(0..<3)
            if let posed = PosedPrint(conditions, random: &random) { return posed }
        }
    }

    private func printTable(_ batches: [Batch]) {
        func sum(_ value: (Batch) -> Int) -> Int { batches.reduce(0) { $0 + value($1) } }
        let wrong = batches.flatMap(\.wrong).sorted { $0.frame < $1.frame }
        func wrongCount(_ kind: Int) -> Int { wrong.count { $0.frame % 3 == kind } }
        let targets = sum(\.targets)
        print("\(numbers.count - strangers.count) of \(numbers.count) strangers are twins of targets and were left out")
        print("| pictures that show | how many | named | wrong names |")
        print("|---|---|---|---|")
        let share = String(format: "%.1f", 100 * Double(sum(\.found)) / Double(max(targets, 1)))
        print("| a target | \(targets) | \(sum(\.found)) (\(share) %) | \(wrongCount(0)) |")
        print("| a print of no database | \(sum(\.strangers)) | | \(wrongCount(1)) |")
        print("| no print | \(sum(\.empty)) | | \(wrongCount(2)) |")
        for name in wrong {
            let shown = name.shown.map { "\($0)" } ?? "nothing"
            let alike = (name.likeness ?? []).map { String(format: "%.2f", $0) }.joined(separator: ", in colours ")
            print("picture \(name.frame) shows \(shown), named \(name.named), \(name.confidence), alike by \(alike)")
        }
    }
}
