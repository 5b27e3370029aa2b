// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point that is followed through the pictures, with the rays on which it was seen from places that are apart, and where
/// it therefore is.
///
/// Law: `FollowedPointTests`.
struct FollowedPoint: Sendable {
    /// The point's identity in the pictures.
    let id: UInt64
    /// The rays, oldest first.
    private(set) var sights: [PointSight] = []
    /// Where the point is, if that is known at all.
    private(set) var place: Place?
    /// How far apart rays are that are worth keeping both, in radians.
    private var spacing = FollowedPoint.firstSpacing
    /// How many frames in a row did not see the point where it should be.
    private var misses = 0

    /// Where a point is, and how well that is known for a camera that is where it is believed to be.
    struct Place: Sendable {
        var position: Point3
        var covariance: Matrix3x3
        /// Which part of it points that were seen from the same poses share.
        var sharedPart: Double
        /// Whether the rays pass it as closely as those of four in five honest points.
        var isAgreed: Bool
    }

    /// How many rays are kept.
    private static let capacity = 8
    /// How far apart rays are kept at first, and by how much further when there are too many, in radians.
    private static let firstSpacing = 0.006
    private static let spacingGrowth = 1.4
    /// How far apart rays must be to meet somewhere, in radians.
    private static let smallestParallax = 0.01
    /// After how many frames that see the point elsewhere it is taken for another one.
    private static let patience = 3
    /// How far the newest frame may see the point from where it should be: the square, in standard deviations, that all but
    /// 0.25 % of honest sights stay below (χ² of two degrees of freedom).
    private static let gate = 12.0

    init(id: UInt64) {
        self.id = id
        sights.reserveCapacity(Self.capacity)
    }

    /// The place, if the newest frame saw the point there and the other rays agree.
    var agreedPlace: Place? { misses == 0 ? place.flatMap { $0.isAgreed ? $0 : nil } : nil }

    /// Moves the rays along with the poses that they were seen from.
    mutating func move(by corrections: CloneCorrections) {
        for index in sights.indices { corrections.apply(to: &sights[index]) }
        if let place, let earlier = corrections.earlier { self.place?.position = earlier * place.position }
    }

    /// Takes in that the newest frame sees the point.
    mutating func take(_ sight: PointSight) {
        if let place, !Self.agrees(sight, with: place) {
            misses += 1
            if misses >= Self.patience { startOver(with: sight) }
            return
        }
        misses = 0
        guard let stray = locate(with: sight) else {
            keep(sight)
            return
        }
        if stray < sights.count { sights.remove(at: stray) }
    }

    private mutating func startOver(with sight: PointSight) {
        sights.removeAll(keepingCapacity: true)
        sights.append(sight)
        (place, spacing, misses) = (nil, Self.firstSpacing, 0)
    }

    /// Mahalanobis' test.
    private static func agrees(_ sight: PointSight, with place: Place) -> Bool {
        guard let error = sight.error(of: place.position) else { return false }
        let along = sight.ray.dot(place.covariance * sight.ray)
        let across = 0.5 * (place.covariance.trace - along) / (error.distance * error.distance)
        return error.angle.squaredLength <= gate * (sight.variance + across)
    }

    // MARK: Rays

    /// Keeps a ray that is apart from all others.
    private mutating func keep(_ sight: PointSight) {
        guard sights.allSatisfy({ $0.squaredParallax(to: sight) >= spacing * spacing }) else { return }
        while sights.count == Self.capacity { thin() }
        sights.append(sight)
    }

    /// Lets rays fall together that are not far apart; the newer stays.
    private mutating func thin() {
        spacing *= Self.spacingGrowth
        for index in sights.indices.reversed() {
            let sight = sights[index]
            if sights[(index + 1)...].contains(where: { $0.squaredParallax(to: sight) < spacing * spacing }) {
                sights.remove(at: index)
            }
        }
    }

    // MARK: Place

    /// Finds the place, or finds it better, and says which ray does not go there: the newest is the last.
    private mutating func locate(with sight: PointSight) -> Int? {
        guard let start = place?.position ?? meetingPoint(with: sight) else { return nil }
        var fit = PointFit(of: start, sights, sight)
        if place == nil {
            for _ in 0..<3 { fit = fit.flatMap { PointFit(of: $0.position, sights, sight) } }
        }
        guard let fit else {
            place = nil
            return nil
        }
        let freedom = fit.degreesOfFreedom
        place = Place(
            position: fit.position, covariance: fit.covariance, sharedPart: fit.sharedPart,
            isAgreed: fit.squares <= ChiSquare.quantile80(degreesOfFreedom: freedom))
        let isContradicted =
            fit.squares > ChiSquare.quantile95(degreesOfFreedom: freedom)
            && fit.worst.square > ChiSquare.quantile95(degreesOfFreedom: 2)
        return isContradicted ? fit.worst.index : nil
    }

    /// The point nearest to all rays, or `nil` where they are hardly apart.
    private func meetingPoint(with newest: PointSight) -> Point3? {
        let parallax = Self.smallestParallax * Self.smallestParallax
        guard sights.count > 1, sights.contains(where: { $0.squaredParallax(to: newest) > parallax }) else {
            return nil
        }
        var (sum, moment) = (Matrix3x3.zero, Vector3.zero)
        for sight in sights {
            let projector = Matrix3x3.identity - Matrix3x3.outerProduct(sight.ray, sight.ray)
            sum = sum + projector
            moment += projector * (sight.origin - newest.origin)
        }
        sum = sum + Matrix3x3.identity - Matrix3x3.outerProduct(newest.ray, newest.ray)
        return sum.inverse.map { newest.origin + $0 * moment }
    }
}
