// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

extension Renderer {
    /// The first pass where candidates are known: what each pixel's centre sees in a band of tiles.
    func see(band: Int, of shot: Shot, _ candidates: TileCandidates, scratch: RowScratch) {
        let tiles = candidates.tiles
        candidates.find(inBand: band, of: shot, scratch: scratch.tiles)
        for row in tiles.rows(ofBand: band) {
            let view = view(ofRow: row)
            var directions = scratch.pixelRows.row(of: view).directions
            for column in 0..<tiles.columns {
                guard let rectangles = candidates.rectangles(column: column, band: band) else { continue }
                for rectangle in rectangles { scratch.sights.see(rectangle, from: view) }
                let pixels = tiles.pixels(ofColumn: column)
                craycast_find_rectangles(
                    scratch.sights.facade, rectangles.baseAddress, rectangles.count, &directions, pixels.lowerBound,
                    pixels.count, firstHits.object + row * size.width + pixels.lowerBound)
            }
        }
        var batch = TileRays(renderer: self, scratch: scratch)
        for column in 0..<tiles.columns where candidates.rectangles(column: column, band: band) == nil {
            batch.add(tiles.pixels(ofColumn: column), tiles.rows(ofBand: band))
        }
        batch.cast()
    }
}

/// Rays through the pixels of tiles: those of 4×4 pixels make a packet, which stay together longer than those of a row.
private struct TileRays {
    let renderer: Renderer
    let scratch: RowScratch
    private var count = 0
    private static let side = 4

    init(renderer: Renderer, scratch: RowScratch) {
        self.renderer = renderer
        self.scratch = scratch
    }

    /// Adds a tile's pixels.
    mutating func add(_ columns: Range<Int>, _ rows: Range<Int>) {
        if count + columns.count * rows.count > RowScratch.rayCapacity { cast() }
        for blockRow in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.side) {
            let blockRows = blockRow..<min(blockRow + Self.side, rows.upperBound)
            for row in blockRows {
                let view = renderer.view(ofRow: row)
                for column in columns {
                    let block = (column - columns.lowerBound) / Self.side
                    let width = min(Self.side, columns.upperBound - columns.lowerBound - block * Self.side)
                    let index =
                        count + block * Self.side * blockRows.count + (row - blockRow) * width
                        + (column - columns.lowerBound) % Self.side
                    scratch.rays.set(
                        index, origin: view.origin, direction: view.direction(column), far: .infinity,
                        time: Float(view.time))
                    scratch.waiting[index] = row * renderer.size.width + column
                }
            }
            count += columns.count * blockRows.count
        }
    }

    /// Casts the rays, and stores what they meet.
    mutating func cast() {
        guard count > 0 else { return }
        renderer.raycaster.intersect(scratch.rays, count: count, hits: scratch.hits)
        for index in 0..<count { renderer.firstHits.copy(scratch.hits, index, to: scratch.waiting[index]) }
        count = 0
    }
}
