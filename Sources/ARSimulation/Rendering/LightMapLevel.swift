// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast
import Foundation
import Synchronization

/// The corners of 16×16 cells of a light map, row after row, each with the number of the sun's samples that reach it: a
/// tile as `CRaycastLightLevel` has it.
struct LightTile {
    static let side = 16
    /// The number of blocks of 4×4 cells beside each other.
    static let blocks = side / 4
    static let cornerCount = (side + 1) * (side + 1)
    static let full = UInt8(SunDisc.sampleCount)

    /// Which tile of its level.
    let column: Int
    let row: Int
    let cellMeters: Double
    let corners: UnsafeMutablePointer<UInt8>
    /// The last column and row of corners that are on the map, or just beyond its rim.
    private let lastColumn: Int
    private let lastRow: Int

    /// A tile to be filled and published.
    init(column: Int, row: Int, level: LightMapLevel, cellMeters: Double) {
        self.column = column
        self.row = row
        self.cellMeters = cellMeters
        lastColumn = min(level.lastCorner.column - column * Self.side, Self.side)
        lastRow = min(level.lastCorner.row - row * Self.side, Self.side)
        corners = .allocate(capacity: Self.cornerCount)
    }

    @inline(__always) func index(column: Int, row: Int) -> Int { row * (Self.side + 1) + column }

    /// Whether a corner may be looked at, with more than no weight.
    func isOnMap(_ index: Int) -> Bool {
        index % (Self.side + 1) <= lastColumn && index / (Self.side + 1) <= lastRow
    }

    /// Where a corner is on the level, in cells.
    func place(of index: Int) -> Vector2 {
        Vector2(
            Double(column * Self.side + index % (Self.side + 1)), Double(row * Self.side + index / (Self.side + 1)))
    }

    /// The corners on the map around one, and itself.
    func neighbours(of index: Int) -> some Sequence<Int> {
        let (column, row) = (index % (Self.side + 1), index / (Self.side + 1))
        let columns = max(column - 1, 0)...min(column + 1, lastColumn)
        return (max(row - 1, 0)...min(row + 1, lastRow)).lazy.flatMap { [self] row in
            columns.lazy.map { self.index(column: $0, row: row) }
        }
    }

    /// Corners beyond the map's rim get what is at the rim.
    func extendBeyondRim() {
        for row in 0...lastRow {
            let last = corners[index(column: lastColumn, row: row)]
            for column in lastColumn..<Self.side { corners[index(column: column + 1, row: row)] = last }
        }
        for row in lastRow..<Self.side {
            (corners + index(column: 0, row: row + 1)).update(
                from: corners + index(column: 0, row: lastRow), count: Self.side + 1)
        }
    }

    /// What stands in the place of a tile's address while nobody has looked.
    fileprivate static let unseen: UInt = 0
    /// What stands there when none of the tile is in the light, and when all of it is.
    fileprivate static let dark: UInt = 1
    fileprivate static let lit: UInt = 2

    fileprivate var address: UInt {
        let isUniform = (1..<Self.cornerCount).allSatisfy { corners[$0] == corners[0] }
        if isUniform, corners[0] == 0 { return Self.dark }
        if isUniform, corners[0] == Self.full { return Self.lit }
        return UInt(bitPattern: corners)
    }

    fileprivate static func deallocate(_ address: UInt) {
        if address > lit { UnsafeMutablePointer<UInt8>(bitPattern: address)?.deallocate() }
    }
}

/// A level's tiles, by address, and what is known of every fourth corner in a row and in a column, the nodes.
struct LightMapLevel {
    /// The last corner that is on the map, or just beyond its rim.
    let lastCorner: (column: Int, row: Int)
    private let tiles: UnsafeMutablePointer<Atomic<UInt>>
    private let columns: Int
    private let rows: Int
    /// The last place on the level, in cells.
    private let end: SIMD2<Float>
    /// One more than the number of probes that each node sees; zero while nobody has looked.
    private let nodes: UnsafeMutablePointer<Atomic<UInt8>>
    private let nodeColumns: Int
    private let nodeRows: Int
    private static let (groupColumns, groupRows) = (4, 2)

    /// A level of that many cells.
    init(cells: Vector2) {
        lastCorner = (column: max(1, Int(cells.x.rounded(.up))), row: max(1, Int(cells.y.rounded(.up))))
        columns = (lastCorner.column + LightTile.side - 1) / LightTile.side
        rows = (lastCorner.row + LightTile.side - 1) / LightTile.side
        // Rounding a place down to its tile must not lead behind the last one.
        end = SIMD2(
            min(Float(cells.x), Float(columns * LightTile.side).nextDown),
            min(Float(cells.y), Float(rows * LightTile.side).nextDown))
        tiles = .allocate(capacity: columns * rows)
        for index in 0..<columns * rows { (tiles + index).initialize(to: Atomic(LightTile.unseen)) }
        nodeColumns = (lastCorner.column + 3) / 4 + 1
        nodeRows = (lastCorner.row + 3) / 4 + 1
        nodes = Self.zeros(nodeColumns * nodeRows)
    }

    /// Memory that costs nothing where nobody looks.
    private static func zeros(_ count: Int) -> UnsafeMutablePointer<Atomic<UInt8>> {
        guard let zeros = calloc(count, MemoryLayout<Atomic<UInt8>>.stride) else {
            preconditionFailure("there is no memory for \(count) corners of a light map")
        }
        return zeros.bindMemory(to: Atomic<UInt8>.self, capacity: count)
    }

    /// The same as the façade takes it.
    var facade: CRaycastLightLevel {
        CRaycastLightLevel(
            tiles: UnsafeRawPointer(tiles).assumingMemoryBound(to: UInt.self), columns: Int32(columns), end_x: end.x,
            end_y: end.y)
    }

    /// Puts a filled tile into its place, or keeps the one that is already there, and gives the address of what is there
    /// now.
    func publish(_ tile: LightTile) -> UInt {
        let address = tile.address
        let (isFirst, present) = tiles[tile.row * columns + tile.column].compareExchange(
            expected: LightTile.unseen, desired: address, ordering: .acquiringAndReleasing)
        if !isFirst || address <= LightTile.lit { tile.corners.deallocate() }
        return isFirst ? address : present
    }

    /// The nodes from the one before a tile to the one behind it, row after row; beyond the rim stand those at it.
    func nodes(around tile: LightTile) -> [Int] {
        let steps = -1..<LightTile.blocks + 2
        return steps.flatMap { y in
            steps.map { x in
                min(max(tile.row * LightTile.blocks + y, 0), nodeRows - 1) * nodeColumns
                    + min(max(tile.column * LightTile.blocks + x, 0), nodeColumns - 1)
            }
        }
    }

    /// The nodes that are found out together with one, and whoever asks for any of them, in the same order: their rays fill
    /// packets of eight.
    func group(ofNode node: Int) -> [Int] {
        let (column, row) = (node % nodeColumns, node / nodeColumns)
        let (firstColumn, firstRow) = (column - column % Self.groupColumns, row - row % Self.groupRows)
        return (firstRow..<min(firstRow + Self.groupRows, nodeRows)).flatMap { row in
            (firstColumn..<min(firstColumn + Self.groupColumns, nodeColumns)).map { row * nodeColumns + $0 }
        }
    }

    /// Which corner a node is.
    func cornerPlace(ofNode node: Int) -> (column: Int, row: Int) {
        (column: node % nodeColumns * 4, row: node / nodeColumns * 4)
    }

    /// How many probes a node sees; `nil` while nobody has looked. Whoever looks finds the same.
    func seenProbes(_ node: Int) -> UInt8? {
        let known = nodes[node].load(ordering: .relaxed)
        return known > 0 ? known - 1 : nil
    }

    func setSeenProbes(_ count: UInt8, _ node: Int) { nodes[node].store(count + 1, ordering: .relaxed) }

    func deallocate() {
        for index in 0..<columns * rows { LightTile.deallocate(tiles[index].load(ordering: .relaxed)) }
        tiles.deinitialize(count: columns * rows)
        tiles.deallocate()
        free(nodes)
    }
}
