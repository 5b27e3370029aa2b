// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A plane y = offset + slopes · (x, z) in a surface's level axes, by weighted least squares.
///
/// Each point weighs by its variance along the normal. Gravity is an observation like the points: of slopes that it
/// knows, it says that they are zero up to an error, so that points tilt the plane only as far as they know better.
struct SurfaceFit: Sendable {
    var offset: Double
    /// The slope along x and the one along z.
    var slopes: Vector2
    /// The variance of the offset at the level axes' origin, of the slopes, and what lies between.
    var covariance: Matrix3x3
    /// How large the squared distances of most of its points are, beside what was expected of them: 1 at most.
    ///
    /// Expected is room for rough surfaces and for what trackers do not say of their points. Where most of them lie closer, those that
    /// lie only just within it are on things that lie on the surface, all on the same side. Law:
    /// `SurfaceFitTests.whatLiesOnASurfaceDoesNotLiftIt`.
    private(set) var usualShare = 1.0

    init(offset: Double, slopes: Vector2, covariance: Matrix3x3 = .zero) {
        self.offset = offset
        self.slopes = slopes
        self.covariance = covariance
    }

    /// The plane's heights above x and z; `nil` for one that contains the direction of y.
    init?(_ plane: Plane) {
        let normal = plane.normal
        guard abs(normal.y) > 1e-6 else { return nil }
        self.init(offset: plane.offset / normal.y, slopes: Vector2(-normal.x, -normal.z) / normal.y)
    }

    /// The unit normal in the level axes.
    var normal: Vector3 {
        let upwards = Vector3(-slopes.x, 1, -slopes.y)
        return upwards / upwards.length
    }

    /// How far a point in the level axes lies above the plane.
    func distance(to point: Point3) -> Double { (point - Point3(0, offset, 0)).dot(normal) }

    /// The standard deviation of the height above an x and z.
    func deviation(at place: Point2) -> Double {
        let row = Vector3(1, place.x, place.y)
        return max(0, row.dot(covariance * row)).squareRoot()
    }

    /// The standard deviations of the slopes.
    var slopeDeviations: Vector2 {
        Vector2(max(0, covariance.columns.1.y).squareRoot(), max(0, covariance.columns.2.z).squareRoot())
    }

    /// Whether a movement is worth a look: one of that covariance in offset and slopes, which has more than a quarter of the
    /// plane's own, on the average.
    func isMoved(by movement: Matrix3x3) -> Bool {
        guard let information = covariance.inverse else { return true }
        let ratios = information * movement
        return ratios.columns.0.x + ratios.columns.1.y + ratios.columns.2.z > 3 * 0.25
    }

    /// Whether the plane lies elsewhere than before by more than half of its own standard deviation, on the average.
    func isMoved(from former: SurfaceFit) -> Bool {
        let step = Vector3(offset - former.offset, slopes.x - former.slopes.x, slopes.y - former.slopes.y)
        return isMoved(by: .outerProduct(step, step))
    }

    /// A point and how well it is known along the normal.
    struct Sample {
        var point: Point3
        var variance: Double
        /// How much it counts: points of one spot count as one.
        var share = 1.0

        /// How much it weighs on the plane.
        fileprivate var greatestWeight: Double { share / (variance + roughness * roughness) }
    }

    /// What was said of the plane at about the same time.
    struct Group {
        /// The points that were seen then.
        var samples: [Sample] = []
        /// What was known of the plane then without them.
        var known = NormalEquations()
        /// By how much the points may err together, as an error of offset and slopes.
        var shared = Matrix3x3.zero
        /// By how much the plane may have moved from then until the next group's time, or until now for the last one.
        var wander = Matrix3x3.zero

        /// Lets the points err together besides: by as much in height, and by as much across all of them in slope.
        mutating func share(variance: Double) {
            let count = Double(samples.count)
            let sum = samples.reduce(Point2.zero) { $0 + Point2($1.point.x, $1.point.z) }
            let middle = sum / count
            let spread = samples.reduce(0) { $0 + (Point2($1.point.x, $1.point.z) - middle).squaredLength } / count
            let slopeVariance = variance / max(spread, Self.leastSpread * Self.leastSpread)
            // The height at the origin is that in the middle less what the slopes make of the way there.
            let (byX, byZ) = (Vector3(-middle.x, 1, 0), Vector3(-middle.y, 0, 1))
            shared =
                shared + Matrix3x3(diagonal: Vector3(variance, 0, 0))
                + slopeVariance * (Matrix3x3.outerProduct(byX, byX) + Matrix3x3.outerProduct(byZ, byZ))
        }

        /// Points that are closer together than 5 cm tell no slope.
        private static let leastSpread = 0.05
    }

    /// What no point's own covariance holds: the tracker's slow errors, and how rough real surfaces are: 4 mm.
    static let roughness = 0.004

    /// Lets points of a spot count as one that is known to what spots lie aside by.
    ///
    /// What stands on a surface, or hangs on it, lies before it with all of its points, of which it often has more than all
    /// of the bare surface: a painting on a plain wall, and what lies on a desk. So a spot, however many points it has, is
    /// known to three thousandths of the distance from which it is seen, and a surface lies where most of its spots do. n
    /// points of variance v that share the variance s weigh as n of v + n s. Law:
    /// `SurfaceFitTests.whatStandsOnASurfaceErrsTogether`.
    ///
    /// - Parameter distance: how far what is seen is away, in metres: a spot is a fifth of it wide.
    static func sharingRelief(_ samples: [Sample], seenFrom distance: Double) -> [Sample] {
        let (side, relief) = (spotPart * distance, reliefPart * distance)
        func spot(of sample: Sample) -> SIMD2<Int> {
            SIMD2(Int((sample.point.x / side).rounded(.down)), Int((sample.point.z / side).rounded(.down)))
        }
        var weights: [SIMD2<Int>: Double] = [:]
        for sample in samples { weights[spot(of: sample), default: 0] += sample.greatestWeight }
        return samples.map { sample in
            var sample = sample
            sample.share /= 1 + relief * relief * weights[spot(of: sample), default: 0]
            return sample
        }
    }

    /// How wide a spot is, and by how much it may lie aside, as parts of the distance from which it is seen.
    private static let (spotPart, reliefPart) = (0.2, 0.003)

    /// The plane that the points lie on, starting at this one; `nil` when they determine none.
    ///
    /// Groups follow upon each other as in a filter: what the earlier ones said moves with the world and is known less surely when
    /// the next one speaks. However many of them there are, what the world has moved by since all of them they do not tell
    /// (Kalman 1960, in information form). Law: `SurfaceFitTests.whatTheWorldHasMovedBySinceErrsTogether`.
    ///
    /// Points far aside lose their weight: Tukey's biweight function, at 4.685 standard deviations (Holland, Welsch
    /// 1977, "Robust regression using iteratively reweighted least-squares"), of the point and of what it shares with others.
    ///
    /// - Parameters:
    ///   - groups: those that were seen earlier first.
    ///   - slopeErrors: what gravity leaves open of the slopes, as standard deviations.
    func refined(to groups: [Group], slopeErrors: Vector2) -> SurfaceFit? {
        let gravity = Matrix3x3(
            diagonal: Vector3(1e-6, 1 / (slopeErrors.x * slopeErrors.x), 1 / (slopeErrors.y * slopeErrors.y)))
        let wanderSince = Self.wanderUntilNow(since: groups)
        var fit = self
        // Where it lies elsewhere now, most points are far aside of where it was.
        fit.usualShare = 1
        for _ in 0..<4 {
            var equations = NormalEquations()
            for (group, wander) in zip(groups, wanderSince) {
                equations = (equations + group.known + fit.equations(of: group, thatMovedBy: wander))
                    .loosened(by: group.wander)
            }
            equations.information = equations.information + gravity
            guard let covariance = equations.information.inverse else { return nil }
            let solution = covariance * equations.right
            guard solution.isFinite else { return nil }
            fit = SurfaceFit(offset: solution.x, slopes: Vector2(solution.y, solution.z), covariance: covariance)
            fit.learnUsualShare(from: zip(groups, wanderSince))
        }
        return fit
    }

    /// Learns how far most points lie aside: within which share of what is expected half of their weight does (the median absolute deviation;
    /// Hampel 1974, "The influence curve and its role in robust estimation").
    private mutating func learnUsualShare(from groups: some Sequence<(Group, Matrix3x3)>) {
        var points: [(square: Double, weight: Double)] = []
        for (group, wander) in groups {
            for sample in group.samples {
                let square = squaredDistance(of: sample, together: group.shared + wander)
                points.append((square / Self.usualSquare, sample.greatestWeight))
            }
        }
        guard points.count >= Self.leastCount else { return usualShare = 1 }
        let half = points.reduce(0) { $0 + $1.weight } / 2
        var (low, high) = (Self.leastShare, 1.0)
        // To a part in a hundred.
        for _ in 0..<8 {
            let middle = (low * high).squareRoot()
            let within = points.reduce(0) { $0 + ($1.square <= middle ? $1.weight : 0) }
            if within < half { low = middle } else { high = middle }
        }
        usualShare = high
    }

    /// Fewer points do not tell what is usual.
    private static let leastCount = 12
    /// Points are not tested more strictly than by this share of the variance: a roughness of 1 mm where 4 are expected.
    private static let leastShare = 1.0 / 16
    /// The median of the chi-square distribution of one degree of freedom.
    private static let usualSquare = 0.4549

    /// By how much the plane may have moved since each of the groups was seen.
    private static func wanderUntilNow(since groups: [Group]) -> [Matrix3x3] {
        var wander = Matrix3x3.zero
        return groups.reversed().map { group in
            wander = wander + group.wander
            return wander
        }.reversed()
    }

    /// What a group's points say of the plane where it was when they were seen, weighed beside the plane where it is now.
    private func equations(of group: Group, thatMovedBy wander: Matrix3x3) -> NormalEquations {
        var equations = NormalEquations()
        for sample in group.samples {
            equations.add(sample, weight: weight(of: sample, together: group.shared + wander))
        }
        return equations.loosened(by: group.shared)
    }

    /// How much a point counts: the inverse of its variance, the less the farther it lies aside, and nothing far aside, beside most others.
    ///
    /// - Parameter together: what it shares with others, as an error of offset and slopes.
    func weight(of sample: Sample, together: Matrix3x3 = .zero) -> Double {
        let ratio = squaredDistance(of: sample, together: together) / (usualShare * 4.685 * 4.685)
        return ratio < 1 ? sample.greatestWeight * (1 - ratio) * (1 - ratio) : 0
    }

    /// How far a point lies aside, squared, in variances.
    private func squaredDistance(of sample: Sample, together: Matrix3x3) -> Double {
        let row = Vector3(1, sample.point.x, sample.point.z)
        let variance =
            sample.variance + Self.roughness * Self.roughness + max(0, row.dot(together * row))
            + max(0, row.dot(covariance * row))
        let distance = distance(to: sample.point)
        return distance * distance / variance
    }
}
