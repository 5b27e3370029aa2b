// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARSensing
import ARTargets
import Foundation

// Compares the scores of two hundred pictures with how often each is recognised, in frames into which it is warped: a line
// a picture, then the mean rate by score, and the rank correlation. The pictures are two halves, each in a database of its
// own: the score was made on the first, and the second only measures it.
//     TargetScoreTable [FRAMES A TARGET]

let framesPerTarget = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 32
let data = ProcessInfo.processInfo.environment["ARSIM_DATA"].map { URL(fileURLWithPath: $0) }

/// A ground with edges and corners of all sizes.
func clutter(seed: UInt64) -> ImageBuffer {
    var random = SeededRandom(seed: seed, purpose: "ground")
    let size = View.frameSize
    var bytes = [UInt8](repeating: 110, count: size.width * size.height)
    for _ in 0..<140 {
        let side = 6 * pow(30, random.uniform(0..<1))
        let (x, y) = (random.uniform(-20..<640), random.uniform(-20..<480))
        let (w, h) = (side * random.uniform(0.4..<1.6), side * random.uniform(0.4..<1.6))
        let value = UInt8(random.uniform(20..<235))
        for row in max(Int(y), 0)..<max(min(Int(y + h), size.height), max(Int(y), 0)) {
            for column in max(Int(x), 0)..<max(min(Int(x + w), size.width), max(Int(x), 0)) {
                bytes[row * size.width + column] = value
            }
        }
    }
    return ImageBuffer(size: size, format: .gray8, bytes: bytes)
}

/// Ranks from the least on; what is equal shares its ranks' mean.
func ranks(_ values: [Double]) -> [Double] {
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

func correlation(_ a: [Double], _ b: [Double]) -> Double {
    let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
    let covariance = zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) }
    func spread(_ values: [Double], _ mean: Double) -> Double { values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } }
    return covariance / (spread(a, meanA) * spread(b, meanB)).squareRoot()
}

/// How often the targets of one database are recognised.
struct Half {
    private(set) var scores: [Double] = []
    private(set) var rates: [Double] = []
    private(set) var wrongCount = 0
    /// Of the even and the odd frames alone: how well a rate repeats itself bounds how well anything predicts it.
    private var halfRates: ([Double], [Double]) = ([], [])

    init(_ pictures: [SampleTargets.Sample], frameCount: Int, name: String) throws {
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
        for target in targets {
            let found = foundFrames(target, frameCount: frameCount, recognizer: &recognizer)
            let score = TargetScore(of: target.picture)
            scores.append(Double(score.value))
            rates.append(Self.rate(found))
            halfRates.0.append(Self.rate(stride(from: 0, to: frameCount, by: 2).map { found[$0] }))
            halfRates.1.append(Self.rate(stride(from: 1, to: frameCount, by: 2).map { found[$0] }))
            print(
                "\(name) \(target.name) score \(score.value) rate \(rates[rates.count - 1]) useful "
                    + "\(score.usefulFeatureCount) \(found.map { $0 ? "x" : "." }.joined())")
        }
        print(
            "\(name): rank correlation \(correlation(ranks(scores), ranks(rates))) of \(targets.count) targets; of the rates of "
                + "even and odd frames \(correlation(ranks(halfRates.0), ranks(halfRates.1))); \(wrongCount) wrong names"
        )
    }

    private static func rate(_ found: [Bool]) -> Double { Double(found.count { $0 }) / Double(max(found.count, 1)) }

    private mutating func foundFrames(
        _ target: SampleTargets.Sample, frameCount: Int, recognizer: inout TargetRecognizer
    ) -> [Bool] {
        let sizes = target.picture.halvings
        return (0..<frameCount).map { frame in
            // All targets are seen in the same ways: only they themselves make the difference.
            var random = SeededRandom(seed: UInt64(frame), purpose: "views")
            let view = View(&random)
            let warped = WarpedFrame(sizes, view, ground: grounds[frame % grounds.count], random: &random)
            let sightings = recognizer.recognize(in: warped.image, camera: nil)
            wrongCount += sightings.count { $0.target.name != target.name }
            let side = abs(warped.corners.signedArea).squareRoot()
            return sightings.contains { sighting in
                sighting.target.name == target.name
                    && zip(sighting.corners.corners, warped.corners.corners)
                        .reduce(0) { $0 + $1.0.distance(to: $1.1) / 4 } < 0.15 * side
            }
        }
    }
}

let grounds = (0..<UInt64(16)).map(clutter)
let pictures = try SampleTargets.all(data: data)
// The sharp and the soft print of one photograph are one target to any eye: they stand side by side, in different halves.
let halves = try [0, 1].map { half in
    try Half(
        pictures.indices.filter { $0 % 2 == half }.map { pictures[$0] }, frameCount: framesPerTarget,
        name: ["made on", "held out"][half])
}
let (scores, rates) = (halves.flatMap(\.scores), halves.flatMap(\.rates))
for band in stride(from: 0, to: 100, by: 10) {
    let inside = scores.indices.filter { (band..<(band == 90 ? 101 : band + 10)).contains(Int(scores[$0])) }
    guard !inside.isEmpty else { continue }
    let rate = inside.reduce(0) { $0 + rates[$1] } / Double(inside.count)
    print("scores from \(band): \(inside.count) targets, rate \(rate)")
}
print("rank correlation \(correlation(ranks(scores), ranks(rates))) of all \(scores.count)")
