// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Up to which frequency a sampled movement is movement, and not noise of who measured it.
///
/// The power of a movement's acceleration stays or falls with frequency; that of noise in the positions rises, with the
/// fourth power of the frequency if it is white. The acceleration's spectrum therefore has a valley where noise takes
/// over, and its floor is the cutoff. Where noise never takes over, as in motions that were smoothed before they were
/// published, the spectrum falls to its end, and all that a hand does is kept.
enum NoiseCutoff {
    /// The lowest and the highest cutoff: a hand's tremor ends at 12 Hz.
    static let rangeInHertz = 1.5...12.0
    /// The spectrum is looked at up to here, to tell a tremor's hill from the rise of noise.
    private static let highestFrequency = 25.0
    /// The cutoff of samples without a piece that shows their spectrum: hands move below it.
    private static let cautious = 5.0
    /// The length of a piece whose spectrum is taken, and by how much the next one is later.
    private static let pieceSeconds = (length: 2.0, step: 1.0)

    /// The cutoff of samples whose second differences are given.
    /// - Parameters:
    ///   - accelerations: in any unit; `nil` where a gap in the samples leaves it unknown.
    ///   - intervalSeconds: the time from one to the next.
    static func hertz(of accelerations: [Vector3?], intervalSeconds: Double) -> Double {
        let end = min(highestFrequency, 0.4 / intervalSeconds)
        let highest = min(rangeInHertz.upperBound, end)
        let frequencies = stride(from: rangeInHertz.lowerBound - 0.5, through: end + 0.5, by: 0.5).map { $0 }
        let powers = spectrum(of: accelerations, intervalSeconds: intervalSeconds, frequencies: frequencies)
        guard let powers else { return min(Self.cautious, highest) }
        // A mean over three neighbours, so that chance makes no valleys.
        let smooth = powers.indices.dropFirst().dropLast().map {
            (frequency: frequencies[$0], power: powers[($0 - 1)...($0 + 1)].reduce(0, +))
        }
        return min(smooth.min { $0.power < $1.power }?.frequency ?? highest, highest)
    }

    /// The power at those frequencies, over all pieces without gaps; `nil` when there is none.
    /// - Reference: Welch 1967, with Hann's window.
    private static func spectrum(
        of accelerations: [Vector3?], intervalSeconds: Double, frequencies: [Double]
    ) -> [Double]? {
        let length = Int(pieceSeconds.length / intervalSeconds)
        let step = max(1, Int(pieceSeconds.step / intervalSeconds))
        var powers = [Double](repeating: 0, count: frequencies.count)
        var pieceCount = 0
        for start in stride(from: 0, through: accelerations.count - length, by: step) {
            let piece = accelerations[start..<start + length].compactMap { $0 }
            guard piece.count == length else { continue }
            pieceCount += 1
            let mean = piece.reduce(Vector3.zero, +) / Double(length)
            for (index, frequency) in frequencies.enumerated() {
                var (cosines, sines) = (Vector3.zero, Vector3.zero)
                let turn = 2 * .pi * frequency * intervalSeconds
                for (number, value) in piece.enumerated() {
                    let window = 0.5 - 0.5 * cos(2 * .pi * (Double(number) + 0.5) / Double(length))
                    cosines += (value - mean) * (window * cos(turn * Double(number)))
                    sines += (value - mean) * (window * sin(turn * Double(number)))
                }
                powers[index] += cosines.squaredLength + sines.squaredLength
            }
        }
        return pieceCount > 0 ? powers : nil
    }
}
