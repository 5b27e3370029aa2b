// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What speaks against a picture as an image target.
public enum TargetScoreReason: Hashable, Sendable {
    /// The picture has hardly more straight edges and corners than any four-sided figure, and is never named.
    case tooFewMarks(count: Int, least: Int)
    /// The picture has fewer useful features than are safe.
    case tooFewFeatures(useful: Double, advised: Double)
    /// So small a share of what the picture shows still looks like itself from afar or from the side: its figures are too fine.
    case fineDetail(endurance: Double, advised: Double)
    /// From afar the picture leaves so few spots, or such faint ones (``TargetScore/distantEvidence``).
    case fewDistantFigures(evidence: Double, advised: Double)
    /// Parts of the picture have no features: what covers the others hides the target.
    case emptyRegions([PictureRegion])
    /// So large a part of its features look like others of the same picture.
    case repetition(part: Double)
    /// So large a share of the picture's parts is the same after turning it by so many quarters: its pose is in doubt.
    case symmetry(quarterTurns: Int, share: Double)
    /// The picture is hardly lighter in one place than in another: the standard deviation of its grey values, of 255.
    case lowContrast(deviation: Double, advised: Double)
    /// The picture has fewer pixels than are advised on its shorter side: what the print shows up close is not known.
    case pictureTooSmall(ImageSize, advisedSide: Int)
    /// Another target has so many parts in common with it that the two can be taken for one another.
    case confusion(TargetConfusion)

    /// Its name where programs read it.
    public var name: String {
        switch self {
        case .tooFewMarks: "too-few-marks"
        case .tooFewFeatures: "too-few-features"
        case .fineDetail: "fine-detail"
        case .fewDistantFigures: "few-distant-figures"
        case .emptyRegions: "empty-regions"
        case .repetition: "repetition"
        case .symmetry: "symmetry"
        case .lowContrast: "low-contrast"
        case .pictureTooSmall: "picture-too-small"
        case .confusion: "confusion"
        }
    }

    private static let advisedDeviation = 25.0
    /// ARCore's advice.
    private static let advisedSide = 300

    /// What speaks against a picture, the gravest first.
    static func all(
        picture: ImageBuffer, structure: PictureStructure, trial: PictureTrial, distant: DistantFigures,
        markCount: Int, cells: PictureCells, symmetry: PictureSymmetry, confusions: [TargetConfusion]
    ) -> [TargetScoreReason] {
        var reasons = confusions.map(TargetScoreReason.confusion)
        if markCount < PrintMarks.least { reasons.append(.tooFewMarks(count: markCount, least: PrintMarks.least)) }
        if trial.usefulCount < TargetScore.advisedCount {
            reasons.append(.tooFewFeatures(useful: trial.usefulCount, advised: TargetScore.advisedCount))
        }
        if structure.contrast < advisedDeviation {
            reasons.append(.lowContrast(deviation: structure.contrast, advised: advisedDeviation))
        }
        if trial.endurance < TargetScore.advisedEndurance {
            reasons.append(.fineDetail(endurance: trial.endurance, advised: TargetScore.advisedEndurance))
        }
        if distant.evidence < TargetScore.advisedDistantEvidence {
            reasons.append(
                .fewDistantFigures(evidence: distant.evidence, advised: TargetScore.advisedDistantEvidence))
        }
        if structure.repeatedPart >= 0.3 { reasons.append(.repetition(part: structure.repeatedPart)) }
        if let (turns, share) = symmetry.smallestTurn {
            reasons.append(.symmetry(quarterTurns: turns, share: share))
        }
        let regions = cells.emptyRegions
        if !regions.isEmpty { reasons.append(.emptyRegions(regions)) }
        if min(picture.size.width, picture.size.height) < advisedSide {
            reasons.append(.pictureTooSmall(picture.size, advisedSide: advisedSide))
        }
        return reasons
    }
}

/// Another target that looks like a picture.
public struct TargetConfusion: Hashable, Sendable, Comparable {
    /// The other target's name.
    public let name: String
    /// Which share of the parts of both is the same, in the most similar quarter turn: 1 is the same picture.
    public let likeness: Double

    /// From this likeness on two pictures are reported.
    static let leastLikeness = 0.85

    /// Which part of the score it costs: nothing where 6 % of the parts differ, nearly all where 2 % do. A recogniser that
    /// names what shows three quarters of a print, and nothing where two fit alike, says nothing there.
    var risk: Double { 0.95 * min(max(0, (likeness - 0.94) / 0.04), 1) }

    /// More alike comes first; then the names decide.
    public static func < (a: TargetConfusion, b: TargetConfusion) -> Bool {
        (b.likeness, a.name) < (a.likeness, b.name)
    }
}

extension TargetScoreReason: CustomStringConvertible {
    public var description: String {
        func percent(_ part: Double) -> String { "\(Int((100 * part).rounded())) %" }
        switch self {
        case .tooFewMarks(let count, let least):
            return
                "too few marks: \(count) straight edges and corners, at least \(least) are needed, any four-sided figure has 8; "
                + "add other figures"
        case .tooFewFeatures(let useful, let advised):
            return
                "too few features: \(Int(useful.rounded())) useful ones, \(Int(advised.rounded(.up))) are advised; add detail with corners"
        case .emptyRegions(let regions):
            let places = regions.map { region in
                "\(percent(region.x))…\(percent(region.x + region.width)) across, "
                    + "\(percent(region.y))…\(percent(region.y + region.height)) down"
            }
            return "empty regions: " + places.joined(separator: "; ")
        case .repetition(let part): return "repetition: \(percent(part)) of the features look like others"
        case .fineDetail(let endurance, let advised):
            return
                "fine detail: \(percent(endurance)) of it look like themselves from afar and from the side, \(percent(advised)) are "
                + "advised; add larger figures"
        case .fewDistantFigures(let evidence, let advised):
            return
                "few figures from afar: what is left of them says \(Int(evidence.rounded())), \(Int(advised.rounded(.up))) is "
                + "advised; add figures of a tenth of the picture"
        case .symmetry(let turns, let share):
            return "symmetry: a turn by \(90 * turns)° leaves \(percent(share)) as it is; the pose is in doubt"
        case .lowContrast(let deviation, let advised):
            return "low contrast: grey values differ by \(Int(deviation.rounded())) of 255, \(Int(advised)) are advised"
        case .pictureTooSmall(let size, let side):
            return "the picture is small: \(size) pixels, \(side) on the shorter side are advised"
        case .confusion(let other):
            return "confusion with '\(other.name)': \(percent(other.likeness)) of the parts are the same"
        }
    }
}
