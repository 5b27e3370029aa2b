// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Closed figures, all clockwise as seen in a picture, so that those which overlap in a path are united.
extension VectorPath {
    /// A figure with straight sides, in whatever order its corners are given.
    static func polygon(_ corners: [Point2]) -> VectorPath {
        let isClockwise = Polygon2(corners).signedArea >= 0
        return polyline(isClockwise ? corners + corners.prefix(1) : corners.reversed() + corners.suffix(1))
    }

    /// Straight lines from place to place.
    static func polyline(_ places: [Point2]) -> VectorPath {
        var path = VectorPath()
        for (index, place) in places.enumerated() {
            if index == 0 { path.move(to: place) } else { path.line(to: place) }
        }
        return path
    }

    /// An upright rectangle.
    static func rectangle(_ minimum: Point2, _ maximum: Point2) -> VectorPath {
        .polygon([minimum, Point2(maximum.x, minimum.y), maximum, Point2(minimum.x, maximum.y)])
    }

    /// An upright rectangle with quarter circles for corners.
    static func rectangle(_ minimum: Point2, _ maximum: Point2, cornerRadius radius: Double) -> VectorPath {
        let corners: [(corner: Point2, towards: Vector2)] = [
            (minimum, Vector2(0, 1)), (Point2(maximum.x, minimum.y), Vector2(-1, 0)), (maximum, Vector2(0, -1)),
            (Point2(minimum.x, maximum.y), Vector2(1, 0)),
        ]
        var path = VectorPath()
        for (index, side) in corners.enumerated() {
            // One comes along a side, turns right around the corner, and leaves along the next one.
            let start = side.corner + radius * side.towards
            let end = side.corner - radius * side.towards.perpendicular
            if index == 0 { path.move(to: start) } else { path.line(to: start) }
            path.cubic(control(start, side.corner), control(end, side.corner), to: end)
        }
        path.line(to: minimum + Vector2(0, radius))
        return path
    }

    /// A circle.
    static func circle(_ center: Point2, radius: Double) -> VectorPath {
        ellipse(center, radii: Vector2(radius, radius))
    }

    /// An upright ellipse.
    static func ellipse(_ center: Point2, radii: Vector2) -> VectorPath {
        let ends = [Vector2(1, 0), Vector2(0, 1), Vector2(-1, 0), Vector2(0, -1), Vector2(1, 0)]
        var path = VectorPath()
        path.move(to: center + radii * ends[0])
        for (start, end) in zip(ends, ends.dropFirst()) {
            path.cubic(
                center + radii * (start + quarterCircle * end), center + radii * (end + quarterCircle * start),
                to: center + radii * end)
        }
        return path
    }

    /// A figure whose corners lie at given distances around the origin, evenly spread; the first one is at the top.
    static func rosette(_ radii: [Double]) -> VectorPath {
        .polygon(
            radii.enumerated().map { index, radius in
                let angle = 2 * Double.pi * Double(index) / Double(radii.count)
                return Point2(radius * sin(angle), -radius * cos(angle))
            })
    }

    /// A star with its points at distance one from the origin.
    static func star(points: Int, inner: Double) -> VectorPath {
        rosette((0..<(2 * points)).map { $0 % 2 == 0 ? 1 : inner })
    }

    private static func control(_ end: Point2, _ corner: Point2) -> Point2 { end + quarterCircle * (corner - end) }
}

extension AffineTransform2D {
    /// Scales, turns clockwise as seen in a picture (y down), and moves the origin to a place.
    static func placing(at place: Point2, scale: Double, turn: Double = 0) -> AffineTransform2D {
        let (cosine, sine) = (scale * cos(turn), scale * sin(turn))
        return AffineTransform2D(a: cosine, b: sine, c: -sine, d: cosine, tx: place.x, ty: place.y)
    }
}
