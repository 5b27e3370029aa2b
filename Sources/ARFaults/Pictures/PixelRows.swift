// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

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
    func addNoise(standardDeviation: Double, _ random: inout SeededRandom) {
        guard standardDeviation > 0 else { return }
        let deviation = Float(standardDeviation)
        GaussianNoise(key: random.next()).withValues { values in
            for first in stride(from: 0, to: bytes.count, by: 3) {
                let noise = values(first / 3) * deviation
                for index in first..<min(first + 3, bytes.count) {
                    bytes[index] = UInt8(min(max(Float(bytes[index]) + noise[index - first] + 0.5, 0), 255))
                }
            }
        }
    }
}

/// A table of bytes for a function from 0…1 to 0…1; what lies beyond is cut off.
func byteTable(_ function: (Double) -> Double) -> [UInt8] {
    (0...255).map { UInt8((min(max(function(Double($0) / 255), 0), 1) * 255).rounded()) }
}
