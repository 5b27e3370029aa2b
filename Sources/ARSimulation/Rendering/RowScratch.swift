// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// Room for the rays of a thread's work, used again for each row.
final class RowScratch {
    static let rayCapacity = 2048
    /// Rays of one row, one a pixel.
    let rowRays: RayBatch
    /// Rays of a few pixels at an edge or in half-shadow.
    let rays = RayBatch(capacity: rayCapacity, near: 0)
    let hits = HitBatch(capacity: rayCapacity)
    /// What the samples of pixels at edges meet.
    let edgeHits = HitBatch(capacity: rayCapacity)
    /// 1 for each ray that meets nothing.
    let seen = UnsafeMutablePointer<UInt8>.allocate(capacity: rayCapacity)
    /// The samples whose rays wait in ``rays``.
    let waiting = UnsafeMutablePointer<Int>.allocate(capacity: rayCapacity)
    /// What the pixels of a row see of rectangles: their light without shadows, and where that is on a light map.
    let albedos: UnsafeMutablePointer<SIMD4<Float>>
    private let cells: UnsafeMutablePointer<Float>
    private let cellStride: Int
    /// The rectangles as the row sees them, and where its pixels look.
    let sights: RectangleSights
    let pixelRows: PixelRows
    let tiles: TileScratch
    var probed = PastSubset<ProbedBlock>()
    var sunlight: [BlockSunlight] = []
    var halfShadows = PastSubset<HalfShadow>()
    let mosaic: ShadowMosaic

    init(width: Int, surfaces: SurfaceTable, surfaceCount: Int) {
        rowRays = RayBatch(capacity: width, near: 0)
        cellStride = width + PixelRows.padding
        albedos = .allocate(capacity: cellStride)
        albedos.initialize(repeating: .zero, count: cellStride)
        cells = .allocate(capacity: 3 * cellStride)
        cells.initialize(repeating: 0, count: 3 * cellStride)
        sights = RectangleSights(surfaces, count: surfaceCount)
        pixelRows = PixelRows(width: width)
        mosaic = ShadowMosaic(width: width)
        tiles = TileScratch(surfaceCount: surfaceCount)
        seen.initialize(repeating: 0, count: Self.rayCapacity)
        waiting.initialize(repeating: 0, count: Self.rayCapacity)
    }

    /// Looks at a rectangle through pixels of a row: its light is then in ``albedos``, and where that is on a light map,
    /// unless there is no sun, in what is returned, counted from the first of these pixels.
    func look(
        at rectangle: RectangleRecord, _ object: Int32, _ columns: Range<Int>, in view: RowView,
        pixels: CRaycastPixelRow, hasSun: Bool
    ) -> CRaycastLooks {
        var (looks, pixels, texture) = (looks(from: columns.lowerBound), pixels, rectangle.texture.texture)
        if let plain = rectangle.texture.plain {
            (albedos + columns.lowerBound).update(repeating: plain, count: columns.count)
            guard hasSun else { return looks }
        }
        sights.see(object, from: view)
        withUnsafeBytes(of: (rectangle.texels, rectangle.cells)) { sizes in
            let sizes = sizes.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped
            withUnsafePointer(to: &texture) { texture in
                craycast_look_at_rectangle(
                    sights.facade + Int(object), rectangle.texture.plain == nil ? texture : nil, sizes, sizes + 2,
                    &pixels, columns.lowerBound, columns.count, &looks)
            }
        }
        return looks
    }

    /// Where the look at a rectangle is written, from a column on.
    private func looks(from column: Int) -> CRaycastLooks {
        CRaycastLooks(
            light: UnsafeMutableRawPointer(albedos + column).assumingMemoryBound(to: (Float, Float, Float, Float).self),
            cell_x: cells + column, cell_y: cells + cellStride + column, cell_width: cells + 2 * cellStride + column)
    }

    deinit {
        hits.deallocate()
        edgeHits.deallocate()
        seen.deallocate()
        albedos.deallocate()
        cells.deallocate()
        waiting.deallocate()
    }
}
