// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARRandom
import ARSensing
import ARTargets
import Foundation

// Compares the scores of two hundred pictures with how often each is recognised, in frames into which it is warped: a line
// a picture, then the mean rate by score, and the rank correlation. Each hundred is a database. On series 0 and those from 2 on
// the score was made; series 1 only measures it.
//     TargetScoreTable [FRAMES A TARGET [SERIES…]]

let framesPerTarget = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 32
let listed = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
let wanted = listed.isEmpty ? [0, 1] : listed
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

let grounds = (0..<UInt64(16)).map(clutter)
for series in wanted {
    let targets = try SampleTargets(series: series, data: data).targets
    var rates = TargetRates()
    // The sharp and the soft print of one photograph are one target to any eye: they stand side by side, in different databases.
    for half in [0, 1] {
        rates.measure(
            targets.indices.filter { $0 % 2 == half }.map { targets[$0] }, frameCount: framesPerTarget,
            grounds: grounds)
    }
    rates.printSummary(of: series == 1 ? "held out" : "made on, \(series)")
}
