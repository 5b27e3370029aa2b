// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How much a lens's focal length changes from frame to frame: where it focuses anew, by some percent within a few frames.
///
/// All points of such a picture lie farther out than expected, or farther in, by the same share of how far they are from its centre, as if the
/// camera had moved ahead; and the focal length is believed to be known to a fraction of a thousandth. So that share, the median over the
/// landmarks, is compared with what the filter expects of it. What all points lie aside by together is a picture that shakes
/// (``PictureShake``), and does not count.
///
/// Laws: `LensBreathTests`, `OdometryTests.aLensMayFocus`.
struct LensBreath: Sendable {
    /// Of the focal lengths' logarithm, since the frame before.
    var variance: Double { unexpected.value }
    private var unexpected = UnexpectedVariance()
    private var sights: [Sight] = []
    /// Kept, so that no frame allocates it.
    private var sorted: [Double] = []

    private struct Sight {
        var error, place: Vector2
        var variance, noise: Double
    }

    /// Nearer to the centre, by the square of the angle's tangent, a point's place hardly depends on the focal length.
    private static let leastSquaredTangent = 0.01

    /// Hears how far a landmark is seen beside where it should be, how far it could be along one axis, its own noise, and how far it is seen
    /// from the picture's centre: all over the focal length.
    mutating func hear(_ error: Vector2, variance: Double, noise: Double, fromCenter place: Vector2) {
        guard place.squaredLength > Self.leastSquaredTangent else { return }
        sights.append(Sight(error: error, place: place, variance: variance, noise: noise))
    }

    /// Learns from all that was heard of a frame, and forgets it. Few points do not tell what they have in common.
    mutating func learn() {
        defer { sights.removeAll(keepingCapacity: true) }
        guard sights.count >= UsualNoise.leastCount else { return }
        let common = Vector2(sorted.median(of: sights) { $0.error.x }, sorted.median(of: sights) { $0.error.y })
        let share = sorted.median(of: sights) { ($0.error - common).dot($0.place) / $0.place.squaredLength }
        unexpected.hear(
            square: share * share, variance: sorted.median(of: sights) { $0.variance / $0.place.squaredLength },
            noise: sorted.median(of: sights) { $0.noise / $0.place.squaredLength }, count: sights.count)
    }
}
