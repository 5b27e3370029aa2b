// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How many points lie at each height; each is spread over the heights that its variance allows.
struct HeightHistogram {
    /// The height of a bin, in metres.
    static let step = 0.01
    /// How far above and below the middle heights are counted, in metres.
    private static let range = 10.0
    private var masses: [Double]
    private let lowest: Double

    /// Counts the points that are at most ten metres higher or lower than a height.
    init(_ points: [Evidence], around middle: Double) {
        lowest = middle - Self.range
        masses = [Double](repeating: 0, count: Int(2 * Self.range / Self.step))
        for point in points where abs(point.position.y - middle) <= Self.range {
            let deviation = max(Self.step / 2, point.variance(along: Vector3(0, 1, 0)).squareRoot())
            let bin = (point.position.y - lowest) / Self.step
            let width = max(1, Int((2 * deviation / Self.step).rounded()))
            var total = 0.0
            for pass in 0..<2 {
                for offset in -width...width {
                    let place = Int(bin) + offset
                    guard masses.indices.contains(place) else { continue }
                    let ratio = (Double(place) + 0.5 - bin) * Self.step / deviation
                    let mass = max(0, 1 - ratio * ratio / 5)
                    if pass == 0 { total += mass } else if total > 0 { masses[place] += mass / total }
                }
            }
        }
    }

    /// The heights of the highest peaks, the highest first, 5 cm apart at least.
    func peaks(_ count: Int, minimumMass: Double) -> [Double] {
        var sums = masses.indices.map { masses[max(0, $0 - 1)...min(masses.count - 1, $0 + 1)].reduce(0, +) }
        var found: [Double] = []
        while found.count < count, let top = sums.indices.max(by: { (sums[$0], -$0) < (sums[$1], -$1) }),
            sums[top] >= minimumMass
        {
            found.append(lowest + (Double(top) + 0.5) * Self.step)
            for bin in max(0, top - 5)...min(sums.count - 1, top + 5) { sums[bin] = 0 }
        }
        return found
    }
}
