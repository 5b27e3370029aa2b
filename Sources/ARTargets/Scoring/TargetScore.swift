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
    /// How many features it has by which it is recognised, each counted by its contrast, and those that look the same as one.
    public let usefulFeatureCount: Double
    /// Which part of the picture has any, 0 … 1.
    public let coverage: Double

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
        let structure = PictureStructure(of: picture)
        let cells = PictureCells(structure)
        let likeness = PictureLikeness(of: picture)
        let confusions = others.map { other in
            TargetConfusion(name: other.name, likeness: likeness.likeness(to: PictureLikeness(of: other.picture)))
        }.filter { $0.likeness >= TargetConfusion.leastLikeness }.sorted()
        usefulFeatureCount = structure.usefulCount
        coverage = cells.coverage
        let risk = confusions.first?.risk ?? 0
        value = Int((100 * Self.chance(of: structure, cells) * (1 - risk)).rounded())
        reasons = TargetScoreReason.all(
            picture: picture, structure: structure, cells: cells, likeness: likeness, confusions: confusions)
    }

    /// The chance of recognition over distances, tilts and blurs that are usual: what the features give, fewer where they
    /// all lie in one place.
    private static func chance(of structure: PictureStructure, _ cells: PictureCells) -> Double {
        let amount = structure.usefulCount * cells.coverage.squareRoot()
        return 1 - exp(-amount / middlingAmount)
    }

    /// The amount at which 63 of 100 points are reached; chosen by measuring, see the article *Image target tools*.
    static let middlingAmount = 14.0
}

extension TargetScore {
    /// Scores a picture that is to be told from the targets of a database.
    /// - Parameter name: the name of the picture itself, where the database holds it.
    public init(of picture: ImageBuffer, named name: String? = nil, against database: TargetDatabase) {
        let others = database.targets.indices.filter { database.targets[$0].name != name }
        self.init(
            of: picture, against: others.map { (database.targets[$0].name, database.template(at: $0)) })
    }
}
