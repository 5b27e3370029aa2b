// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CFeatures

/// What speaks for a flat print where it was placed, and what against it.
///
/// The drawing alone does not name a print: others share a shield, a ring, or all but two letters. Where one light explains
/// how bright everything on it is, drawing and inks are the print's own. Where it does not, either something lies over the
/// print, or it is printed in other inks, or it is another one: then more is asked of what is seen.
struct PrintEvidence {
    let configuration: TargetRecognizer.Configuration
    let agreement: CFeaturesAgreement
    /// How many features agree.
    let support: Int
    let template: TemplateView

    /// Whether the print may be named.
    var isEnough: Bool { agreement.visible > 0.4 && (isWhole || isPartlyHidden) }

    /// From this correlation on, one light explains what is seen. Pictures of prints in uneven light reach 0.989 and more;
    /// other prints with the same drawing, of which nearly everything agrees, 0.976.
    static let leastLit = 0.98

    /// Whether nearly all that is printed is seen, and hardly anything else.
    private var isWhole: Bool {
        Double(agreement.structured) >= configuration.leastAgreement
            && Int(agreement.contradiction_count) <= contradictionLimit
            && (isFull || Double(agreement.lit) >= Self.leastLit || isWholeInOtherInks)
    }

    /// Whether the whole drawing is seen, and nothing contradicts: it may have any inks.
    private var isWholeInOtherInks: Bool {
        agreement.contradiction_count == 0 && Double(agreement.structured) >= Self.leastDrawing
    }

    private static let leastDrawing = 0.97

    /// How many features must agree on a print that is partly hidden.
    private static let leastPartialSupport = 20
    /// The share that must agree of the parts that are not hidden, where the configuration asks no more.
    private var leastAgreementBesides: Double { max(0.9, configuration.leastAgreement) }

    /// Whether what is seen of a print is enough, and the rest hangs together with its border: a hand or another thing lies
    /// over it. Half of the whole print must agree, and what the picture's edge cuts off does not: other prints may have
    /// the rest in common. A glare has a light of its own, so that none is asked for.
    private var isPartlyHidden: Bool {
        support >= Self.leastPartialSupport && agreement.structured * agreement.visible >= 0.5
            && agreement.part_count >= 24 && agreement.correlation > 0.96
            && Double(agreement.structured) >= leastAgreementBesides * Double(1 - agreement.hidden)
            && Int(agreement.contradiction_count) <= configuration.mostContradictions
    }

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
    private var isFull: Bool {
        structuredCount > 0.8 * Double(template.width * template.height) / 64
    }
}
