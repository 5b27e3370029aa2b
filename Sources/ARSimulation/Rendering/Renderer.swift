// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CRaycast

/// Renders a model through a camera: exact geometry, filtered textures, smooth edges, soft shadows.
///
/// A frame takes six passes over its rows, each some bands of rows behind the one before (``BandPasses``). The first
/// finds what each pixel's centre sees: the nearest of the few rectangles that there are, as ``TileCandidates`` says,
/// or a mesh before it, by a ray where there may be one. The second finds, on blocks of 4×4 pixels, how much of the sun
/// is seen past what no ``LightMap`` knows. The third shades the centres, in such a half-shadow with one ray to the sun
/// where neighbours agree, with four where they do not, and with all sixteen beside another surface; the fourth puts
/// together what neighbours with four have seen of it, and sends the other twelve where the shadow is sharp. The fifth
/// blends pixels at edges, and the last stores them. Rows are independent within a pass, so that any number of threads
/// makes the same bytes.
///
/// A renderer renders one frame after the other; for more at once take more renderers.
final class Renderer: @unchecked Sendable {
    let model: RenderModel
    let size: ImageSize
    let threads: Int
    let table: RayTable
    let raycaster = Raycaster()
    let surfaces: SurfaceTable
    /// The model's light as it is in the current shot.
    private(set) var illumination: Illumination
    let sunDisc: SunDisc
    let firstHits: HitBatch
    let sunlitBlocks: UnsafeMutablePointer<UInt8>
    let edgeRows: [EdgeRow]
    let penumbraRows: [PenumbraRow]
    /// How many of a pixel's rays to the sun have reached it, where it is in a half-shadow.
    let sunSeen: UnsafeMutablePointer<UInt8>
    /// What may be seen where; `nil` when the camera has no direction for some pixels.
    let candidates: TileCandidates?
    /// Between which surfaces there is no edge to be seen.
    let continuations: Continuations
    /// The surfaces that get their places shot by shot.
    let movingObjects: [Int32]
    private let deformingObjects: [Int32]
    private var lastPoseNumber = 0
    /// The surfaces' parts, and the boxes around them where their meshes' vertices are given, by object number.
    private let parts: [MeshParts]
    private let bounds: [[MeshBounds]]
    private let scratches: [RowScratch]
    /// The current shot's rows.
    private let views: UnsafeMutablePointer<RowView>

    /// A renderer for a camera.
    init(
        model: RenderModel, camera: Camera, size: ImageSize, threads: Int = Parallel.defaultThreadCount
    ) {
        self.model = model
        self.size = size
        self.threads = threads
        table = RayTable(camera: camera, size: size)
        firstHits = HitBatch(capacity: size.width * size.height)
        views = .allocate(capacity: size.height)
        sunlitBlocks = .allocate(capacity: ShadowBlocks.count(size.width) * ShadowBlocks.count(size.height))
        edgeRows = (0..<size.height).map { _ in EdgeRow(width: size.width) }
        penumbraRows = (0..<size.height).map { _ in PenumbraRow() }
        sunSeen = .allocate(capacity: size.width * size.height)
        sunDisc = SunDisc(model.illumination)
        continuations = Continuations(of: model.surfaces)
        surfaces = SurfaceTable(model, sunDisc: sunDisc, raycaster: raycaster)
        illumination = model.illumination
        let meshes = model.surfaces.map(\.raycastMesh)
        parts = meshes.map { MeshParts($0) }
        bounds = zip(parts, meshes).map { $0.bounds(of: $1.positions) }
        candidates = table.rays.hasGaps ? nil : TileCandidates(table, surfaces: model.surfaces, bounds: bounds)
        let surfaces = surfaces
        scratches = (0..<threads).map { _ in
            RowScratch(
                width: size.width, surfaces: surfaces, surfaceCount: model.surfaces.count,
                illumination: model.illumination)
        }
        movingObjects = model.objects(.moving)
        deformingObjects = model.objects(.deforming)
        raycaster.add(model.surfaces, comparesRectangles: candidates != nil)
    }

    deinit {
        firstHits.deallocate()
        sunlitBlocks.deallocate()
        sunSeen.deallocate()
        views.deallocate()
    }

    /// Renders a shot: the light on each pixel and, where it is wanted, the truth.
    func render(_ shot: Shot, into light: RadianceImage, truth: TruthCanvas? = nil) {
        precondition(light.size == size, "a renderer of \(size) cannot fill a picture of \(light.size)")
        let lastPass = shot.hasSmoothEdges ? Pass.store : Pass.soften
        run(through: lastPass, of: shot, truth: truth) { [self] pass, band, scratch in
            make(pass, ofBand: band, of: shot, scratch: scratch, into: light)
        }
    }

    /// Paints the truth of a shot alone, the same as if the shot were rendered.
    func paint(_ truth: TruthCanvas, of shot: Shot) {
        run(through: .see, of: shot, truth: truth) { [self] _, band, scratch in
            see(band: band, of: shot, scratch: scratch)
        }
    }

    /// Makes passes over a shot, and paints the truth as soon as it is known.
    private func run(
        through lastPass: Pass, of shot: Shot, truth: TruthCanvas?,
        _ make: @Sendable (_ pass: Pass, _ band: Int, _ scratch: RowScratch) -> Void
    ) {
        precondition(truth == nil || shot.sample == PixelSample(), "the truth is what the pixels' centres see")
        prepare(shot)
        BandPasses.run(bands: Self.bandCount(size), passes: lastPass.rawValue + 1, threads: threads) {
            [self] pass, band, thread in
            guard let pass = Pass(rawValue: pass) else { preconditionFailure("there is no pass \(pass)") }
            make(pass, band, scratches[thread])
            if pass == .see, let truth { paint(truth, band: band, sights: scratches[thread].sights) }
        }
    }

    private enum Pass: Int, CaseIterable {
        case see, castShadows, shade, soften, blend, store
    }

    private static func bandCount(_ size: ImageSize) -> Int { (size.height + ViewTiles.height - 1) / ViewTiles.height }

    private func rows(ofBand band: Int) -> Range<Int> {
        band * ViewTiles.height..<min((band + 1) * ViewTiles.height, size.height)
    }

    private func make(_ pass: Pass, ofBand band: Int, of shot: Shot, scratch: RowScratch, into light: RadianceImage) {
        let rows = rows(ofBand: band)
        switch pass {
        case .see: see(band: band, of: shot, scratch: scratch)
        case .castShadows:
            for blockRow in rows.lowerBound / ShadowBlocks.side..<ShadowBlocks.count(rows.upperBound) {
                castShadowRow(blockRow, scratch: scratch)
            }
        case .shade:
            shadeBand(rows, hasSmoothEdges: shot.hasSmoothEdges, scratch: scratch, into: light)
        case .soften: for row in rows { softenPenumbras(ofRow: row, scratch: scratch, into: light) }
        case .blend: for row in rows { blendEdges(ofRow: row, scratch: scratch, light: light) }
        case .store: for row in rows { storeEdges(ofRow: row, into: light) }
        }
    }

    private func see(band: Int, of shot: Shot, scratch: RowScratch) {
        if let candidates {
            see(band: band, of: shot, candidates, scratch: scratch)
        } else {
            for row in rows(ofBand: band) { castRow(row, scratch: scratch) }
        }
    }

    /// The surface that each pixel's centre saw in the last shot, −1 for none.
    var objects: [Int32] { Array(UnsafeBufferPointer(start: firstHits.object, count: size.width * size.height)) }

    private func paint(_ truth: TruthCanvas, band: Int, sights: RectangleSights) {
        for row in rows(ofBand: band) {
            let (view, first) = (view(ofRow: row), row * size.width)
            forEachRun(inRow: row) { object, columns in
                let start = first + columns.lowerBound
                if let ids = truth.ids {
                    let id = object >= 0 ? truth.idsByObject[Int(object)] : 0
                    (ids + start).update(repeating: id, count: columns.count)
                }
                if let meters = truth.meters {
                    writeDepths(of: object, columns, in: view, sights: sights, into: meters + start)
                }
            }
        }
    }

    /// Calls a function for each object that neighbours in a row see, −1 for none.
    @inline(__always) func forEachRun(inRow row: Int, _ body: (Int32, Range<Int>) -> Void) {
        let objects = firstHits.object + row * size.width
        var start = 0
        while start < size.width {
            var end = start + 1
            while end < size.width, objects[end] == objects[start] { end += 1 }
            body(objects[start], start..<end)
            start = end
        }
    }

    /// Depths on rectangles come from the plane itself, in double precision.
    private func writeDepths(
        of object: Int32, _ columns: Range<Int>, in view: RowView, sights: RectangleSights,
        into depths: UnsafeMutablePointer<Float>
    ) {
        guard object >= 0 else { return depths.update(repeating: 0, count: columns.count) }
        let first = view.row * size.width + columns.lowerBound
        switch surfaces[object] {
        case .rectangle:
            let nearness = sights.nearness(of: object, from: view)
            var directions = table.rays.facadeDirections
            withUnsafeBytes(of: nearness) { nearness in
                craycast_find_depths(
                    &directions, nearness.assumingMemoryBound(to: Double.self).baseAddress, first, columns.count, depths
                )
            }
        case .mesh:
            for (place, column) in columns.enumerated() {
                depths[place] = Float(-view.directionInCamera(column).z * Double(firstHits.depth[first + place]))
            }
        }
    }

    /// A row of the current shot as its pixels look.
    @inline(__always) func view(ofRow row: Int) -> RowView { views[row] }

    /// Whether anything moves, and so may throw a shadow that no light map knows.
    var hasMovingShadows: Bool { !movingObjects.isEmpty || !deformingObjects.isEmpty }

    /// What a pixel's centre sees.
    @inline(__always) func firstHit(column: Int, row: Int) -> RayHit { firstHits[row * size.width + column] }

    private func prepare(_ shot: Shot) {
        precondition(
            shot.worldFromCameraByRow.count == size.height,
            "a shot of \(size) has \(size.height) camera poses, not \(shot.worldFromCameraByRow.count)")
        illumination = model.illumination.scaled(by: shot.irradiance)
        for scratch in scratches { scratch.sights.illumination = illumination }
        setViews(of: shot)
        move(movingObjects, along: shot.movements)
        deform(deformingObjects, as: shot.deformations)
        candidates?.find(inGroupsOf: shot)
        raycaster.commit()
    }

    private func setViews(of shot: Shot) {
        let poses = shot.worldFromCameraByRow
        lastPoseNumber += 1
        for row in poses.indices {
            if row > 0, poses[row] != poses[row - 1] { lastPoseNumber += 1 }
            (views + row).initialize(to: RowView(row, of: shot, table: table, poseNumber: lastPoseNumber))
        }
    }

    private func move(_ objects: [Int32], along movements: [Movement]) {
        precondition(
            objects.count == movements.count, "\(objects.count) meshes move, but a shot moves \(movements.count)")
        for (object, movement) in zip(objects, movements) {
            raycaster.place(object, along: movement)
            let boxes = bounds[Int(object)].map { $0.swept(along: movement) }
            setOutlines(of: object, boxes.map { box in box.corners.map { movement.worldFromObject * $0 } })
            surfaces.turn(object, along: movement)
        }
    }

    /// Tells where something that moves may be seen, inside the hulls of some points each, and where its shadows may fall.
    private func setOutlines(of object: Int32, _ parts: [[Point3]]) {
        candidates?.setOutlines(of: object, parts)
        candidates?.setShadows(of: object, parts.map { ShadowVolume(of: $0, illumination: illumination).corners })
    }

    private func deform(_ objects: [Int32], as deformations: [Deformation]) {
        precondition(
            objects.count == deformations.count,
            "\(objects.count) meshes deform, but a shot deforms \(deformations.count)")
        for (object, deformation) in zip(objects, deformations) {
            raycaster.deform(object, deformation)
            surfaces.deform(object, deformation)
            setOutlines(of: object, parts[Int(object)].bounds(of: deformation).map(\.corners))
        }
    }

    private func castRow(_ row: Int, scratch: RowScratch) {
        let view = view(ofRow: row)
        for column in 0..<size.width {
            scratch.rowRays.set(
                column, origin: view.origin, direction: view.direction(column),
                far: view.isValid(column) ? .infinity : -1, time: Float(view.time))
        }
        raycaster.intersect(scratch.rowRays, count: size.width, hits: firstHits.suffix(from: row * size.width))
    }
}
