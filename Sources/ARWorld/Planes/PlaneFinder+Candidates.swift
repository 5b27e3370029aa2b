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
}

/// How many points lie on a surface, and how many close in front of it or behind it.
struct SideCounts {
    var on = 0
    var beside = 0

    mutating func count(_ side: FittedPlane.Side) {
        switch side {
        case .on: on += 1
        case .beside: beside += 1
        }
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
                candidate.surface.fitted.squaredDistance(of: memory[$0], settings: settings) != nil
            }
            guard candidate.members.count >= settings.fewestPoints else { return nil }
            if isSecond { keepFlatPart(of: &candidate) }
            guard bound(&candidate), candidate.members.count >= settings.fewestPoints else { return nil }
            // What is too small is none, whichever its plane.
            if isSecond, !isLargeEnough(candidate.surface.outline) { return candidate }
            guard fit(&candidate) else { return nil }
        }
        return candidate
    }

    /// Outlines a candidate by its members, and lets go of those outside; false when none make a surface.
    private func bound(_ candidate: inout SurfaceCandidate) -> Bool {
        let surface = candidate.surface
        var grid = SurfaceGrid(cellSize: 2 * settings.cellSize)
        let places = candidate.members.map { surface.place(of: memory[$0].position) }
        grid.makeRoom(for: places)
        for place in places { grid.support(place) }
        guard let outline = SurfaceOutline(grid, reach: settings.reach) else { return false }
        candidate.surface.grid = grid
        candidate.surface.outline = outline
        candidate.members = zip(candidate.members, places).filter { outline.contains($0.1) }.map(\.0)
        return true
    }

    /// Fits a candidate to its members; false when they determine no plane.
    private func fit(_ candidate: inout SurfaceCandidate) -> Bool {
        let surface = candidate.surface
        let groups = groups(of: candidate.members, on: surface)
        guard let fit = surface.fit.refined(to: groups, slopeErrors: slopeErrors(of: surface)) else { return false }
        candidate.surface.fit = fit
        return true
    }

    /// Whether an outline holds enough places with points, and is wide enough.
    private func isLargeEnough(_ outline: SurfaceOutline) -> Bool {
        outline.supportedCells >= settings.fewestPoints && outline.width >= settings.minimumSize
    }

    /// Lets go of members where the surroundings are not flat: where a level plane crosses a wall, or a heap.
    private func keepFlatPart(of candidate: inout SurfaceCandidate) {
        let counts = sidesByPatch(
            of: candidate.surface, seenWithin: Self.present, knownWithin: settings.thickness)
        // Of fewer points chance decides.
        candidate.roughPatches = Set(counts.filter { $1.beside > $1.on && $1.on + $1.beside >= 8 }.keys)
        candidate.members.removeAll { [candidate] in
            candidate.roughPatches.contains(patch(of: memory[$0].position, on: candidate.surface))
        }
    }

    /// For how many seconds a point's place counts as seen now.
    static let present = 3.0

    /// Whether points make a surface rather than lie on a plane by chance.
    mutating func isCredible(_ candidate: SurfaceCandidate) -> Bool {
        let (surface, members) = (candidate.surface, candidate.members)
        // The heading that was tried may have faced the other way than the one that the points make.
        guard surface.plane.signedDistance(to: cameraPlace) > 0, isLargeEnough(surface.outline),
            let rectangle = Polygon2(surface.outline.corners).minimumAreaBoundingRectangle,
            surface.fit.slopeDeviations.max() <= settings.slopeLimit,
            surface.fit.deviation(at: rectangle.center) <= settings.thickness / 3,
            2 * members.count(where: { isRecent(memory[$0], within: Self.present) }) >= members.count
        else { return false }
        let excess = excess(of: candidate)
        if surface.outline.supportedCells >= settings.minimumPoints, excess >= (surface.isHorizontal ? 3 : 4) {
            return true
        }
        return excess >= Self.proposed && isShown(surface)
    }

    /// How many standard deviations make a candidate that pictures are asked about.
    private static let proposed = 2.0

    /// By how many standard deviations more points lie on a candidate than a fair coin gives, of those on it and close beside: at the
    /// rim of clutter as many lie on as beside. Plumb planes are chosen among more, by heading and place. Nothing where there
    /// are not three on for two beside.
    ///
    /// What was seen some seconds ago lies where the tracker's world was then: it must not keep a surface from being found anew
    /// after a correction.
    private func excess(of candidate: SurfaceCandidate) -> Double {
        let surface = candidate.surface
        let counts = sidesByPatch(
            of: surface, seenWithin: Self.present, knownWithin: settings.largestDeviation,
            where: surface.outline.contains)
        let flatParts = counts.filter { !candidate.roughPatches.contains($0.key) }.values
        let (on, beside) = (flatParts.reduce(0) { $0 + $1.on }, flatParts.reduce(0) { $0 + $1.beside })
        guard on > 0, 2 * on >= 3 * beside else { return 0 }
        // A spot that was lost and found again counts once.
        let spots = Double(surface.outline.supportedCells) / Double(candidate.members.count)
        return Double(on - beside) * (spots / Double(on + beside)).squareRoot()
    }

    /// How the points close to a surface lie in each of its patches, of those that were seen lately.
    ///
    /// - Parameters:
    ///   - seconds: how lately.
    ///   - deviation: the standard deviation of the points that are asked, at most.
    ///   - counts: whether a place on the surface counts; all do by default.
    func sidesByPatch(
        of surface: Surface, seenWithin seconds: Double, knownWithin deviation: Double,
        where counts: (Point2) -> Bool = { _ in true }
    ) -> [SIMD2<Int>: SideCounts] {
        let plane = surface.fitted
        var sides: [SIMD2<Int>: SideCounts] = [:]
        for slot in memory.slots(seenWithin: seconds, before: now) {
            guard let side = plane.side(of: memory[slot], largestDeviation: deviation) else { continue }
            let place = plane.place(of: memory[slot].position)
            if counts(place) { sides[patch(at: place), default: SideCounts()].count(side) }
        }
        return sides
    }

    /// The patch of a surface that a point lies over: a few cells wide, a hand's breadth.
    private func patch(of point: Point3, on surface: Surface) -> SIMD2<Int> { patch(at: surface.place(of: point)) }

    /// The patch that holds a place on a surface.
    func patch(at place: Point2) -> SIMD2<Int> {
        let place = place / (4 * settings.cellSize)
        return SIMD2(Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
    }
}
