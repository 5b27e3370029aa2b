// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARSensing
import ARTargets
import Foundation

// Compares the scores of two hundred pictures with how often each is recognised, in frames into which it is warped: a line
// a picture, then the mean rate by score, and the rank correlation. All targets are in one database.
//     TargetScoreTable [FRAMES A TARGET] [FOLDER FOR SAMPLE FRAMES]

let framesPerTarget = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 16
let folder = CommandLine.arguments.dropFirst(2).first.map { URL(fileURLWithPath: $0) }
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

let pictures = try SampleTargets.all(data: data)
var recognizer = TargetRecognizer()
// A picture of which no target can be built is never recognised: what its score says of that needs no frames, and would only
// make the correlation look better.
var targets: [(name: String, picture: ImageBuffer)] = []
for picture in pictures {
    do {
        try recognizer.add(
            ReferenceImage(name: picture.name, picture: picture.picture, physicalWidth: 0.1), to: "sample")
        targets.append(picture)
    } catch {
        print("\(picture.name) score \(TargetScore(of: picture.picture).value): no target (\(error))")
    }
}

var (scores, rates) = ([Double](), [Double]())
var wrongNames = 0
for (number, target) in targets.enumerated() {
    let sizes = target.picture.halvings
    var found = 0
    for frame in 0..<framesPerTarget {
        // All targets are seen in the same ways: only they themselves make the difference.
        var random = SeededRandom(seed: UInt64(frame), purpose: "views")
        let view = View(&random)
        let warped = WarpedFrame(sizes, view, ground: clutter(seed: UInt64(frame)), random: &random)
        if let folder, number % 25 == 0, frame < 2 {
            try ImageFile.writePNG(warped.image, to: folder.appendingPathComponent("\(target.name)-\(frame).png"))
        }
        let sightings = recognizer.recognize(in: warped.image, camera: nil)
        wrongNames += sightings.count { $0.target.name != target.name }
        let side = abs(warped.corners.signedArea).squareRoot()
        let isFound = sightings.contains { sighting in
            sighting.target.name == target.name
                && zip(sighting.corners.corners, warped.corners.corners)
                    .reduce(0) { $0 + $1.0.distance(to: $1.1) / 4 } < 0.15 * side
        }
        found += isFound ? 1 : 0
    }
    let score = TargetScore(of: target.picture)
    scores.append(Double(score.value))
    rates.append(Double(found) / Double(framesPerTarget))
    print(
        "\(target.name) score \(score.value) rate \(rates[number]) useful \(score.usefulFeatureCount) coverage "
            + "\(score.coverage)")
}
for band in stride(from: 0, to: 100, by: 10) {
    let inside = scores.indices.filter { (band..<(band == 90 ? 101 : band + 10)).contains(Int(scores[$0])) }
    guard !inside.isEmpty else { continue }
    print(
        "scores from \(band): \(inside.count) targets, rate \(inside.reduce(0) { $0 + rates[$1] } / Double(inside.count))"
    )
}
print(
    "rank correlation \(correlation(ranks(scores), ranks(rates))) of \(targets.count) targets, \(pictures.count - targets.count) pictures "
        + "left out, \(wrongNames) wrong names"
)
