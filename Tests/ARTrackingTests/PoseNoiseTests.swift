// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation
import Testing

@testable import ARTracking

/// How the samples' noise moves the frames of a window.
@Suite struct PoseNoiseTests {
    /// Law: the poses that noisy samples add up to are off as the prior says, all frames together: their squared distance from
    /// the truth is what χ² is on average.
    /// So they are where each of the pictures is turned by itself, besides.
    @Test(arguments: [0, 0.002]) func isHowNoiseMovesFrames(pictureShake: Double) throws {
        var random = SeededRandom(seed: 2, purpose: "pose noise")
        let (ends, dt, count) = ([20, 60, 100, 140], 0.005, 400)
        let truth = ends.map { PreintegrationTests.motion(steps: $0, seconds: Double($0) * dt) }
        let prior = try #require(PoseNoisePrior(truth, pictureShake: pictureShake))
        var squares = 0.0
        for _ in 0..<count {
            let noisy = PreintegrationTests.noisyMotions(to: ends, seconds: dt, &random)
            let values = zip(noisy, truth).flatMap { noisy, known in
                let shake = Rotation(rotationVector: pictureShake * random.normalTriple())
                return PoseNoise(
                    turn: (shake * noisy.rotation * known.rotation.inverse).rotationVector,
                    shift: noisy.position - known.position
                ).values
            }
            for i in values.indices {
                for j in values.indices { squares += values[i] * prior.information[i, j] * values[j] }
            }
        }
        // A mean of 400 sums of 24 squares is good to 1.4 %; three standard deviations.
        let freedom = Double(ends.count * PoseNoise.size)
        #expect(abs(squares / Double(count) / freedom - 1) < 0.045, "\(squares / Double(count))")
    }
}
