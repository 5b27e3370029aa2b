// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast
import Synchronization

/// How much of the sun reaches each place of a fixed rectangle past all other fixed surfaces, found out once.
///
/// The rectangle is divided into square cells, on each level twice as wide as on the one before, and the cells into
/// tiles. A tile is filled when somebody first looks at it; what is in it depends on the scene alone, so that it does not
/// matter who does, and when. Each corner of a cell has the mean over the square around it and over the sun, so that
/// shadows are as soft, and as smooth from afar, as with rays for each pixel.
///
/// Sendable although the compiler cannot see it: a tile is complete before its address is published.
final class LightMap: @unchecked Sendable {
    /// The side of the finest level's cells, in metres.
    let cellMeters: Double
    private let levels: [LightMapLevel]
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
        let tile = LightTile.allocate()
        let side = cellMeters * Double(1 << number)
        let first = Vector2(Double(column), Double(row)) * Double(LightTile.side) * side - half
        fill(tile, first: first, cell: side)
        return levels[number].publish(tile, column: column, row: row)
    }

    /// Corners whose surroundings are in full light, or in none, by five rays each to the sun at every fourth corner, get
    /// no rays of their own; the others get a few, and all where these differ from each other or from the next corner's.
    private func fill(_ tile: UnsafeMutablePointer<UInt8>, first: Vector2, cell: Double) {
        let coarse = coarseLight(first: first, cell: cell)
        let blocks = LightTile.side / 4
        var isMixed = [Bool](repeating: false, count: LightTile.corners * LightTile.corners)
        for block in 0..<blocks * blocks {
            let (x, y) = (block % blocks, block / blocks)
            let around = (0..<16).map { coarse[(y + $0 / 4) * (blocks + 3) + x + $0 % 4] }
            let isUniform = around.allSatisfy { $0 == around[0] } && (around[0] == 0 || around[0] == 5)
            for corner in 0..<25 {
                let index = (4 * y + corner / 5) * LightTile.corners + 4 * x + corner % 5
                if isUniform {
                    if !isMixed[index] { tile[index] = around[0] == 0 ? 0 : LightTile.full }
                } else {
                    isMixed[index] = true
                }
            }
        }
        let mixed = isMixed.indices.filter { isMixed[$0] }
        for index in mixed { tile[index] = 0 }
        count(at: mixed, seenOf: SunDisc.scoutNumbers, into: tile, first: first, cell: cell)
        let scouts = UInt8(SunDisc.scoutNumbers.count)
        func isDecided(_ index: Int) -> Bool {
            let (column, row) = (index % LightTile.corners, index / LightTile.corners)
            for y in max(row - 1, 0)...min(row + 1, LightTile.corners - 1) {
                for x in max(column - 1, 0)...min(column + 1, LightTile.corners - 1) {
                    let other = y * LightTile.corners + x
                    if isMixed[other], tile[other] != tile[index] { return false }
                }
            }
            return tile[index] == 0 || tile[index] == scouts
        }
        let undecided = mixed.filter { !isDecided($0) }
        var isSettled = isMixed
        for index in undecided { isSettled[index] = false }
        for index in mixed where isSettled[index] && tile[index] == scouts { tile[index] = LightTile.full }
        count(at: undecided, seenOf: SunDisc.otherNumbers, into: tile, first: first, cell: cell)
    }

    /// Adds to corners how many of some samples of the sun reach them.
    private func count(
        at corners: [Int], seenOf samples: [Int], into tile: UnsafeMutablePointer<UInt8>, first: Vector2, cell: Double
    ) {
        let rays = RayBatch(capacity: corners.count * samples.count, near: 0)
        var occluded = [UInt8](repeating: 0, count: rays.capacity)
        for (place, index) in corners.enumerated() {
            let corner = Vector2(Double(index % LightTile.corners), Double(index / LightTile.corners))
            for (sample, number) in samples.enumerated() {
                rays.set(
                    place * samples.count + sample, origin: origin(at: first + (corner + Self.offsets[number]) * cell),
                    direction: sunDisc.samples[number], far: shadowReach)
            }
        }
        raycaster.occluded(rays, count: rays.capacity, by: CRAYCAST_FIXED, into: &occluded)
        for (place, index) in corners.enumerated() {
            for ray in place * samples.count..<(place + 1) * samples.count { tile[index] += 1 - occluded[ray] }
        }
    }

    /// How many of the sun's probes every fourth corner sees, from the fourth before the tile to the fourth behind it.
    private func coarseLight(first: Vector2, cell: Double) -> [UInt8] {
        let (probes, count) = (sunDisc.probes, LightTile.side / 4 + 3)
        let rays = RayBatch(capacity: count * count * probes.count, near: 0)
        for corner in 0..<count * count {
            let step = Vector2(Double(corner % count - 1), Double(corner / count - 1)) * 4
            let origin = origin(at: first + step * cell)
            for (number, direction) in probes.enumerated() {
                rays.set(
                    corner * probes.count + number, origin: origin, direction: direction,
                    far: shadowReach)
            }
        }
        var occluded = [UInt8](repeating: 0, count: rays.capacity)
        raycaster.occluded(rays, count: rays.capacity, by: CRAYCAST_FIXED, into: &occluded)
        return (0..<count * count).map { corner in
            5 - occluded[corner * probes.count..<(corner + 1) * probes.count].reduce(0, +)
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

/// The corners of 16×16 cells, row after row, each with the number of the sun's samples that reach it: a tile as
/// `CRaycastLightLevel` has it.
private enum LightTile {
    static let side = 16
    static let corners = side + 1
    static let full = UInt8(SunDisc.sampleCount)

    /// What stands in the place of a tile's address while nobody has looked.
    static let unseen: UInt = 0
    /// What stands there when none of the tile is in the light, and when all of it is.
    static let dark: UInt = 1
    static let lit: UInt = 2

    static func allocate() -> UnsafeMutablePointer<UInt8> { .allocate(capacity: corners * corners) }

    static func deallocate(_ address: UInt) {
        if address > lit { UnsafeMutablePointer<UInt8>(bitPattern: address)?.deallocate() }
    }
}

/// A level's tiles, by address.
private struct LightMapLevel {
    private let tiles: UnsafeMutablePointer<Atomic<UInt>>
    private let columns: Int
    private let rows: Int
    /// The last place on the level, in cells.
    private let end: SIMD2<Float>

    init(cells: Vector2) {
        columns = max(1, Int((cells.x / Double(LightTile.side)).rounded(.up)))
        rows = max(1, Int((cells.y / Double(LightTile.side)).rounded(.up)))
        // Rounding a place down to its tile must not lead behind the last one.
        end = SIMD2(
            min(Float(cells.x), Float(columns * LightTile.side).nextDown),
            min(Float(cells.y), Float(rows * LightTile.side).nextDown))
        tiles = .allocate(capacity: columns * rows)
        for index in 0..<columns * rows { (tiles + index).initialize(to: Atomic(LightTile.unseen)) }
    }

    /// The same as the façade takes it.
    var facade: CRaycastLightLevel {
        CRaycastLightLevel(
            tiles: UnsafeRawPointer(tiles).assumingMemoryBound(to: UInt.self), columns: Int32(columns), end_x: end.x,
            end_y: end.y)
    }

    /// Puts a filled tile into its place, or keeps the one that is already there, and gives what is there now.
    func publish(_ tile: UnsafeMutablePointer<UInt8>, column: Int, row: Int) -> UInt {
        let count = LightTile.corners * LightTile.corners
        let isUniform = (1..<count).allSatisfy { tile[$0] == tile[0] }
        var address = UInt(bitPattern: tile)
        if isUniform, tile[0] == 0 { address = LightTile.dark }
        if isUniform, tile[0] == LightTile.full { address = LightTile.lit }
        let (isFirst, present) = tiles[row * columns + column].compareExchange(
            expected: LightTile.unseen, desired: address, ordering: .acquiringAndReleasing)
        if !isFirst || address <= LightTile.lit { tile.deallocate() }
        return isFirst ? address : present
    }

    func deallocate() {
        for index in 0..<columns * rows { LightTile.deallocate(tiles[index].load(ordering: .relaxed)) }
        tiles.deinitialize(count: columns * rows)
        tiles.deallocate()
    }
}
