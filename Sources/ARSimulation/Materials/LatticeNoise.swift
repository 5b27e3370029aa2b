// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

/// Smooth random functions of the plane, the same for the same seed everywhere.
///
/// - Reference: Perlin 2002, "Improving noise": gradients at whole coordinates, blended by 6t⁵ − 15t⁴ + 10t³. The
///   gradients come from a hash of the coordinates and the seed.
struct LatticeNoise: Sendable {
    private let seed: UInt64
    private nonisolated(unsafe) let directions = Self.directions

    /// The function for a seed.
    init(seed: UInt64) { self.seed = seed }

    /// Noise of zero mean, about −1…1, that changes over distances of about one.
    func value(_ x: Double, _ y: Double) -> Double {
        let (i, j) = (Self.wholeBelow(x), Self.wholeBelow(y))
        let (u, v) = (x - Double(i), y - Double(j))
        let (fadeU, fadeV) = (Self.fade(u), Self.fade(v))
        let top = mix(slope(i, j, u, v), slope(i + 1, j, u - 1, v), fadeU)
        let bottom = mix(slope(i, j + 1, u, v - 1), slope(i + 1, j + 1, u - 1, v - 1), fadeU)
        return 1.4 * mix(top, bottom, fadeV)
    }

    /// The same as rounding down, without a call of the C library, which the baseline instruction set needs for that.
    @inline(__always) private static func wholeBelow(_ x: Double) -> Int64 {
        let towardsZero = Int64(x)
        return Double(towardsZero) > x ? towardsZero - 1 : towardsZero
    }

    /// A sum of noises, each with half the size and half the height of the one before, about −1…1.
    ///
    /// Octaves fade out as they get finer than samples can show whose distance is `finest`: they could only alias, and
    /// their mean over a sample is zero.
    func fractal(_ x: Double, _ y: Double, octaves: Int, finest: Double) -> Double {
        var (sum, height, frequency, total) = (0.0, 1.0, 1.0, 0.0)
        for octave in 0..<octaves {
            let share = smoothStep(0.8, 0.3, frequency * finest)
            if share > 0 {
                let shift = Double(octave) * 17.3
                sum += share * height * value(x * frequency + shift, y * frequency - shift)
            }
            total += height
            (height, frequency) = (height / 2, frequency * 2)
        }
        return sum / total
    }

    /// A number in 0…1 that belongs to a cell of the lattice.
    func cell(_ i: Int64, _ j: Int64) -> Double { Double(hash(i, j) >> 11) * 0x1p-53 }

    private func hash(_ i: Int64, _ j: Int64) -> UInt64 {
        let mixed = UInt64(bitPattern: i) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: j) &* 0xc2b2_ae3d_27d4_eb4f
        return SeededRandom.mix(mixed ^ seed)
    }

    /// The scalar product of the cell corner's gradient, one of eight directions, with the way from that corner.
    ///
    /// It is looked up, because nothing could predict a branch.
    @inline(__always) private func slope(_ i: Int64, _ j: Int64, _ u: Double, _ v: Double) -> Double {
        let gradient = directions[Int(truncatingIfNeeded: hash(i, j) >> 61)]
        return gradient.x * u + gradient.y * v
    }

    /// The eight directions; never freed.
    private nonisolated(unsafe) static let directions: UnsafePointer<SIMD2<Double>> = {
        let diagonal = 0.5.squareRoot()
        let directions: [SIMD2<Double>] = [
            SIMD2(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1), SIMD2(diagonal, diagonal),
            SIMD2(diagonal, -diagonal), SIMD2(-diagonal, diagonal), SIMD2(-diagonal, -diagonal),
        ]
        let copy = UnsafeMutablePointer<SIMD2<Double>>.allocate(capacity: directions.count)
        copy.initialize(from: directions, count: directions.count)
        return UnsafePointer(copy)
    }()

    @inline(__always) private static func fade(_ t: Double) -> Double { t * t * t * (t * (6 * t - 15) + 10) }
}

/// The value between `a` and `b` at a fraction.
@inline(__always) func mix(_ a: Double, _ b: Double, _ fraction: Double) -> Double { a + (b - a) * fraction }

/// The value between `a` and `b` at a fraction, by component.
@inline(__always) func mix(_ a: Vector3, _ b: Vector3, _ fraction: Double) -> Vector3 { a + (b - a) * fraction }

/// 0 below `low`, 1 above `high`, a smooth cubic between.
@inline(__always) func smoothStep(_ low: Double, _ high: Double, _ x: Double) -> Double {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}
