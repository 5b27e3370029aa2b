// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import CFeatures
import CPatches

/// A target found in a picture, before it has a name.
struct TargetFinding {
    var target: Int
    var confidence: Double
    var pixelFromPrint: Matrix3x3
    var corners: PixelQuad
    var support: Int
    var isInverse: Bool
    /// Whether it was found only where it waves.
    var isBent = false
    /// Whether it is seen whole as a flat print, neither in a light as on folds nor partly hidden: then nothing waves there.
    var isSurelyFlat = false
    /// How far parts lie off, in pixels, and how many there are.
    var deviation: Double
    var partCount: Int

    /// How clearly its parts are seen; of a bent print nothing is said.
    var parts = DrawnParts()

    /// How the colours there speak for the target, 0…1; 0, too, where the picture is grey.
    var colorAgreement = 0.0

    /// How far a light on the print explains what is seen: a correlation. Where the whole drawing is seen, the light is a
    /// lamp's, and else that under which the print was named: one as on gloss or folds, or a lamp's on what is not hidden; on a
    /// bent print it changes with the folds.
    var lit = 0.0

    /// How far a lamp's light explains what is seen of a flat print; `nil` for a bent one.
    var plainlyLit: Double?

    /// What decides between two that lie in one place: the drawing, and where that is the same, the inks: how bright they
    /// are, and their colours.
    var weight: Double { weight(lit: lit) }

    private func weight(lit: Double) -> Double {
        let brightness = min(max((lit - 0.96) / 0.04, 0), 1)
        return confidence + Self.brightnessShare * brightness + Self.colorShare * colorAgreement
    }

    /// By how much more speaks for this than for another print in its place, by the lights that earned their names, and by a lamp's.
    /// A softer light explains more, other inks, too: what it explains better than a lamp the other leads by nothing.
    ///
    /// Law: `TargetRecognizerTests.aSofterLightLeadsByNothing`.
    func lead(over other: TargetFinding) -> Double {
        min(weight - other.weight, weight(lit: plainlyLit ?? lit) - other.weight(lit: other.plainlyLit ?? other.lit))
    }

    /// Whether it is known which of two prints lies in their place: more speaks for one, and what is drawn otherwise on the two does not
    /// speak for the other, as it would for a print in one ink whose like is in that ink anyway.
    ///
    /// Law: `TargetRecognizerTests.whatIsDrawnSpeaksAgainstInks`.
    func isTold(from other: TargetFinding) -> Bool {
        let (heavier, lighter) = weight >= other.weight ? (self, other) : (other, self)
        return heavier.lead(over: lighter) >= TargetRecognizer.leastLead && !lighter.isDrawnClearer(than: heavier)
    }

    /// Whether some parts clearly show what is drawn here and not what is drawn on another print that lies the same way up, and none the
    /// opposite.
    private func isDrawnClearer(than other: TargetFinding) -> Bool {
        let cell = abs(corners.signedArea).squareRoot() / Double(DrawnParts.side)
        guard zip(corners.corners, other.corners.corners).allSatisfy({ $0.distance(to: $1) < cell }) else {
            return false
        }
        return parts.clearerCount(than: other.parts) > 0 && other.parts.clearerCount(than: parts) == 0
    }

    private static let (brightnessShare, colorShare) = (0.3, 0.5)

    /// The share of another print's parts that must agree where this one lies so that it may be as likely, however bright it should be
    /// and whatever its colours: what agrees less decides nothing.
    ///
    /// Law: `TargetRecognizerTests.rivalsThatAgreeLessDecideNothing`.
    func leastRivalAgreement(inColor: Bool) -> Double {
        weight - TargetRecognizer.leastLead - Self.brightnessShare - (inColor ? Self.colorShare : 0)
    }

    /// How many features must agree on another print in this one's place so that it is looked at. Where this one is seen whole and flat,
    /// what is drawn alike is looked at anyway.
    var leastRivalSupport: Double { (isSurelyFlat ? 0.75 : 0.5) * Double(support) }

    /// Whether both cannot be there: they lie in one place and are of one size. A print may be part of a larger one.
    func disputes(_ other: TargetFinding) -> Bool { corners.disputes(other.corners) }
}

/// Looks for the targets of one segment of a database in a picture.
struct TargetSearch {
    let configuration: TargetRecognizer.Configuration
    let space: ScaleSpace
    let features: [CFeature]
    let picture: ImageBuffer
    /// The name of the database.
    let database: String
    let segment: TargetSegment
    /// How many targets are compared with all features.
    let targetLimit: Int
    /// Places at which it is known what they show: nothing is looked for there.
    let known: [PixelQuad]
    /// What was looked at so far.
    private(set) var lookedAt: [Candidate] = []

    /// What was found, the place with most support first.
    ///
    /// What lies where a target was found is looked at only when nearly as much speaks for it: twins must be told apart,
    /// and all else need not be looked at.
    mutating func findings() -> [(TargetFinding, SearchedPlace)] {
        var findings: [TargetFinding] = []
        segment.storage.withIndex { index in
            let (matches, ends) = self.matches(in: &index)
            var start = 0
            // Where a batch shows nothing, the next ones, for which less speaks, are left alone.
            for batch in stride(from: 0, to: ends.count, by: Self.batchSize) {
                let foundBefore = findings.count
                let batchEnds = ends[batch..<min(batch + Self.batchSize, ends.count)]
                let candidates = self.candidates(matches, from: start, ends: batchEnds, in: &index)
                let unknown = candidates.filter { candidate in !known.contains { $0.disputes(candidate.corners) } }
                look(at: unknown, &findings)
                if findings.count == foundBefore && unknown.count == candidates.count { break }
                start = batchEnds.last ?? start
            }
        }
        return findings.map { ($0, place) }
    }

    /// What else is found where a print was, of that look from afar: whatever is drawn as it is, in other inks or upside down.
    ///
    /// Of thousands of targets, many may have more votes than the print that is there; one that is drawn alike then has its name
    /// unless the two are compared.
    ///
    /// Laws: `TargetRecognizerTests.aTwinIsNotNamedForWantOfVotes`, `twinsInOtherDatabasesCount`.
    mutating func twins(of finding: TargetFinding, look: TargetLook) -> [(TargetFinding, SearchedPlace)] {
        var found: [TargetFinding] = []
        let twins = segment.storage.looks.twins(
            of: look, leastLikeness: Self.leastLikeness(toRival: finding), limit: Self.twinLimit
        ) { target in
            segment.contains(target)
                && !lookedAt.contains { $0.target == target && $0.corners.disputes(finding.corners) }
        }
        for twin in twins {
            guard let candidate = Candidate(twin, of: finding),
                let twin = self.finding(of: candidate, besides: [finding])
            else { continue }
            found.append(twin)
            // One that cannot be told from it is enough: neither has a name then.
            if !finding.isTold(from: twin) { break }
        }
        return found.map { ($0, place) }
    }

    /// How many of the prints that are drawn alike, and were not looked at yet, are looked at.
    private static let twinLimit = 7

    /// How alike a print must look from afar so that it may be what is there instead: nearly as alike as a lamp's light makes the picture
    /// and the print that was found. Of 10,000 emblems that took each other's name the least alike correlate by 0.945.
    private static func leastLikeness(toRival finding: TargetFinding) -> Float {
        max(0.93, Float(finding.plainlyLit ?? 0) - 0.04)
    }

    private var place: SearchedPlace { SearchedPlace(database: database, storage: segment.storage) }

    /// How many targets are looked at more closely before it is asked whether any was there.
    private static let batchSize = 12

    private mutating func look(at candidates: [Candidate], _ findings: inout [TargetFinding]) {
        var failures = 0
        for candidate in candidates where failures < configuration.failureLimit {
            let isHopeless = findings.contains {
                Double(candidate.support) < $0.leastRivalSupport && candidate.corners.disputes($0.corners)
            }
            if isHopeless { continue }
            if let finding = finding(of: candidate, besides: findings) {
                findings.append(finding)
                failures = 0
            } else {
                failures += 1
            }
        }
    }

    private mutating func finding(of candidate: Candidate, besides findings: [TargetFinding]) -> TargetFinding? {
        lookedAt.append(candidate)
        let flatRivals = findings.filter { $0.isSurelyFlat && candidate.corners.disputes($0.corners) }
        let leastAgreement = flatRivals.map { $0.leastRivalAgreement(inColor: picture.format == .rgb8) }.max() ?? 0
        // Where a print is surely flat, one that waves would not be kept.
        let mayWave = flatRivals.isEmpty
        return finding(of: candidate, mayWave: mayWave, leastAgreement: leastAgreement)
    }

    /// A target, and where it may lie.
    struct Candidate {
        let target: Int
        let place: PrintPlace
        let corners: PixelQuad
        /// How many features agree on the place.
        let support: Int
        /// Whether a print that is drawn alike has been aligned with the picture there.
        let isAligned: Bool

        init?(target: Int, place: PrintPlace, support: Int, isAligned: Bool = false) {
            guard let corners = place.corners else { return nil }
            (self.target, self.place, self.corners, self.support) = (target, place, corners, support)
            self.isAligned = isAligned
        }

        /// A print that lies where another was found.
        init?(_ twin: TargetLooks.Twin, of finding: TargetFinding) {
            let halfTurn = Matrix3x3(rows: Vector3(-1, 0, 1), Vector3(0, -1, 1), Vector3(0, 0, 1))
            let pixelFromPrint = twin.isTurned ? finding.pixelFromPrint * halfTurn : finding.pixelFromPrint
            guard let place = PrintPlace(pixelFromPrint) else { return nil }
            self.init(target: twin.target, place: place, support: finding.support, isAligned: true)
        }
    }

    /// Places of targets, those first that most features agree on.
    private func candidates(
        _ matches: [CFeaturesMatch], from first: Int, ends: ArraySlice<Int>, in index: inout CFeaturesIndex
    ) -> [Candidate] {
        var candidates: [Candidate] = []
        var start = first
        for end in ends {
            if end - start >= configuration.leastSupport, segment.contains(Int(matches[start].target)) {
                candidates += places(of: matches[start..<end], in: &index).compactMap { place in
                    Candidate(
                        target: Int(matches[start].target), place: PrintPlace(place), support: Int(place.support))
                }
            }
            start = end
        }
        return candidates.enumerated().sorted { a, b in
            a.element.support != b.element.support
                ? a.element.support > b.element.support : a.offset < b.offset
        }.map(\.element)
    }

    /// What features have in common with targets, candidate by candidate, and where each candidate's matches end.
    private func matches(in index: inout CFeaturesIndex) -> ([CFeaturesMatch], ends: [Int]) {
        var lookup = CFeaturesLookup(
            probe_count: Int32(configuration.probeCount), most_different_bits: Int32(configuration.mostDifferentBits),
            candidate_limit: Int32(configuration.candidateLimit), target_limit: Int32(targetLimit),
            longer_side_px: Double(max(picture.size.width, picture.size.height)),
            with_inverse: configuration.findsInverse ? 1 : 0)
        let limit = 256 * configuration.candidateLimit
        var ends = [Int32](repeating: 0, count: configuration.candidateLimit)
        var candidateCount: Int32 = 0
        let matches = [CFeaturesMatch](unsafeUninitializedCapacity: limit) { buffer, count in
            var found: Int32 = 0
            check(
                cfeatures_look_up(
                    &index, features, Int32(features.count), &lookup, buffer.baseAddress, Int32(limit), &found, &ends,
                    &candidateCount))
            count = Int(found)
        }
        return (matches, ends.prefix(Int(candidateCount)).map { Int($0) })
    }

    private func places(of matches: ArraySlice<CFeaturesMatch>, in index: inout CFeaturesIndex) -> [CFeaturesPlace] {
        let limit = 2
        return [CFeaturesPlace](unsafeUninitializedCapacity: limit) { buffer, count in
            var found: Int32 = 0
            let status = matches.withUnsafeBufferPointer { matches in
                cfeatures_find_places(
                    &index, features, matches.baseAddress, Int32(matches.count),
                    Int32(configuration.leastSupport), buffer.baseAddress, Int32(limit), &found)
            }
            check(status)
            count = Int(found)
        }
    }

    /// How much more of a print's parts may agree at the template's size than at half of it: at most 0.104 more did in 143 looks at
    /// prints like those that are there.
    private static let roughness = 0.12

    /// How much agrees roughly, and where the print lies by that.
    private typealias RoughLook = (agreement: CFeaturesAgreement, print: PrintPlace)

    /// Moves a print to where it lies roughly; `nil` where it does not.
    private func roughLook(
        at template: TemplateView, in print: inout PrintPlace, leastAgreement: Double
    ) -> RoughLook? {
        let glance = space.align(template, at: &print, longerSide: 32, rounds: 3, slack: 2.5)
        guard glance.structured > 0.4 else { return nil }
        let rough = space.align(template, at: &print, longerSide: 64, rounds: 2, slack: 2.5)
        guard Double(rough.structured) >= max(0.6 * configuration.leastAgreement, leastAgreement - Self.roughness)
        else { return nil }
        return (rough, print)
    }

    /// Looks at the pixels: first roughly, to leave most places out, then closely.
    /// - Parameter leastAgreement: of which share of agreeing parts on it matters whether it is there.
    private func finding(
        of candidate: Candidate, mayWave: Bool, leastAgreement: Double
    ) -> TargetFinding? {
        let (target, support) = (candidate.target, candidate.support)
        return segment.storage.withTemplate(at: target) { template in
            var print = candidate.place
            var rough: RoughLook?
            // Where one that is drawn alike was aligned, this one is, too; but what waves is bent from where it lies roughly.
            if !candidate.isAligned || mayWave {
                rough = roughLook(at: template, in: &print, leastAgreement: leastAgreement)
                if rough == nil { return nil }
            }
            let close = space.align(
                template, at: &print, longerSide: 128, rounds: 2, slack: 2, toldFrom: leastAgreement)
            guard Double(close.structured) >= leastAgreement else { return nil }
            let evidence = PrintEvidence(
                configuration: configuration, agreement: close, support: support, template: template)
            guard let corners = print.corners, evidence.isEnough else {
                guard mayWave, let rough, BentPrint.isLikely(rough: rough.agreement, support: support) else {
                    return nil
                }
                return bentFinding(of: target, template, at: rough.print, support: support, flat: close)
            }
            let isInverse = close.is_inverse != 0
            guard
                let colorAgreement = colorAgreement(
                    of: target, template, at: print.pixelFromPrint, isInverse: isInverse, besides: evidence.cover,
                    mostUnexplained: evidence.mostUnexplainedColor(cellSide_px: corners.cellSide_px))
            else { return nil }
            var finding = TargetFinding(
                target: target, confidence: Double(close.structured), pixelFromPrint: print.pixelFromPrint,
                corners: corners, support: support, isInverse: isInverse, isSurelyFlat: evidence.isWhole,
                deviation: Double(close.deviation_px), partCount: Int(close.part_count), colorAgreement: colorAgreement,
                lit: evidence.lit, plainlyLit: Double(close.lit))
            finding.parts = DrawnParts(close)
            refine(&finding, template: template)
            return finding
        }
    }

    /// A print that fits where it is bent as a cloth that waves. Its place is that of the flat print that comes nearest.
    private func bentFinding(
        of target: Int, _ template: TemplateView, at print: PrintPlace, support: Int, flat: CFeaturesAgreement
    ) -> TargetFinding? {
        let (agreement, bending) = space.bend(template, at: print, slack: 2)
        let evidence = PrintEvidence(
            configuration: configuration, agreement: agreement, support: support, template: template)
        guard BentPrint.isThere(evidence, flat: flat), let corners = print.corners else { return nil }
        let isInverse = agreement.is_inverse != 0
        guard
            let colorAgreement = colorAgreement(
                of: target, template, at: print.pixelFromPrint, isInverse: isInverse,
                mostTintOfWhite: PrintLight.mostTint,
                mostUnexplained: BentPrint.mostUnexplainedColor(
                    evidence, bending: bending, cellSide_px: corners.cellSide_px))
        else { return nil }
        return TargetFinding(
            target: target, confidence: BentPrint.confidence(agreement, bending: bending),
            pixelFromPrint: print.pixelFromPrint, corners: corners, support: support, isInverse: isInverse,
            isBent: true, deviation: bending * abs(corners.signedArea).squareRoot(),
            partCount: BentPrint.independentParts, colorAgreement: colorAgreement, lit: Double(agreement.softly_lit))
    }

    /// How much of its place a print keeps when it is placed better.
    private static let leastRefinedOverlap = 0.8

    /// A print that the picture shows with fewer pixels than its template has lies where all of its pixels at once fit
    /// best: parts say less there, and bright areas have spread by a good share of a part. A place that this leaves was none
    /// of the print's.
    private func refine(_ finding: inout TargetFinding, template: TemplateView) {
        guard abs(finding.corners.signedArea).squareRoot() < Double(max(template.width, template.height)),
            var place = PrintPlace(finding.pixelFromPrint)
        else { return }
        var print = CPatchesPrint(
            pixels: template.pixels, width: Int32(template.width), height: Int32(template.height))
        let fit = picture.withPatchPicture { place.align(&print, with: &$0, isInverse: finding.isInverse) }
        guard fit.structured > 0.5, let corners = place.corners,
            corners.overlap(with: finding.corners) >= Self.leastRefinedOverlap
        else { return }
        finding.pixelFromPrint = place.pixelFromPrint
        finding.corners = corners
        finding.deviation = Double(fit.deviation_px)
        finding.partCount = Int(fit.part_count)
    }

    /// How the colours speak for a target; `nil` where they are another print's, or so much lies over it that they cannot be
    /// asked. An inverse print may have the colours, or their opposites. A grey reference has grey for its colours, so that it
    /// is weighed as one in colour is.
    ///
    /// - Parameters:
    ///   - mostTintOfWhite: how coloured the print's white may look. Flat prints may be in any inks on any ground; what bends fits more
    ///     easily, and must be on white where it is.
    ///   - mostUnexplained: how much of the colours may be no ink of the print.
    private func colorAgreement(
        of target: Int, _ template: TemplateView, at pixelFromPrint: Matrix3x3, isInverse: Bool,
        besides cover: PrintCover? = nil, mostTintOfWhite: Double = .infinity, mostUnexplained: Double
    ) -> Double? {
        guard picture.format == .rgb8 else { return 0 }
        let own = segment.storage.colors(at: target)
        let colors = own ?? PrintColors(of: template)
        guard
            let agreement = colors.agreement(with: picture, pixelFromPrint: pixelFromPrint, besides: cover)
        else { return cover == nil ? 0 : nil }
        let inks = isInverse ? abs(agreement.inks) : agreement.inks
        if own != nil, !isInverse, let tint = agreement.tintOfWhite, tint > mostTintOfWhite { return nil }
        if agreement.hasInks, inks < configuration.leastColorAgreement { return nil }
        if own != nil, mostUnexplained < .infinity, agreement.unexplained(by: template) > mostUnexplained { return nil }
        if own != nil, cover != nil, !agreement.isGray, agreement.whole < Self.leastHiddenColors { return nil }
        return agreement.whole
    }

    /// How much of the colours one light explains at least where a part of a print is hidden: in other inks, the rest may be
    /// another print's.
    private static let leastHiddenColors = 0.2
}

extension PixelQuad {
    /// How large the print's cells of colour are in the picture.
    fileprivate var cellSide_px: Double { abs(signedArea).squareRoot() / Double(PrintColors.side) }
}
