// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How far pictures are turned against the device by themselves, from frame to frame: by a lens that steadies them, by stamps that
/// err while the device turns, by a mount that gives.
///
/// All points of such a picture lie beside their places together, and each of them, and the gyroscope, would seem wrong. So the part
/// of the landmarks' errors that they have in common, their median, is compared with what the filter expects of it: the mean of
/// what is beyond that is the variance (Mehra 1970, "On the identification of variances and adaptive Kalman filtering"), from when it is
/// as much as is expected until there is none: less may be chance, and pictures that do not shake are to tell all they can. What is far
/// beyond chance counts at once, and is forgotten within some ten frames.
///
/// Laws: `PictureShakeTests`, `OdometryTests.aLensMayShake`.
struct PictureShake: Sendable {
    /// About each axis, in rad².
    var variance: Double { isShaking ? excess : 0 }
    /// The mean of the squares beyond what is expected.
    private var excess: Double
    private var isShaking: Bool
    private var sights: [Sight] = []
    /// Kept, so that no frame allocates it.
    private var sorted: [Double] = []

    private struct Sight {
        var angle: Vector2
        var variance, noise: Double
    }

    /// How much of the mean remains from one frame to the next.
    private static let remains = 0.9
    /// A square so many times as large as is expected is no chance.
    private static let beyondChance = 9.0
    /// The variance of a median of many, as a multiple of that of a mean, π/2.
    private static let medianVariance = Double.pi / 2

    /// Pictures that shake by a standard deviation about each axis, in radians.
    init(deviation: Double = 0) {
        excess = deviation * deviation
        isShaking = deviation > 0
    }

    /// Hears how far a landmark is seen beside where it should be, in radians, how far it could be, and its own noise, in rad².
    mutating func hear(_ angle: Vector2, variance: Double, noise: Double) {
        sights.append(Sight(angle: angle, variance: variance, noise: noise))
    }

    /// Learns from all that was heard of a frame, and forgets it. Few points do not tell what they have in common.
    mutating func learn() {
        defer { sights.removeAll(keepingCapacity: true) }
        guard sights.count >= UsualNoise.leastCount else { return }
        let common = Vector2(median { $0.angle.x }, median { $0.angle.y })
        let expected = median { $0.variance } + Self.medianVariance * median { $0.noise } / Double(sights.count)
        let square = common.squaredLength / 2
        let isChance = square <= Self.beyondChance * (expected + variance)
        let mean = Self.remains * excess + (1 - Self.remains) * (square - expected)
        excess = isChance ? mean : max(mean, square - expected)
        isShaking = excess > (isShaking ? 0 : expected)
    }

    private mutating func median(_ value: (Sight) -> Double) -> Double {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: sights.lazy.map(value))
        sorted.sort()
        return sorted[sorted.count / 2]
    }
}
