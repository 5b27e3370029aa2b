// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARTargets

/// How often targets are recognised, and their scores.
struct TargetRates {
    private var scores: [Double] = []
    private var rates: [Double] = []
    /// Of the even and the odd frames alone: how well a rate repeats itself bounds how well anything predicts it.
    private var halfRates: ([Double], [Double]) = ([], [])
    private var wrongCount = 0

    /// Looks for each of some pictures in frames into which it is warped, in a database of them all; prints a line for each.
    mutating func measure(_ pictures: [SampleTargets.Sample], frameCount: Int, grounds: [ImageBuffer]) {
        var recognizer = TargetRecognizer()
        // A picture of which no target can be built is never recognised: what its score says of that needs no frames, and would
        // only make the correlation look better.
        let targets = pictures.filter { picture in
            do {
                try recognizer.add(ReferenceImage(name: picture.name, picture: picture.picture), to: "sample")
                return true
            } catch {
                print("\(picture.name) score \(TargetScore(of: picture.picture).value): no target (\(error))")
                return false
            }
        }
        guard let database = recognizer.database(named: "sample") else { return }
        for target in targets {
            let sizes = target.picture.halvings
            let found = (0..<frameCount).map { frame in
                isFound(target.name, sizes, in: frame, ground: grounds[frame % grounds.count], by: &recognizer)
            }
            let score = TargetScore(of: target.picture, named: target.name, against: database)
            scores.append(Double(score.value))
            rates.append(Self.rate(found))
            halfRates.0.append(Self.rate(stride(from: 0, to: frameCount, by: 2).map { found[$0] }))
            halfRates.1.append(Self.rate(stride(from: 1, to: frameCount, by: 2).map { found[$0] }))
            let frames = found.map { $0 ? "x" : "." }.joined()
            print("\(target.name) score \(score.value) rate \(Self.rate(found)) \(frames)")
        }
    }

    private mutating func isFound(
        _ name: String, _ sizes: [ImageBuffer], in frame: Int, ground: ImageBuffer,
        by recognizer: inout TargetRecognizer
    ) -> Bool {
        // All targets are seen in the same ways: only they themselves make the difference.
        var random = SeededRandom(seed: UInt64(frame), purpose: "views")
        let view = View(&random)
        let warped = WarpedFrame(sizes, view, ground: ground, random: &random)
        let sightings = recognizer.recognize(in: warped.image, camera: nil)
        wrongCount += sightings.count { $0.target.name != name }
        let side = abs(warped.corners.signedArea).squareRoot()
        return sightings.contains { sighting in
            sighting.target.name == name
                && zip(sighting.corners.corners, warped.corners.corners)
                    .reduce(0) { $0 + $1.0.distance(to: $1.1) / 4 } < 0.15 * side
        }
    }

    /// Prints the mean rate by score, and the rank correlation.
    func printSummary(of name: String) {
        for band in stride(from: 0, to: 100, by: 10) {
            let inside = scores.indices.filter { (band..<(band == 90 ? 101 : band + 10)).contains(Int(scores[$0])) }
            guard !inside.isEmpty else { continue }
            let rate = inside.reduce(0) { $0 + rates[$1] } / Double(inside.count)
            print("\(name): scores from \(band): \(inside.count) targets, rate \(rate)")
        }
        print(
            "\(name): rank correlation \(rankCorrelation(scores, rates)) of \(scores.count) targets; of the rates of even and "
                + "odd frames \(rankCorrelation(halfRates.0, halfRates.1)); \(wrongCount) wrong names")
    }

    private static func rate(_ found: [Bool]) -> Double { Double(found.count { $0 }) / Double(max(found.count, 1)) }
}

/// Spearman's rank correlation; what is equal shares its ranks' mean.
func rankCorrelation(_ a: [Double], _ b: [Double]) -> Double { correlation(ranks(a), ranks(b)) }

private func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var first = 0
    while first < order.count {
        var last = first
        while last + 1 < order.count, values[order[last + 1]] == values[order[first]] { last += 1 }
        for place in first...last { ranks[order[place]] = Double(first + last) / 2 }
        first = last + 1
    }
    return ranks
}

private func correlation(_ a: [Double], _ b: [Double]) -> Double {
    let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
    let covariance = zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) }
    func spread(_ values: [Double], _ mean: Double) -> Double { values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } }
    return covariance / (spread(a, meanA) * spread(b, meanB)).squareRoot()
}
