// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How far pictures are turned against the device by themselves, from frame to frame: by a lens that steadies them, by stamps that
/// err while the device turns, by a mount that gives.
///
/// All points of such a picture lie beside their places together, and each of them, and the gyroscope, would seem wrong. So the part
/// of the landmarks' errors that they have in common, their median, is compared with what the filter expects of it.
///
/// Laws: `PictureShakeTests`, `OdometryTests.aLensMayShake`.
struct PictureShake: Sendable {
    /// About each axis, in rad².
    var variance: Double { unexpected.value }
    private var unexpected: UnexpectedVariance
    private var sights: [Sight] = []
    /// Kept, so that no frame allocates it.
    private var sorted: [Double] = []

    private struct Sight {
        var angle: Vector2
        var variance, noise: Double
    }

    /// Pictures that shake by a standard deviation about each axis, in radians.
    init(deviation: Double = 0) { unexpected = UnexpectedVariance(deviation * deviation) }

    /// Hears how far a landmark is seen beside where it should be, in radians, how far it could be, and its own noise, in rad².
    mutating func hear(_ angle: Vector2, variance: Double, noise: Double) {
        sights.append(Sight(angle: angle, variance: variance, noise: noise))
    }

    /// Learns from all that was heard of a frame, and forgets it. Few points do not tell what they have in common.
    mutating func learn() {
        defer { sights.removeAll(keepingCapacity: true) }
        guard sights.count >= UsualNoise.leastCount else { return }
        let common = Vector2(sorted.median(of: sights) { $0.angle.x }, sorted.median(of: sights) { $0.angle.y })
        unexpected.hear(
            square: common.squaredLength / 2, variance: sorted.median(of: sights) { $0.variance },
            noise: sorted.median(of: sights) { $0.noise }, count: sights.count)
    }
}
