// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Grey values as numbers, 0 … 255, row after row.
struct GrayPlane: Sendable {
    let size: ImageSize
    private(set) var values: [Float]

    init(size: ImageSize, values: [Float]) {
        precondition(values.count == size.width * size.height)
        (self.size, self.values) = (size, values)
    }

    /// A picture, made smaller by means over areas until its longer side has at most so many pixels.
    init(_ picture: ImageBuffer, longerSide: Int) {
        let gray = picture.gray
        self = GrayPlane(size: gray.size, values: gray.bytes.map(Float.init)).reduced(toLongerSide: longerSide)
    }

    /// The plane, made smaller by means over areas until its longer side has at most so many values.
    func reduced(toLongerSide side: Int) -> GrayPlane {
        let longer = max(size.width, size.height)
        guard longer > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (2 * length * side + longer) / (2 * longer)) }
        return resampled(to: ImageSize(width: scaled(size.width), height: scaled(size.height)))
    }

    @inline(__always) subscript(_ x: Int, _ y: Int) -> Float { values[y * size.width + x] }

    /// The plane in a size that is not larger: each value is the mean of the area that it stands for.
    func resampled(to target: ImageSize) -> GrayPlane {
        let across = Self.weights(from: size.width, to: target.width)
        let down = Self.weights(from: size.height, to: target.height)
        var narrow = [Float](repeating: 0, count: target.width * size.height)
        for y in 0..<size.height {
            for (x, parts) in across.enumerated() {
                narrow[y * target.width + x] = parts.reduce(0) { $0 + $1.weight * self[$1.index, y] }
            }
        }
        var result = [Float](repeating: 0, count: target.width * target.height)
        for (y, parts) in down.enumerated() {
            for x in 0..<target.width {
                result[y * target.width + x] = parts.reduce(0) {
                    $0 + $1.weight * narrow[$1.index * target.width + x]
                }
            }
        }
        return GrayPlane(size: target, values: result)
    }

    /// Which values, and how much of each, a new value is the mean of.
    private static func weights(from count: Int, to newCount: Int) -> [[(index: Int, weight: Float)]] {
        let step = Double(count) / Double(newCount)
        return (0..<newCount).map { new in
            let (start, end) = (Double(new) * step, Double(new + 1) * step)
            return (Int(start)..<min(Int(end.rounded(.up)), count)).map { index in
                let covered = min(end, Double(index + 1)) - max(start, Double(index))
                return (index, Float(covered / step))
            }
        }
    }

    /// The plane blurred by weights that are the same to both sides, `[middle, next, …]`; the border's values go on outside.
    func blurred(_ weights: [Float]) -> GrayPlane {
        func pass(_ source: [Float], count: Int, step: Int, lines: Int, lineStep: Int) -> [Float] {
            var result = source
            source.withUnsafeBufferPointer { source in
                result.withUnsafeMutableBufferPointer { result in
                    for line in 0..<lines {
                        let start = line * lineStep
                        for place in 0..<count {
                            var sum = weights[0] * source[start + place * step]
                            for offset in 1..<weights.count {
                                let before = max(place - offset, 0)
                                let after = min(place + offset, count - 1)
                                sum +=
                                    weights[offset]
                                    * (source[start + before * step] + source[start + after * step])
                            }
                            result[start + place * step] = sum
                        }
                    }
                }
            }
            return result
        }
        let rows = pass(values, count: size.width, step: 1, lines: size.height, lineStep: size.width)
        return GrayPlane(
            size: size,
            values: pass(rows, count: size.height, step: size.width, lines: size.width, lineStep: 1))
    }

    /// The value between pixels; outside, the nearest one's.
    func value(atX x: Float, y: Float) -> Float {
        let (x, y) = (
            min(max(x, 0), Float(size.width - 1)), min(max(y, 0), Float(size.height - 1))
        )
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
        let (u, v) = (x - Float(left), y - Float(top))
        return (1 - v) * ((1 - u) * self[left, top] + u * self[right, top])
            + v * ((1 - u) * self[left, bottom] + u * self[right, bottom])
    }
}
