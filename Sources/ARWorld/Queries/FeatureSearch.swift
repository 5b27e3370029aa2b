// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// Looks for feature points along a ray.
public struct FeatureSearch: Sendable {
    /// How far from the ray a touched point may be seen: 3°, what a fingertip covers on a phone's screen (half of the 44
    /// points that a button has, of 390 across a view of 60°).
    public static let touchAngle = 3 * Double.pi / 180

    /// A cone around a ray.
    public struct Cone: Hashable, Sendable {
        /// The angle between opposite sides.
        public var openingAngle: Double
        /// How far along the ray the points may lie, in metres.
        public var distances: ClosedRange<Double>

        /// A cone of that shape.
        public init(openingAngle: Double, distances: ClosedRange<Double>) {
            self.openingAngle = openingAngle
            self.distances = distances
        }

        /// The cone in which the drawing program trusts feature points: 18°, from 20 cm to 2 m.
        public static let drawing = Cone(openingAngle: 18 * .pi / 180, distances: 0.2...2)
    }

    /// A feature point beside a ray.
    public struct Result: Hashable, Sendable {
        /// The point of the ray that is nearest to the feature.
        public var position: Point3
        /// Metres along the ray.
        public var distance: Double
        /// Metres between the feature and the ray.
        public var distanceFromRay: Double
        /// The feature.
        public var feature: EstimatedLandmark
    }

    private let features: [EstimatedLandmark]

    /// A search among these points.
    public init(_ features: [EstimatedLandmark]) { self.features = features }

    /// The points inside a cone, in the order of their distances along the ray, at most that many.
    public func results(along ray: Ray, in cone: Cone, maximumCount: Int = 1) -> [Result] {
        let found = results(along: ray).filter {
            cone.distances.contains($0.distance) && $0.angle <= cone.openingAngle / 2
        }
        return Array(found.sorted { ($0.distance, $0.feature.id) < ($1.distance, $1.feature.id) }.prefix(maximumCount))
    }

    /// The point nearest to the ray, however far from it.
    public func nearest(to ray: Ray) -> Result? {
        results(along: ray).min { ($0.distanceFromRay, $0.feature.id) < ($1.distanceFromRay, $1.feature.id) }
    }

    /// The point that is seen nearest to the ray, if it is near enough to have been meant.
    public func touched(by ray: Ray) -> EstimatedLandmark? {
        results(along: ray).filter { $0.angle <= Self.touchAngle }
            .min { ($0.angle, $0.feature.id) < ($1.angle, $1.feature.id) }?.feature
    }

    /// All points before the ray's origin.
    private func results(along ray: Ray) -> [Result] {
        features.compactMap { feature in
            let toFeature = feature.position - ray.origin
            let distance = toFeature.dot(ray.direction)
            guard distance > 0, distance.isFinite else { return nil }
            return Result(
                position: ray.point(at: distance), distance: distance,
                distanceFromRay: toFeature.cross(ray.direction).length, feature: feature)
        }
    }
}

extension FeatureSearch.Result {
    /// The angle at the ray's origin between the ray and the feature.
    fileprivate var angle: Double { atan2(distanceFromRay, distance) }
}
