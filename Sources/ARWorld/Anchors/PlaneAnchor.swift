// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A flat surface: its axes, and how far it is known to reach.
///
/// +Y is the normal; X and Z span the plane. The axes stay where they were first put while ``center``, ``extent`` and
/// ``boundary`` follow what is known.
public struct PlaneAnchor: Hashable, Sendable {
    /// How the surface lies against gravity.
    public enum Alignment: String, Hashable, Sendable, CaseIterable {
        /// The normal points up or down.
        case horizontal
        /// The normal lies level.
        case vertical
        /// Neither.
        case slanted
    }

    /// A rectangle about ``center``, as ARKit's `ARPlaneExtent`.
    public struct Extent: Hashable, Sendable {
        /// Metres along the rectangle's own x axis.
        public var width: Double
        /// Metres along the rectangle's own z axis.
        public var height: Double
        /// How far the rectangle is turned about the anchor's +Y, in radians, counter-clockwise seen against it.
        public var rotationOnYAxis: Double

        /// A rectangle of that size.
        public init(width: Double, height: Double, rotationOnYAxis: Double = 0) {
            self.width = width
            self.height = height
            self.rotationOnYAxis = rotationOnYAxis
        }
    }

    /// The same for the anchor's whole life, and in every run of the same session.
    public let identifier: UUID
    /// The name it was given, if any.
    public var name: String?
    /// The anchor's axes in the world.
    public var worldFromAnchor: RigidTransform
    /// The surface's attitude.
    public var alignment: Alignment
    /// What the surface is.
    public var classification: PlaneClassification
    /// How sure that is, from 0 to 1; 1 where it was declared.
    public var classificationConfidence = 1.0
    /// The middle of ``extent``, in the anchor's coordinates; its y is zero.
    public var center: Point3
    /// The rectangle that the surface is known to fill, at most.
    public var extent: Extent
    /// The outline's corners in the anchor's x and z, counter-clockwise seen from above (against +Y).
    public var boundary: [Point2]

    /// A plane with an outline; centre and extent enclose it along the anchor's axes.
    /// Law: `HardHitTests.theExtentHoldsTheBoundary`.
    ///
    /// - Parameter boundary: at least three corners, in the anchor's x and z.
    public init(
        identifier: UUID, name: String? = nil, worldFromAnchor: RigidTransform, boundary: [Point2],
        classification: PlaneClassification = .none
    ) {
        precondition(boundary.count >= 3, "a plane's boundary has at least 3 corners, not \(boundary.count)")
        let low = boundary.dropFirst().reduce(boundary[0]) { pointwiseMin($0, $1) }
        let high = boundary.dropFirst().reduce(boundary[0]) { pointwiseMax($0, $1) }
        let middle = (low + high) / 2
        self.identifier = identifier
        self.name = name
        self.worldFromAnchor = worldFromAnchor
        self.alignment = Alignment(normalInWorld: worldFromAnchor.rotation * Vector3(0, 1, 0))
        self.classification = classification
        self.center = Point3(middle.x, 0, middle.y)
        // Rounded as `extentContains` rounds, so that the rectangle holds every corner.
        let halfSize = pointwiseMax(high - middle, middle - low)
        self.extent = Extent(width: 2 * halfSize.x, height: 2 * halfSize.y)
        self.boundary = boundary
    }

    /// The point of the world that lies on the plane at these x and z of the anchor.
    public func pointInWorld(_ position: Point2) -> Point3 { worldFromAnchor * Point3(position.x, 0, position.y) }

    /// Whether the rectangle of ``extent`` holds a point of the plane, its rim included.
    public func extentContains(_ point: Point2) -> Bool {
        let offset = point - Point2(center.x, center.z)
        let (alongWidth, alongHeight) = extent.axes
        return abs(offset.dot(alongWidth)) <= extent.width / 2 && abs(offset.dot(alongHeight)) <= extent.height / 2
    }

    /// The corners of the rectangle of ``extent`` in the anchor's x and z, in the order of ``boundary``.
    public var extentCorners: [Point2] {
        let (alongWidth, alongHeight) = extent.axes
        let (width, height) = (extent.width / 2 * alongWidth, extent.height / 2 * alongHeight)
        let middle = Point2(center.x, center.z)
        return [middle - width + height, middle + width + height, middle + width - height, middle - width - height]
    }

    /// Whether the outline holds a point of the plane.
    public func boundaryContains(_ point: Point2) -> Bool {
        Polygon2(boundary).contains(point)
    }
}

extension PlaneAnchor.Extent {
    /// The directions of the rectangle's sides in the anchor's x and z. Turning about +Y takes x towards −z.
    fileprivate var axes: (alongWidth: Vector2, alongHeight: Vector2) {
        let (sine, cosine) = (sin(rotationOnYAxis), cos(rotationOnYAxis))
        return (Vector2(cosine, -sine), Vector2(sine, cosine))
    }
}

extension PlaneAnchor.Alignment {
    /// Surfaces within 5° of level or plumb count as horizontal or vertical.
    static let tolerance = 5 * Double.pi / 180

    /// The attitude of a surface with that normal.
    init(normalInWorld normal: Vector3) {
        let elevation = asin(min(1, abs(normal.y)))
        if elevation >= .pi / 2 - Self.tolerance {
            self = .horizontal
        } else if elevation <= Self.tolerance {
            self = .vertical
        } else {
            self = .slanted
        }
    }
}
