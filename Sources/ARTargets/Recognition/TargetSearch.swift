// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CFeatures

/// A target found in a picture, before it has a name.
struct TargetFinding {
    var target: Int
    var confidence: Double
    var pixelFromPrint: Matrix3x3
    var corners: PixelQuad
    var support: Int
    var isInverse: Bool
    /// How far parts lie off, in pixels, and how many there are.
    var deviation: Double
    var partCount: Int

    func contains(_ pixel: PixelPoint) -> Bool { corners.contains(pixel) }

    /// Whether the middle of one lies in the other.
    func overlaps(_ other: TargetFinding) -> Bool {
        guard let center = corners.center, let otherCenter = other.corners.center else { return true }
        return corners.contains(otherCenter) || other.corners.contains(center)
    }
}

/// Looks for the targets of one database in a picture.
struct TargetSearch {
    let configuration: TargetRecognizer.Configuration
    let space: ScaleSpace
    let features: [CFeature]
    let pictureSize: ImageSize
    let database: TargetDatabase

    /// What was found, the place with most support first.
    ///
    /// What lies where a target was found is looked at only when nearly as much speaks for it: twins must be told apart,
    /// and all else need not be looked at.
    func findings() -> [TargetFinding] {
        var findings: [TargetFinding] = []
        var failures = 0
        for candidate in candidates() {
            let isHopeless = findings.contains {
                2 * candidate.place.support < $0.support && $0.contains(candidate.middle)
            }
            if isHopeless || failures >= configuration.failureLimit { continue }
            if let finding = finding(of: candidate.target, at: candidate.place) {
                findings.append(finding)
            } else {
                failures += 1
            }
        }
        return findings
    }

    private struct Candidate {
        let target: Int
        let place: CFeaturesPlace
        let middle: PixelPoint
    }

    /// Places of targets, those first that most features agree on.
    private func candidates() -> [Candidate] {
        database.storage.withIndex { index in
            let (matches, ends) = self.matches(in: &index)
            var candidates: [Candidate] = []
            var start = 0
            for end in ends {
                if end - start >= configuration.leastSupport {
                    for place in places(of: matches[start..<end], in: &index) {
                        guard let middle = PrintPlace(place).pixelFromPrint.image(of: Vector2(0.5, 0.5)) else {
                            continue
                        }
                        candidates.append(
                            Candidate(target: Int(matches[start].target), place: place, middle: PixelPoint(middle)))
                    }
                }
                start = end
            }
            return candidates.enumerated().sorted { a, b in
                a.element.place.support != b.element.place.support
                    ? a.element.place.support > b.element.place.support : a.offset < b.offset
            }.map(\.element)
        }
    }

    /// What features have in common with targets, candidate by candidate, and where each candidate's matches end.
    private func matches(in index: inout CFeaturesIndex) -> ([CFeaturesMatch], ends: [Int]) {
        var lookup = CFeaturesLookup(
            probe_count: Int32(configuration.probeCount), most_different_bits: Int32(configuration.mostDifferentBits),
            candidate_limit: Int32(configuration.candidateLimit),
            longer_side_px: Double(max(pictureSize.width, pictureSize.height)),
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
        let size = database.storage.pictureSize(at: Int(matches[matches.startIndex].target))
        let limit = 2
        return [CFeaturesPlace](unsafeUninitializedCapacity: limit) { buffer, count in
            var found: Int32 = 0
            let status = matches.withUnsafeBufferPointer { matches in
                cfeatures_find_places(
                    &index, features, matches.baseAddress, Int32(matches.count),
                    Double(size.height) / Double(size.width), Int32(configuration.leastSupport), buffer.baseAddress,
                    Int32(limit), &found)
            }
            check(status)
            count = Int(found)
        }
    }

    /// Looks at the pixels: first roughly, to leave most places out, then closely.
    private func finding(of target: Int, at place: CFeaturesPlace) -> TargetFinding? {
        database.storage.withTemplate(at: target) { template in
            var print = PrintPlace(place)
            let glance = space.align(template, at: &print, longerSide: 32, rounds: 3, slack: 2.5)
            guard glance.structured > 0.4 else { return nil }
            let rough = space.align(template, at: &print, longerSide: 64, rounds: 2, slack: 2.5)
            guard Double(rough.structured) >= 0.6 * configuration.leastAgreement else { return nil }
            let close = space.align(template, at: &print, longerSide: 128, rounds: 2, slack: 2)
            guard let corners = print.corners, close.visible > 0.4,
                Double(close.structured) >= configuration.leastAgreement,
                Int(close.contradiction_count) <= contradictionLimit(of: close, template: template)
            else { return nil }
            return TargetFinding(
                target: target, confidence: Double(close.structured), pixelFromPrint: print.pixelFromPrint,
                corners: corners, support: Int(place.support), isInverse: close.is_inverse != 0,
                deviation: Double(close.deviation_px), partCount: Int(close.part_count))
        }
    }

    /// Pictures that are full of structure are rarely mistaken; what contradicts then is a thing before the print. Plain ones
    /// have twins.
    private func contradictionLimit(of agreement: CFeaturesAgreement, template: TemplateView) -> Int {
        let structuredCount = Double(agreement.part_count) / Double(agreement.structured * agreement.visible)
        let partCount = Double(template.width * template.height) / 64
        return configuration.mostContradictions + (structuredCount > 0.8 * partCount ? Int(structuredCount / 20) : 0)
    }
}
