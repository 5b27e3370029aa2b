// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Stroke {
    /// What is left of the stroke when a disc of its plane is rubbed out: the pieces outside, in order, each a stroke of
    /// its own; the stroke itself where the disc does not reach it, nothing where it holds it all.
    ///
    /// The pieces end on the disc's rim, at points whose stamps and pressures lie between their neighbours'. A pen's
    /// width does not matter: what counts is its middle. Law: `StrokeErasingTests.piecesEndOnTheRim`.
    public func erasing(around center: Point2, radius: Double) -> [Stroke] {
        var pieces: [[Point]] = [[]]
        func isOutside(_ point: Point) -> Bool { (point.position - center).squaredLength > radius * radius }
        for (index, point) in points.enumerated() {
            if index > 0 {
                for part in rimCrossings(points[index - 1].position, point.position, center, radius) {
                    let crossing = points[index - 1].mixed(with: point, part.fraction)
                    if part.isLeaving { pieces.append([crossing]) } else { pieces[pieces.count - 1].append(crossing) }
                }
            }
            if isOutside(point) { pieces[pieces.count - 1].append(point) }
        }
        let isTouched = pieces.count > 1 || pieces[0].count < points.count || points.contains { !isOutside($0) }
        guard isTouched else { return [self] }
        return pieces.filter { !$0.isEmpty }.map { piece in
            var stroke = self
            stroke.points = piece
            stroke.isFilled = false
            return stroke
        }
    }

    /// Where a segment crosses a circle, as parts of its way: the roots of |from + t (to − from) − center|² = radius².
    private func rimCrossings(
        _ from: Point2, _ to: Point2, _ center: Point2, _ radius: Double
    ) -> [(fraction: Double, isLeaving: Bool)] {
        let (way, offset) = (to - from, from - center)
        let (a, b, c) = (way.squaredLength, offset.dot(way), offset.squaredLength - radius * radius)
        let (startsOutside, endsOutside) = (c > 0, (to - center).squaredLength > radius * radius)
        let discriminant = b * b - a * c
        guard a > 0, discriminant > 0 else { return [] }
        let root = discriminant.squareRoot()
        let (entry, exit) = (min(1, max(0, (-b - root) / a)), min(1, max(0, (-b + root) / a)))
        switch (startsOutside, endsOutside) {
        case (true, false): return [(entry, false)]
        case (false, true): return [(exit, true)]
        case (true, true): return entry > 0 && exit < 1 && entry < exit ? [(entry, false), (exit, true)] : []
        case (false, false): return []
        }
    }
}

extension Drawing {
    /// Rubs out everything within a ball, in the world: what a stroke loses is the disc in which the ball meets its plane.
    public mutating func erase(around center: Point3, radius: Double) {
        strokes = strokes.flatMap { stroke in
            let local = stroke.worldFromPlane.inverse * center
            let squaredRadius = radius * radius - local.y * local.y
            guard squaredRadius > 0 else { return [stroke] }
            return stroke.erasing(around: Point2(local.x, local.z), radius: squaredRadius.squareRoot())
        }
    }
}
