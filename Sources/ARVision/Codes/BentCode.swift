// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Straightens a code that is printed on something bent: no homography puts all of its modules in their places.
///
/// In the frontal view, light changes between modules only. Where it changes instead is measured all over the code, and a
/// surface of second degree through these offsets, robust against what was mistaken, is taken out.
struct BentCode {
    let view: ImageBuffer
    /// Samples along a module's side, modules along the code's, and modules of quiet zone around it.
    let scale, moduleCount, quiet: Int

    /// The least change of light that counts, in grey levels.
    private static let leastContrast = 20

    /// An edge between two modules: where it should be, in −1 … 1 over the code, and how far off it is, in samples.
    private struct Offset {
        let u, v, distance: Double
    }

    /// The view with its modules in their places; `nil` where too few edges are seen.
    func straightened() -> ImageBuffer? {
        guard let (across, down) = surfaces else { return nil }
        var straight = view
        let side = view.size.width
        for y in 0..<side {
            for x in 0..<side {
                let (u, v) = (unit(Double(x)), unit(Double(y)))
                let terms = Self.terms(u, v)
                let place = Vector2(Double(x) + dot(across, terms), Double(y) + dot(down, terms))
                straight.bytes[y * side + x] = UInt8(view.light(at: place).rounded())
            }
        }
        return straight
    }

    /// How far samples are moved to the right and down: factors of 1, u, v, u v, u² and v², with u and v from −1 to 1 over
    /// the code. `nil` where too few edges are seen.
    var surfaces: (across: [Double], down: [Double])? {
        guard let across = surface(through: offsets(alongRows: true)),
            let down = surface(through: offsets(alongRows: false))
        else { return nil }
        return (across, down)
    }

    /// A sample's column or row, −1 … 1 over the code.
    private func unit(_ sample: Double) -> Double {
        let half = Double(moduleCount * scale) / 2
        return (sample + 0.5 - Double(quiet * scale) - half) / half
    }

    /// What the rows (or the columns) through the modules' middles show: the steepest change near each border.
    private func offsets(alongRows: Bool) -> [Offset] {
        let side = view.size.width
        let (ahead, sideways) = alongRows ? (1, side) : (side, 1)
        var offsets: [Offset] = []
        for line in 0..<moduleCount {
            let middle = (quiet + line) * scale + scale / 2
            for border in 0...moduleCount {
                // Between samples `first − 1` and `first`.
                let first = (quiet + border) * scale
                func change(_ step: Int) -> Int {
                    let index = (first + step) * ahead + middle * sideways
                    return abs(Int(view.bytes[index]) - Int(view.bytes[index - ahead]))
                }
                var best = (change: 0, at: 0)
                for step in -scale / 2...scale / 2 where change(step) > best.change { best = (change(step), step) }
                guard best.change >= Self.leastContrast, abs(best.at) < (scale + 1) / 2 else { continue }
                // Between samples: an edge inside of one changes the light on both of its sides.
                let (before, after) = (change(best.at - 1), change(best.at + 1))
                let distance = Double(best.at) + Double(after - before) / Double(before + best.change + after)
                let (here, there) = (unit(Double(first) - 0.5), unit(Double(middle)))
                offsets.append(
                    Offset(u: alongRows ? here : there, v: alongRows ? there : here, distance: distance))
            }
        }
        return offsets
    }

    /// The surface of second degree through offsets, by least squares with Cauchy's weights.
    private func surface(through offsets: [Offset]) -> [Double]? {
        guard offsets.count >= 60 else { return nil }
        var surface = [Double](repeating: 0, count: 6)
        for _ in 0..<8 {
            var rows = [[Double]](repeating: [Double](repeating: 0, count: 7), count: 6)
            for offset in offsets {
                let terms = Self.terms(offset.u, offset.v)
                let residual = (offset.distance - dot(surface, terms)) / (0.15 * Double(scale))
                let weight = 1 / (1 + residual * residual)
                for row in 0..<6 {
                    for column in 0..<6 { rows[row][column] += weight * terms[row] * terms[column] }
                    rows[row][6] += weight * terms[row] * offset.distance
                }
            }
            guard let solution = Self.solve(rows) else { return nil }
            surface = solution
        }
        return surface
    }

    private static func terms(_ u: Double, _ v: Double) -> [Double] { [1, u, v, u * v, u * u, v * v] }

    private func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }

    /// Gaussian elimination of a symmetric positive definite system, its right side as the last column.
    private static func solve(_ system: [[Double]]) -> [Double]? {
        var rows = system
        for pivot in rows.indices {
            guard rows[pivot][pivot] > 1e-9 else { return nil }
            for row in rows.indices where row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot...rows.count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        return rows.indices.map { rows[$0][rows.count] / rows[$0][$0] }
    }
}
