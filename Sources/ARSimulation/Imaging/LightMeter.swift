// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What automatic exposure sees of a picture: one number for how bright it is, 0…1.
struct LightMeter: Sendable {
    private let metering: Scene.CameraSettings.Metering
    private let percentile: Double
    private let weights: SIMD4<Float>

    init(_ settings: Scene.CameraSettings) {
        metering = settings.metering
        percentile = settings.meteringPercentile
        weights = settings.pixelFormat == .gray8 ? SIMD4(1, 0, 0, 0) : Sensor.luminance
    }

    /// How bright a picture of charges is after amplification; full pixels count as full, however much light they had.
    ///
    /// A hundred rows and columns at least are looked at, where there are as many.
    func brightness(of charges: RadianceImage, gain: Double) -> Double {
        let step = max(1, min(charges.size.width, charges.size.height) / 100)
        var values: [Float] = []
        values.reserveCapacity((charges.size.width / step + 1) * (charges.size.height / step + 1))
        for row in stride(from: step / 2, to: charges.size.height, by: step) {
            let pixels = charges[row: row]
            for column in stride(from: step / 2, to: pixels.count, by: step) {
                values.append(min((pixels[column] * weights).sum() * Float(gain), 1))
            }
        }
        switch metering {
        case .mean: return values.reduce(0) { $0 + Double($1) } / Double(values.count)
        case .percentile:
            values.sort()
            return Double(values[Int(Double(values.count - 1) * percentile / 100)])
        }
    }
}
