// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Polygon2 {
    /// The part of the plane that lies in both of two polygons, as its area and its centre of mass.
    struct Overlap {
        /// In square metres, not negative.
        var area: Double
        /// The centre of mass, or `nil` where there is no overlap.
        var centroid: Point2?
    }

    /// How much two polygons overlap, concave ones too. Neither may cross itself.
    ///
    /// A polygon is the sum of the triangles from one point to its edges, each with the sign of its winding: outside of
    /// the polygon they cancel. Triangles are convex, so that their overlaps are clipped exactly.
    /// Law: `PolygonOverlapTests.overlapAgreesWithChance`.
    /// - Complexity: O(n m).
    func overlap(with other: Polygon2) -> Overlap {
        let (mine, others) = (fan, other.fan)
        var area = 0.0
        var moment = Vector2.zero
        for triangle in mine {
            for otherTriangle in others where triangle.boundsMeet(otherTriangle) {
                let common = triangle.polygon.clipped(to: otherTriangle.polygon)
                guard let centroid = common.centroid else { continue }
                let part = triangle.sign * otherTriangle.sign * common.area
                area += part
                moment += part * centroid
            }
        }
        // What cancels leaves rounding errors.
        guard area > 1e-12 * max(self.area, other.area) else { return Overlap(area: 0, centroid: nil) }
        return Overlap(area: area, centroid: moment / area)
    }

    /// The area of the overlap by the area of both together: 1 for the same polygon, 0 for polygons apart.
    func intersectionOverUnion(with other: Polygon2) -> Double {
        Self.intersectionOverUnion(overlap(with: other).area, area, other.area)
    }

    /// The same from the areas of an overlap and of the two that overlap; 0 where both are empty.
    static func intersectionOverUnion(_ overlap: Double, _ first: Double, _ second: Double) -> Double {
        let union = first + second - overlap
        return union > 0 ? min(1, max(0, overlap / union)) : 0
    }

    /// The triangles from the first corner to each edge; their signs are such that they sum up to the polygon's inside.
    private var fan: [FanTriangle] {
        guard let winding, let apex = vertices.first else { return [] }
        let direction = winding == .counterClockwise ? 1.0 : -1.0
        return edges.compactMap { edge in
            let triangle = Polygon2([apex, edge.start, edge.end])
            guard let turn = triangle.winding else { return nil }
            return FanTriangle(
                polygon: triangle.counterClockwise, sign: turn == .counterClockwise ? direction : -direction)
        }
    }
}

/// One triangle of a polygon's fan.
private struct FanTriangle {
    /// Counter-clockwise.
    let polygon: Polygon2
    /// +1 where it adds to the polygon, −1 where it takes away.
    let sign: Double
    let low, high: Point2

    init(polygon: Polygon2, sign: Double) {
        self.polygon = polygon
        self.sign = sign
        let corners = polygon.vertices
        low = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
        high = corners.reduce(corners[0]) { pointwiseMax($0, $1) }
    }

    func boundsMeet(_ other: FanTriangle) -> Bool {
        low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y
    }
}
