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
    /// What the pixels of a row see of meshes: their light without shadows.
    let albedos: UnsafeMutablePointer<SIMD4<Float>>
    private let footprints: UnsafeMutablePointer<CRaycastFootprint>
    private let sunParts: UnsafeMutablePointer<Float>
    /// Those that are unfinished stand first.
    private let runs: UnsafeMutablePointer<CRaycastRun>
    private var unfinishedCount = 0
    private let groups: UnsafeMutablePointer<Int32>
    private let lastRuns: UnsafeMutablePointer<Int32>
    private let width: Int
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

    init(width: Int, surfaces: SurfaceTable, surfaceCount: Int, illumination: Illumination) {
        self.width = width
        rowRays = RayBatch(capacity: width, near: 0)
        albedos = .allocate(capacity: width)
        albedos.initialize(repeating: .zero, count: width)
        let pixelCount = ViewTiles.height * width
        sunParts = .allocate(capacity: pixelCount)
        sunParts.initialize(repeating: 0, count: pixelCount)
        runs = .allocate(capacity: pixelCount)
        runs.initialize(repeating: CRaycastRun(), count: pixelCount)
        groups = .allocate(capacity: pixelCount)
        groups.initialize(repeating: 0, count: pixelCount)
        lastRuns = .allocate(capacity: max(surfaceCount, 1))
        lastRuns.initialize(repeating: -1, count: max(surfaceCount, 1))
        rims = .allocate(capacity: width)
        rims.initialize(repeating: 0, count: width)
        edgesAtMeshes = .allocate(capacity: width)
        edgesAtMeshes.initialize(repeating: 0, count: width)
        footprints = .allocate(capacity: width)
        let blocks = ShadowBlocks.count(width)
        sunlight = .allocate(capacity: blocks)
        sunlight.initialize(repeating: BlockSunlight(.partial, isOnMesh: false), count: blocks)
        lowestSunlight = .allocate(capacity: blocks + 2)
        lowestSunlight.initialize(repeating: .max, count: blocks + 2)
        lowestSunlightOnMesh = .allocate(capacity: blocks + 2)
        lowestSunlightOnMesh.initialize(repeating: .max, count: blocks + 2)
        highestSunlight = .allocate(capacity: blocks + 2)
        highestSunlight.initialize(repeating: 0, count: blocks + 2)
        sights = RectangleSights(surfaces, count: surfaceCount, illumination: illumination)
        pixelRows = PixelRows(width: width)
        mosaic = ShadowMosaic(width: width)
        tiles = TileScratch()
        seen.initialize(repeating: 0, count: Self.rayCapacity)
        waiting.initialize(repeating: 0, count: Self.rayCapacity)
    }

    /// Shades the rectangles that are seen by neighbouring rows, at most as many as a band has: their light is then in the
    /// picture, finished on matt ones if nothing moves. What is left are the ``unfinishedRuns``.
    func shadeRectangles(
        _ views: [RowView], coats: UnsafePointer<CRaycastCoat>, objects: UnsafePointer<Int32>, finishes: Bool,
        light: RadianceImage
    ) {
        unfinishedCount = 0
        var row = 0
        while row < views.count {
            // From one pose.
            let together = views[row...].prefix { $0.poseNumber == views[row].poseNumber }
            var facadeSights = sights.facade(for: views[row])
            let first = views[row].row * width
            let pixels = together.map { pixelRows.row(of: $0) }
            let kept = runs + unfinishedCount
            let count = pixels.withUnsafeBufferPointer { pixels in
                var shaded = CRaycastShadedRows(
                    objects: objects + first, pixels: pixels.baseAddress,
                    light: UnsafeMutableRawPointer(light.pixels + first).assumingMemoryBound(
                        to: (Float, Float, Float, Float).self), sun_parts: sunParts + row * width,
                    row_count: together.count, count: width)
                var room = CRaycastRunRoom(runs: kept, groups: groups, last_runs: lastRuns)
                return craycast_shade_rectangles(&facadeSights, coats, &shaded, finishes, &room)
            }
            for index in 0..<count { kept[index].row += Int32(row) }
            unfinishedCount += count
            row += together.count
        }
    }

    /// What waits for more rays after ``shadeRectangles(_:coats:objects:finishes:light:)``, row after row; rows are counted
    /// from the first.
    var unfinishedRuns: UnsafeBufferPointer<CRaycastRun> { UnsafeBufferPointer(start: runs, count: unfinishedCount) }

    /// The part of the sun that reaches each of a row's pixels past the fixed surfaces, where it is on a rectangle that is
    /// not finished.
    func sunParts(ofRow row: Int) -> UnsafePointer<Float> { UnsafePointer(sunParts + row * width) }

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
        runs.deallocate()
        groups.deallocate()
        lastRuns.deallocate()
        waiting.deallocate()
    }
}
