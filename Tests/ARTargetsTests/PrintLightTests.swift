// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import CFeatures
import Foundation
import Testing

@testable import ARTargets

@Suite struct PrintLightTests {
    /// Any light on a print is explained: a gain that is a plane, and an offset. Other inks are not, nor is what lies over it,
    /// beside which the light still explains the rest.
    @Test func oneLightExplainsAPrint() throws {
        var inked: [Double] = []
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            let lit = try print.agreement { light, x, y in 15 + (0.7 + 0.2 * x - 0.15 * y) * light }
            #expect(lit.lit > 0.995 && lit.lit_besides > 0.995 && lit.softly_lit == lit.lit)
            let inverse = try print.agreement { light, x, y in 250 - (0.7 + 0.2 * x) * light }
            #expect(inverse.lit > 0.99 && inverse.is_inverse == 1)
            // Grey of the middle becomes the darkest, which two inks alone do not show.
            inked.append(Double(try print.agreement { light, _, _ in abs(light - 110) }.lit))
            let covered = try print.agreement { light, x, y in
                x + y > 1.35 ? (Int(40 * x) + Int(40 * y)) % 2 == 0 ? 20 : 190 : light
            }
            #expect(covered.lit < 0.98 && covered.lit_besides > 0.995, "\(covered)")
            let plainlyCovered = try print.agreement { light, x, y in x + y > 1.35 ? 60 : light }
            #expect(plainlyCovered.lit_besides > 0.995, "\(plainlyCovered)")
        }
        #expect(inked.count { $0 < PrintEvidence.leastLit } >= 4, "\(inked)")
    }

    /// A print in other inks is explained as long as each of its greys is seen as one, under whatever lamp; two greys where the
    /// print has one are another print.
    @Test func oneInkIsSeenAsOne() throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            // What is dark lies closer together, and what is light is as dark as the middle was.
            func ink(_ light: Double) -> Double { light < 128 ? 20 + 0.5 * light : 110 + 0.3 * light }
            let inked = try print.agreement { light, x, y in (1 + 0.2 * x - 0.2 * y) * ink(light) }
            #expect(Double(inked.lit_in_inks) >= PrintEvidence.leastLit, "\(number): \(inked)")
            #expect(print.isNamed(inked), "\(number): \(inked)")
            let other = try print.agreement { light, x, y in
                ink(light) + (abs(light - print.commonestGrey) < 20 ? 45 * cos(7 * x) * cos(7 * y) : 0)
            }
            #expect(Double(other.lit_in_inks) < PrintEvidence.leastLit, "\(number): \(other)")
        }
    }

    /// What lies beside a print blurs into its border, by its own blur and by what the place is off there: where nothing is drawn
    /// along the border, that says nothing of the light on the print.
    @Test func surroundingsSayNothingOfTheLight() throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number, plainBorder: 30)
            let blurred = try print.agreement { light, x, y in
                let isBeside = min(min(x, 1 - x), min(y, 1 - y)) < 0.025
                return 20 + (0.6 + 0.2 * x) * (isBeside ? 10 : light)
            }
            #expect(Double(blurred.lit) >= PrintEvidence.leastLit, "\(number): \(blurred)")
            #expect(print.isNamed(blurred), "\(number): \(blurred)")
        }
    }

    /// Where a corner is as bright as the ground beside it, an ink is missing there; what lies over it has a light of its own.
    @Test func missingInkIsNoCover() throws {
        var missing = 0
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            let ground = print.commonestGrey
            func corner(_ grey: Double) throws -> CFeaturesAgreement {
                try print.agreement { light, x, y in 20 + (0.6 + 0.2 * x) * (x + y > 1.3 ? grey : light) }
            }
            let covered = try corner(ground < 128 ? ground + 50 : ground - 50)
            #expect(Double(covered.lit_besides) >= PrintEvidence.leastLitBesides, "\(number): \(covered)")
            missing += try corner(ground).lit_besides == 0 ? 1 : 0
        }
        // Of two, little of that ground lies beside the corner: a thing there may be as bright as the ground elsewhere.
        #expect(missing >= 4)
    }

    /// What shows on all four sides of a print lies around another one that has its middle in common, and not over it; what
    /// shows on three may be a hand. What was not found to lie over a print is not left out of its colours.
    @Test func framesHideNothing() throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            func agreement(withBottom: Bool) throws -> CFeaturesAgreement {
                try print.agreement { light, x, y in
                    let isAtSide = abs(y - 0.5) < 0.2 && abs(x - 0.5) > 0.35
                    let isAtEnd = abs(x - 0.5) < 0.2 && (y < 0.15 || withBottom && y > 0.85)
                    return isAtSide || isAtEnd ? (Int(30 * x) + Int(30 * y)) % 2 == 0 ? 20 : 190 : light
                }
            }
            let framed = try agreement(withBottom: true)
            #expect(framed.lit_besides == 0 && !framed.isAnyFieldCovered, "\(number): \(framed)")
            let covered = try agreement(withBottom: false)
            #expect(Double(covered.lit_besides) >= PrintEvidence.leastLitBesides, "\(number): \(covered)")
            #expect(covered.isAnyFieldCovered, "\(number): \(covered)")
        }
    }

    /// Other letters in the midst of a print are no thing over it, as bright as its own and in the same inks as they may be:
    /// neither where it is whole, nor where a blurred thing does lie over a corner, which alone leaves the print its name.
    @Test func otherDrawingsInTheMidstAreNotHidden() throws {
        var namedBlindly = 0
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            let block = print.block
            func agreement(isOther: Bool, isCovered: Bool) throws -> CFeaturesAgreement {
                try print.agreement { light, x, y in
                    let isTurned = isOther && block.contains(column: x, row: y)
                    let shown = 80 + 0.3 * (isTurned ? 2 * print.meanOfField(atColumn: x, row: y) - light : light)
                    let cover = isCovered ? min(max((x + y - 1.4) / 0.15, 0), 1) : 0
                    return shown + cover * (118 - shown)
                }
            }
            let own = try agreement(isOther: false, isCovered: true)
            #expect(own.hidden > 0 && own.mismatch_besides == 0, "\(number): \(own)")
            #expect(print.isNamed(own), "\(number): \(own)")
            let other = try agreement(isOther: true, isCovered: false)
            #expect(other.hidden == 0 && other.mismatch_besides > 2, "\(number): \(other)")
            #expect(!print.isNamed(other), "\(number): \(other)")
            var both = try agreement(isOther: true, isCovered: true)
            #expect(both.hidden > 0 && both.mismatch_besides > 2, "\(number): \(both)")
            #expect(!print.isNamed(both), "\(number): \(both)")
            both.mismatch_besides = 0
            namedBlindly += print.isNamed(both) ? 1 : 0
        }
        // It is these parts that refuse the name.
        #expect(namedBlindly >= 3)
    }

    /// Another drawing in the midst of a print is told from a thing before it, which has no such contrast, and from blur; its parts are
    /// clearer where it is as it is drawn, and nowhere less clear.
    @Test func otherDrawingsInTheMidstMismatch() throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            func isMiddle(_ x: Double, _ y: Double) -> Bool { abs(x - 0.5) < 0.2 && abs(y - 0.5) < 0.2 }
            let own = try print.agreement { light, x, _ in 20 + (0.6 + 0.2 * x) * light }
            #expect(own.mismatch_count == 0, "\(number): \(own)")
            let plain = try print.agreement { light, x, y in isMiddle(x, y) ? 120 : light }
            let other = try print.agreement { light, x, y in
                isMiddle(x, y) ? (Int(36 * x) + Int(36 * y)) % 2 == 0 ? 0 : 255 : light
            }
            // Along the thing's own edge few parts have contrast.
            #expect(other.mismatch_count > 2, "\(number): \(other)")
            #expect(plain.mismatch_count < other.mismatch_count, "\(number): \(plain)")
            let (ownParts, otherParts) = (DrawnParts(own), DrawnParts(other))
            #expect(ownParts.clearerCount(than: otherParts) > 2 && otherParts.clearerCount(than: ownParts) == 0)
        }
    }

    /// The light on folds and in a glare changes smoothly over a print, and explains it where a plane of light does not.
    @Test func softLightExplainsFoldsAndGlare() throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            let folded = try print.agreement { light, x, y in (0.6 + 0.3 * cos(7 * x + 2 * y)) * light }
            #expect(folded.lit < 0.97 && folded.softly_lit > 0.99, "\(number): \(folded)")
            let glaring = try print.agreement { light, x, y in
                0.5 * light + 100 * exp(-((x - 0.6) * (x - 0.6) + (y - 0.4) * (y - 0.4)) / 0.2)
            }
            #expect(glaring.lit < 0.97 && glaring.softly_lit > 0.988, "\(number): \(glaring)")
        }
    }

    /// A lamp's mirror image in a gloss adds light about a place, however narrow; nothing takes it away there.
    @Test(arguments: [0.1, 0.15, 0.25]) func aHighlightIsLight(radius: Double) throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            func agreement(_ strength: Double) throws -> CFeaturesAgreement {
                try print.agreement { light, x, y in
                    let square = (x - 0.6) * (x - 0.6) + (y - 0.35) * (y - 0.35)
                    return 60 + 0.35 * light + strength * exp(-square / (2 * radius * radius))
                }
            }
            let bright = try agreement(100)
            #expect(
                bright.lit < 0.98 && Double(bright.softly_lit) >= PrintEvidence.leastSoftlyLit, "\(number): \(bright)")
            guard radius < 0.12 else { continue }
            // What is wide may as well be a fold.
            let dark = try agreement(-60)
            #expect(Double(dark.softly_lit) < PrintEvidence.leastSoftlyLit, "\(number): \(dark)")
        }
    }

    /// Where a camera's pixels are full, there may be any light that is brighter: a highlight that drowns a part of the print
    /// is explained as well as a faint one.
    @Test func fullPixelsBoundLightFromOneSide() throws {
        for number in LitPrint.numbers {
            let drowned = try LitPrint(number: number).agreement { light, x, y in
                let square = (x - 0.6) * (x - 0.6) + (y - 0.35) * (y - 0.35)
                return 60 + 0.35 * light + 240 * exp(-square / (2 * 0.1 * 0.1))
            }
            #expect(drowned.softly_lit > 0.997, "\(number): \(drowned)")
        }
    }

    /// What is full agrees with any light that is bright enough, and so speaks for none: a stranger of which one half is full
    /// looks no more like the print.
    @Test func fullPixelsSpeakForNoLight() throws {
        for number in LitPrint.numbers {
            let half = try LitPrint(number: number).agreement { light, x, _ in x < 0.5 ? 255 : abs(light - 110) }
            #expect(half.lit < 0.68 && half.softly_lit < 0.68, "\(number): \(half)")
        }
    }

    /// A pale patch has an edge, which no lamp's mirror image has.
    @Test(arguments: [0.08, 0.1, 0.12, 0.16]) func aPalePatchIsNoHighlight(radius: Double) throws {
        for number in LitPrint.numbers {
            let pale = try LitPrint(number: number).agreement { light, x, y in
                let square = (x - 0.6) * (x - 0.6) + (y - 0.35) * (y - 0.35)
                return 60 + 0.35 * light + (square < radius * radius ? 60 : 0)
            }
            #expect(Double(pale.softly_lit) < PrintEvidence.leastSoftlyLit, "\(number): \(pale)")
        }
    }

    /// A highlight has four unknowns besides those of the light that it adds to, and asks for three fields for each, too. It is
    /// round, whatever the print's shape.
    @Test(arguments: [6, 7, 8, 11]) func aHighlightTakesFields(rows: Int) throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number, rows: rows)
            let bright = try print.agreement { light, x, y in
                let (dx, dy) = (x - 0.6, (y - 0.5) * Double(rows) / Double(LitPrint.fields))
                return 60 + 0.35 * light + 100 * exp(-(dx * dx + dy * dy) / (2 * 0.1 * 0.1))
            }
            let isExplained = Double(bright.softly_lit) >= PrintEvidence.leastSoftlyLit
            #expect(isExplained == (rows >= 8), "\(number): \(bright)")
        }
    }

    /// Cameras do not tell light in proportion: their curves lift or lower the middle and flatten both ends. A print stays
    /// explained by one light.
    @Test(arguments: [0.7, 1, 1.4], [0, 0.9]) func toneCurvesLeaveAPrintLit(gamma: Double, steepness: Double) throws {
        for number in LitPrint.numbers {
            let developed = try LitPrint(number: number).agreement { light, x, y in
                let tone = pow((8 + (0.85 + 0.1 * x - 0.1 * y) * light) / 255, gamma)
                return 255 * (tone + steepness * (3 * tone * tone - 2 * tone * tone * tone - tone))
            }
            #expect(Double(developed.lit) >= PrintEvidence.leastLit, "\(number): \(developed)")
        }
    }

    /// Halving an odd side loses nothing of the print: its grey levels stay where they were.
    @Test func smallPicturesHaveTheWholePrint() {
        let size = ImageSize(width: 1016, height: 127)
        var ramp = ImageBuffer(size: size, format: .gray8)
        for y in 0..<size.height {
            for x in 0..<size.width { ramp.bytes[y * size.width + x] = UInt8((y * 255 + 63) / 127) }
        }
        let small = ramp.gray(longerSide: 128)
        #expect(small.size == ImageSize(width: 128, height: 16))
        for y in 2..<14 {
            let expected = (Double(y) + 0.5) / 16 * 255
            #expect(abs(Double(small.bytes[y * 128 + 64]) - expected) < 3)
        }
    }

    /// The colours of a print under a lamp may be off its inks by more than those of its own pictures are, and less than those of
    /// others with the same drawing; so may those of what is left where a thing lies over it. Cells of few pixels, and a softer
    /// light, allow for more.
    @Test func colorsOfAnInkAreLimited() throws {
        for number in LitPrint.numbers {
            let print = try LitPrint(number: number)
            func most(cellSide_px: Double, _ change: (Double, Double, Double) -> Double) throws -> Double {
                print.mostUnexplainedColor(try print.agreement(change), cellSide_px: cellSide_px)
            }
            let lit = try most(cellSide_px: 12) { light, x, _ in 20 + (0.6 + 0.2 * x) * light }
            #expect((0.19..<0.28).contains(lit), "\(number): \(lit)")
            let covered = try most(cellSide_px: 12) { light, x, y in x + y > 1.4 ? 118 : 20 + (0.6 + 0.2 * x) * light }
            #expect((0.19..<0.28).contains(covered), "\(number): \(covered)")
            let small = try most(cellSide_px: 6) { light, x, _ in 20 + (0.6 + 0.2 * x) * light }
            #expect(small > 1.5 * lit, "\(number): \(small)")
            let folded = try most(cellSide_px: 12) { light, x, _ in 20 + (0.6 + 0.25 * cos(7 * x)) * light }
            #expect(folded > 1.1 * lit && folded < 1, "\(number): \(folded)")
        }
    }

    /// A print that is bent by less than a tenth of a cell is asked for its inks as a flat one is, and in a soft light for less; one
    /// that is bent by more, or has something over it, for none.
    @Test func aPrintThatHardlyBendsIsAskedForItsInks() throws {
        let print = try LitPrint(number: LitPrint.numbers[0])
        let cell = 1 / Double(PrintColors.side)
        func most(bending: Double, lit: Float = 0.99, hidden: Float = 0) -> Double {
            var agreement = CFeaturesAgreement()
            (agreement.structured, agreement.visible, agreement.part_count) = (0.97, 1, 40)
            (agreement.lit, agreement.softly_lit, agreement.lit_in_inks) = (lit, 0.983, lit)
            (agreement.hidden, agreement.mismatch_count) = (hidden, 3)
            return print.mostUnexplainedColor(agreement, bending: bending, cellSide_px: 12)
        }
        #expect(most(bending: 0.09 * cell) == 0.27)
        #expect(most(bending: 0.09 * cell, lit: 0.97) > 0.3)
        #expect(most(bending: 0.11 * cell) == .infinity)
        #expect(most(bending: 0.09 * cell, hidden: 0.1) == .infinity)
    }

    /// A softer light than a lamp's excuses what is missing where it explains most of what a lamp's leaves, and nothing where it
    /// explains as little: then something else is drawn there.
    @Test func whatIsMissingInALampsLightIsDrawnOtherwise() throws {
        let print = try LitPrint(number: LitPrint.numbers[0])
        func isNamed(structured: Float, lit: Float, softly: Float) -> Bool {
            var agreement = CFeaturesAgreement()
            (agreement.structured, agreement.visible, agreement.part_count) = (structured, 1, 40)
            (agreement.correlation, agreement.mark_count) = (0.98, Int32(PrintMarks.least))
            (agreement.lit, agreement.softly_lit) = (lit, softly)
            return print.isNamed(agreement)
        }
        #expect(isNamed(structured: 0.86, lit: 0.95, softly: 0.9905))
        #expect(!isNamed(structured: 0.86, lit: 0.98, softly: 0.9905))
        #expect(isNamed(structured: 0.86, lit: 0.98, softly: 0.996))
        // Where the whole drawing is seen, nothing is to be excused.
        #expect(isNamed(structured: 0.98, lit: 0.98, softly: 0.9905))
    }

    /// What waves much needs to fit less well, and what is nearly flat better; nothing may contradict, whatever else speaks for it,
    /// and a print in other inks must be seen whole.
    @Test func theFlatterABentPrintIsTheMoreIsAskedOfIt() throws {
        let print = try LitPrint(number: LitPrint.numbers[0])
        func isThere(
            flat: Float, structured: Float, lit: Float = 0.9, softly: Float = 0.9, inks: Float = 0.9,
            contradictions: Int32 = 0, mismatches: Int32 = 0, marks: Int32 = Int32(PrintMarks.least),
            isInverse: Bool = false
        ) -> Bool {
            var agreement = CFeaturesAgreement()
            (agreement.structured, agreement.visible, agreement.part_count) = (structured, 1, 40)
            (agreement.mark_count, agreement.is_inverse) = (marks, isInverse ? 1 : 0)
            (agreement.lit, agreement.softly_lit, agreement.lit_in_inks) = (lit, softly, max(inks, lit))
            (agreement.contradiction_count, agreement.mismatch_count) = (contradictions, mismatches)
            var flatAgreement = CFeaturesAgreement()
            flatAgreement.structured = flat
            return print.isThereBent(agreement, flat: flatAgreement)
        }
        // From six tenths on the light must explain more, from three quarters on more must agree.
        #expect(isThere(flat: 0.59, structured: 0.91, softly: 0.9885))
        #expect(!isThere(flat: 0.61, structured: 0.91, softly: 0.9885))
        #expect(isThere(flat: 0.61, structured: 0.91, softly: 0.9935))
        #expect(isThere(flat: 0.61, structured: 0.91, lit: 0.9905, softly: 0.9905))
        #expect(!isThere(flat: 0.76, structured: 0.94, softly: 0.9935))
        #expect(isThere(flat: 0.76, structured: 0.96, softly: 0.9935))
        // What is seen whole and waves much may have an edge that its surroundings blur into.
        #expect(isThere(flat: 0.74, structured: 0.992, softly: 0.981))
        #expect(!isThere(flat: 0.76, structured: 0.992, softly: 0.981))
        // Other inks are one for each of its own, on the whole drawing.
        #expect(isThere(flat: 0.59, structured: 0.975, inks: 0.986))
        #expect(!isThere(flat: 0.59, structured: 0.965, inks: 0.986))
        #expect(!isThere(flat: 0.59, structured: 0.975, inks: 0.984))
        // Nothing makes up for what is seen to be another print's, nor for what any four-sided figure shows.
        #expect(!isThere(flat: 0.3, structured: 1, lit: 1, softly: 1, marks: Int32(PrintMarks.least) - 1))
        #expect(!isThere(flat: 0.3, structured: 0.89, lit: 1, softly: 1))
        #expect(!isThere(flat: 0.3, structured: 1, lit: 1, softly: 1, contradictions: 1))
        #expect(!isThere(flat: 0.3, structured: 1, lit: 1, softly: 1, isInverse: true))
        #expect(isThere(flat: 0.3, structured: 1, lit: 1, softly: 1, mismatches: 1))
        #expect(!isThere(flat: 0.3, structured: 1, lit: 1, softly: 1, mismatches: 2))
    }
}

extension CFeaturesAgreement {
    fileprivate var isAnyFieldCovered: Bool {
        withUnsafeBytes(of: covered) { rows in rows.contains { $0 != 0 } }
    }
}

/// An emblem before plain grey, under any light.
private struct LitPrint {
    static let numbers = [1, 3, 5, 8, 11, 14]
    /// How many fields a side has.
    static let fields = 16

    private let side = 320
    private let margin = 40
    private let picture: ImageBuffer
    private let storage: TargetStorage
    private let space = ScaleSpace()

    /// The middle of an emblem, so many fields high, within a white border of so many pixels.
    init(number: Int, rows: Int = fields, plainBorder: Int = 0) throws {
        let drawn = Emblem(number: number).image(width: side - 2 * plainBorder).gray
        var emblem = ImageBuffer(size: ImageSize(width: side, height: side), format: .gray8, filledWith: 255)
        for row in 0..<drawn.size.height {
            let start = (row + plainBorder) * side + plainBorder
            let first = row * drawn.size.width
            emblem.bytes.replaceSubrange(
                start..<start + drawn.size.width, with: drawn.bytes[first..<first + drawn.size.width])
        }
        let height = side * rows / Self.fields
        let first = (side - height) / 2 * side
        var middle = ImageBuffer(size: ImageSize(width: side, height: height), format: .gray8)
        middle.bytes = Array(emblem.bytes[first..<first + height * side])
        picture = middle
        var counts = [Int](repeating: 0, count: 256)
        for grey in picture.bytes { counts[Int(grey)] += 1 }
        commonestGrey = Double(counts.indices.max { counts[$0] < counts[$1] } ?? 0)
        storage = try TargetDatabase(building: [ReferenceImage(name: "print", picture: picture)]).segments[0].storage
    }

    /// How well the print lies in its own picture, whose light is changed by place, 0…1 on the print.
    func agreement(
        _ change: (_ light: Double, _ x: Double, _ y: Double) -> Double
    ) throws -> CFeaturesAgreement {
        let (width, height) = (side + 2 * margin, Double(picture.size.height))
        var changed = ImageBuffer(
            size: ImageSize(width: width, height: picture.size.height + 2 * margin), format: .gray8, filledWith: 128)
        for index in picture.bytes.indices {
            let (column, row) = (index % side, index / side)
            let light = change(Double(picture.bytes[index]), Double(column) / Double(side), Double(row) / height)
            changed.bytes[(row + margin) * width + column + margin] = UInt8(min(max(light, 0), 255))
        }
        space.fill(with: changed, longestSide: 900, strongerThan: 1.2)
        let offset = Double(margin) - 0.5
        let whole = Matrix3x3(
            rows: Vector3(Double(side), 0, offset), Vector3(0, height, offset), Vector3(0, 0, 1))
        var place = try #require(PrintPlace(whole))
        return storage.withTemplate(at: 0) {
            space.align($0, at: &place, longerSide: 128, rounds: 2, slack: 2, toldFrom: 0)
        }
    }

    /// Whether the print is named where it is seen so, and many features agree.
    func isNamed(_ agreement: CFeaturesAgreement) -> Bool {
        storage.withTemplate(at: 0) {
            PrintEvidence(configuration: .init(), agreement: agreement, support: 40, template: $0).isEnough
        }
    }

    /// How far the colours of the print may be off its inks where it is seen so.
    func mostUnexplainedColor(_ agreement: CFeaturesAgreement, cellSide_px: Double) -> Double {
        storage.withTemplate(at: 0) {
            PrintEvidence(configuration: .init(), agreement: agreement, support: 40, template: $0)
                .mostUnexplainedColor(cellSide_px: cellSide_px)
        }
    }

    /// The same where it is bent by so much of its side.
    func mostUnexplainedColor(_ agreement: CFeaturesAgreement, bending: Double, cellSide_px: Double) -> Double {
        storage.withTemplate(at: 0) {
            BentPrint.mostUnexplainedColor(
                PrintEvidence(configuration: .init(), agreement: agreement, support: 40, template: $0),
                bending: bending, cellSide_px: cellSide_px)
        }
    }

    /// Whether the print is named where it lies so as a bent one, and lay so as a flat one.
    func isThereBent(_ agreement: CFeaturesAgreement, flat: CFeaturesAgreement) -> Bool {
        storage.withTemplate(at: 0) {
            BentPrint.isThere(
                PrintEvidence(configuration: .init(), agreement: agreement, support: 40, template: $0), flat: flat)
        }
    }

    /// The mean light of the field around a place, 0…1 on the print.
    func meanOfField(atColumn x: Double, row y: Double) -> Double {
        moments(ofColumn: Int(x * Double(Self.fields)), row: Int(y * Double(Self.fields))).mean
    }

    /// The grey of which most of the picture's pixels are.
    let commonestGrey: Double

    private func moments(ofColumn column: Int, row: Int) -> (mean: Double, variance: Double) {
        let step = side / Self.fields
        let lights = (0..<step * step).map { pixel in
            Double(picture.bytes[(row * step + pixel / step) * side + column * step + pixel % step])
        }
        let mean = lights.reduce(0, +) / Double(lights.count)
        return (mean, lights.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(lights.count))
    }

    /// Of the blocks of 3×3 fields about the middle, the one whose plainest field has most structure.
    var block: Block {
        let blocks = (4...7).flatMap { row in (4...7).map { Block(column: $0, row: row) } }
        let structures = blocks.map { block -> Double in
            let variances = (0..<9).map { field -> Double in
                let (column, row) = (block.column + field % 3, block.row + field / 3)
                return moments(ofColumn: column, row: row).variance
            }
            return variances.min() ?? 0
        }
        return zip(blocks, structures).max { $0.1 < $1.1 }?.0 ?? blocks[0]
    }

    /// 3×3 fields, the upper left one given.
    struct Block {
        let column, row: Int

        func contains(column x: Double, row y: Double) -> Bool {
            (column..<column + 3).contains(Int(x * Double(LitPrint.fields)))
                && (row..<row + 3).contains(Int(y * Double(LitPrint.fields)))
        }
    }
}
