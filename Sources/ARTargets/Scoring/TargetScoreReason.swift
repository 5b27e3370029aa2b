// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What speaks against a picture as an image target.
public enum TargetScoreReason: Hashable, Sendable {
    /// The picture has fewer useful features than are safe.
    case tooFewFeatures(useful: Double, advised: Double)
    /// Parts of the picture have no features: what covers the others hides the target.
    case emptyRegions([PictureRegion])
    /// So large a part of its features look like others of the same picture.
    case repetition(part: Double)
    /// The picture looks almost the same turned by that angle, so that its pose is in doubt; `correlation` 1 is quite the same.
    case symmetry(quarterTurns: Int, correlation: Double)
    /// The picture is hardly lighter in one place than in another: the standard deviation of its grey values, of 255.
    case lowContrast(deviation: Double, advised: Double)
    /// The picture has fewer pixels than are advised on its shorter side: what the print shows up close is not known.
    case pictureTooSmall(ImageSize, advisedSide: Int)
    /// Another target looks so like it from afar that the two can be taken for one another.
    case confusion(TargetConfusion)

    /// Its name where programs read it.
    public var name: String {
        switch self {
        case .tooFewFeatures: "too-few-features"
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
        picture: ImageBuffer, structure: PictureStructure, usefulCount: Double, cells: PictureCells,
        likeness: PictureLikeness, confusions: [TargetConfusion]
    ) -> [TargetScoreReason] {
        var reasons = confusions.map(TargetScoreReason.confusion)
        if usefulCount < TargetScore.passingCount {
            reasons.append(.tooFewFeatures(useful: usefulCount, advised: TargetScore.passingCount))
        }
        if structure.contrast < advisedDeviation {
            reasons.append(.lowContrast(deviation: structure.contrast, advised: advisedDeviation))
        }
        if structure.repeatedPart >= 0.3 { reasons.append(.repetition(part: structure.repeatedPart)) }
        let turns = [2, 1].map { ($0, likeness.correlation(with: likeness, quarterTurns: $0)) }
        // A picture that a quarter turn leaves as it is, a half turn does, too.
        if let (turn, correlation) = turns.last(where: { $0.1 >= 0.9 }) {
            reasons.append(.symmetry(quarterTurns: turn, correlation: correlation))
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
    /// How like it is seen from afar, in the most similar quarter turn: 1 is the same.
    public let likeness: Double

    /// From this likeness on two pictures are reported.
    static let leastLikeness = 0.9

    /// Which part of the score it costs: nothing at the least likeness, three quarters for the same picture.
    var risk: Double { 0.75 * max(0, (likeness - Self.leastLikeness) / (1 - Self.leastLikeness)) }

    /// More alike comes first; then the names decide.
    public static func < (a: TargetConfusion, b: TargetConfusion) -> Bool {
        (b.likeness, a.name) < (a.likeness, b.name)
    }
}

extension TargetScoreReason: CustomStringConvertible {
    public var description: String {
        func percent(_ part: Double) -> String { "\(Int((100 * part).rounded())) %" }
        switch self {
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
        case .symmetry(let turns, let correlation):
            return "symmetry: a turn by \(90 * turns)° leaves \(percent(correlation)) as it is; the pose is in doubt"
        case .lowContrast(let deviation, let advised):
            return "low contrast: grey values differ by \(Int(deviation.rounded())) of 255, \(Int(advised)) are advised"
        case .pictureTooSmall(let size, let side):
            return "the picture is small: \(size) pixels, \(side) on the shorter side are advised"
        case .confusion(let other): return "confusion with '\(other.name)': \(percent(other.likeness)) alike from afar"
        }
    }
}
