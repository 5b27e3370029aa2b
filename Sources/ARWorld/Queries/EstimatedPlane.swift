// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// A level or plumb surface around a ray, as the feature points there bear witness to it: what a hit test answers where no
/// plane is known yet.
///
/// Only points that are seen within 15° of the ray count, and only if they are known to 3 cm along the normal. The surface
/// is the one on which most of them lie, each within its own uncertainty. It is believed when at least six points and half
/// of those around the ray lie on it, when they spread in both directions, and when the hit lies among them: never
/// beyond the evidence. Law: `EstimatedPlaneTests`.
struct EstimatedPlane {
    /// How a surface lies against gravity.
    enum Alignment { case horizontal, vertical }

    let alignment: Alignment
    /// Metres along the ray.
    let distance: Double
    /// The hit: +Y is the normal towards the ray's origin.
    let worldFromHit: RigidTransform
    /// How many points lie on the surface.
    let supportCount: Int

    private static let halfAngle = 15 * Double.pi / 180
    private static let leastSupport = 6
    private static let leastShare = 0.5
    /// A ray that meets the surface at a smaller angle has no certain hit.
    private static let leastIncidence = sin(3 * Double.pi / 180)
    /// How much the supporting points must spread in either direction, as a part of the distance from the camera.
    private static let leastSpread = 0.02

    /// The surface of one of these kinds with the most support.
    init?(around ray: Ray, features: [EstimatedLandmark], alignments: [Alignment]) {
        let witnesses = Self.witnesses(around: ray, among: features)
        guard !alignments.isEmpty, witnesses.count >= Self.leastSupport else { return nil }
        var best: EstimatedPlane?
        for alignment in alignments {
            let fit =
                switch alignment {
                case .horizontal: EstimatedPlaneFit.horizontal(witnesses)
                case .vertical: EstimatedPlaneFit.vertical(witnesses)
                }
            guard let fit, let plane = EstimatedPlane(fit, alignment, ray: ray) else {
                continue
            }
            if plane.supportCount > best?.supportCount ?? 0 { best = plane }
        }
        guard let best else { return nil }
        self = best
    }

    private init?(_ fit: EstimatedPlaneFit, _ alignment: Alignment, ray: Ray) {
        let plane = fit.plane.signedDistance(to: ray.origin) >= 0 ? fit.plane : fit.plane.flipped
        guard fit.support.count >= Self.leastSupport,
            Double(fit.support.count) >= Self.leastShare * Double(fit.witnessCount),
            plane.normal.dot(ray.direction) <= -Self.leastIncidence, let distance = ray.distance(to: plane)
        else { return nil }
        let hit = ray.point(at: distance)
        let worldFromHit = RigidTransform(rotation: Rotation(surfaceNormal: plane.normal), translation: hit)
        let footprint = fit.support.map { witness in
            let inSurface = worldFromHit.inverse * witness.position
            return Point2(inSurface.x, inSurface.z)
        }
        guard Self.spread(of: footprint) >= Self.leastSpread * distance,
            Polygon2(convexHullOf: footprint).contains(.zero)
        else { return nil }
        self.alignment = alignment
        self.distance = distance
        self.worldFromHit = worldFromHit
        self.supportCount = fit.support.count
    }

    /// The points around the ray, those that are seen nearest to it first, as many as can be tried pair by pair.
    private static func witnesses(around ray: Ray, among features: [EstimatedLandmark]) -> [EstimatedLandmark] {
        let seen = features.compactMap { feature -> (angle: Double, feature: EstimatedLandmark)? in
            let toFeature = feature.position - ray.origin
            let angle = atan2(toFeature.cross(ray.direction).length, toFeature.dot(ray.direction))
            return angle <= halfAngle ? (angle, feature) : nil
        }
        return seen.sorted { ($0.angle, $0.feature.id) < ($1.angle, $1.feature.id) }.prefix(48).map(\.feature)
    }

    /// The standard deviation of the points in the direction in which they spread least.
    private static func spread(of points: [Point2]) -> Double {
        let mean = points.reduce(.zero, +) / Double(points.count)
        let scatter = points.reduce(SymmetricMatrix2.zero) { $0 + SymmetricMatrix2(square: $1 - mean) }
        return (max(0, scatter.smallestEigenvalue) / Double(points.count)).squareRoot()
    }
}
