// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension Stroke {
    /// The stroke with fewer points: those left out lie within `tolerance` metres of the line that is left and draw no
    /// wider or thinner there than by twice that; the line that is left lies within `tolerance` of the line before.
    ///
    /// The first and the last point stay, and so do all points where the pen turns by more than `cornerAngle`, in radians,
    /// whose neighbours are farther away than the tolerance: corners stay sharp. Points that stay keep their stamps.
    /// Laws: `StrokeSimplificationTests.whatIsLeftOutLiesNear`, `cornersStay`.
    /// - Complexity: O(n).
    public func simplified(tolerance: Double, cornerAngle: Double = .pi / 4) -> Stroke {
        precondition(tolerance > 0 && tolerance.isFinite, "a tolerance must be above zero, not \(tolerance)")
        var kept: [Point] = []
        var start = 0
        for end in points.indices
        where end > start && (end == points.count - 1 || isCorner(end, cornerAngle, tolerance)) {
            let part = points[start...end].map { PenPath.Point(position: $0.position, radius: width * $0.pressure / 2) }
            kept += PenPath(points: part).keptIndices(tolerance: tolerance).dropLast().map { points[start + $0] }
            start = end
        }
        var stroke = self
        stroke.points = kept + points.suffix(1)
        return stroke
    }

    private func isCorner(_ index: Int, _ angle: Double, _ tolerance: Double) -> Bool {
        let (before, after) = (
            points[index].position - points[index - 1].position, points[index + 1].position - points[index].position
        )
        guard min(before.length, after.length) > tolerance, let a = before.normalized(), let b = after.normalized()
        else { return false }
        // |b − a| is twice the sine of half the turn.
        return (b - a).squaredLength > 2 - 2 * cos(angle)
    }

    /// The stroke drawn anew along a smooth curve through its points, with points `spacing` metres apart.
    public func smoothed(spacing: Double, cornerAngle: Double = .pi / 3) -> Stroke {
        precondition(spacing >= 1e-6, "points cannot be \(spacing) m apart: the least spacing is 1e-6 m")
        var stroke = self
        stroke.points = StrokeBuilder.points(
            through: points, spacing: spacing, path: .curve(cornerAngle: cornerAngle))
        return stroke
    }
}
