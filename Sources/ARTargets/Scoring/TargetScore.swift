// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// How well a picture will be recognised, told before it is printed, and what speaks against it.
///
/// The same picture has the same score on every machine and in every version: `TargetScoreTests.pinnedScores`. How the score
/// goes with the measured rate of recognition is told in the article *Image target tools*.
public struct TargetScore: Hashable, Sendable {
    /// 0 … 100.
    public let value: Int
    /// What speaks against the picture, the gravest first; even good pictures have some.
    public let reasons: [TargetScoreReason]
    /// How many corners are found again when the picture is tried in twenty views, each shared among those that look the same:
    /// their mean.
    public let usefulFeatureCount: Double
    /// Which share of what it shows still looks like itself in those views, from afar, from the side and moved, 0 … 1.
    public let endurance: Double
    /// What spots it leaves from afar, as a print of 60 to 75 pixels: the sum of ln(1 + contrast in grey levels) over them.
    public let distantEvidence: Double
    /// Which share of the picture's 6 × 6 cells has clear corners, 0 … 1.
    public let coverage: Double
    /// How many straight edges and corners the picture shows, a curve being an edge for each 10° that it turns by. A four-sided
    /// figure has eight; what has hardly more looks like any other, and is never named.
    public let markCount: Int

    /// From this value on a picture is fit to be a target: ARCore's advice.
    public static let passMark = 75

    /// Whether the picture is fit to be a target.
    public var passes: Bool { value >= Self.passMark }

    /// One to five stars, as Vuforia rates targets: five from 90 on, four from the pass mark on.
    public var stars: Int {
        switch value {
        case 90...: 5
        case Self.passMark...: 4
        case 50...: 3
        case 25...: 2
        default: 1
        }
    }

    /// Scores a picture of at least one pixel, seen straight on and without a margin.
    /// - Parameter others: pictures from which it must be told, by their names.
    public init(of picture: ImageBuffer, against others: [(name: String, picture: ImageBuffer)] = []) {
        precondition(picture.size.width > 0 && picture.size.height > 0, "a picture without pixels has no score")
        let plane = GrayPlane(picture, longerSide: PictureStructure.side)
        let structure = PictureStructure(of: plane)
        let cells = PictureCells(structure)
        let trial = PictureTrial(of: plane)
        let turns = PictureTurns(of: plane)
        let confusions = others.map { other in
            let otherPlane = GrayPlane(other.picture, longerSide: PictureStructure.side)
            return TargetConfusion(name: other.name, likeness: turns.likeness(to: otherPlane))
        }.filter { $0.likeness >= TargetConfusion.leastLikeness }.sorted()
        usefulFeatureCount = trial.usefulCount
        endurance = trial.endurance
        let distant = DistantFigures(of: plane)
        distantEvidence = distant.evidence
        coverage = cells.coverage
        markCount = PrintMarks.count(of: picture)
        let symmetry = PictureSymmetry(turns, size: picture.size)
        // What shows little is placed by little: a corner of the print tells less of where its other corners are.
        let extent = pow(max(PictureParts(of: plane).extent, 0.02), 0.05)
        let fitness =
            trial.rate * distant.share * extent / symmetry.placeCount * (1 - (confusions.first?.risk ?? 0))
        value = markCount < PrintMarks.least ? 0 : Int((100 * fitness).rounded())
        reasons = TargetScoreReason.all(
            picture: picture, structure: structure, trial: trial, distant: distant, markCount: markCount,
            cells: cells, symmetry: symmetry, confusions: confusions)
    }

    /// The number of useful features that is advised: of views that show so many, three quarters are recognised.
    static let advisedCount = PictureTrial.middlingCount * log(4.0)
    /// The evidence from afar that is advised: three quarters of such prints are found from there.
    static let advisedDistantEvidence = DistantFigures.middlingEvidence * log(4.0)
    /// The endurance that is advised.
    static let advisedEndurance = 0.8
}

extension TargetScore {
    /// Scores a picture that is to be told from the targets of a database.
    ///
    /// Where the database holds the picture itself, it need not be told from that one target: the one with the same picture,
    /// of that name if there are several, else the one of that name. Any other target with the same picture is a confusion.
    /// - Parameter name: the picture's own name, where it has one.
    public init(of picture: ImageBuffer, named name: String? = nil, against database: TargetDatabase) {
        let own = database.index(of: picture, named: name)
        let others = database.targets.indices.filter { $0 != own }
        self.init(of: picture, against: others.map { (database.targets.name(at: $0), database.template(at: $0)) })
    }
}

extension TargetDatabase {
    /// The target that a picture is.
    fileprivate func index(of picture: ImageBuffer, named name: String?) -> Int? {
        let template = picture.gray(longerSide: TargetParts.templateSide)
        let same = targets.indices.filter { self.template(at: $0) == template }
        let named = name.flatMap { targets.index(named: $0) }
        return same.first { $0 == named } ?? same.first ?? named
    }
}
