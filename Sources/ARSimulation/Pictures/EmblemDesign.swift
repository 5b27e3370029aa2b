// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom

/// What is on an emblem, drawn from its number.
///
/// What lies on a part of the field is light on dark or dark on light: the heralds' rule of tincture.
struct EmblemDesign: Hashable, Sendable {
    /// How the parts are arranged.
    enum Layout: Hashable, Sendable {
        /// One charge in the middle.
        case charge
        /// Three small charges: two above one.
        case threeCharges
        /// The initials in the middle.
        case letters
        /// A ring with the name and the year around a charge or the initials.
        case ring(hasLetters: Bool)
        /// The name on a band across, a charge above it.
        case band
    }

    let shape: EmblemShape
    let division: EmblemDivision
    let layout: Layout
    let charge: EmblemCharge.Kind
    /// The field's first colour and that of its other parts.
    let field: EmblemColor
    let second: EmblemColor
    /// What lies on the field's first colour; light where that is dark.
    let figure: EmblemColor
    /// Whether both parts of the field are dark.
    let isDarkPair: Bool
    /// A band above the field with the initials, or stars.
    let chief: Chief?
    let hasYear: Bool
    let hasInnerBorder: Bool
    let initials: String
    let name: String
    let year: Int

    /// What stands in the band above the field.
    enum Chief: Hashable, Sendable { case letters, stars }

    init(number: Int) {
        var random = SeededRandom(seed: UInt64(number), purpose: "emblem")
        func chance(_ share: Double) -> Bool { random.uniform(0..<1) < share }
        func pick<Item>(_ items: [Item]) -> Item { items[Int(random.uniform(0..<Double(items.count)))] }

        let place = pick(Self.beginnings) + pick(Self.endings)
        let club = pick(["FC", "SC", "AC", "SV", "US", "RC"])
        initials = club + place.prefix(1)
        name = chance(0.5) ? "\(club) \(place)" : "\(place) \(club)"
        year = 1872 + Int(random.uniform(0..<110))
        charge = pick(EmblemCharge.Kind.allCases)

        let isDarkField = chance(0.7)
        let dark = pick(EmblemColor.darks)
        let light = pick([EmblemColor.white, .white, .gold, .gold, .sky])
        field = isDarkField ? dark : light
        let otherDark = pick(EmblemColor.darks.filter { $0 != dark })
        // Two dark colours side by side need no rule: nothing lies across both but what is light.
        isDarkPair = isDarkField && chance(0.3)
        second = isDarkPair ? otherDark : isDarkField ? light : dark
        figure = isDarkField ? pick([light, pick(EmblemColor.lights)]) : pick([dark, otherDark])

        switch random.uniform(0..<1) {
        case ..<0.22:
            (shape, layout) = (.roundel, .ring(hasLetters: chance(0.3)))
        case ..<0.62:
            (shape, layout) = (pick(EmblemShape.allCases), .charge)
        case ..<0.74:
            (shape, layout) = (pick([EmblemShape.heater, .round, .french, .swiss]), .threeCharges)
        case ..<0.86:
            (shape, layout) = (pick(EmblemShape.allCases), .letters)
        default:
            (shape, layout) = (pick([EmblemShape.heater, .round, .french]), .band)
        }
        let isPlain = layout == .threeCharges || layout == .band && !isDarkPair || chance(0.2)
        division = isPlain ? .plain : pick(EmblemDivision.allCases.filter { $0 != .plain })
        let mayHaveChief = shape.hasShoulders && layout != .band && layout != .threeCharges
        let upper: Chief = layout == .letters || chance(0.3) ? .stars : .letters
        chief = mayHaveChief && chance(0.5) ? upper : nil
        hasYear = chance(0.4)
        hasInnerBorder = chance(0.55)
    }

    private static let beginnings = [
        "AR", "BEL", "COR", "DAN", "EL", "FAL", "GOR", "HAL", "IL", "KAR", "LOR", "MAR", "NOR", "OST", "PAL", "RAV",
        "SAL", "TOR", "UL", "VAL", "WES", "ZEL",
    ]
    private static let endings = [
        "DEN", "TON", "DORF", "FORD", "VIA", "MAR", "BERG", "LAND", "STAD", "MONT", "BY", "HOLM", "ETTA", "ONA", "WICK",
    ]
}
