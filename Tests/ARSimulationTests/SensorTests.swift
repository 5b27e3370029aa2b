// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct SensorTests {
    /// A grey camera whose values are proportional to light.
    private static func settings(_ change: (inout Scene.CameraSettings) -> Void = { _ in }) -> Scene.CameraSettings {
        var settings = Scene.CameraSettings()
        settings.size = ImageSize(width: 320, height: 240)
        settings.principalPointPixels = Vector2(159.5, 119.5)
        settings.focalPixels = Vector2(200, 200)
        settings.pixelFormat = .gray8
        settings.transfer = .linear
        change(&settings)
        return settings
    }

    /// The picture of the same light on every pixel.
    private static func picture(
        of light: Vector3, _ settings: Scene.CameraSettings, frame: Int = 0, seed: UInt64 = 1
    ) -> ImageBuffer {
        let sensor = Sensor(settings, seed: seed)
        let charges = RadianceImage(size: settings.size)
        let noise = sensor.noise(ofFrame: frame)
        let rowLength = settings.size.width * settings.pixelFormat.bytesPerPixel
        var bytes = [UInt8](repeating: 0, count: settings.size.height * rowLength)
        let exposure = settings.fixedExposure
        bytes.withUnsafeMutableBufferPointer { bytes in
            for row in 0..<settings.size.height {
                charges[row: row].update(repeating: SIMD4(light, 0))
                sensor.expose(charges[row: row], number: row, to: exposure)
                sensor.read(
                    charges[row: row], number: row, gain: exposure.gain, noise: noise,
                    into: UnsafeMutableBufferPointer(rebasing: bytes[row * rowLength..<(row + 1) * rowLength]))
            }
        }
        return ImageBuffer(size: settings.size, format: settings.pixelFormat, bytes: bytes)
    }

    private static func statistics(_ values: [Double]) -> (mean: Double, variance: Double) {
        let mean = values.reduce(0, +) / Double(values.count)
        return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
    }

    /// The photon transfer curve: the variance grows with the value, by the values that an electron is worth, from what
    /// the read noise and the rounding leave in the dark.
    @Test(arguments: [0.0, 12.0]) func photonTransfer(gain: Double) {
        let settings = Self.settings { settings in
            settings.fullWellElectrons = 8000
            settings.hasShotNoise = true
            settings.readNoiseElectrons = 40
            settings.gainDecibels = gain
        }
        let factor = pow(10, gain / 20)
        let valuesByElectron = factor * 255 / 8000
        for value in [30.0, 60, 90, 120, 150, 180] {
            let light = value / 255 / factor
            let picture = Self.picture(of: Vector3(repeating: light), settings)
            let (mean, variance) = Self.statistics(picture.bytes.map(Double.init))
            let expected = value * valuesByElectron + pow(40 * valuesByElectron, 2) + 1.0 / 12
            // Of n values the mean scatters by σ/√n, the variance by √(2/n): five times that.
            let count = Double(picture.bytes.count)
            #expect(abs(mean - value) < 5 * (expected / count).squareRoot() + 0.02)
            #expect(abs(variance / expected - 1) < 5 * (2 / count).squareRoot(), "\(value): \(variance), \(expected)")
        }
    }

    @Test func noiseBelongsToFramePixelAndChannel() {
        let settings = Self.settings { settings in
            settings.pixelFormat = .rgb8
            settings.hasShotNoise = true
            settings.readNoiseElectrons = 30
        }
        let light = Vector3(repeating: 0.4)
        let first = Self.picture(of: light, settings, frame: 5)
        #expect(Self.picture(of: light, settings, frame: 5) == first)
        let values = first.bytes.map { Double($0) - 102 }
        func correlation(_ other: [Double], shift: Int) -> Double {
            let pairs = zip(values, other[shift...])
            let product = pairs.reduce(0) { $0 + $1.0 * $1.1 }
            return product / values.reduce(0) { $0 + $1 * $1 }
        }
        // The other channels, the neighbour to the right, the pixel below, the next frame, another seed.
        let bound = 5 / Double(values.count).squareRoot()
        for shift in [1, 2, 3, 3 * 320] { #expect(abs(correlation(values, shift: shift)) < bound) }
        for other in [
            Self.picture(of: light, settings, frame: 6), Self.picture(of: light, settings, frame: 5, seed: 2),
        ] {
            #expect(abs(correlation(other.bytes.map { Double($0) - 102 }, shift: 0)) < bound)
        }
    }

    /// The pattern is the same in all frames, of the demanded strength, and another one for another seed.
    @Test func fixedPatternStays() {
        let settings = Self.settings { settings in
            settings.sensitivityVariation = 0.05
            settings.darkVariationElectrons = 200
        }
        let light = Vector3(repeating: 0.5)
        let picture = Self.picture(of: light, settings, frame: 1)
        #expect(Self.picture(of: light, settings, frame: 2) == picture)
        #expect(Self.picture(of: light, settings, frame: 1, seed: 3) != picture)
        let (mean, variance) = Self.statistics(picture.bytes.map(Double.init))
        let expected = pow(0.05 * 127.5, 2) + pow(200.0 / 10_000 * 255, 2) + 1.0 / 12
        #expect(abs(mean - 127.5) < 0.2)
        #expect(abs(variance / expected - 1) < 5 * (2.0 / 76_800).squareRoot())
    }

    /// Light, time and gain multiply; what is too much is cut off.
    @Test func exposuresMultiply() {
        func value(_ light: Double, milliseconds: Double, decibels: Double) -> UInt8 {
            Self.picture(
                of: Vector3(repeating: light),
                Self.settings {
                    $0.exposureMilliseconds = milliseconds
                    $0.gainDecibels = decibels
                }
            ).bytes[0]
        }
        #expect(value(0.2, milliseconds: 10, decibels: 0) == 51)
        #expect(value(0.2, milliseconds: 20, decibels: 0) == 102)
        #expect(value(0.4, milliseconds: 5, decibels: 0) == 51)
        #expect(value(0.2, milliseconds: 10, decibels: 20 * log10(3)) == 153)
        #expect(value(0.2, milliseconds: 10, decibels: 40) == 255)
        #expect(value(2, milliseconds: 10, decibels: 0) == 255)
        #expect(value(0, milliseconds: 1000, decibels: 60) == 0)
    }

    /// Grey is the luminance of the light.
    @Test func greyIsLuminance() {
        let light = Vector3(0.8, 0.302, 0.104)
        let luminance = 0.2126 * 0.8 + 0.7152 * 0.302 + 0.0722 * 0.104
        #expect(Self.picture(of: light, Self.settings()).bytes[7] == UInt8((luminance * 255).rounded()))
        let color = Self.picture(of: light, Self.settings { $0.pixelFormat = .rgb8 })
        #expect(Array(color.bytes[..<3]) == [204, 77, 27])
    }

    /// The light that a value stands for is encoded as that value, by every transfer function.
    @Test(arguments: TransferFunction.allCases) func encodingInvertsDecoding(transfer: TransferFunction) {
        let settings = Self.settings {
            $0.size = ImageSize(width: 16, height: 16)
            $0.transfer = transfer
            $0.gamma = 2.2
        }
        for value in 0...255 {
            let light =
                switch transfer {
                case .linear: Double(value) / 255
                case .srgb: ColorTransfer.linear(fromSRGB: Double(value) / 255)
                case .power: pow(Double(value) / 255, 2.2)
                }
            #expect(Self.picture(of: Vector3(repeating: light), settings).bytes[0] == UInt8(value))
        }
    }

    /// The shading follows the fourth power of the cosine of the angle between a pixel's view and the axis.
    @Test func cosineVignetting() throws {
        let settings = Self.settings { $0.vignetting = .cosine4 }
        let picture = Self.picture(of: Vector3(repeating: 1), settings)
        for (column, row) in [(160, 120), (0, 0), (319, 239), (40, 200), (300, 10)] {
            let (x, y) = ((Double(column) - 159.5) / 200, (Double(row) - 119.5) / 200)
            let expected = 255 / pow(1 + x * x + y * y, 2)
            #expect(abs(Double(picture.bytes[row * 320 + column]) - expected) <= 0.52)
        }
    }

    @Test func polynomialVignetting() throws {
        let settings = Self.settings {
            $0.vignetting = .polynomial
            $0.vignettingCoefficients = [-0.5, 0.2, -0.1]
        }
        let picture = Self.picture(of: Vector3(repeating: 1), settings)
        #expect(abs(Double(picture.bytes[0]) - 255 * 0.6) <= 0.52)
        #expect(picture.bytes[119 * 320 + 159] == 255)
        let s = (79.5 * 79.5 + 0.5 * 0.5) / (159.5 * 159.5 + 119.5 * 119.5)
        let expected = 255 * (1 + s * (-0.5 + s * (0.2 - s * 0.1)))
        #expect(abs(Double(picture.bytes[119 * 320 + 80]) - expected) <= 0.52)
    }
}

@Suite struct GaussianNoiseTests {
    /// Mean, variance, skewness and kurtosis are the normal distribution's; the tails reach beyond four deviations.
    @Test func momentsAreNormal() {
        let count = 2_000_000
        var moments = [Double](repeating: 0, count: 4)
        var extremes = 0
        GaussianNoise(seed: 9, purpose: "test").withValues { value in
            for place in 0..<count / 3 {
                let numbers = value(place)
                for channel in 0..<3 {
                    let z = Double(numbers[channel])
                    moments[0] += z
                    moments[1] += z * z
                    moments[2] += z * z * z
                    moments[3] += z * z * z * z
                    extremes += abs(z) > 3.5 ? 1 : 0
                }
            }
        }
        let n = Double(count / 3 * 3)
        let root = n.squareRoot()
        // Five times what each scatters by: 1, √2, √15 and √96 over √n; the fourth moment is 0.2 % small by design.
        #expect(abs(moments[0] / n) < 5 / root)
        #expect(abs(moments[1] / n - 1) < 5 * 2.0.squareRoot() / root)
        #expect(abs(moments[2] / n) < 5 * 15.0.squareRoot() / root)
        #expect(abs(moments[3] / n - 3) < 0.03 + 5 * 96.0.squareRoot() / root)
        // 4.65 in ten thousand lie beyond 3.5 deviations.
        #expect(abs(Double(extremes) / n - 4.65e-4) < 0.6e-4)
    }
}
