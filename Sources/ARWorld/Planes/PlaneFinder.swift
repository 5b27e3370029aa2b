// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARTracking
import Foundation

/// Finds level and plumb planes in the points that tracked frames show.
///
/// Gravity is known, so that a level plane is a height at which many points lie, and a plumb one a line in the plan.
/// Points are remembered by their latest estimates (``EvidenceMemory``); each either lies on a surface or is free. Free
/// points make new surfaces (`search…`), points on a surface make its plane (``SurfaceFit``) and its outline
/// (``SurfaceOutline``), and points behind it, seen through it, open it. A frame costs the same in a session's first minute as in its
/// last: the points of the frame are sorted in, one surface is looked after, and now and then new ones are searched for.
///
/// Nothing is learned and nothing changes while tracking is not normal.
public struct PlaneFinder: Sendable {
    let settings: PlaneFinderSettings
    var memory: EvidenceMemory
    /// In the order of their numbers.
    var surfaces: [Surface] = []
    var findings = PlaneFindings()
    var random: SeededRandom
    var cameraPlace = Point3.zero
    private var frame = 0
    private var surfacesFound = 0

    /// A finder that has seen nothing.
    public init(settings: PlaneFinderSettings = PlaneFinderSettings()) {
        self.settings = settings
        memory = EvidenceMemory(capacity: settings.memory)
        random = SeededRandom(seed: settings.seed, purpose: "vertical planes")
    }

    /// Learns from a frame. What it changes is told once.
    public mutating func update(with trackedFrame: TrackedFrame) -> PlaneFindings {
        guard trackedFrame.trackingState == .normal else { return PlaneFindings() }
        frame += 1
        cameraPlace = trackedFrame.worldFromCamera.translation
        for point in trackedFrame.featurePoints { observe(point) }
        lookAfterNextSurface()
        switch frame % Self.searchInterval {
        case 0: searchLevelPlanes()
        case Self.searchInterval / 2: searchPlumbPlanes()
        default: break
        }
        defer { findings = PlaneFindings() }
        return findings
    }

    /// In how many frames each kind of plane is searched for once.
    private static let searchInterval = 6

    // MARK: - Points

    private mutating func observe(_ landmark: EstimatedLandmark) {
        if let slot = memory.slot(of: landmark.id) { release(slot) }
        let slot = memory.remember(landmark, frame: frame)
        if let index = bestSurface(for: memory[slot]) { assign(slot, to: index) }
        for index in surfaces.indices { surfaces[index].countPassage(from: cameraPlace, to: memory[slot]) }
    }

    /// The surface that a point lies on: where its distance is smallest beside its standard deviation.
    private func bestSurface(for point: Evidence) -> Int? {
        var best: (index: Int, ratio: Double)?
        for index in surfaces.indices {
            guard let ratio = surfaces[index].squaredDistance(of: point, thickness: settings.thickness),
                ratio < best?.ratio ?? .infinity,
                surfaces[index].outline.isNear(surfaces[index].place(of: point.position))
            else { continue }
            best = (index, ratio)
        }
        return best?.index
    }

    /// Makes a point speak for a surface.
    mutating func assign(_ slot: Int, to index: Int) {
        memory[slot].owner = surfaces[index].number
        surfaces[index].grid.support(surfaces[index].place(of: memory[slot].position))
        surfaces[index].changes += 1
    }

    /// Makes a point free.
    mutating func release(_ slot: Int) {
        guard let owner = memory[slot].owner else { return }
        memory[slot].owner = nil
        guard let index = surfaces.firstIndex(where: { $0.number == owner }) else { return }
        surfaces[index].grid.withdraw(surfaces[index].place(of: memory[slot].position))
        surfaces[index].changes += 1
    }

    // MARK: - Surfaces

    /// Takes a new surface in, with the points that made it.
    mutating func add(_ surface: Surface, members: [Int]) {
        surfacesFound += 1
        var surface = surface
        surface.number = surfacesFound
        surface.grid = SurfaceGrid(cellSize: settings.cellSize)
        surfaces.append(surface)
        for slot in members { assign(slot, to: surfaces.count - 1) }
        report(surfaces.count - 1)
    }

    private mutating func lookAfterNextSurface() {
        let due = surfaces.indices.filter { surfaces[$0].changes > 0 }
        guard let index = due.min(by: { surfaces[$0].lastUpkeep < surfaces[$1].lastUpkeep }) else { return }
        surfaces[index].lastUpkeep = frame
        surfaces[index].changes = 0
        lookAfter(index)
    }

    /// Fits a surface anew and traces its outline; lets go of what does not belong to it; and of the surface itself where
    /// too little is left or where it is a part of an older one.
    private mutating func lookAfter(_ index: Int) {
        refit(index)
        guard let outline = SurfaceOutline(surfaces[index].grid, reach: settings.reach),
            2 * outline.support >= settings.minimumPoints
        else { return remove(index) }
        surfaces[index].outline = outline
        for slot in memory.slots where memory[slot].owner == surfaces[index].number {
            if !outline.contains(surfaces[index].place(of: memory[slot].position)) { release(slot) }
        }
        surfaces[index].changes = 0
        let (on, beside) = pointsOnAndBeside(surfaces[index])
        guard on >= beside else { return remove(index) }
        if let (older, newer) = surfaceToMerge(with: index) { return merge(newer, into: older) }
        report(index)
    }

    private mutating func refit(_ index: Int) {
        let (surface, thickness) = (surfaces[index], settings.thickness)
        let members = memory.slots.filter { memory[$0].owner == surface.number }
        let slopeErrors = Surface.slopeErrors(
            isHorizontal: surface.isHorizontal, levelError: settings.levelError)
        guard let fit = surface.fit.refined(to: members.map { surface.sample(memory[$0]) }, slopeErrors: slopeErrors)
        else { return }
        surfaces[index].fit = fit
        for slot in memory.slots {
            let isOnPlane = surfaces[index].squaredDistance(of: memory[slot], thickness: thickness) != nil
            if memory[slot].owner == surface.number {
                if !isOnPlane { release(slot) }
            } else if memory[slot].owner == nil, isOnPlane,
                surface.outline.isNear(surface.place(of: memory[slot].position))
            {
                assign(slot, to: index)
            }
        }
    }

    private mutating func merge(_ newer: Int, into older: Int) {
        let (source, target) = (surfaces[newer], surfaces[older])
        let members = memory.slots.filter { memory[$0].owner == source.number }
        for slot in members { release(slot) }
        // What is left in the grid came from points that are forgotten.
        surfaces[older].grid.add(surfaces[newer].grid) { place in
            target.place(of: source.worldFromLevel * source.pointInLevel(place))
        }
        for slot in members { assign(slot, to: older) }
        remove(newer)
        lookAfter(older)
    }

    private mutating func remove(_ index: Int) {
        for slot in memory.slots where memory[slot].owner == surfaces[index].number { memory[slot].owner = nil }
        if let anchor = surfaces.remove(at: index).reported { findings.remove(anchor.identifier) }
    }
}

extension PlaneFindings {
    /// Tells that a plane is gone: one that was never heard of needs no word.
    fileprivate mutating func remove(_ identifier: UUID) {
        updated.removeAll { $0.identifier == identifier }
        if let index = added.firstIndex(where: { $0.identifier == identifier }) {
            added.remove(at: index)
        } else {
            removed.append(identifier)
        }
    }
}
