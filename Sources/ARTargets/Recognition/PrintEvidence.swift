// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CFeatures

/// What speaks for a flat print where it was placed, and what against it.
///
/// The drawing alone does not name a print: others share a shield, a ring, or all but two letters. Where one light explains
/// how bright everything on it is, drawing and inks are the print's own. Where it does not, either it is glossy or not quite
/// flat, or something lies over it, or it is printed in other inks, or it is another one: then more is asked of what is seen.
struct PrintEvidence {
    let configuration: TargetRecognizer.Configuration
    let agreement: CFeaturesAgreement
    /// How many features agree.
    let support: Int
    let template: TemplateView

    /// Whether the print may be named.
    var isEnough: Bool { hasMarks && agreement.visible > 0.4 && (isWhole || isWholeInSoftLight || isPartlyHidden) }

    /// Whether more is seen of it than every four-sided figure shows.
    var hasMarks: Bool { Int(agreement.mark_count) >= PrintMarks.least }

    /// From this correlation on, one light explains what is seen. Pictures of prints in uneven light reach 0.989 and more,
    /// whatever the camera's tone curve; other prints with the same drawing, of which nearly everything agrees, 0.982.
    static let leastLit = 0.985

    /// The same where a light explains more easily: one that is folded as a cloth, or has a glare. Other prints with the same
    /// drawing reach 0.987.
    static let leastSoftlyLit = 0.988

    /// The same where the light is asked only of what nothing lies over: nineteen in twenty prints reach 0.997 there,
    /// others with the same middle 0.9965.
    static let leastLitBesides = 0.997

    /// How far the light explains what is seen under which the print may be named: a correlation. Where the whole drawing is
    /// seen, it is a lamp's, so that of two that are drawn alike the one in its own inks is the likelier: a softer light
    /// explains both.
    var lit: Double {
        if isWhole || isWholeDrawing { return Double(agreement.lit) }
        return Double(isWholeInSoftLight ? agreement.softly_lit : max(agreement.lit, agreement.lit_besides))
    }

    /// What is left out of the print, where a lamp's light does not explain all of it and something may lie over it.
    var cover: PrintCover? {
        isWhole || (isWholeInSoftLight && !isPartlyHidden)
            ? nil : PrintCover(rows: agreement.covered, template: template)
    }

    /// Whether nearly all that is printed is seen, and hardly anything else.
    var isWhole: Bool {
        Double(agreement.structured) >= configuration.leastAgreement
            && Int(agreement.contradiction_count) <= contradictionLimit
            && (isFull || (hasOwnDetails && Double(agreement.lit) >= Self.leastLit) || isWholeInOtherInks)
    }

    /// Whether hardly a part is clearly seen to show something else, as other letters would: flat prints have none, those that
    /// fill a fiftieth of the picture up to two.
    private var hasOwnDetails: Bool { Int(agreement.mismatch_count) <= Self.mostMismatches }

    private static let mostMismatches = 2

    /// Whether the whole drawing is seen, and nothing contradicts: it may have any inks, one for each of its own.
    var isWholeInOtherInks: Bool { isWholeDrawing && Double(agreement.lit_in_inks) >= Self.leastLit }

    private var isWholeDrawing: Bool {
        agreement.contradiction_count == 0
            && Double(agreement.structured) >= max(Self.leastDrawing, configuration.leastAgreement)
    }

    private static let leastDrawing = 0.97

    /// How far the worst tenth of the colours may be from being any ink of the print, whatever its colour, by what colours
    /// differ. Where a softer light than a lamp's is on it, gloss and folds change the colours, too.
    ///
    /// Law: `TargetColorTests.oneInkHasOneColor`. Flat prints that fill a tenth of the picture have up to 0.13 in nineteen of
    /// twenty pictures, and what is left of those of which a fifth is hidden up to 0.19; others with the same drawing that have
    /// two inks where the print has one have 0.28 to 0.9 (`PrintLightTests.colorsOfAnInkAreLimited`).
    ///
    /// - Parameter cellSide_px: how large a cell of colour is in the picture: the chroma of small ones runs into each other.
    func mostUnexplainedColor(cellSide_px: Double) -> Double {
        if isFull { return .infinity }
        let isPlainlyLit = isBesidesCover || Double(max(agreement.lit, agreement.lit_in_inks)) >= Self.leastLit
        let unlit = isPlainlyLit ? 0 : 1 - Double(agreement.lit * agreement.lit)
        let most = Self.mostUnexplainedInks * max(1, Self.sharpCellSide_px / cellSide_px)
        return (most * most + Self.unlitColor * unlit).squareRoot()
    }

    /// Whether what something lies over is left out of the colours.
    private var isBesidesCover: Bool { cover != nil && agreement.hidden > 0 }

    private static let mostUnexplainedInks = 0.27
    private static let sharpCellSide_px = 12.0
    /// How much a softer light changes colours, squared, for each share of the brightness that a lamp's does not explain.
    private static let unlitColor = 0.7

    /// Whether a light as on gloss or slight folds explains all of it, and the whole drawing is seen or, of many features, most
    /// of it, and nothing contradicts.
    private var isWholeInSoftLight: Bool {
        Double(agreement.softly_lit) >= Self.leastSoftlyLit && (isWholeDrawing || isMostlySeen)
    }

    private var isMostlySeen: Bool {
        support >= Self.leastSoftSupport && agreement.contradiction_count == 0 && hasOwnDetails
            && agreement.visible > 0.7 && isSoftlyLit
            && Double(agreement.structured) >= max(0.85, configuration.leastAgreement) && agreement.correlation > 0.9
    }

    /// Whether the light is a soft one: it explains most of what a lamp's leaves. Where it does not, what is missing is no matter of
    /// light, but drawn otherwise.
    ///
    /// Law: `PrintLightTests.whatIsMissingInALampsLightIsDrawnOtherwise`. Of 83 prints with a glare or on a cloth that were named for
    /// their soft light it left at most a sixth of what a lamp's left; of another print with the same charge, half.
    private var isSoftlyLit: Bool {
        let byLamp = 1 - agreement.lit * agreement.lit
        let softly = 1 - agreement.softly_lit * agreement.softly_lit
        return softly <= byLamp / 4
    }

    /// How many features must agree on a print that has no plain light, or of which a part is hidden.
    private static let leastSoftSupport = 8
    /// How many, where the print is full of structure and not asked for its light.
    private static let leastFullSupport = 20
    /// The share that must agree of the parts that are not hidden, where the configuration asks no more.
    private var leastAgreementBesides: Double { max(0.9, configuration.leastAgreement) }

    /// Whether something is missing that hangs together with the print's border, where a hand or another thing may lie over it,
    /// and what is seen is enough. Half of the whole print must agree, and what the picture's edge cuts off does not; other
    /// prints may have the rest in common, and one light must explain what is not hidden. Hardly a part of it may show something
    /// else: letters in the midst of a print are no thing over it.
    private var isPartlyHidden: Bool {
        agreement.hidden > 0 && agreement.structured * agreement.visible >= 0.5 && agreement.part_count >= 24
            && Double(agreement.structured) >= leastAgreementBesides * Double(1 - agreement.hidden)
            && agreement.correlation > 0.96 && Int(agreement.contradiction_count) <= edgeContradictionLimit
            && (isFull
                ? support >= Self.leastFullSupport
                : support >= Self.leastSoftSupport && hasOwnDetailsBesides && isLitBesides)
    }

    private var hasOwnDetailsBesides: Bool { Int(agreement.mismatch_besides) <= Self.mostMismatches }

    /// What lies over a print shows an edge of its own, along which few places contradict.
    private var edgeContradictionLimit: Int {
        support >= Self.leastDoubtfulSupport ? 4 * configuration.mostContradictions : 0
    }

    private var isLitBesides: Bool { Double(agreement.lit_besides) >= Self.leastLitBesides }

    /// How many features must agree on a print of which something contradicts.
    private static let leastDoubtfulSupport = 12

    /// Pictures that are full of structure are rarely mistaken; what contradicts then is a thing before the print. Plain ones
    /// have twins.
    private var contradictionLimit: Int {
        (support >= Self.leastDoubtfulSupport ? configuration.mostContradictions : 0)
            + (isFull ? Int(structuredCount / 20) : 0)
    }

    /// How many parts of the whole print have structure.
    private var structuredCount: Double {
        Double(agreement.part_count) / Double(agreement.structured * agreement.visible)
    }

    /// Whether nearly all parts of a print have structure, as those of photographs.
    var isFull: Bool {
        let fieldArea = Double(CFEATURES_FIELD_PX * CFEATURES_FIELD_PX)
        return structuredCount > 0.8 * Double(template.width * template.height) / fieldArea
    }
}
