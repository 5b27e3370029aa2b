// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A ray into the world, and what may stop it: ARKit's `ARRaycastQuery`.
public struct RaycastQuery: Hashable, Sendable {
    /// How a plane's size counts.
    public enum Target: String, Hashable, Sendable, CaseIterable {
        /// Planes inside their boundary polygon.
        case existingPlaneGeometry
        /// Planes without regard to their size.
        case existingPlaneInfinite
    }

    /// Which planes count.
    public enum TargetAlignment: String, Hashable, Sendable, CaseIterable {
        /// Level planes.
        case horizontal
        /// Plumb planes.
        case vertical
        /// All planes.
        case any
    }

    /// The ray, in the world.
    public var ray: Ray
    /// How a plane's size counts.
    public var target: Target
    /// Which planes count.
    public var targetAlignment: TargetAlignment

    /// A query with these conditions.
    public init(ray: Ray, allowing target: Target, alignment: TargetAlignment) {
        self.ray = ray
        self.target = target
        self.targetAlignment = alignment
    }
}

/// What a raycast met: ARKit's `ARRaycastResult`.
public struct RaycastResult: Sendable {
    /// The hit in the world, with the plane's axes: +Y is the surface normal.
    public let worldFromHit: RigidTransform
    /// The target that was asked for.
    public let target: RaycastQuery.Target
    /// The alignment that was asked for.
    public let targetAlignment: RaycastQuery.TargetAlignment
    /// Metres from the ray's origin.
    public let distance: Double
    /// The plane that was hit; `nil` for what is no anchor.
    public let anchor: PlaneAnchor?

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

    /// What the ray meets, nearest first. Nothing is hit while tracking is limited.
    public func raycast(_ query: RaycastQuery) -> [RaycastResult] {
        guard frame.trackingState == .normal else { return [] }
        return planes.filter { query.targetAlignment.accepts($0.alignment) }
            .compactMap { PlaneCrossing(of: query.ray, with: $0) }
            .filter { query.target == .existingPlaneInfinite || $0.plane.boundaryContains($0.point) }
            .map {
                RaycastResult(
                    worldFromHit: $0.plane.worldFromAnchor * $0.anchorFromHit, target: query.target,
                    targetAlignment: query.targetAlignment, distance: $0.distance, anchor: $0.plane)
            }
            .sortedByDistance(\.distance, \.anchor)
    }
}

extension RaycastQuery.TargetAlignment {
    func accepts(_ alignment: PlaneAnchor.Alignment) -> Bool {
        switch self {
        case .any: true
        case .horizontal: alignment == .horizontal
        case .vertical: alignment == .vertical
        }
    }
}
