// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CRaycast
import TestSupport
import Testing

@testable import ARSimulation

/// Between which planes the tiles of a picture look.
@Suite struct ViewTilesTests {
    /// What a sample sees, up to a pixel beside its centre, lies before the planes of its tile, of all parts of its band that hold the
    /// tile, of its band and of its group; and the planes are no more than two pixels behind.
    @Test(arguments: TileCandidatesTests.cameras.indices)
    func samplesLieBeforeThePlanesOfTheirTile(camera: Int) throws {
        var random = TestRandom(case: camera)
        let table = RayTable(camera: TileCandidatesTests.cameras[camera], size: TileCandidatesTests.size)
        let tiles = ViewTiles(table)
        let corners = [Vector2(-1, -1), Vector2(1, -1), Vector2(-1, 1), Vector2(1, 1)]
        var clearances: [Double] = []
        /// Notes how far samples of a block of pixels lie before each of the block's planes, at the least.
        func note(_ planes: ArraySlice<CRaycastPlane>, rows: Range<Int>, columns: Range<Int>) {
            for plane in planes {
                let normal = Vector3(Double(plane.normal.0), Double(plane.normal.1), Double(plane.normal.2))
                var least = Double.infinity
                for row in rows {
                    for column in columns {
                        for offset in corners + [random.vector2()] {
                            let direction = table.rays.direction(column: column, row: row, offset: offset)
                            least = min(least, normal.dot(direction) / direction.length - Double(plane.slack))
                        }
                    }
                }
                clearances.append(least)
            }
        }
        var planes: [CRaycastPlane] = []
        let allColumns = 0..<tiles.size.width
        for group in 0..<tiles.groups {
            tiles.turnPlanes(ofGroup: group, by: .identity, slack: 0, into: &planes)
            note(planes[...], rows: tiles.rows(ofGroup: group), columns: allColumns)
        }
        for band in stride(from: 0, to: tiles.bands, by: 6) {
            tiles.turnPlanes(ofBand: band, by: .identity, slack: 0, into: &planes)
            note(planes[..<2], rows: tiles.rows(ofBand: band), columns: allColumns)
            ViewTiles.Part(columns: 0..<tiles.columns, number: 0).forEach { part in
                let first = tiles.pixels(ofColumn: part.columns.lowerBound).lowerBound
                let end = tiles.pixels(ofColumn: part.columns.upperBound - 1).upperBound
                note(
                    planes[2 + 2 * part.number..<4 + 2 * part.number], rows: tiles.rows(ofBand: band),
                    columns: first..<end)
            }
        }
        let pixel = try #require(table.rays.direction(column: 162, row: 122, offset: Vector2(1, 0)).normalized())
            .cross(try #require(table.rays.direction(column: 162, row: 122, offset: .zero).normalized())).length
        // But for what single precision rounds.
        #expect(try #require(clearances.min()) >= -1e-5 * pixel, "\(clearances.min()! / pixel) pixels")
        #expect(try #require(clearances.max()) <= 2 * pixel, "\(clearances.max()! / pixel) pixels")
    }
}
