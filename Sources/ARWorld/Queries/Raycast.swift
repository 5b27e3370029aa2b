// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A ray into the world, and what may stop it: ARKit's `ARRaycastQuery`.
public struct RaycastQuery: Hashable, Sendable {
    /// What may stop the ray.
    public enum Target: String, Hashable, Sendable, CaseIterable {
        /// Planes inside their boundary polygon.
        case existingPlaneGeometry
        /// Planes without regard to their size.
        case existingPlaneInfinite
        /// Any surface: planes inside their boundary polygon, with alignment `any` also the mesh of the world, and where
        /// the ray meets neither, the surface that the feature points bear witness to.
        case estimatedPlane
    }

    /// Which surfaces count.
    public enum TargetAlignment: String, Hashable, Sendable, CaseIterable {
        /// Level ones.
        case horizontal
        /// Plumb ones.
        case vertical
        /// All.
        case any
    }

    /// The ray, in the world.
    public var ray: Ray
    /// What may stop the ray.
    public var target: Target
    /// Which surfaces count.
    public var targetAlignment: TargetAlignment

    /// A query with these conditions.
    public init(ray: Ray, allowing target: Target, alignment: TargetAlignment) {
        self.ray = ray
        self.target = target
        self.targetAlignment = alignment
    }

    /// The same query in a world whose coordinates changed.
    func moved(by correction: WorldCorrection) -> RaycastQuery {
        RaycastQuery(ray: correction.worldFromOldWorld * ray, allowing: target, alignment: targetAlignment)
    }
}

/// What a raycast met: ARKit's `ARRaycastResult`.
public struct RaycastResult: Hashable, Sendable {
    /// The hit in the world. +Y is the surface normal: that of the plane's axes for an existing plane, towards the ray's
    /// origin for other surfaces.
    public let worldFromHit: RigidTransform
    /// The target that was asked for.
    public let target: RaycastQuery.Target
    /// The alignment that was asked for.
    public let targetAlignment: RaycastQuery.TargetAlignment
    /// Metres from the ray's origin.
    public let distance: Double
    /// The plane that was hit; `nil` for what is no anchor.
    public let anchor: PlaneAnchor?
    /// Whether the surface was estimated from the frame's feature points, anew in each frame.
    public internal(set) var isEstimated = false

    /// ``worldFromHit`` as ARKit's `worldTransform`: the position is `columns.3`.
    public var worldTransform: Matrix4x4 { Matrix4x4(worldFromHit) }
}

extension WorldSnapshot {
    /// The query for the ray through a position of the picture: ARKit's `ARFrame.raycastQuery`. `nil` where the lens
    /// sees nothing.
    public func raycastQuery(
        from point: NormalizedImagePoint, allowing target: RaycastQuery.Target,
        alignment: RaycastQuery.TargetAlignment
    ) -> RaycastQuery? {
        ray(through: point).map { RaycastQuery(ray: $0, allowing: target, alignment: alignment) }
    }

    /// The query for the ray through a point of the view: ARKit's `ARSCNView.raycastQuery`. `nil` where the lens sees
    /// nothing.
    public func raycastQuery(
        from point: ViewPoint, in viewport: Viewport, allowing target: RaycastQuery.Target,
        alignment: RaycastQuery.TargetAlignment
    ) -> RaycastQuery? {
        ray(through: point, in: viewport).map { RaycastQuery(ray: $0, allowing: target, alignment: alignment) }
    }

    /// What the ray meets, nearest first. Nothing is hit while tracking is not normal.
    public func raycast(_ query: RaycastQuery) -> [RaycastResult] {
        guard frame.trackingState == .normal else { return [] }
        let planes = existingPlanes(for: query)
        guard query.target == .estimatedPlane else { return planes }
        var results = planes
        if query.targetAlignment == .any, let hit = mesh?.nearestHit(of: query.ray) {
            let place = results.firstIndex { $0.distance > hit.distance } ?? results.endIndex
            results.insert(RaycastResult(query, distance: hit.distance, worldFromHit: hit.worldFromHit), at: place)
        }
        if results.isEmpty, let estimated = estimatedPlane(for: query) {
            var result = RaycastResult(query, distance: estimated.distance, worldFromHit: estimated.worldFromHit)
            result.isEstimated = true
            results.append(result)
        }
        return results
    }

    /// The nearest triangle of the world's mesh that the ray meets; `nil` where no mesh is known and while tracking is not
    /// normal.
    public func meshHit(_ ray: Ray) -> WorldMesh.Hit? {
        frame.trackingState == .normal ? mesh?.nearestHit(of: ray) : nil
    }

    /// The nearest triangle of the world's mesh that the view shows at a point.
    public func meshHit(_ point: ViewPoint, in viewport: Viewport) -> WorldMesh.Hit? {
        ray(through: point, in: viewport).flatMap(meshHit)
    }

    private func existingPlanes(for query: RaycastQuery) -> [RaycastResult] {
        let crossings =
            query.target == .existingPlaneInfinite
            ? planeIndex.crossings(with: query.ray)
            : planeIndex.crossings(with: query.ray) { $0.plane.boundaryContains($0.point) }
        return crossings.filter { query.targetAlignment.accepts($0.plane.alignment) }.nearestFirst.map {
            RaycastResult(query, distance: $0.distance, worldFromHit: $0.worldFromHit, anchor: $0.plane)
        }
    }

    private func estimatedPlane(for query: RaycastQuery) -> EstimatedPlane? {
        let alignments: [EstimatedPlane.Alignment] =
            switch query.targetAlignment {
            case .horizontal: [.horizontal]
            case .vertical: [.vertical]
            case .any: [.horizontal, .vertical]
            }
        return EstimatedPlane(around: query.ray, features: frame.featurePoints, alignments: alignments)
    }
}

extension RaycastQuery.TargetAlignment {
    fileprivate func accepts(_ alignment: PlaneAnchor.Alignment) -> Bool {
        switch self {
        case .any: true
        case .horizontal: alignment == .horizontal
        case .vertical: alignment == .vertical
        }
    }
}

extension RaycastResult {
    fileprivate init(
        _ query: RaycastQuery, distance: Double, worldFromHit: RigidTransform, anchor: PlaneAnchor? = nil
    ) {
        self.init(
            worldFromHit: worldFromHit, target: query.target, targetAlignment: query.targetAlignment,
            distance: distance, anchor: anchor)
    }
}
