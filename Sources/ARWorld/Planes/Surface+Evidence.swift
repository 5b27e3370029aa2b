// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Surface {
    /// A point in the level axes, as the fit takes it.
    func sample(_ point: Evidence) -> SurfaceFit.Sample {
        SurfaceFit.Sample(point: levelFromWorld * point.position, variance: point.variance(along: plane.normal))
    }

    /// The squared distance of a point that lies on the surface's plane, in variances; `nil` for one that does not, or that
    /// is not known well enough to say.
    func squaredDistance(of point: Evidence, thickness: Double) -> Double? {
        let distance = plane.signedDistance(to: point.position)
        guard abs(distance) <= thickness else { return nil }
        let variance = point.variance(along: plane.normal) + SurfaceFit.roughness * SurfaceFit.roughness
        let ratio = distance * distance / variance
        // At three standard deviations, one true point in 400 is lost.
        return variance <= thickness * thickness && ratio <= 9 ? ratio : nil
    }

    /// Counts the sight of a point on the other side of the surface against the place where the ray goes through it.
    ///
    /// The point must lie behind by three standard deviations and more than surfaces are thick.
    mutating func countPassage(from camera: Point3, to point: Evidence) {
        let (here, there) = (plane.signedDistance(to: camera), plane.signedDistance(to: point.position))
        guard (here > 0) != (there > 0), abs(there) > 2 * Self.clearance else { return }
        let variance = point.variance(along: plane.normal)
        let margin = abs(there) - Self.clearance
        guard margin * margin > 9 * variance else { return }
        grid.pass(place(of: camera + (here / (here - there)) * (point.position - camera)), to: point.id)
    }

    /// How far behind a surface a point must lie to be behind it, whatever the surface: 2 cm.
    private static let clearance = 0.02

    /// Whether two surfaces are one: coplanar and adjoining, or a hand's breadth apart at most and seen at the same places,
    /// where the front one would hide the other.
    func isSame(as other: Surface, settings: PlaneFinderSettings) -> Bool {
        guard isHorizontal == other.isHorizontal, plane.normal.dot(other.plane.normal) > 0.99 else { return false }
        let middle = other.worldFromLevel * other.pointInLevel(Polygon2(other.outline.corners).centroid ?? .zero)
        let distance = abs(plane.signedDistance(to: middle))
        guard distance <= 2 * settings.thickness else { return false }
        let corners = other.outline.corners.map { place(of: other.worldFromLevel * other.pointInLevel($0)) }
        if distance <= settings.thickness / 2 {
            return corners.contains { outline.isNear($0) }
                || outline.corners.contains {
                    other.outline.contains(other.place(of: worldFromLevel * pointInLevel($0)))
                }
        }
        return sharedEvidence(with: other) > 0.3
    }

    /// The part of another surface's supported cells that hold evidence of this one, too, or lie beside such.
    private func sharedEvidence(with other: Surface) -> Double {
        var (all, shared) = (0, 0)
        for row in 0..<other.grid.rows {
            for column in 0..<other.grid.columns where other.grid.cells[row * other.grid.columns + column].support > 0 {
                let center = other.grid.center(column: column, row: row)
                guard other.outline.contains(center) else { continue }
                all += 1
                let place = place(of: other.worldFromLevel * other.pointInLevel(center))
                let steps = [-grid.cellSize, 0, grid.cellSize]
                if steps.contains(where: { x in
                    steps.contains { z in (grid[place + Vector2(x, z)]?.support ?? 0) > 0 }
                }) {
                    shared += 1
                }
            }
        }
        return all > 0 ? Double(shared) / Double(all) : 0
    }
}

extension PlaneFinder {
    /// A pair of surfaces that are one, the older first, one of them with that index.
    func surfaceToMerge(with index: Int) -> (older: Int, newer: Int)? {
        for other in surfaces.indices where other != index {
            let (older, newer) = (min(index, other), max(index, other))
            if surfaces[older].isSame(as: surfaces[newer], settings: settings) { return (older, newer) }
        }
        return nil
    }
}
