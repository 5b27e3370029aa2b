// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a ray from the camera met.
public struct HitTestResult: Sendable {
    /// The kinds of things that a hit test looks for, with ARKit's raw values.
    public struct ResultType: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

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
    /// The hit in the world. +Y is the surface normal; the hit of an existing plane has the plane's axes.
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
    /// What the ray through a position of the picture meets, nearest first: ARKit's `ARFrame.hitTest(_:types:)`.
    ///
    /// Each plane gives one result. Nothing is hit while tracking is limited, behind the camera, along a plane, or
    /// where the lens sees nothing. Both sides of a plane can be hit.
    ///
    /// - Parameter point: a fraction of the picture; positions outside of it are accepted.
    public func hitTest(_ point: NormalizedImagePoint, types: HitTestResult.ResultType) -> [HitTestResult] {
        ray(through: point).map { hitTest($0, types: types) } ?? []
    }

    /// What the ray through a point of the view meets: ARKit's `ARSCNView.hitTest(_:types:)`.
    public func hitTest(
        _ point: ViewPoint, in viewport: Viewport, types: HitTestResult.ResultType
    ) -> [HitTestResult] {
        hitTest(NormalizedImagePoint(point, in: viewport, imageSize: frame.imageSize), types: types)
    }

    /// What a ray of the world meets, nearest first; `distance` counts from the ray's origin.
    public func hitTest(_ ray: Ray, types: HitTestResult.ResultType) -> [HitTestResult] {
        guard frame.trackingState == .normal else { return [] }
        return planes.compactMap { hit($0, with: ray, types: types) }.sortedByDistance(\.distance, \.anchor)
    }

    private func hit(_ plane: PlaneAnchor, with ray: Ray, types: HitTestResult.ResultType) -> HitTestResult? {
        guard let crossing = PlaneCrossing(of: ray, with: plane),
            let type = strictestType(of: crossing, among: types)
        else { return nil }
        return HitTestResult(
            type: type, distance: crossing.distance, worldFromHit: plane.worldFromAnchor * crossing.anchorFromHit,
            anchor: plane, anchorFromHit: crossing.anchorFromHit)
    }

    private func strictestType(
        of crossing: PlaneCrossing, among types: HitTestResult.ResultType
    ) -> HitTestResult.ResultType? {
        if types.contains(.existingPlaneUsingGeometry), crossing.plane.boundaryContains(crossing.point) {
            return .existingPlaneUsingGeometry
        }
        if types.contains(.existingPlaneUsingExtent), crossing.plane.extentContains(crossing.point) {
            return .existingPlaneUsingExtent
        }
        return types.contains(.existingPlane) ? .existingPlane : nil
    }
}

/// Where a ray crosses a plane anchor's plane.
struct PlaneCrossing {
    let plane: PlaneAnchor
    /// The crossing in the anchor's x and z.
    let point: Point2
    /// Metres along the ray.
    let distance: Double

    /// The crossing with the anchor's axes.
    var anchorFromHit: RigidTransform { RigidTransform(translation: Point3(point.x, 0, point.y)) }

    /// The crossing, or `nil` for a ray along the plane or away from it.
    init?(of ray: Ray, with plane: PlaneAnchor) {
        let anchorFromWorld = plane.worldFromAnchor.inverse
        let origin = anchorFromWorld * ray.origin
        let direction = anchorFromWorld.rotation * ray.direction
        guard abs(direction.y) > 1e-12 else { return nil }
        let distance = -origin.y / direction.y
        guard distance >= 0, distance.isFinite else { return nil }
        self.plane = plane
        self.point = Point2(origin.x + distance * direction.x, origin.z + distance * direction.z)
        // Minus zero, where the ray starts on the plane, becomes zero.
        self.distance = distance + 0
    }
}

extension Array {
    /// Nearest first; equal distances in the order of the anchors' identifiers, so that the order never wavers.
    func sortedByDistance(_ distance: (Element) -> Double, _ anchor: (Element) -> PlaneAnchor?) -> [Element] {
        sorted {
            let (a, b) = (distance($0), distance($1))
            return a != b ? a < b : anchor($0)?.identifier.uuidString ?? "" < anchor($1)?.identifier.uuidString ?? ""
        }
    }
}

extension HitTestResult.ResultType {
    /// ARKit's name of a single type, for example `existingPlaneUsingExtent`.
    public var name: String {
        switch self {
        case .existingPlane: "existingPlane"
        case .existingPlaneUsingExtent: "existingPlaneUsingExtent"
        case .existingPlaneUsingGeometry: "existingPlaneUsingGeometry"
        default: "types(\(rawValue))"
        }
    }
}
