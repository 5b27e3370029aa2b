// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking

/// The level or the plumb plane on which most of some points lie.
///
/// All planes that one point (level) or two points (plumb) span are tried, so nothing is left to chance. The one that the
/// points contradict least is fitted to the points that lie on it, each counting by its own certainty.
struct EstimatedPlaneFit {
    let plane: Plane
    /// The points that lie on it.
    let support: [EstimatedLandmark]
    /// How many points are known well enough to lie on it or not.
    let witnessCount: Int

    /// No surface is flatter, and no point known better, than this, in metres.
    private static let leastDeviation = 0.005
    /// A point that is known less well than this tells nothing of a surface.
    private static let greatestDeviation = 0.03
    /// A point lies on a surface when it is nearer than this many standard deviations.
    private static let gate = 2.5
    /// A plumb surface whose heading is less certain than 3° is none.
    private static let greatestHeadingDeviation = 3 * Double.pi / 180

    /// The level plane.
    static func horizontal(_ points: [EstimatedLandmark]) -> EstimatedPlaneFit? {
        let candidates = points.map { Plane(unitNormal: Vector3(0, 1, 0), offset: $0.position.y) }
        return EstimatedPlaneFit(points, candidates: candidates, refine: levelPlane)
    }

    /// The plumb plane.
    static func vertical(_ points: [EstimatedLandmark]) -> EstimatedPlaneFit? {
        let candidates = points.indices.flatMap { second in
            points[..<second].compactMap { first -> Plane? in
                let along = points[second].position - first.position
                return Plane(normal: Vector3(along.z, 0, -along.x), through: first.position)
            }
        }
        return EstimatedPlaneFit(points, candidates: candidates, refine: plumbPlane)
    }

    /// The best candidate, fitted to what lies on it, twice, because a better plane has better support.
    private init?(
        _ points: [EstimatedLandmark], candidates: [Plane],
        refine: (_ support: [EstimatedLandmark], _ near: Plane) -> Plane?
    ) {
        let costs = candidates.map { Self.cost(of: $0, for: points) }
        guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return nil }
        var plane = candidates[best]
        for _ in 0..<2 {
            guard let refined = refine(Self.support(of: plane, among: points), plane) else { return nil }
            plane = refined
        }
        self.plane = plane
        support = Self.support(of: plane, among: points)
        witnessCount = points.count { Self.squaredDistance(of: $0, from: plane) != nil }
    }

    /// The sum of squared distances in standard deviations; a point that does not lie on the plane costs no more than one
    /// that lies at the gate.
    /// - Reference: Torr, Zisserman 2000, "MLESAC", for this cost (MSAC).
    private static func cost(of plane: Plane, for points: [EstimatedLandmark]) -> Double {
        points.reduce(0) { cost, point in
            cost + min(gate * gate, squaredDistance(of: point, from: plane) ?? gate * gate)
        }
    }

    private static func support(of plane: Plane, among points: [EstimatedLandmark]) -> [EstimatedLandmark] {
        points.filter { (squaredDistance(of: $0, from: plane) ?? .infinity) <= gate * gate }
    }

    /// The squared distance in standard deviations, or `nil` for a point that is known too badly.
    private static func squaredDistance(of point: EstimatedLandmark, from plane: Plane) -> Double? {
        let variance = variance(of: point, along: plane.normal)
        guard variance <= greatestDeviation * greatestDeviation else { return nil }
        let distance = plane.signedDistance(to: point.position)
        return distance * distance / variance
    }

    private static func variance(of point: EstimatedLandmark, along normal: Vector3) -> Double {
        max(0, normal.dot(point.covariance * normal)) + leastDeviation * leastDeviation
    }

    // MARK: Fits to what lies on a plane

    /// The mean height, each point weighted by its certainty.
    private static func levelPlane(through support: [EstimatedLandmark], near guess: Plane) -> Plane? {
        let weights = support.map { 1 / variance(of: $0, along: guess.normal) }
        let sum = zip(weights, support).reduce(0) { $0 + $1.0 * $1.1.position.y }
        return support.isEmpty ? nil : Plane(unitNormal: guess.normal, offset: sum / weights.reduce(0, +))
    }

    /// The plumb plane with the least weighted squared distances: total least squares, as seen from above.
    private static func plumbPlane(through support: [EstimatedLandmark], near guess: Plane) -> Plane? {
        let weights = support.map { 1 / variance(of: $0, along: guess.normal) }
        let seenFromAbove = support.map { Vector2($0.position.x, $0.position.z) }
        let mean = zip(weights, seenFromAbove).reduce(Vector2.zero) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
        let scatter = zip(weights, seenFromAbove).reduce(SymmetricMatrix2.zero) {
            $0 + $1.0 * SymmetricMatrix2(square: $1.1 - mean)
        }
        // The heading's variance is one over the weighted squared lengths along the line.
        let headingDeviation = 1 / scatter.largestEigenvalue.squareRoot()
        guard headingDeviation <= greatestHeadingDeviation, let across = scatter.axisOfSmallestEigenvalue else {
            return nil
        }
        return Plane(normal: Vector3(across.x, 0, across.y), through: Point3(mean.x, 0, mean.y))
    }
}
