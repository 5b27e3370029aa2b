// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a ray from the camera met: ARKit's `ARHitTestResult`.
public struct HitTestResult: Sendable {
    /// The kinds of things that a hit test looks for, with ARKit's raw values.
    public struct ResultType: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The feature point that is seen nearest to the ray, within ``FeatureSearch/touchAngle``.
        public static let featurePoint = ResultType(rawValue: 1)
        /// A level surface that the feature points around the ray bear witness to.
        public static let estimatedHorizontalPlane = ResultType(rawValue: 2)
        /// A plumb surface that the feature points around the ray bear witness to.
        public static let estimatedVerticalPlane = ResultType(rawValue: 4)
        /// A plane anchor's plane, without regard to its size.
        public static let existingPlane = ResultType(rawValue: 8)
        /// A plane anchor's plane, inside its extent rectangle.
        public static let existingPlaneUsingExtent = ResultType(rawValue: 16)
        /// A plane anchor's plane, inside its boundary polygon.
        public static let existingPlaneUsingGeometry = ResultType(rawValue: 32)
    }

    /// The one kind that was found: the strictest of those asked for that holds.
    public let type: ResultType
    /// Metres from the camera.
    public let distance: Double
    /// The hit in the world. +Y is the surface normal: that of the plane's axes for an existing plane, towards the camera for
    /// an estimated one. A feature point has the world's axes.
    public let worldFromHit: RigidTransform
    /// The plane that was hit; `nil` for what is no anchor.
    public let anchor: PlaneAnchor?
    /// The hit in the anchor's coordinates, with the anchor's axes; `nil` for what is no anchor.
    public let anchorFromHit: RigidTransform?

    /// ``worldFromHit`` as ARKit's `worldTransform`: the position is `columns.3`.
    public var worldTransform: Matrix4x4 { Matrix4x4(worldFromHit) }

    /// ``anchorFromHit`` as ARKit's `localTransform`.
    public var localTransform: Matrix4x4? { anchorFromHit.map { Matrix4x4($0) } }
}

extension WorldSnapshot {
    /// What the ray through a position of the picture meets: ARKit's `ARFrame.hitTest(_:types:)`.
    ///
    /// First the existing planes, nearest first, each at most once; if there is none, at most one estimated plane; last the
    /// feature point. Nothing is hit while tracking is not normal, behind the camera, along a plane, or where the lens
    /// sees nothing. Both sides of a plane can be hit. Law: `HitTestOrderTests`.
    ///
    /// - Parameter point: a fraction of the picture; positions outside of it are accepted.
    /// - Complexity: with ``HitTestResult/ResultType/existingPlane``, which most planes satisfy, proportional to the number of
    ///   planes; without it, to the number of planes that the ray passes closely.
    public func hitTest(_ point: NormalizedImagePoint, types: HitTestResult.ResultType) -> [HitTestResult] {
        ray(through: point).map { hitTest($0, types: types) } ?? []
    }

    /// What the ray through a point of the view meets: ARKit's `ARSCNView.hitTest(_:types:)`.
    public func hitTest(
        _ point: ViewPoint, in viewport: Viewport, types: HitTestResult.ResultType
    ) -> [HitTestResult] {
        hitTest(NormalizedImagePoint(point, in: viewport, imageSize: frame.imageSize), types: types)
    }

    /// What a ray of the world meets; `distance` counts from the ray's origin.
    public func hitTest(_ ray: Ray, types: HitTestResult.ResultType) -> [HitTestResult] {
        guard frame.trackingState == .normal else { return [] }
        var results = existingPlanes(on: ray, types: types)
        if results.isEmpty, let estimated = estimatedPlane(on: ray, types: types) { results.append(estimated) }
        if types.contains(.featurePoint), let feature = FeatureSearch(frame.featurePoints).touched(by: ray) {
            results.append(HitTestResult(feature: feature.position, on: ray))
        }
        return results
    }

    private func existingPlanes(on ray: Ray, types: HitTestResult.ResultType) -> [HitTestResult] {
        let bounded = types.intersection([.existingPlaneUsingExtent, .existingPlaneUsingGeometry])
        let crossings =
            if types.contains(.existingPlane) {
                planeIndex.crossings(with: ray)
            } else if !bounded.isEmpty {
                planeIndex.crossings(with: ray) { $0.strictestType(among: bounded) != nil }
            } else {
                [PlaneCrossing]()
            }
        return crossings.nearestFirst.compactMap { crossing in
            crossing.strictestType(among: types).map { HitTestResult(crossing, type: $0) }
        }
    }

    private func estimatedPlane(on ray: Ray, types: HitTestResult.ResultType) -> HitTestResult? {
        var alignments: [EstimatedPlane.Alignment] = []
        if types.contains(.estimatedHorizontalPlane) { alignments.append(.horizontal) }
        if types.contains(.estimatedVerticalPlane) { alignments.append(.vertical) }
        return EstimatedPlane(around: ray, features: frame.featurePoints, alignments: alignments).map {
            HitTestResult($0)
        }
    }
}

extension PlaneCrossing {
    /// The strictest of the types that the crossing satisfies.
    func strictestType(among types: HitTestResult.ResultType) -> HitTestResult.ResultType? {
        if types.contains(.existingPlaneUsingGeometry), plane.boundaryContains(point) {
            return .existingPlaneUsingGeometry
        }
        if types.contains(.existingPlaneUsingExtent), plane.extentContains(point) { return .existingPlaneUsingExtent }
        return types.contains(.existingPlane) ? .existingPlane : nil
    }
}

extension HitTestResult {
    fileprivate init(_ crossing: PlaneCrossing, type: ResultType) {
        self.init(
            type: type, distance: crossing.distance, worldFromHit: crossing.worldFromHit, anchor: crossing.plane,
            anchorFromHit: crossing.anchorFromHit)
    }

    fileprivate init(_ plane: EstimatedPlane) {
        self.init(
            type: plane.alignment == .horizontal ? .estimatedHorizontalPlane : .estimatedVerticalPlane,
            distance: plane.distance, worldFromHit: plane.worldFromHit, anchor: nil, anchorFromHit: nil)
    }

    fileprivate init(feature: Point3, on ray: Ray) {
        self.init(
            type: .featurePoint, distance: (feature - ray.origin).length,
            worldFromHit: RigidTransform(translation: feature), anchor: nil, anchorFromHit: nil)
    }
}

extension HitTestResult.ResultType {
    /// ARKit's name of a single type, for example `existingPlaneUsingExtent`.
    public var name: String {
        switch self {
        case .featurePoint: "featurePoint"
        case .estimatedHorizontalPlane: "estimatedHorizontalPlane"
        case .estimatedVerticalPlane: "estimatedVerticalPlane"
        case .existingPlane: "existingPlane"
        case .existingPlaneUsingExtent: "existingPlaneUsingExtent"
        case .existingPlaneUsingGeometry: "existingPlaneUsingGeometry"
        default: "types(\(rawValue))"
        }
    }
}
