// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARRandom
import ARSensing

/// White noise is added to pictures, to inertial samples, or to both.
public struct NoiseBurst: Hashable, Sendable {
    /// The standard deviation of each value of a picture, as a part of the whole scale.
    public var picture = 0.0
    /// The standard deviation of each axis of the angular velocity, in rad/s.
    public var angularVelocity = 0.0
    /// The standard deviation of each axis of the specific force, in m/s².
    public var specificForce = 0.0

    /// No noise.
    public init() {}
}

extension NoiseBurst: FaultParameters {
    static let name = "noise_burst"
    static let isRandom = true
    static let decisiveKeys = ["picture", "angular_velocity_rad_per_s", "specific_force_m_per_s2"]
    var kind: Fault.Kind { .noiseBurst(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("picture", &picture, in: 0...1)
        try fields.number("angular_velocity_rad_per_s", &angularVelocity, in: 0...100)
        try fields.number("specific_force_m_per_s2", &specificForce, in: 0...1e3)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        let pictures = PictureStage(setting: setting) { rows, random in
            rows.addNoise(standardDeviation: picture * 255, &random)
        }
        let samples = SampleStage(setting: setting) { sample, random in
            sample.angularVelocity += random.normalTriple() * angularVelocity
            sample.specificForce += random.normalTriple() * specificForce
        }
        return NoiseStage(pictures: picture > 0 ? pictures : nil, samples: samples)
    }
}

/// Noise on both sensors.
private struct NoiseStage: FaultStage {
    var pictures: PictureStage?
    var samples: SampleStage

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        if delivery.event.stream == .camera, pictures != nil {
            pictures?.take(delivery, into: &output)
        } else {
            samples.take(delivery, into: &output)
        }
    }
}
