// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point that is followed through the pictures, with the rays on which it was seen from places that are apart, and where
/// it therefore is.
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

    /// A place, and how well it is known if the cameras were where they are believed to have been.
    struct Place: Sendable {
        var position: Point3
        var covariance: Matrix3x3
        /// Whether all rays pass it as closely as they should.
        var isAgreed: Bool
    }

    /// How many rays are kept.
    private static let capacity = 12
    /// How far apart rays are kept at first, and by how much further when there are too many, in radians.
    private static let firstSpacing = 0.006
    private static let spacingGrowth = 1.4
    /// How far apart rays must be to meet somewhere, in radians.
    private static let smallestParallax = 0.01
    /// After how many frames that see the point elsewhere it is taken for another one.
    private static let patience = 3
    /// The square of a distance, in standard deviations, that all but a share of 0.25 % of honest sights stay below: χ² of
    /// two degrees of freedom.
    private static let gate = 12.0

    init(id: UInt64) {
        self.id = id
        sights.reserveCapacity(FollowedPoint.capacity)
    }

    /// Whether the newest frame saw the point where it should be.
    var isSeenInPlace: Bool { misses == 0 }

    /// The place, if all rays pass it as closely as they should.
    var agreedPlace: (position: Point3, covariance: Matrix3x3)? {
        place.flatMap { $0.isAgreed ? ($0.position, $0.covariance) : nil }
    }

    /// Moves the rays along with the poses of the clones that saw them.
    mutating func move(by corrections: CloneCorrections) {
        for index in sights.indices { corrections.apply(to: &sights[index]) }
        if let place, let earlier = corrections.earlier { self.place?.position = earlier * place.position }
    }

    /// Takes in that the newest frame sees the point.
    mutating func take(_ sight: PointSight) {
        if let place, !FollowedPoint.agrees(sight, with: place) {
            misses += 1
            if misses >= FollowedPoint.patience { startOver(with: sight) }
            return
        }
        misses = 0
        locate(with: sight)
        keep(sight)
    }

    private mutating func startOver(with sight: PointSight) {
        sights.removeAll(keepingCapacity: true)
        sights.append(sight)
        (place, spacing, misses) = (nil, FollowedPoint.firstSpacing, 0)
    }

    /// Mahalanobis' test.
    private static func agrees(_ sight: PointSight, with place: Place) -> Bool {
        guard let error = sight.error(of: place.position) else { return false }
        let along = sight.ray.dot(place.covariance * sight.ray)
        let across = 0.5 * (place.covariance.trace - along) / (error.distance * error.distance)
        return error.angle.squaredLength <= gate * (sight.variance + across)
    }

    // MARK: Sights

    /// Keeps a ray that is apart from all others, and puts it in the place of one that is long past and hardly apart.
    private mutating func keep(_ sight: PointSight) {
        var (nearest, parallax) = (0, Double.infinity)
        for index in sights.indices {
            let other = sights[index].parallax(to: sight)
            if other < parallax { (nearest, parallax) = (index, other) }
        }
        if parallax >= spacing {
            if sights.count == FollowedPoint.capacity { thin() }
            if sights.count < FollowedPoint.capacity { sights.append(sight) }
        } else if parallax < 0.5 * spacing, sights[nearest].clone == nil {
            sights.remove(at: nearest)
            sights.append(sight)
        }
    }

    /// Makes room: the spacing grows until rays fall together, of which the newer stays.
    private mutating func thin() {
        while sights.count == FollowedPoint.capacity {
            spacing *= FollowedPoint.spacingGrowth
            var index = sights.count - 1
            while index >= 0 {
                let sight = sights[index]
                if sights[(index + 1)...].contains(where: { $0.parallax(to: sight) < spacing }) {
                    sights.remove(at: index)
                }
                index -= 1
            }
        }
    }

    // MARK: Place

    /// Finds the place, or finds it better.
    private mutating func locate(with sight: PointSight) {
        let start: Point3
        var steps = 1
        if let place {
            start = place.position
        } else {
            guard sights.count > 1, sights.contains(where: { $0.parallax(to: sight) > FollowedPoint.smallestParallax }),
                let meeting = meetingPoint(with: sight)
            else { return }
            (start, steps) = (meeting, 4)
        }
        var position = start
        var covariance = Matrix3x3.zero
        var fit = Fit()
        for _ in 0..<steps {
            guard let found = Fit(of: position, sights, sight), let inverse = found.information.inverse else {
                place = nil
                return
            }
            position += inverse * found.gradient
            (fit, covariance) = (found, inverse)
        }
        let freedom = 2 * (sights.count + 1) - 3
        let isAgreed = fit.squares <= ChiSquare.quantile95(degreesOfFreedom: freedom)
        if !isAgreed, let worst = fit.worst { sights.remove(at: worst) }
        place = Place(position: position, covariance: covariance, isAgreed: isAgreed)
    }

    /// The point nearest to all rays.
    private func meetingPoint(with newest: PointSight) -> Point3? {
        var (sum, moment) = (Matrix3x3.zero, Vector3.zero)
        func add(_ sight: PointSight) {
            let projector = Matrix3x3.identity - Matrix3x3.outerProduct(sight.ray, sight.ray)
            sum = sum + projector
            moment += projector * (sight.origin - newest.origin)
        }
        for sight in sights { add(sight) }
        add(newest)
        return sum.inverse.map { newest.origin + $0 * moment }
    }
}

/// How well rays agree with a point, and which way it should move to agree better: the normal equations of Gauss and Newton.
///
/// A ray r misses the point at a distance z by the angle q (see ``PointSight/error(of:)``), with ∂q/∂X = (1 − r rᵀ − q rᵀ)/z.
struct Fit {
    /// The sum of squared errors, each in standard deviations.
    var squares = 0.0
    var information = Matrix3x3.zero
    var gradient = Vector3.zero
    /// Which of the older rays misses the point by most.
    var worst: Int?

    init() {}

    /// `nil` where the point lies behind a camera.
    init?(of point: Point3, _ sights: [PointSight], _ newest: PointSight) {
        var largest = 0.0
        for index in sights.indices {
            guard let square = add(sights[index], point) else { return nil }
            if square > largest { (worst, largest) = (index, square) }
        }
        guard add(newest, point) != nil else { return nil }
    }

    private mutating func add(_ sight: PointSight, _ point: Point3) -> Double? {
        guard let (q, z) = sight.error(of: point) else { return nil }
        let r = sight.ray
        let weight = 1 / sight.variance
        let byPoint = weight / (z * z)
        let square = q.squaredLength
        information =
            information + byPoint
            * (Matrix3x3.identity - Matrix3x3.outerProduct(r, (1 - square) * r + q) - Matrix3x3.outerProduct(q, r))
        gradient -= (weight / z) * (q - square * r)
        squares += square * weight
        return square * weight
    }
}
