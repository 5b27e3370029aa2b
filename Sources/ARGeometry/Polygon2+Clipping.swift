// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// One side of a line in a plane, the line included: the points with `normal · point ≤ offset`.
public struct HalfPlane2: Hashable, Sendable {
    /// The direction out of the half-plane, of any length but zero.
    public var normal: Vector2
    /// The line is where `normal · point` has this value.
    public var offset: Double

    /// The half-plane with that outward normal.
    @inlinable public init(normal: Vector2, offset: Double) {
        self.normal = normal
        self.offset = offset
    }

    /// The points to the left of the line from `start` to `end`.
    @inlinable public init(leftOf start: Point2, _ end: Point2) {
        normal = -(end - start).perpendicular
        offset = normal.dot(start)
    }

    /// Positive outside, negative inside; a distance when the normal has length one.
    @inlinable public func excess(of point: Point2) -> Double { normal.dot(point) - offset }
}

extension Polygon2 {
    /// The part of the polygon in the half-plane; without corners when there is none.
    ///
    /// Where the cut of a concave polygon falls apart, the parts stay joined by edges along the line that enclose
    /// nothing: areas and containment of inner points are right, simplicity may be lost.
    /// - Reference: Sutherland, Hodgman 1974, "Reentrant polygon clipping". Law: `Polygon2Tests.clipArea`.
    public func clipped(to halfPlane: HalfPlane2) -> Polygon2 {
        var kept: [Point2] = []
        kept.reserveCapacity(vertices.count + 2)
        for edge in edges {
            let startExcess = halfPlane.excess(of: edge.start)
            let endExcess = halfPlane.excess(of: edge.end)
            if startExcess <= 0 { kept.append(edge.start) }
            if (startExcess < 0 && endExcess > 0) || (startExcess > 0 && endExcess < 0) {
                let fraction = startExcess / (startExcess - endExcess)
                kept.append(edge.start + fraction * (edge.end - edge.start))
            }
        }
        return Polygon2(kept.count < 3 ? [] : kept)
    }

    /// The part of the polygon inside a convex polygon, which must run counter-clockwise.
    ///
    /// The same remark on concave polygons as for ``clipped(to:)-(HalfPlane2)`` holds.
    public func clipped(to convex: Polygon2) -> Polygon2 {
        convex.edges.reduce(self) { part, edge in
            edge.start == edge.end ? part : part.clipped(to: HalfPlane2(leftOf: edge.start, edge.end))
        }
    }
}
