// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension Surface {
    /// A point in the level axes, as the fit takes it: the less it weighs, the more points share its cell, because a spot that is
    /// lost and found again is wrong in the same way each time.
    func sample(_ point: Evidence) -> SurfaceFit.Sample {
        let local = levelFromWorld * point.position
        let neighbors = grid[Point2(local.x, local.z)]?.support ?? 0
        let variance = point.parts(ofOwnVarianceAlong: plane.normal).alone
        return SurfaceFit.Sample(point: local, variance: variance, share: 1 / Double(max(1, neighbors)))
    }

    /// Keeps what a point says of the plane that is being forgotten: nothing where it was seen in a world that hung less surely
    /// than what is kept, because such points lie off together, which one by one they do not say.
    ///
    /// The n places of a picture that share a variance s are known together to s + v / n, where each of its own is known to v: one by
    /// one they weigh as places that are known to n s + v. Places that share a cell count as parts of one, for n as for the fit. Of a tracker's
    /// point nobody knows how many share with it: it counts as the only one. Law: `ForgottenPointsTests.placesOfAPictureAreKeptAsOneGroup`.
    mutating func keepWhatWasSaid(by point: Evidence, under errors: WorldErrors) {
        let isUnsurer =
            errors.wander(ofPlaneIn: levelFromWorld, since: point.span, until: former.moment.span) != .zero
        guard !isUnsurer else { return }
        var sample = sample(point)
        let ownVariance = sample.variance + SurfaceFit.roughness * SurfaceFit.roughness
        let shared = point.parts(ofOwnVarianceAlong: plane.normal).together
        sample.share *= ownVariance / (ownVariance + Double(point.companions ?? 1) * sample.share * shared)
        former.add(
            sample, beside: fit, seenAt: point.moment,
            wander: errors.wander(ofPlaneIn: levelFromWorld, from: former.moment, to: point.moment))
    }

    /// Counts the sight of a point on the other side of the surface against the place where the ray goes through it.
    ///
    /// The point must lie behind by three standard deviations and more than surfaces are thick. One point seen in many
    /// frames is one witness: it counts again only where its ray has left the cells in which it counted last.
    ///
    /// - Parameter passages: what the point has been counted for.
    mutating func countPassage(from camera: Point3, to point: Evidence, besides passages: inout [Passage]) {
        let (here, there) = (plane.signedDistance(to: camera), plane.signedDistance(to: point.position))
        guard (here > 0) != (there > 0), abs(there) > 2 * Self.clearance else { return }
        let variance = point.variance(along: plane.normal)
        let margin = abs(there) - Self.clearance
        guard margin * margin > 9 * variance else { return }
        let crossing = place(of: camera + (here / (here - there)) * (point.position - camera))
        guard outline.contains(crossing) else { return }
        let former = passages.firstIndex { $0.surface == number }
        if let former, grid.countsTogether(passages[former].place, crossing) { return }
        if let former { passages.remove(at: former) }
        passages.append(Passage(surface: number, place: crossing))
        grid.pass(crossing)
        changes += 1
    }

    /// How far behind a surface a point must lie to be behind it, whatever the surface: 2 cm.
    private static let clearance = 0.02

    /// Whether two surfaces are one: coplanar and adjoining, one going on as the other, or a hand's breadth apart at most and seen at the
    /// same places, where the front one would hide the other.
    func isSame(as other: Surface, settings: PlaneFinderSettings) -> Bool {
        guard isHorizontal == other.isHorizontal, plane.normal.dot(other.plane.normal) > 0.99 else { return false }
        let middle = other.worldFromLevel * other.pointInLevel(Polygon2(other.outline.corners).centroid ?? .zero)
        let distance = abs(plane.signedDistance(to: middle))
        guard distance <= 2 * settings.thickness else { return false }
        let corners = other.outline.corners.map { place(of: other.worldFromLevel * other.pointInLevel($0)) }
        if distance <= settings.thickness / 2 + 2 * fit.deviation(at: place(of: middle)) {
            return corners.contains { outline.isNear($0) }
                || outline.corners.contains {
                    other.outline.contains(other.place(of: worldFromLevel * pointInLevel($0)))
                }
        }
        return goesOn(into: other, settings: settings) || other.goesOn(into: self, settings: settings)
            || 3 * sharedCells(with: other) > other.outline.supportedCells
    }

    /// Whether another surface begins on this one's plane where this one ends, hardly turned: a wall that was seen askew at first and is
    /// found again farther on. Law: `SurfaceTests.aSurfaceGoesOnWhereAnotherBegins`.
    private func goesOn(into other: Surface, settings: PlaneFinderSettings) -> Bool {
        guard plane.normal.dot(other.plane.normal) > Self.hardlyTurned else { return false }
        return other.outline.corners.contains { corner in
            let point = other.worldFromLevel * other.pointInLevel(corner)
            let place = place(of: point)
            return outline.isNear(place)
                && abs(plane.signedDistance(to: point)) <= settings.thickness / 2 + 2 * fit.deviation(at: place)
        }
    }

    /// The cosine of 2°: a wall that was seen from hardly more than one place may be found half as far askew.
    private static let hardlyTurned = 0.9994

    /// How many of another surface's supported cells have evidence of this one closer than its points are apart from each
    /// other. On one surface half of them have; of a book on a table, only those along its rim may.
    private func sharedCells(with other: Surface) -> Int {
        let radius = Int((outline.spacing / 2 / grid.cellSize).rounded())
        return other.grid.supportedPlaces.count { place in
            guard other.outline.contains(place) else { return false }
            return grid.hasSupport(within: radius, of: self.place(of: other.worldFromLevel * other.pointInLevel(place)))
        }
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
