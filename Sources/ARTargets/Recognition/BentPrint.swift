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
    /// something else, and a light must explain it that changes as smoothly as it is bent, or the whole drawing be seen, in
    /// whatever inks.
    static func isThere(_ evidence: PrintEvidence) -> Bool {
        let agreement = evidence.agreement
        return agreement.structured >= 0.9 && agreement.contradiction_count == 0 && agreement.visible > 0.7
            && agreement.part_count >= 24 && (evidence.isFull || isLitOrInOtherInks(evidence))
    }

    private static func isLitOrInOtherInks(_ evidence: PrintEvidence) -> Bool {
        Int(evidence.agreement.mismatch_count) <= mostMismatches
            && (Double(evidence.agreement.softly_lit) >= PrintEvidence.leastSoftlyLit || evidence.isWholeInOtherInks)
    }

    /// What agrees, less what it took to bend the print there: 0.03 of its side are about what it takes a cloth that waves by
    /// 0.06 of it.
    static func confidence(_ agreement: CFeaturesAgreement, bending: Double) -> Double {
        Double(agreement.structured) * max(0, 1 - 4 * bending)
    }

    /// Parts that are bent lie off the flat print's places together: not more than so many of them tell of its pose.
    static let independentParts = 6
}
