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
            let isSeenFromHere =
                row > tiles.rows(ofBand: band).lowerBound && self.view(ofRow: row - 1).poseNumber == view.poseNumber
            if !isSeenFromHere {
                scratch.sights.see(from: view) { see in
                    for column in 0..<tiles.columns { see(candidates.tile(column: column, band: band).rectangles) }
                }
            }
            for column in 0..<tiles.columns {
                let tile = candidates.tile(column: column, band: band)
                let pixels = tiles.pixels(ofColumn: column)
                let first = row * size.width + pixels.lowerBound
                craycast_find_rectangles(
                    scratch.sights.facade, tile.rectangles.baseAddress, tile.rectangles.count, &directions,
                    pixels.lowerBound, pixels.count, firstHits.object + first,
                    tile.rayTargets == nil ? nil : firstHits.depth + first)
            }
        }
        for targets in MeshTargets.subsets + [CRAYCAST_ALL] {
            var batch = TileRays(renderer: self, scratch: scratch, targets: targets)
            for column in 0..<tiles.columns where candidates.tile(column: column, band: band).rayTargets == targets {
                batch.add(tiles.pixels(ofColumn: column), tiles.rows(ofBand: band))
            }
            batch.cast()
        }
    }
}

/// Rays through the pixels of tiles, as far as the rectangles that have been found there: those of 4×4 pixels make a
/// packet, which stay together longer than those of a row.
private struct TileRays {
    let renderer: Renderer
    let scratch: RowScratch
    let targets: CRaycastSubset
    private var count = 0
    private static let side = 4

    init(renderer: Renderer, scratch: RowScratch, targets: CRaycastSubset) {
        self.renderer = renderer
        self.scratch = scratch
        self.targets = targets
    }

    /// Adds a tile's pixels.
    mutating func add(_ columns: Range<Int>, _ rows: Range<Int>) {
        if count + columns.count * rows.count > RowScratch.rayCapacity { cast() }
        for firstRow in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.side) {
            let blockRows = firstRow..<min(firstRow + Self.side, rows.upperBound)
            for row in blockRows { add(row, of: blockRows, columns) }
            count += columns.count * blockRows.count
        }
    }

    /// Adds a row of the blocks that begin with the next ray.
    private func add(_ row: Int, of blockRows: Range<Int>, _ columns: Range<Int>) {
        let view = renderer.view(ofRow: row)
        let time = Float(view.time)
        for firstColumn in stride(from: columns.lowerBound, to: columns.upperBound, by: Self.side) {
            let blockColumns = firstColumn..<min(firstColumn + Self.side, columns.upperBound)
            var ray =
                count + (firstColumn - columns.lowerBound) * blockRows.count
                + (row - blockRows.lowerBound) * blockColumns.count
            for column in blockColumns {
                let pixel = row * renderer.size.width + column
                scratch.rays.set(
                    ray, origin: view.origin, direction: view.inWorld(view.view(column)).direction,
                    far: renderer.firstHits.depth[pixel], time: time)
                scratch.waiting[ray] = pixel
                ray += 1
            }
        }
    }

    /// Casts the rays, and stores what they meet.
    mutating func cast() {
        scratch.cast(count, with: targets, by: renderer.raycaster, into: renderer.firstHits)
        count = 0
    }
}
