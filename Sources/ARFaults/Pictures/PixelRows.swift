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

extension PixelRows {
    /// Makes the picture larger, or smaller, about a point; beyond the border the border's pixels go on.
    func magnify(by factor: Double, about center: PixelPoint) {
        guard factor != 1 else { return }
        func taps(_ count: Int, about center: Double) -> [[(index: Int, weight: Double)]] {
            (0..<count).map { place in
                CubicTaps(at: center + (Double(place) - center) / factor).pairs.map {
                    (min(max($0.index, 0), count - 1), $0.weight)
                }
            }
        }
        let (columns, rows) = (taps(size.width, about: center.x), taps(size.height, about: center.y))
        var wide = [Double](repeating: 0, count: bytes.count)
        for row in 0..<size.height {
            for (column, taps) in columns.enumerated() {
                for channel in 0..<channels {
                    wide[row * pitch + column * channels + channel] = taps.reduce(0) {
                        $0 + $1.weight * Double(bytes[row * pitch + $1.index * channels + channel])
                    }
                }
            }
        }
        for (row, taps) in rows.enumerated() {
            for index in 0..<pitch {
                let value = taps.reduce(0) { $0 + $1.weight * wide[$1.index * pitch + index] }
                bytes[row * pitch + index] = UInt8(clamping: Int(value.rounded()))
            }
        }
    }
}
