// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Weights of a pixel's neighbours, which add up to one, in parts of 65536.
struct PixelKernel {
    /// A neighbour and its weight.
    struct Tap {
        let column: Int
        let row: Int
        var weight: Int32
    }

    let taps: [Tap]

    /// The mean along a line through the pixel.
    /// - Parameter direction: of the line, in radians, from the picture's x axis towards its y axis.
    init(line length: Double, direction: Double) {
        let steps = 4 * Int(length.rounded(.up)) + 1
        var weights: [SIMD2<Int>: Double] = [:]
        for step in 0..<steps {
            let distance = (Double(step) / Double(steps - 1) - 0.5) * length
            let (x, y) = (distance * cos(direction), distance * sin(direction))
            let (left, top) = (x.rounded(.down), y.rounded(.down))
            let corner = SIMD2(Int(left), Int(top))
            for (offset, weight) in [
                (SIMD2(0, 0), (1 - (x - left)) * (1 - (y - top))), (SIMD2(1, 0), (x - left) * (1 - (y - top))),
                (SIMD2(0, 1), (1 - (x - left)) * (y - top)), (SIMD2(1, 1), (x - left) * (y - top)),
            ] { weights[corner &+ offset, default: 0] += weight }
        }
        self.init(weights)
    }

    /// The mean over a disc around the pixel.
    init(discOfDiameter diameter: Double) {
        let radius = diameter / 2
        let reach = Int(radius.rounded(.up))
        var weights: [SIMD2<Int>: Double] = [:]
        for row in -reach...reach {
            for column in -reach...reach {
                // The rim's pixels count as far as they lie inside.
                let distance = (Double(column * column + row * row)).squareRoot()
                let weight = min(max(radius + 0.5 - distance, 0), 1)
                if weight > 0 { weights[SIMD2(column, row)] = weight }
            }
        }
        self.init(weights)
    }

    /// A picture that is moved: each pixel is what lies so far to the left of it and above it.
    init(shift: Vector2) {
        var weights: [SIMD2<Int>: Double] = [:]
        for (row, byRow) in CubicTaps(at: -shift.y).pairs {
            for (column, byColumn) in CubicTaps(at: -shift.x).pairs {
                weights[SIMD2(column, row)] = byRow * byColumn
            }
        }
        self.init(weights)
    }

    private init(_ weights: [SIMD2<Int>: Double]) {
        let sorted = weights.sorted { ($0.key.y, $0.key.x) < ($1.key.y, $1.key.x) }
        let sum = sorted.reduce(0) { $0 + $1.value }
        var taps = sorted.map {
            Tap(column: $0.key.x, row: $0.key.y, weight: Int32(($0.value / sum * 65536).rounded()))
        }
        let missing = 65536 - taps.reduce(0) { $0 + $1.weight }
        if let heaviest = taps.indices.max(by: { taps[$0].weight < taps[$1].weight }) {
            taps[heaviest].weight += missing
        }
        self.taps = taps.filter { $0.weight != 0 }
    }
}

extension PixelRows {
    /// Replaces every pixel by the weighted mean of its neighbours; beyond the border the border's pixels go on.
    func apply(_ kernel: PixelKernel) {
        let source = Array(bytes)
        var sums = [Int32](repeating: 0, count: pitch)
        source.withUnsafeBufferPointer { source in
            sums.withUnsafeMutableBufferPointer { sums in
                for row in 0..<size.height {
                    sums.update(repeating: 32768)
                    for tap in kernel.taps {
                        let sourceRow = min(max(row + tap.row, 0), size.height - 1)
                        add(tap, of: source.baseAddress! + sourceRow * pitch, to: sums)
                    }
                    for index in 0..<pitch { bytes[row * pitch + index] = UInt8(clamping: sums[index] >> 16) }
                }
            }
        }
    }

    private func add(_ tap: PixelKernel.Tap, of row: UnsafePointer<UInt8>, to sums: UnsafeMutableBufferPointer<Int32>) {
        let inside = min(max(-tap.column, 0), size.width)..<max(min(size.width - tap.column, size.width), 0)
        for column in 0..<size.width where !inside.contains(column) {
            let source = min(max(column + tap.column, 0), size.width - 1)
            for channel in 0..<channels {
                sums[column * channels + channel] += tap.weight * Int32(row[source * channels + channel])
            }
        }
        guard !inside.isEmpty else { return }
        let shift = tap.column * channels
        for index in inside.lowerBound * channels..<inside.upperBound * channels {
            sums[index] &+= tap.weight &* Int32(row[index + shift])
        }
    }
}
