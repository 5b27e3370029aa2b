// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension PlaneFinder {
    /// Notes what there is to tell of a surface.
    mutating func report(_ index: Int) {
        if surfaces[index].reported == nil { surfaces[index].placeAnchor() }
        let anchor = surfaces[index].anchor(of: kind(of: index))
        if surfaces[index].reported.map(anchor.differsVisibly(from:)) ?? true { surfaces[index].news = anchor }
    }
}

extension Surface {
    /// Puts the anchor's axes into the middle of what is known, a level surface's along its rectangle.
    fileprivate mutating func placeAnchor() {
        guard let rectangle = Polygon2(outline.corners).minimumAreaBoundingRectangle else { return }
        anchorPlace = rectangle.center
        anchorHeading = isHorizontal ? atan2(-rectangle.axis.y, rectangle.axis.x) : 0
        // The plane's slopes move the middle a little.
        for _ in 0..<2 {
            let anchor = anchor(of: SurfaceKind())
            anchorPlace = place(of: anchor.worldFromAnchor * anchor.center)
        }
    }

    fileprivate func anchor(of kind: SurfaceKind) -> PlaneAnchor {
        let worldFromAnchor = worldFromAnchor
        let anchorFromLevel = worldFromAnchor.inverse * worldFromLevel
        let boundary = outline.corners.map {
            let corner = anchorFromLevel * pointInLevel($0)
            return Point2(corner.x, corner.z)
        }
        var anchor = PlaneAnchor(
            identifier: UUID(name: "plane \(number)"), worldFromAnchor: worldFromAnchor, boundary: boundary,
            classification: kind.classification)
        anchor.classificationConfidence = kind.confidence
        anchor.alignment = isHorizontal ? .horizontal : .vertical
        // A plumb surface's rectangle stays level.
        if isHorizontal { anchor.encloseBoundary(turnedAs: reported?.extent.rotationOnYAxis ?? 0) }
        return anchor
    }
}

extension PlaneAnchor {
    /// Sets centre and extent to a rectangle about the boundary: turned as before, unless one of another attitude is
    /// smaller by a tenth.
    fileprivate mutating func encloseBoundary(turnedAs rotation: Double) {
        let outline = Polygon2(boundary)
        guard let smallest = outline.minimumAreaBoundingRectangle else { return }
        var rectangle = OrientedRectangle(enclosing: outline, axis: Vector2(cos(rotation), -sin(rotation)))
        var turn = rotation
        if smallest.area < 0.9 * rectangle.area {
            // Of the four ways to name a rectangle's axes the one that is nearest to the turn before.
            let found = atan2(-smallest.axis.y, smallest.axis.x)
            turn = found + ((rotation - found) / (.pi / 2)).rounded() * (.pi / 2)
            rectangle = OrientedRectangle(enclosing: outline, axis: Vector2(cos(turn), -sin(turn)))
        }
        center = Point3(rectangle.center.x, 0, rectangle.center.y)
        extent = Extent(
            width: 2 * rectangle.halfExtents.x, height: 2 * rectangle.halfExtents.y,
            rotationOnYAxis: turn)
    }

    /// Whether an app would want to know: a change of half a millimetre or more.
    fileprivate func differsVisibly(from other: PlaneAnchor) -> Bool {
        guard classification == other.classification, boundary.count == other.boundary.count else { return true }
        let corners = zip(boundary.map(pointInWorld), other.boundary.map(other.pointInWorld))
        return corners.contains { ($0 - $1).squaredLength > 0.0005 * 0.0005 }
    }
}

extension OrientedRectangle {
    /// The rectangle along a unit direction that holds all corners of a polygon.
    fileprivate init(enclosing polygon: Polygon2, axis: Vector2) {
        var (low, high) = (Vector2(repeating: .infinity), Vector2(repeating: -.infinity))
        for corner in polygon.vertices {
            let place = Vector2(axis.dot(corner), axis.perpendicular.dot(corner))
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        let middle = (low + high) / 2
        self.init(
            center: middle.x * axis + middle.y * axis.perpendicular, axis: axis, halfExtents: (high - low) / 2)
    }
}
