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
    /// Which rectangles may be seen in such a pixel, and which meshes (``MeshTargets``) in each.
    let nearRectangles = UnsafeMutablePointer<Int32>.allocate(capacity: NearSurfaces.most)
    let edgeTargets = UnsafeMutablePointer<UInt8>.allocate(capacity: rayCapacity)
    /// Which of a row's edges have a mesh near, by index.
    let edgesAtMeshes: UnsafeMutablePointer<Int32>
    /// 1 for each ray that meets nothing.
    let seen = UnsafeMutablePointer<UInt8>.allocate(capacity: rayCapacity)
    /// The samples whose rays wait in ``rays``.
    let waiting = UnsafeMutablePointer<Int>.allocate(capacity: rayCapacity)
    /// What the pixels of a row see of rectangles: their light without shadows, the part of the sun that reaches them past
    /// the fixed surfaces, and where they are on a light map.
    let albedos: UnsafeMutablePointer<SIMD4<Float>>
    let sunParts: UnsafeMutablePointer<Float>
    private let footprints: UnsafeMutablePointer<CRaycastFootprint>
    private let cells: UnsafeMutablePointer<Float>
    private let cellStride: Int
    /// The rectangles as the row sees them, and where its pixels look.
    let sights: RectangleSights
    let pixelRows: PixelRows
    let tiles: TileScratch
    var probed = PastSubset<ProbedBlock>()
    /// The sunlight of a row of blocks; and in each column of blocks the least that is seen around it, the
    /// least on meshes, and the most, with one more column on either side.
    let sunlight: UnsafeMutablePointer<BlockSunlight>
    let lowestSunlight: UnsafeMutablePointer<UInt8>
    let lowestSunlightOnMesh: UnsafeMutablePointer<UInt8>
    let highestSunlight: UnsafeMutablePointer<UInt8>
    var halfShadows = PastSubset<HalfShadow>()
    let mosaic: ShadowMosaic
    /// Columns of pixels whose neighbours see something else.
    let rims: UnsafeMutablePointer<Int32>

    init(width: Int, surfaces: SurfaceTable, surfaceCount: Int) {
        rowRays = RayBatch(capacity: width, near: 0)
        cellStride = width + PixelRows.padding
        albedos = .allocate(capacity: cellStride)
        albedos.initialize(repeating: .zero, count: cellStride)
        sunParts = .allocate(capacity: width)
        sunParts.initialize(repeating: 0, count: width)
        rims = .allocate(capacity: width)
        rims.initialize(repeating: 0, count: width)
        edgesAtMeshes = .allocate(capacity: width)
        edgesAtMeshes.initialize(repeating: 0, count: width)
        footprints = .allocate(capacity: width)
        cells = .allocate(capacity: 3 * cellStride)
        cells.initialize(repeating: 0, count: 3 * cellStride)
        let blocks = ShadowBlocks.count(width)
        sunlight = .allocate(capacity: blocks)
        sunlight.initialize(repeating: BlockSunlight(.partial, isOnMesh: false), count: blocks)
        lowestSunlight = .allocate(capacity: blocks + 2)
        lowestSunlight.initialize(repeating: .max, count: blocks + 2)
        lowestSunlightOnMesh = .allocate(capacity: blocks + 2)
        lowestSunlightOnMesh.initialize(repeating: .max, count: blocks + 2)
        highestSunlight = .allocate(capacity: blocks + 2)
        highestSunlight.initialize(repeating: 0, count: blocks + 2)
        sights = RectangleSights(surfaces, count: surfaceCount)
        pixelRows = PixelRows(width: width)
        mosaic = ShadowMosaic(width: width)
        tiles = TileScratch()
        seen.initialize(repeating: 0, count: Self.rayCapacity)
        waiting.initialize(repeating: 0, count: Self.rayCapacity)
    }

    /// Looks at a rectangle through pixels of a row: its light is then in ``albedos``, and the part of the sun, if there is
    /// any, in ``sunParts``.
    func look(
        at rectangle: UnsafePointer<RectangleRecord>, _ object: Int32, _ columns: Range<Int>, in view: RowView,
        pixels: CRaycastPixelRow, hasSun: Bool
    ) {
        let texture = rectangle.pointee.texture
        var (looks, pixels) = (looks(from: columns.lowerBound), pixels)
        let sunParts = sunParts + columns.lowerBound
        if !hasSun { sunParts.update(repeating: 0, count: columns.count) }
        if let plain = texture.plain {
            (albedos + columns.lowerBound).update(repeating: plain, count: columns.count)
            guard hasSun else { return }
        }
        sights.see(object, from: view)
        withUnsafeBytes(of: (rectangle.pointee.texels, rectangle.pointee.cells)) { sizes in
            let sizes = sizes.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped
            withUnsafePointer(to: texture.texture) { facadeTexture in
                craycast_look_at_rectangle(
                    sights.facade + Int(object), texture.plain == nil ? facadeTexture : nil, sizes, sizes + 2,
                    &pixels, columns.lowerBound, columns.count, &looks)
            }
        }
        guard hasSun else { return }
        var lightMap = rectangle.pointee.lightMap
        craycast_find_sunlight(&lightMap, &looks, columns.count, sunParts)
    }

    /// Looks at a mesh through pixels of a row: its light is then in ``albedos``, with what a place is glossier than the mesh
    /// as the fourth number.
    func look(at mesh: MeshRecord, _ columns: Range<Int>, axes: Matrix3x3, in view: RowView, hits: HitBatch) {
        switch mesh.coat {
        case .colors(let colors):
            for column in columns { albedos[column] = mesh.color(at: hits[column], of: colors) }
        case .texture(let texture, let size, let coordinates):
            for column in columns {
                footprints[column] = mesh.footprint(
                    at: hits[column], view: view.inWorld(view.view(column)), axes: axes, coordinates: coordinates,
                    size: size)
            }
            texture.light(
                of: footprints + columns.lowerBound, count: columns.count, into: albedos + columns.lowerBound)
        }
    }

    /// Casts the first ``rays`` and stores what they meet at the places that are ``waiting``; nothing changes where they meet
    /// nothing.
    func cast(_ count: Int, with targets: CRaycastSubset, by raycaster: Raycaster, into batch: HitBatch) {
        guard count > 0 else { return }
        raycaster.intersect(rays, count: count, with: targets, hits: hits)
        for index in 0..<count where hits.object[index] != CRAYCAST_NOTHING {
            batch.copy(hits, index, to: waiting[index])
        }
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
        nearRectangles.deallocate()
        edgeTargets.deallocate()
        edgesAtMeshes.deallocate()
        seen.deallocate()
        albedos.deallocate()
        sunParts.deallocate()
        rims.deallocate()
        sunlight.deallocate()
        lowestSunlight.deallocate()
        lowestSunlightOnMesh.deallocate()
        highestSunlight.deallocate()
        footprints.deallocate()
        cells.deallocate()
        waiting.deallocate()
    }
}
