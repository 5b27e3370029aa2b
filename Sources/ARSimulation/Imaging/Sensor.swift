// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing

/// From light to bytes: what happens in a camera behind the lens.
///
/// A pixel under the light L, exposed for the time t, collects the charge, as a share of its full well,
///
///     q = s · L · v · t / T + d,
///
/// with v the lens's shading, T the exposure in which light 1 fills the well, and s and d the pixel's own sensitivity
/// and dark charge, which never change. Electrons come one by one, and reading them adds noise: the charge that is read
/// scatters with the variance (q N + r²) / N², where N is the full well and r the read noise, in electrons. The gain
/// multiplies it, what exceeds 1 is cut off, the transfer function and rounding to 8 bits follow.
/// (The linear camera model of EMVA standard 1288.) Law: `SensorTests.photonTransfer`.
///
/// The number of electrons is Poisson's; here it is the normal distribution's of the same mean and variance. From 25
/// electrons on, and out to two standard deviations, the two differ by at most a tenth of one (the skewness 1/√N times
/// (z² − 1) / 6); below, the read noise and the rounding to 8 bits hide the difference, unless the gain is so high that a
/// single electron is worth more than a step.
///
/// A colour camera is three such sensors, one a channel: there is no mosaic of filters. A grey one sees the luminance
/// (ITU-R BT.709).
struct Sensor: Sendable {
    let format: PixelFormat
    private let settings: Scene.CameraSettings
    private let shading: LensShading?
    private let curve: ToneCurve
    private let sensitivities: GaussianNoise
    private let darkCharges: GaussianNoise
    private let seed: UInt64

    /// The sensor of a camera in a scene with that seed.
    init(_ settings: Scene.CameraSettings, seed: UInt64) {
        self.settings = settings
        self.seed = seed
        format = settings.pixelFormat
        shading = LensShading(settings)
        curve = ToneCurve(settings.transfer, gamma: settings.gamma)
        sensitivities = GaussianNoise(seed: seed, purpose: "sensor sensitivities")
        darkCharges = GaussianNoise(seed: seed, purpose: "sensor dark charges")
    }

    /// What a frame adds by chance; each pixel's part depends on the frame's number, the pixel and the channel alone.
    func noise(ofFrame number: Int) -> GaussianNoise {
        GaussianNoise(seed: seed, purpose: "sensor noise", frame: number)
    }

    /// Turns a row's light, brighter by a factor, into the charge of its pixels, as a share of the full well, before all
    /// noise.
    func expose(
        _ row: UnsafeMutableBufferPointer<SIMD4<Float>>, number: Int, to exposure: Exposure,
        brighterBy factor: Double = 1
    ) {
        let chargeByLight = Float(settings.brightness(of: Exposure(seconds: exposure.seconds, gain: 1)) * factor)
        if format == .gray8 {
            for column in row.indices { row[column] = SIMD4((row[column] * Self.luminance).sum(), 0, 0, 0) }
        }
        shading?.shade(row, number: number)
        if chargeByLight != 1 {
            for column in row.indices { row[column] *= chargeByLight }
        }
    }

    /// Reads the charges of a row out as bytes.
    func read(
        _ row: UnsafeMutableBufferPointer<SIMD4<Float>>, number: Int, gain: Double, noise: GaussianNoise,
        into bytes: UnsafeMutableBufferPointer<UInt8>
    ) {
        let firstPixel = number * row.count
        addPattern(to: row, firstPixel: firstPixel)
        if settings.hasShotNoise || settings.readNoiseElectrons > 0 {
            add(noise, to: row, firstPixel: firstPixel)
        }
        quantize(row, gain: Float(gain), into: bytes)
    }

    private func addPattern(to row: UnsafeMutableBufferPointer<SIMD4<Float>>, firstPixel: Int) {
        if settings.sensitivityVariation > 0 {
            let deviation = Float(settings.sensitivityVariation)
            sensitivities.withValues { value in
                for column in row.indices { row[column] *= 1 + deviation * value(firstPixel + column) }
            }
        }
        if settings.darkVariationElectrons > 0 {
            let deviation = Float(settings.darkVariationElectrons / settings.fullWellElectrons)
            darkCharges.withValues { value in
                for column in row.indices { row[column] += deviation * value(firstPixel + column) }
            }
        }
    }

    private func add(_ noise: GaussianNoise, to row: UnsafeMutableBufferPointer<SIMD4<Float>>, firstPixel: Int) {
        let fullWell = settings.fullWellElectrons
        let varianceByCharge = settings.hasShotNoise ? Float(1 / fullWell) : 0
        let readDeviation = settings.readNoiseElectrons / fullWell
        let readVariance = SIMD4(repeating: Float(readDeviation * readDeviation))
        noise.withValues { value in
            for column in row.indices {
                let charge = row[column]
                let variance = charge.replacing(with: 0, where: charge .< 0) * varianceByCharge + readVariance
                row[column] = charge + Self.root(of: variance) * value(firstPixel + column)
            }
        }
    }

    /// The square roots of four numbers, at most 0.2 % too small, without the divider, which a processor has but one of.
    ///
    /// Halving a float's bits halves its exponent: a first guess at 1/√x, improved by a step of Newton's.
    @inline(__always) private static func root(of x: SIMD4<Float>) -> SIMD4<Float> {
        let bits = unsafeBitCast(x, to: SIMD4<UInt32>.self)
        let guess = unsafeBitCast(0x5f37_59df &- (bits &>> 1), to: SIMD4<Float>.self)
        return x * guess * (1.5 - 0.5 * x * guess * guess)
    }

    private func quantize(
        _ row: UnsafeMutableBufferPointer<SIMD4<Float>>, gain: Float, into bytes: UnsafeMutableBufferPointer<UInt8>
    ) {
        @inline(__always) func entries(_ column: Int) -> SIMD4<UInt32> {
            let value = row[column] * gain
            return ToneCurve.entries(ofLight: value.replacing(with: 1, where: value .> 1))
        }
        curve.withBytes { table in
            switch format {
            case .gray8:
                for column in row.indices { bytes[column] = table[Int(entries(column).x)] }
            case .rgb8:
                for column in row.indices {
                    let entry = entries(column)
                    bytes[3 * column] = table[Int(entry.x)]
                    bytes[3 * column + 1] = table[Int(entry.y)]
                    bytes[3 * column + 2] = table[Int(entry.z)]
                }
            }
        }
    }

    /// The weights of red, green and blue in the luminance.
    static let luminance = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0)
}
