// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

/// Three gyroscopes or three accelerometers: from a true vector to what is read.
struct InertialTriad {
    private let distortion: Matrix3x3
    private let noise: Double
    private let range: Double
    private let step: Double
    private var noiseRandom: SeededRandom

    /// A triad whose samples are that far apart; `name` tells its random numbers from another's.
    init(_ settings: Scene.ImuSettings.Triad, sampleSeconds: Double, seed: UInt64, name: String) {
        var drawn = SeededRandom(seed: seed, purpose: "imu \(name) distortion")
        let scale = settings.scaleDeviation * drawn.normalTriple()
        // Each sensing axis leans towards the two others, by small angles.
        let (lean, otherLean) = (drawn.normalTriple(), drawn.normalTriple())
        let angle = settings.misalignmentDeviationRadians
        distortion =
            settings.matrix
            + Matrix3x3(
                rows: Vector3(scale.x, angle * lean.x, angle * otherLean.x),
                Vector3(angle * lean.y, scale.y, angle * otherLean.y),
                Vector3(angle * lean.z, angle * otherLean.z, scale.z))
        // White noise of density n, taken over an interval dt, has the deviation n/√dt. (Crassidis 2006.)
        noise = settings.noiseDensity / sampleSeconds.squareRoot()
        range = settings.range
        step = settings.step
        noiseRandom = SeededRandom(seed: seed, purpose: "imu \(name) noise")
    }

    /// What is read: distorted, biased, noisy, within the range, in whole steps.
    mutating func reading(of truth: Vector3, bias: Vector3) -> Vector3 {
        var reading = distortion * truth + bias + noise * noiseRandom.normalTriple()
        if range > 0 { reading.clamp(lowerBound: Vector3(repeating: -range), upperBound: Vector3(repeating: range)) }
        if step > 0 { reading = (reading / step).rounded(.toNearestOrEven) * step }
        return reading
    }
}
