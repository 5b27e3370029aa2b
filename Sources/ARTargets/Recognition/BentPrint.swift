// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CFeatures

/// What is asked of a print that fits only where it is bent, as a flag that waves: more than of a flat one, because what bends
/// fits more easily.
enum BentPrint {
    /// How many features must agree.
    private static let leastSupport = 8

    /// Whether a print that is not there as a flat one may be there bent: roughly it fits.
    static func isLikely(rough: CFeaturesAgreement, support: Int) -> Bool {
        support >= leastSupport && rough.structured >= 0.5
    }

    /// In how many parts something else may be seen clearly: what is not quite unfolded.
    private static let mostMismatches = 1

    /// Whether nearly all parts agree and nothing contradicts. Where the print is not full of structure, hardly a part may show
    /// something else, and a light must explain it that changes as smoothly as it is bent, or the whole drawing be seen, one ink
    /// for each of its own; the flatter it is, the more is asked.
    ///
    /// - Parameter flat: how it lay there as a flat print.
    static func isThere(_ evidence: PrintEvidence, flat: CFeaturesAgreement) -> Bool {
        let agreement = evidence.agreement
        return evidence.hasMarks && agreement.structured >= 0.9 && agreement.contradiction_count == 0
            && agreement.visible > 0.7 && agreement.part_count >= 24
            && (evidence.isFull || isUnfolded(evidence, flat: flat))
    }

    /// The more of a print fits as a flat one, the less it waves, and the better must it fit when it is unfolded. Another print
    /// with the same charge within another outline fits in part as a flat one, too, and a bend changes outlines.
    private static func isUnfolded(_ evidence: PrintEvidence, flat: CFeaturesAgreement) -> Bool {
        let agreement = evidence.agreement
        // What fits only where it is bent, and light for dark besides, is another print more often than a flag.
        guard Int(agreement.mismatch_count) <= mostMismatches, agreement.is_inverse == 0 else { return false }
        let isWhole = agreement.structured >= leastWhole
        let isFolded = isWhole && flat.structured < leastNearlyFlat
        if isFolded && Double(agreement.softly_lit) >= leastFoldedLit { return true }
        guard Double(agreement.softly_lit) >= PrintEvidence.leastSoftlyLit || evidence.isWholeInOtherInks else {
            return false
        }
        if isWhole || flat.structured < leastPartlyFlat { return true }
        let isLit = Double(agreement.lit) >= leastPlainlyLit || Double(agreement.softly_lit) >= leastUnfoldedLit
        return isLit && (flat.structured < leastNearlyFlat || agreement.structured >= leastUnfolded)
    }

    private static let leastWhole: Float = 0.99
    private static let leastPartlyFlat: Float = 0.6
    private static let leastNearlyFlat: Float = 0.75
    private static let leastUnfolded: Float = 0.95
    private static let leastUnfoldedLit = 0.993
    /// What is seen whole and waves much may have an edge that its surroundings blur into.
    private static let leastFoldedLit = 0.98
    /// What a lamp explains so well is not asked for a softer light.
    private static let leastPlainlyLit = 0.99

    /// How far the colours may be from being any ink of the print: anything where it waves, because its cells of colour do not lie
    /// where those of a flat print would, or where something lies over it, whose colours are among them. One that is bent by less
    /// than a tenth of a cell (root mean square; a tenth of a cell's width has the next cell's colour) is asked as a flat one is.
    ///
    /// Law: `PrintLightTests.aPrintThatHardlyBendsIsAskedForItsInks`.
    static func mostUnexplainedColor(_ evidence: PrintEvidence, bending: Double, cellSide_px: Double) -> Double {
        let isFlat = bending < 0.1 / Double(PrintColors.side) && evidence.agreement.hidden == 0
        return isFlat ? evidence.mostUnexplainedColor(cellSide_px: cellSide_px) : .infinity
    }

    /// What agrees, less what it took to bend the print there: 0.03 of its side are about what it takes a cloth that waves by
    /// 0.06 of it.
    static func confidence(_ agreement: CFeaturesAgreement, bending: Double) -> Double {
        Double(agreement.structured) * max(0, 1 - 4 * bending)
    }

    /// Parts that are bent lie off the flat print's places together: not more than so many of them tell of its pose.
    static let independentParts = 6
}
