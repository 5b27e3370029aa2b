// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where on a surface there is evidence for it and where against: counts in square cells of the surface's x and z.
///
/// The memory is bounded: a grid that would need more than ``maximumSide`` cells a side doubles the cells' size.
struct SurfaceGrid: Sendable {
    struct Cell: Sendable {
        /// Points that lie on the surface here.
        var support = 0
        /// Points behind the surface that were seen through it here: one that is seen again and again counts once, see
        /// ``Surface/countPassage(from:to:besides:)``.
        var passages = 0
        /// How many more pictures show the surface here than something else, see ``SurfaceGrid/look(at:reach:agrees:in:)``.
        var looks = 0
        /// The key picture that was counted last, and the last one that shows the surface here.
        var lastPicture = 0
        var lastAgreement = 0

        /// Whether more points were seen through the cell than on it. A few may err.
        var isOpen: Bool { passages >= 3 + support }
        /// Whether pictures show the surface here: one may err.
        var isShown: Bool { looks >= 2 }
        /// Whether pictures show something else here, and no point speaks for the surface: one may err.
        var isDenied: Bool { support == 0 && looks <= -2 }
        /// Whether nothing is to be gained from a picture: enough pictures agree, the last one lately.
        func isSettled(in picture: Int) -> Bool { looks >= 3 && picture - lastPicture < 20 }
        /// Whether there is evidence for the surface.
        var isSupported: Bool { support > 0 || isShown }
    }

    static let maximumSide = 128

    /// The side of a cell, in metres.
    private(set) var cellSize: Double
    /// The first column and row.
    private(set) var origin = SIMD2<Int>.zero
    private(set) var columns = 0
    private(set) var rows = 0
    private(set) var cells: [Cell] = []

    init(cellSize: Double) { self.cellSize = cellSize }

    /// The column and the row, counted from the surface's own origin, that hold a place on the surface.
    func position(of place: Point2) -> SIMD2<Int> {
        SIMD2(Int((place.x / cellSize).rounded(.down)), Int((place.y / cellSize).rounded(.down)))
    }

    /// Where the cell of a place is kept; `nil` where the grid does not reach.
    func index(of place: Point2) -> Int? {
        let cell = position(of: place) &- origin
        guard cell.x >= 0, cell.y >= 0, cell.x < columns, cell.y < rows else { return nil }
        return cell.y * columns + cell.x
    }

    subscript(place: Point2) -> Cell? { index(of: place).map { cells[$0] } }

    /// Counts a point on the surface.
    mutating func support(_ place: Point2) {
        include(place)
        guard let index = index(of: place) else { return }
        cells[index].support += 1
    }

    /// Forgets what was seen through a place, because the surface is seen there now.
    mutating func close(_ place: Point2) {
        if let index = index(of: place) { cells[index].passages = 0 }
    }

    /// Takes back what was counted of a point.
    mutating func withdraw(_ place: Point2) {
        guard let index = index(of: place), cells[index].support > 0 else { return }
        cells[index].support -= 1
    }

    /// Counts a ray through the surface in its cell and in those around it.
    mutating func pass(_ place: Point2) {
        guard index(of: place) != nil else { return }
        for index in block(within: 1, of: place) { cells[index].passages = min(cells[index].passages + 1, 1000) }
    }

    /// Counts what a key picture says of a patch: once in each of the cells whose middles it reaches, and in its own. The counts end at
    /// a few, so that a change of the scene is believed as soon. Law: `SurfaceTests.aPatchCountsWhereItReachesMiddles`.
    ///
    /// Returns whether evidence came or went.
    mutating func look(at place: Point2, reach: Double, agrees: Bool, in picture: Int) -> Bool {
        if agrees { include(place) }
        guard index(of: place) != nil else { return false }
        var hasChanged = false
        for index in block(reaching: reach, from: place) where cells[index].lastPicture != picture {
            let wasSupported = cells[index].isSupported
            cells[index].lastPicture = picture
            cells[index].looks = min(4, max(-4, cells[index].looks + (agrees ? 1 : -1)))
            if agrees { cells[index].lastAgreement = picture }
            if cells[index].isSupported != wasSupported { hasChanged = true }
        }
        return hasChanged
    }

    /// Notes that a key picture tells nothing of a patch.
    mutating func skip(_ place: Point2, reach: Double, in picture: Int) {
        guard index(of: place) != nil else { return }
        for index in block(reaching: reach, from: place) where !cells[index].isSettled(in: picture) {
            cells[index].lastPicture = picture
        }
    }

    /// Whether rays through two places count in the same cells, or in some of the same.
    func countsTogether(_ a: Point2, _ b: Point2) -> Bool {
        let apart = position(of: a) &- position(of: b)
        return abs(apart.x) <= 2 && abs(apart.y) <= 2
    }

    /// Adds all counts of another grid, whose places `transform` takes here.
    mutating func add(_ other: SurfaceGrid, movedBy transform: (Point2) -> Point2) {
        for place in other.supportedPlaces {
            let target = transform(place)
            include(target)
            if let index = index(of: target), let cell = other[place] {
                cells[index].support += cell.support
                cells[index].looks = max(cells[index].looks, cell.looks)
                cells[index].lastAgreement = max(cells[index].lastAgreement, cell.lastAgreement)
            }
        }
    }

    /// The middles of the cells with evidence.
    var supportedPlaces: [Point2] {
        cells.indices.filter { cells[$0].isSupported }.map { center(column: $0 % columns, row: $0 / columns) }
    }

    /// The middles of the cells that the latest of the pictures up to one show: one of so many, or that need not be asked.
    func placesShown(byLatest count: Int, upTo picture: Int) -> [Point2] {
        cells.indices
            .filter { cell in
                cells[cell].isSettled(in: picture)
                    || (cells[cell].isShown && picture - cells[cell].lastAgreement < count)
            }
            .map { center(column: $0 % columns, row: $0 / columns) }
    }

    /// Whether there is evidence within so many cells of a place's own.
    func hasSupport(within radius: Int, of place: Point2) -> Bool {
        block(within: radius, of: place).contains { cells[$0].isSupported }
    }

    /// How many cells with evidence there are within so many cells of a place's own.
    func evidence(within radius: Int, of place: Point2) -> Int {
        block(within: radius, of: place).count { cells[$0].isSupported }
    }

    /// Where the cells are kept that lie at most so many columns and rows from a place's own.
    private func block(within radius: Int, of place: Point2) -> CellBlock {
        let cell = position(of: place) &- origin
        return CellBlock(
            columns: (cell.x - radius..<cell.x + radius + 1).clamped(to: 0..<columns),
            rows: (cell.y - radius..<cell.y + radius + 1).clamped(to: 0..<rows), width: columns)
    }

    /// Where the cells are kept whose middles lie in the square that reaches so many metres from a place along the axes, and its own.
    private func block(reaching reach: Double, from place: Point2) -> CellBlock {
        let (own, arm) = (position(of: place), Point2(repeating: reach))
        func nearest(_ place: Point2, _ rule: FloatingPointRoundingRule) -> SIMD2<Int> {
            let cell = place / cellSize - Point2(repeating: 0.5)
            return SIMD2(Int(cell.x.rounded(rule)), Int(cell.y.rounded(rule)))
        }
        let low = pointwiseMin(own, nearest(place - arm, .up)) &- origin
        let high = pointwiseMax(own, nearest(place + arm, .down)) &- origin
        return CellBlock(
            columns: (low.x..<high.x + 1).clamped(to: 0..<columns), rows: (low.y..<high.y + 1).clamped(to: 0..<rows),
            width: columns)
    }

    /// Where the cells of some columns and rows are kept, row by row.
    private struct CellBlock: Sequence, IteratorProtocol {
        private let columns: Range<Int>
        private let rows: Range<Int>
        private let width: Int
        private var column: Int
        private var row: Int

        init(columns: Range<Int>, rows: Range<Int>, width: Int) {
            (self.columns, self.rows, self.width) = (columns, rows, width)
            (column, row) = (columns.lowerBound, columns.isEmpty ? rows.upperBound : rows.lowerBound)
        }

        mutating func next() -> Int? {
            guard row < rows.upperBound else { return nil }
            defer {
                column += 1
                if column == columns.upperBound { (column, row) = (columns.lowerBound, row + 1) }
            }
            return row * width + column
        }
    }

    /// The middle of a cell.
    func center(column: Int, row: Int) -> Point2 {
        Point2(Double(origin.x + column) + 0.5, Double(origin.y + row) + 0.5) * cellSize
    }

    /// Makes room for all of some places at once. Law: `SurfaceTests.roomIsMadeForAllPlacesAtOnce`.
    mutating func makeRoom(for places: [Point2]) {
        guard let first = places.first else { return }
        include(places.reduce(first, pointwiseMin))
        include(places.reduce(first, pointwiseMax))
    }

    /// Makes room for a place.
    private mutating func include(_ place: Point2) {
        while index(of: place) == nil {
            let cell = position(of: place)
            // New rows and columns come in eights, so that few points make the grid grow.
            let low = columns == 0 ? cell &- 4 : pointwiseMin(origin, cell &- 8)
            let high = columns == 0 ? cell &+ 4 : pointwiseMax(origin &+ SIMD2(columns, rows), cell &+ 8)
            let needed = high &- low
            if needed.x <= Self.maximumSide, needed.y <= Self.maximumSide {
                resize(from: low, columns: needed.x, rows: needed.y) { $0 }
            } else {
                coarsen()
            }
        }
    }

    private mutating func coarsen() {
        cellSize *= 2
        let end = origin &+ SIMD2(columns, rows)
        let low = SIMD2(origin.x >> 1, origin.y >> 1)
        let high = SIMD2((end.x + 1) >> 1, (end.y + 1) >> 1)
        resize(from: low, columns: high.x - low.x, rows: high.y - low.y) { SIMD2($0.x >> 1, $0.y >> 1) }
    }

    private mutating func resize(
        from low: SIMD2<Int>, columns newColumns: Int, rows newRows: Int, moving: (SIMD2<Int>) -> SIMD2<Int>
    ) {
        var resized = [Cell](repeating: Cell(), count: newColumns * newRows)
        for row in 0..<rows {
            for column in 0..<columns {
                let cell = cells[row * columns + column]
                let target = moving(origin &+ SIMD2(column, row)) &- low
                let index = target.y * newColumns + target.x
                resized[index].support += cell.support
                resized[index].passages = max(resized[index].passages, cell.passages)
                // Where the count is zero, pictures say nothing: that takes back nothing of what they say beside it.
                let looks = resized[index].looks
                resized[index].looks = looks == 0 || cell.looks == 0 ? looks + cell.looks : max(looks, cell.looks)
                resized[index].lastPicture = max(resized[index].lastPicture, cell.lastPicture)
                resized[index].lastAgreement = max(resized[index].lastAgreement, cell.lastAgreement)
            }
        }
        (origin, columns, rows, cells) = (low, newColumns, newRows, resized)
    }
}
