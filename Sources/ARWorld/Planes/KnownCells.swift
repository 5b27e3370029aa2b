// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What is known of the cells of a surface's grid, as sets with a margin about the grid.
struct KnownCells {
    /// The column and the row of the first cell.
    let origin: SIMD2<Int>
    let cellSize: Double
    /// Where other surfaces hide what lies behind.
    private let seams: [Seam]
    /// Cells with evidence, less those at seams that are far from other evidence: what is seen there may be the other surface.
    private(set) var evident: CellSet
    /// Cells through which things behind the surface were seen.
    private(set) var open: CellSet
    /// Cells where pictures show something else.
    private(set) var denied: CellSet
    /// The cells of ``evident`` that hold points, and how many.
    private(set) var points: [(column: Int, row: Int, weight: Int)] = []

    /// What a grid tells of its cells, with room about it for all that a reach bridges.
    ///
    /// - Parameters:
    ///   - reach: the radius of the widest gaps that are to be bridged, in metres.
    ///   - seams: where other surfaces hide what lies behind, so that only points can tell of this one there: what a patch
    ///     shows and what is bridged goes on beyond an edge by half a patch. What is seen at a seam may be the other surface, and bridges nothing.
    init(of grid: SurfaceGrid, reach: Double, endingAt seams: [Seam] = []) {
        let margin = Self.radius(ofReach: reach, cellSize: grid.cellSize) + 1
        origin = grid.origin &- SIMD2(margin, margin)
        cellSize = grid.cellSize
        self.seams = seams
        let nothing = CellSet(columns: grid.columns + 2 * margin, rows: grid.rows + 2 * margin)
        (evident, open, denied) = (nothing, nothing, nothing)
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let cell = grid.cells[row * grid.columns + column]
                let (column, row) = (column + margin, row + margin)
                if cell.isOpen {
                    open[column, row] = true
                } else if cell.isSupported {
                    evident[column, row] = true
                    if cell.support > 0 { points.append((column, row, cell.support)) }
                } else if cell.isDenied {
                    denied[column, row] = true
                }
            }
        }
        let doubtful = cells(of: evident, in: seams.map(\.blurred))
        evident = evident.subtracting(doubtful)
        takeInWhatAdjoins(doubtful, within: rimAtSeams(within: margin - 1))
        points.removeAll { [evident] in !evident[$0.column, $0.row] }
    }

    /// How many cells a reach is.
    static func radius(ofReach reach: Double, cellSize: Double) -> Int { max(1, Int((reach / cellSize).rounded())) }

    /// Takes in those doubtful cells that adjoin the evidence, from cell to cell.
    private mutating func takeInWhatAdjoins(_ doubtful: CellSet, within rim: Int) {
        var rest = doubtful
        while rest.count > 0 {
            let adjoining = rest.intersection(evident.grown(by: rim))
            guard adjoining.count > 0 else { return }
            evident.unite(with: adjoining)
            rest = rest.subtracting(adjoining)
        }
    }

    /// How far from other evidence what is seen at a seam belongs to the surface, in cells. A table that touches a wall has evidence up to
    /// there; a basket that stands beside one has none between. A wall goes on for twice as far as evidence lies apart on it. Law:
    /// `SurfaceOutlineTests.whatIsSeenAtASeamBridgesNothing`.
    private func rimAtSeams(within limit: Int) -> Int {
        guard let seam = seams.first, !seam.isOfTop else { return 1 }
        let covered = evident.closed(by: min(Self.widestRim, limit)).count
        let spacing = (Double(covered) / Double(max(1, evident.count))).squareRoot()
        return min(Self.widestRim, Int(2 * spacing))
    }

    /// However far apart evidence lies.
    private static let widestRim = 5

    /// The cells that belong to the surface as far as is known: those with evidence and those between them, where gaps of less than twice a
    /// radius, in cells, are bridged; not where it was seen through or pictures show something else, and behind a seam only where points lie.
    func shown(bridging radius: Int) -> CellSet {
        let closed = evident.closed(by: radius)
        var shown = closed.subtracting(open)
        let gaps = denied.subtracting(evident.grown(by: Self.rim)).intersection(shown)
        if gaps.count > 0 { shown = shown.subtracting(gaps).opened(by: Self.thinnestBridge) }
        shown = shown.subtracting(cells(of: shown, in: seams.map(\.hidden)))
        for point in points where closed[point.column, point.row] { shown[point.column, point.row] = true }
        return shown.subtracting(juts(of: shown))
    }

    /// How close to evidence pictures deny nothing, in cells: a patch of what lies beyond a rim denies the rim's cells, too.
    private static let rim = 2
    /// What is left of a bridge beside a gap that pictures deny is none where it is nowhere wider than twice that many cells.
    /// Law: `SurfaceOutlineTests.deniedGapsAreNotBridged`.
    private static let thinnestBridge = 1

    /// What is thin where pictures show something else beside it, and holds little evidence for its size: what juts out to an edge or to a point
    /// that was taken for the surface's. Laws: `SurfaceOutlineTests.whatJutsOutIsNone`, `SurfaceOutlineTests.aLedgeIsNoJut`.
    private func juts(of shown: CellSet) -> CellSet {
        let beside = shown.intersection(denied.grown(by: Self.besideDenied))
        guard beside.count > 0 else { return beside }
        let usualShare = Double(evident.intersection(shown).count) / Double(shown.count)
        let thin = beside.subtracting(shown.opened(by: Self.widestJut))
        return CellPieces(of: thin).cells(sharedWith: evident) { cells, evident in
            Double(evident) < Self.leastPart * usualShare * Double(cells)
        }
    }

    /// What juts out is nowhere wider than twice that many cells.
    private static let widestJut = 3
    /// How far from what pictures deny something may be a jut, in cells.
    private static let besideDenied = 6
    /// How much of the usual evidence a thin part must hold.
    private static let leastPart = 0.75

    /// Those of some cells whose middles lie in any of the zones. Of most cells nothing is asked: each zone has a stretch of each row.
    private func cells(of set: CellSet, in zones: [Seam.Zone]) -> CellSet {
        var found = CellSet(columns: set.columns, rows: set.rows)
        for zone in zones {
            for row in 0..<set.rows {
                guard let stretch = zone.stretch(atZ: middle(0, row).y) else { continue }
                for column in columns(of: stretch).clamped(to: 0..<set.columns)
                where set[column, row] && !found[column, row] && zone.contains(middle(column, row)) {
                    found[column, row] = true
                }
            }
        }
        return found
    }

    /// The columns whose middles lie in a stretch of a row, and one more on each side.
    private func columns(of stretch: ClosedRange<Double>) -> Range<Int> {
        func column(at x: Double) -> Int { Int(min(max(x / cellSize, -1e9), 1e9).rounded(.down)) - origin.x }
        return column(at: stretch.lowerBound) - 1..<column(at: stretch.upperBound) + 2
    }

    private func middle(_ column: Int, _ row: Int) -> Point2 {
        Point2(Double(origin.x + column) + 0.5, Double(origin.y + row) + 0.5) * cellSize
    }
}
