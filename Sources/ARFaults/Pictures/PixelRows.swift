// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The bytes of a picture, being changed in place.
struct PixelRows {
    let bytes: UnsafeMutableBufferPointer<UInt8>
    let size: ImageSize
    let channels: Int

    /// Bytes from one row to the next.
    var pitch: Int { size.width * channels }

    /// Replaces every byte by what a table holds for it.
    func map(_ table: [UInt8]) {
        table.withUnsafeBufferPointer { table in
            for index in bytes.indices { bytes[index] = table[Int(bytes[index])] }
        }
    }

    /// Adds white noise, in units of one step of a byte.
    func addNoise(standardDeviation: Double, _ random: inout EventRandom) {
        guard standardDeviation > 0 else { return }
        let deviation = Float(standardDeviation)
        NormalTable.shared.withUnsafeBufferPointer { table in
            var bits: UInt64 = 0
            for index in bytes.indices {
                // Five numbers of twelve bits a draw.
                if index % 5 == 0 { bits = random.next() }
                let noise = table[Int(bits & 4095)] * deviation
                bits >>= 12
                bytes[index] = UInt8(min(max(Float(bytes[index]) + noise + 0.5, 0), 255))
            }
        }
    }
}

/// The standard normal distribution in 4096 equally probable values: the middles of its quantiles.
private enum NormalTable {
    static let shared: [Float] = {
        let count = 4096
        var values: [Double] = []
        var value = -4.0
        for index in 0..<count {
            let probability = (Double(index) + 0.5) / Double(count)
            // Newton's method on the distribution function, from the quantile before.
            for _ in 0..<50 {
                let error = 0.5 * erfc(-value / 2.0.squareRoot()) - probability
                let step = error * (2 * Double.pi).squareRoot() * exp(value * value / 2)
                value -= min(max(step, -0.5), 0.5)
                if abs(step) < 1e-12 { break }
            }
            values.append(value)
        }
        // The tails beyond the outermost values are missing: the scale makes up for their variance.
        let variance = values.reduce(0) { $0 + $1 * $1 } / Double(count)
        return values.map { Float($0 / variance.squareRoot()) }
    }()
}

/// A table of bytes for a function from 0…1 to 0…1; what lies beyond is cut off.
func byteTable(_ function: (Double) -> Double) -> [UInt8] {
    (0...255).map { UInt8((min(max(function(Double($0) / 255), 0), 1) * 255).rounded()) }
}
