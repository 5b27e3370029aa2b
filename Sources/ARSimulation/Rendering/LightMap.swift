// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// How much of the sun reaches each place of a fixed rectangle past all other fixed surfaces, found out once.
///
/// The rectangle is divided into square cells, on each level twice as wide as on the one before, and the cells into
/// tiles. A tile is filled when somebody first looks at it; what is in it depends on the scene alone, so that it does not
/// matter who does, and when. (What a ray at the very edge of a triangle meets may depend on the rays it is cast with; here
/// these are always the same.) Each corner of a cell has the mean over the square around it and over the sun, so that
/// shadows are as soft, and as smooth from afar, as with rays for each pixel.
///
/// Sendable although the compiler cannot see it: a tile is complete before its address is published.
final class LightMap: @unchecked Sendable {
    /// The side of the finest level's cells, in metres.
    let cellMeters: Double
    let levels: [LightMapLevel]
    private let facadeLevels: UnsafeMutablePointer<CRaycastLightLevel>
    /// Half of the rectangle's size, and a little less.
    private let half: Vector2
    private let inside: Vector2
    /// The rectangle's middle, a little above its sunny side, and its axes.
    private let middle: Point3
    private let across: Vector3
    private let along: Vector3
    private let sunDisc: SunDisc
    private let shadowReach: Float
    private let raycaster: Raycaster
    private static let finestCellMeters = 0.001
    private static let mostCells = 16_384.0

    /// The map of a rectangle among the fixed surfaces of a raycaster that is committed before anyone looks at the map.
    init(_ rectangle: TexturedRectangle, illumination: Illumination, sunDisc: SunDisc, raycaster: Raycaster) {
        half = rectangle.size / 2
        inside = half - Vector2(repeating: min(1e-4, half.min() / 2))
        let axes = rectangle.worldFromSurface.rotation.matrix
        let sunSide = axes[1].dot(illumination.towardsSun) < 0 ? -axes[1] : axes[1]
        middle = rectangle.worldFromSurface.translation + sunSide * Renderer.shadowOffset
        (across, along) = (axes[0], axes[2])
        self.sunDisc = sunDisc
        shadowReach = illumination.shadowReach
        self.raycaster = raycaster
        cellMeters = max(Self.finestCellMeters, max(rectangle.size.x, rectangle.size.y) / Self.mostCells)
        let cells = rectangle.size / cellMeters
        levels = (0..<Int(CRAYCAST_LIGHT_LEVELS)).map { LightMapLevel(cells: cells / Double(1 << $0)) }
        facadeLevels = .allocate(capacity: levels.count)
        facadeLevels.initialize(from: levels.map(\.facade), count: levels.count)
    }

    deinit {
        for level in levels { level.deallocate() }
        facadeLevels.deallocate()
    }

    /// What the renderer's inner loop needs; valid as long as the map.
    var facade: CRaycastLightMap {
        CRaycastLightMap(
            levels: facadeLevels,
            make: { owner, level, column, row in
                guard let owner else { preconditionFailure("a light map has an owner") }
                return Unmanaged<LightMap>.fromOpaque(owner).takeUnretainedValue()
                    .bake(column: Int(column), row: Int(row), level: Int(level))
            }, owner: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Fills a tile and gives the address of the one that is to be used from now on: another thread may have been faster.
    private func bake(column: Int, row: Int, level number: Int) -> UInt {
        let level = levels[number]
        let tile = LightTile(column: column, row: row, level: level, cellMeters: cellMeters * Double(1 << number))
        fill(tile, of: level)
        tile.extendBeyondRim()
        return level.publish(tile)
    }

    /// Corners whose surroundings are in full light, or in none, by rays to the sun from every fourth corner, get no rays
    /// of their own; the others get a few, and all where these differ from each other or from the next corner's.
    private func fill(_ tile: LightTile, of level: LightMapLevel) {
        let coarse = coarseLight(of: tile, level)
        let nodes = LightTile.blocks + 3
        var isMixed = [Bool](repeating: false, count: LightTile.cornerCount)
        for block in 0..<LightTile.blocks * LightTile.blocks {
            let (x, y) = (block % LightTile.blocks, block / LightTile.blocks)
            let around = (0..<16).map { coarse[(y + $0 / 4) * nodes + x + $0 % 4] }
            let isUniform = around.allSatisfy { $0 == around[0] } && (around[0] == 0 || around[0] == SunDisc.probeCount)
            for corner in 0..<25 {
                let index = tile.index(column: 4 * x + corner % 5, row: 4 * y + corner / 5)
                if isUniform {
                    if !isMixed[index] { tile.corners[index] = around[0] == 0 ? 0 : LightTile.full }
                } else {
                    isMixed[index] = true
                }
            }
        }
        let mixed = isMixed.indices.filter { isMixed[$0] && tile.isOnMap($0) }
        for index in mixed { tile.corners[index] = 0 }
        count(at: mixed, seenOf: SunDisc.scoutNumbers, into: tile)
        let scouts = UInt8(SunDisc.scoutNumbers.count)
        func isDecided(_ index: Int) -> Bool {
            let seen = tile.corners[index]
            return (seen == 0 || seen == scouts)
                && tile.neighbours(of: index).allSatisfy { !isMixed[$0] || tile.corners[$0] == seen }
        }
        let undecided = mixed.filter { !isDecided($0) }
        var isSettled = isMixed
        for index in undecided { isSettled[index] = false }
        for index in mixed where isSettled[index] && tile.corners[index] == scouts {
            tile.corners[index] = LightTile.full
        }
        count(at: undecided, seenOf: SunDisc.otherNumbers, into: tile)
    }

    /// Adds to corners how many of some samples of the sun reach them.
    private func count(at corners: [Int], seenOf samples: [Int], into tile: LightTile) {
        let rays = RayBatch(capacity: corners.count * samples.count, near: 0)
        for (place, index) in corners.enumerated() {
            let corner = tile.place(of: index)
            for (sample, number) in samples.enumerated() {
                rays.set(
                    place * samples.count + sample,
                    origin: origin(at: (corner + Self.offsets[number]) * tile.cellMeters - half),
                    direction: sunDisc.samples[number], far: shadowReach)
            }
        }
        let occluded = occluded(rays)
        for (place, index) in corners.enumerated() {
            for ray in place * samples.count..<(place + 1) * samples.count { tile.corners[index] += 1 - occluded[ray] }
        }
    }

    /// Which of a batch's rays do not reach the sun past the fixed surfaces, 1 for each.
    private func occluded(_ rays: RayBatch) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: rays.capacity) { occluded, count in
            count = rays.capacity
            guard let first = occluded.baseAddress, count > 0 else { return }
            raycaster.occluded(rays, count: count, by: CRAYCAST_FIXED, into: first)
        }
    }

    /// How many probes of the sun every fourth corner sees, from the fourth before the tile to the fourth behind it.
    ///
    /// The corners belong to the level: what one tile has found out its neighbours need not.
    private func coarseLight(of tile: LightTile, _ level: LightMapLevel) -> [UInt8] {
        level.nodes(around: tile).map { node in
            if level.seenProbes(node) == nil { probe(level.group(ofNode: node), of: level, tile.cellMeters) }
            guard let seen = level.seenProbes(node) else { preconditionFailure("a node is in its own group") }
            return seen
        }
    }

    /// Finds out how many probes of the sun a group of nodes sees.
    private func probe(_ group: [Int], of level: LightMapLevel, _ cellMeters: Double) {
        let rays = RayBatch(capacity: group.count * SunDisc.probeCount, near: 0)
        for (place, node) in group.enumerated() {
            let (column, row) = level.cornerPlace(ofNode: node)
            let origin = origin(at: Vector2(Double(column), Double(row)) * cellMeters - half)
            let probes = sunDisc.probes(SunDisc.RimPair(column: column / 4, row: row / 4))
            for (number, direction) in [probes.0, probes.1, probes.2].enumerated() {
                rays.set(
                    place * SunDisc.probeCount + number, origin: origin, direction: direction, far: shadowReach)
            }
        }
        let occluded = occluded(rays)
        for (place, node) in group.enumerated() {
            let first = place * SunDisc.probeCount
            level.setSeenProbes(occluded[first..<first + SunDisc.probeCount].reduce(0) { $0 + 1 - $1 }, node)
        }
    }

    /// Where a ray to the sun begins: on the sun's side, and not beyond the rim, behind which may be another surface.
    private func origin(at place: Vector2) -> Point3 {
        let x = min(max(place.x, -inside.x), inside.x)
        let y = min(max(place.y, -inside.y), inside.y)
        return middle + across * x + along * y
    }

    /// Places in a cell, one for each sample of the sun, from its corner, no two in the same row or column of 16.
    private static let offsets: [Vector2] = (0..<SunDisc.sampleCount).map { number in
        let reversed = (number & 1) << 3 | (number & 2) << 1 | (number & 4) >> 1 | (number & 8) >> 3
        return (Vector2(Double(number * 7 % 16), Double(reversed)) + 0.5) / 16 - 0.5
    }
}
