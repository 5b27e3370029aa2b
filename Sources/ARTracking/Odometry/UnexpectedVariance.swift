// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The variance of something that a filter does not expect to happen from one frame to the next, and that mostly does not.
///
/// What is seen of it in each frame is compared with what the filter expects to see: the mean of what is beyond that is the variance (Mehra
/// 1970, "On the identification of variances and adaptive Kalman filtering"), from when it is as much as is expected until there is none:
/// less may be chance, and a device that does nothing of the kind is to tell all it can. What is far beyond chance counts at
/// once, and is forgotten within some ten frames.
///
/// Laws: `PictureShakeTests`, `LensBreathTests`.
struct UnexpectedVariance: Sendable {
    /// Zero while nothing happens.
    var value: Double { isHappening ? excess : 0 }
    /// The mean of the squares beyond what is expected.
    private var excess: Double
    private var isHappening: Bool

    /// How much of the mean remains from one frame to the next.
    private static let remains = 0.9
    /// A square so many times as large as is expected is no chance.
    private static let beyondChance = 9.0

    /// The variance of a median of many, as a multiple of that of a mean.
    private static let medianVariance = Double.pi / 2

    init(_ variance: Double = 0) {
        excess = variance
        isHappening = variance > 0
    }

    /// Hears what a frame shows: the median of what so many points show, squared, along one axis; the variance that the filter expects of
    /// it; and that of each point's own noise.
    mutating func hear(square: Double, variance: Double, noise: Double, count: Int) {
        let expected = variance + Self.medianVariance * noise / Double(count)
        let isChance = square <= Self.beyondChance * (expected + value)
        let mean = Self.remains * excess + (1 - Self.remains) * (square - expected)
        excess = isChance ? mean : max(mean, square - expected)
        isHappening = excess > (isHappening ? 0 : expected)
    }
}

extension [Double] {
    /// The median of a number of each sight, in the room that the array has.
    mutating func median<Sight>(of sights: [Sight], _ value: (Sight) -> Double) -> Double {
        removeAll(keepingCapacity: true)
        append(contentsOf: sights.lazy.map(value))
        sort()
        return self[count / 2]
    }
}
