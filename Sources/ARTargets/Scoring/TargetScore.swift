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
    /// How many features it has by which it is recognised, each counted by its contrast, and those that look the same as one:
    /// the geometric mean of what is seen from nearby and from afar.
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
        let near = PictureStructure(of: picture, longerSide: PictureStructure.near)
        let far = PictureStructure(of: picture, longerSide: PictureStructure.far)
        let cells = PictureCells(near)
        let likeness = PictureLikeness(of: picture)
        let confusions = others.map { other in
            TargetConfusion(name: other.name, likeness: likeness.likeness(to: PictureLikeness(of: other.picture)))
        }.filter { $0.likeness >= TargetConfusion.leastLikeness }.sorted()
        usefulFeatureCount = ((1 + near.usefulCount) * (1 + far.usefulCount)).squareRoot() - 1
        coverage = cells.coverage
        let risk = confusions.first?.risk ?? 0
        value = Int((100 * (1 - exp(-usefulFeatureCount / Self.middlingCount)) * (1 - risk)).rounded())
        reasons = TargetScoreReason.all(
            picture: picture, structure: near, usefulCount: usefulFeatureCount, cells: cells, likeness: likeness,
            confusions: confusions)
    }

    /// The number of useful features at which 63 of 100 points are reached.
    private static let middlingCount = 9.0
    /// The number of useful features with which a picture just passes.
    static let passingCount = middlingCount * log(4.0)
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
