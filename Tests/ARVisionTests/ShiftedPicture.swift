// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport

/// A smooth random texture, of which any shift can be looked at exactly: a sum of plane waves.
struct WaveTexture {
    private var waves: [(frequency: Vector2, phase: Double, amplitude: Double)] = []

    /// Waves of 6 to 60 pixels.
    init(_ random: inout TestRandom, count: Int = 60) {
        for _ in 0..<count {
            let wavelength = 6 * pow(10, random.uniform(0...1))
            let angle = random.uniform(0...(2 * Double.pi))
            let frequency = Vector2(cos(angle), sin(angle)) * (2 * Double.pi / wavelength)
            waves.append((frequency, random.uniform(0...(2 * Double.pi)), wavelength.squareRoot()))
        }
        let power = waves.reduce(0) { $0 + $1.amplitude * $1.amplitude / 2 }.squareRoot()
        for index in waves.indices { waves[index].amplitude *= 45 / power }
    }

    /// The grey level at a place, before rounding: 128 ± 45.
    func light(at place: Vector2) -> Double {
        waves.reduce(128) { $0 + $1.amplitude * sin($1.frequency.dot(place) + $1.phase) }
    }

    /// The picture whose pixels see the mean of every second place along so many pixels of their row.
    func picture(_ size: ImageSize, blurredOver pixels: Int, place: (Vector2) -> Vector2) -> ImageBuffer {
        let offsets = pixels == 0 ? [0] : stride(from: -pixels / 2, through: pixels / 2, by: 2).map(Double.init)
        return picture(size) { center in
            offsets.reduce(0) { $0 + light(at: place(center + Vector2($1, 0))) } / Double(offsets.count)
        }
    }

    /// The picture whose pixels see the places that `place` gives, with gain and offset.
    func picture(
        _ size: ImageSize, gain: Double = 1, offset: Double = 0, place: (Vector2) -> Vector2 = { $0 }
    ) -> ImageBuffer {
        picture(size) { gain * light(at: place($0)) + offset }
    }

    private func picture(_ size: ImageSize, value: (Vector2) -> Double) -> ImageBuffer {
        var image = ImageBuffer(size: size, format: .gray8)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let value = value(Vector2(Double(column), Double(row)))
                image.bytes[row * size.width + column] = UInt8(min(max(value, 0), 255).rounded())
            }
        }
        return image
    }
}
