// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What may become a surface.
struct SurfaceCandidate {
    var surface: Surface
    /// The slots of the points that make it.
    var members: [Int] = []
    /// Patches of it that are known not to be flat.
    var roughPatches: Set<SIMD2<Int>> = []

    /// The patch of a point, a few cells wide.
    func patch(of point: Point3) -> SIMD2<Int> {
        let place = surface.place(of: point) / (2 * surface.grid.cellSize)
        return SIMD2(Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
    }
}

extension PlaneFinder {
    /// The surface that some of the points make near the level plane of some axes, the largest; `nil` when they are too few.
    func candidate(of slots: [Int], in axes: RigidTransform, isHorizontal: Bool) -> SurfaceCandidate? {
        // Coarse cells will do, until it is known whether there is a surface.
        let surface = Surface(isHorizontal: isHorizontal, worldFromLevel: axes, cellSize: 2 * settings.cellSize)
        var candidate = SurfaceCandidate(surface: surface)
        for isSecond in [false, true] {
            candidate.members = slots.filter {
                candidate.surface.squaredDistance(of: memory[$0], thickness: settings.thickness) != nil
            }
            guard candidate.members.count >= settings.fewestPoints else { return nil }
            if isSecond { keepFlatPart(of: &candidate) }
            guard settle(&candidate), candidate.members.count >= settings.fewestPoints else { return nil }
        }
        return candidate
    }

    /// Outlines and fits a candidate by its members, and lets go of those outside; false when none make a surface.
    private func settle(_ candidate: inout SurfaceCandidate) -> Bool {
        var surface = candidate.surface
        surface.grid = SurfaceGrid(cellSize: 2 * settings.cellSize)
        for slot in candidate.members { surface.grid.support(surface.place(of: memory[slot].position)) }
        guard let outline = SurfaceOutline(surface.grid, reach: settings.reach) else { return false }
        surface.outline = outline
        candidate.members.removeAll { !outline.contains(surface.place(of: memory[$0].position)) }
        let samples = candidate.members.map { surface.sample(memory[$0], at: now) }
        let slopeErrors = Surface.slopeErrors(
            isHorizontal: surface.isHorizontal, levelError: settings.levelError)
        guard let fit = surface.fit.refined(to: samples, slopeErrors: slopeErrors) else { return false }
        surface.fit = fit
        candidate.surface = surface
        return true
    }

    /// Lets go of members where the surroundings are not flat: where a level plane crosses a wall, or a heap.
    private func keepFlatPart(of candidate: inout SurfaceCandidate) {
        var counts: [SIMD2<Int>: (on: Int, beside: Int)] = [:]
        for point in memory.points where isRecent(point, within: Self.present) {
            guard let side = candidate.surface.side(of: point, thickness: settings.thickness) else { continue }
            let patch = candidate.patch(of: point.position)
            if side == .on {
                counts[patch, default: (0, 0)].on += 1
            } else {
                counts[patch, default: (0, 0)].beside += 1
            }
        }
        // Of fewer points chance decides.
        candidate.roughPatches = Set(counts.filter { $1.beside > $1.on && $1.on + $1.beside >= 8 }.keys)
        candidate.members.removeAll { [candidate] in
            candidate.roughPatches.contains(candidate.patch(of: memory[$0].position))
        }
    }

    /// For how many seconds a point's place counts as seen now.
    static let present = 3.0

    /// Whether points make a surface rather than lie on a plane by chance.
    mutating func isCredible(_ candidate: SurfaceCandidate) -> Bool {
        let (surface, members) = (candidate.surface, candidate.members)
        guard surface.outline.supportedCells >= settings.fewestPoints,
            let rectangle = Polygon2(surface.outline.corners).minimumAreaBoundingRectangle,
            2 * min(rectangle.halfExtents.x, rectangle.halfExtents.y) >= settings.minimumSize,
            surface.fit.slopeDeviations.max() <= settings.slopeLimit,
            surface.fit.deviation(at: rectangle.center) <= settings.thickness / 3,
            2 * members.count(where: { isRecent(memory[$0], within: Self.present) }) >= members.count
        else { return false }
        // What was seen longer ago lies where the tracker's world was then: it must not keep a surface from being found anew
        // after a correction.
        let (on, beside) = pointsOnAndBeside(surface) {
            isRecent($0, within: Self.present) && !candidate.roughPatches.contains(candidate.patch(of: $0.position))
        }
        guard 2 * on >= 3 * beside else { return false }
        // By some standard deviations more on than beside than a fair coin gives: at the rim of clutter as many points lie on
        // as beside. Plumb planes are chosen among more, by heading and place. A spot that was lost and found again counts
        // once.
        let excess = Double(on - beside)
        let spots = Double(surface.outline.supportedCells) / Double(members.count)
        let squaredDeviations = excess * excess * spots / Double(on + beside)
        let needed = surface.isHorizontal ? 3.0 : 4.0
        if surface.outline.supportedCells >= settings.minimumPoints, squaredDeviations >= needed * needed {
            return true
        }
        return squaredDeviations >= Self.proposed * Self.proposed && isShown(surface)
    }

    /// How many standard deviations make a candidate that pictures are asked about.
    private static let proposed = 2.0

    /// How many of the points over a surface's outline lie on it, and how many close in front of it and behind it, of those
    /// that count.
    func pointsOnAndBeside(_ surface: Surface, where counts: (Evidence) -> Bool) -> (on: Int, beside: Int) {
        var (on, beside) = (0, 0)
        for point in memory.points {
            guard let side = surface.side(of: point, thickness: settings.thickness),
                surface.outline.contains(surface.place(of: point.position)), counts(point)
            else { continue }
            if side == .on { on += 1 } else { beside += 1 }
        }
        return (on, beside)
    }
}
