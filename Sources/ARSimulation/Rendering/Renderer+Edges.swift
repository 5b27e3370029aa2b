// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// The pixels of a row in which several surfaces meet, and their light once they are blended.
final class EdgeRow {
    /// Room for all pixels of the row.
    private let room: UnsafeMutablePointer<Int32>
    fileprivate let light: UnsafeMutablePointer<SIMD4<Float>>
    private var count = 0

    /// Room for rows of that many pixels.
    init(width: Int) {
        room = .allocate(capacity: width)
        light = .allocate(capacity: width)
    }

    deinit {
        room.deallocate()
        light.deallocate()
    }

    /// The columns of the pixels.
    var columns: UnsafeBufferPointer<Int32> { UnsafeBufferPointer(start: room, count: count) }

    /// Begins anew.
    func removeAll() { count = 0 }

    /// Adds pixels, no one twice.
    func append(_ columns: some Sequence<Int32>) {
        for column in columns {
            (room + count).initialize(to: column)
            count += 1
        }
    }

    /// Adds the pixels that a function writes, whose number it returns.
    func append(_ write: (UnsafeMutablePointer<Int32>) -> Int) { count += write(room + count) }
}

extension Renderer {
    /// The fifth pass, when the centres of all pixels are shaded: a pixel at an edge gets the mean of eight samples,
    /// each with the light of the nearest centre, its own or a neighbour's, that sees the same surface.
    ///
    /// What a sample sees is exact among what the centres around see, so that edges are where they are; what is thinner than
    /// a pixel, and no centre sees, is looked through. A sample's light is that of a place up to a pixel beside.
    func blendEdges(ofRow row: Int, scratch: RowScratch, light: RadianceImage) {
        let edges = edgeRows[row]
        guard !edges.columns.isEmpty else { return }
        let view = view(ofRow: row)
        let others = blendRectangles(edges, view: view, scratch: scratch, light: light)
        let chunk = RowScratch.rayCapacity / EdgeSamples.perPixel
        for first in stride(from: 0, to: others.count, by: chunk) {
            let indices = others[first..<min(first + chunk, others.count)]
            seeEdges(indices.map { edges.columns[Int($0)] }, view: view, scratch: scratch)
            for (pixel, index) in indices.enumerated() {
                edges.light[Int(index)] = blend(
                    scratch.edgeHits.suffix(from: pixel * EdgeSamples.perPixel),
                    column: Int(edges.columns[Int(index)]), row: row, light: light.pixels)
            }
        }
    }

    /// Blends the pixels near which only rectangles are seen, and gives the indices of the others.
    private func blendRectangles(
        _ edges: EdgeRow, view: RowView, scratch: RowScratch, light: RadianceImage
    ) -> UnsafeBufferPointer<Int32> {
        func seen(_ row: Int) -> CRaycastSeenRow {
            let inside = min(max(row, 0), size.height - 1)
            let light = UnsafeRawPointer(light.pixels + inside * size.width)
            return CRaycastSeenRow(
                objects: firstHits.object + inside * size.width,
                light: light.assumingMemoryBound(to: (Float, Float, Float, Float).self))
        }
        var sights = scratch.sights.facade(for: view)
        var pixels = scratch.pixelRows.row(of: view)
        var rows = CRaycastSeenRows(
            above: seen(view.row - 1), own: seen(view.row), below: seen(view.row + 1), count: size.width)
        let blended = UnsafeMutableRawPointer(edges.light).assumingMemoryBound(to: (Float, Float, Float, Float).self)
        let count = EdgeSamples.withFacade { samples in
            craycast_blend_edges(
                &sights, &rows, &pixels, samples, edges.columns.baseAddress, edges.columns.count, blended,
                scratch.edgesAtMeshes)
        }
        return UnsafeBufferPointer(start: scratch.edgesAtMeshes, count: count)
    }

    /// The last pass: puts the blended pixels into the picture, which nobody reads any more.
    func storeEdges(ofRow row: Int, into light: RadianceImage) {
        let (edges, pixels) = (edgeRows[row], light[row: row])
        for (index, column) in edges.columns.enumerated() { pixels[Int(column)] = edges.light[index] }
    }

    /// What each sample sees: the nearest of the rectangles that the pixel's centre and the eight around it see, or a mesh
    /// before it, where they see a mesh. What none of them sees would have no light to give.
    private func seeEdges(_ columns: [Int32], view: RowView, scratch: RowScratch) {
        var meshes: MeshTargets = []
        for (pixel, column) in columns.lazy.map(Int.init).enumerated() {
            let near = NearSurfaces(
                aroundColumn: column, row: view.row, size: size, objects: firstHits.object, surfaces: surfaces,
                list: scratch.nearRectangles)
            compareEdge(column, with: near, view: view, scratch: scratch, hits: pixel * EdgeSamples.perPixel)
            scratch.edgeTargets[pixel] = near.meshes.rawValue
            meshes.formUnion(near.meshes)
        }
        guard !meshes.isEmpty else { return }
        for targets in MeshTargets.subsets { castEdges(columns, view: view, at: targets, scratch: scratch) }
    }

    private func compareEdge(
        _ column: Int, with near: NearSurfaces, view: RowView, scratch: RowScratch, hits first: Int
    ) {
        for rectangle in near.rectangles { scratch.sights.see(rectangle, from: view) }
        var facadePixel = view.view(column).facade
        withUnsafeBytes(of: EdgeSamples.coordinates) { bytes in
            let columns = bytes.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped
            craycast_find_rectangles_in_pixel(
                scratch.sights.facade, near.rectangles.baseAddress, near.rectangles.count, &facadePixel, columns,
                columns + EdgeSamples.perPixel, EdgeSamples.perPixel, scratch.edgeHits.object + first,
                near.meshes.isEmpty ? nil : scratch.edgeHits.depth + first)
        }
    }

    /// Casts rays, as far as the nearest rectangles, from those pixels near which these meshes are seen.
    private func castEdges(
        _ columns: [Int32], view: RowView, at targets: CRaycastSubset, scratch: RowScratch
    ) {
        var waiting = 0
        for (pixel, column) in columns.lazy.map(Int.init).enumerated()
        where MeshTargets(rawValue: scratch.edgeTargets[pixel]).subset == targets {
            let ray = view.inWorld(view.view(column))
            for number in 0..<EdgeSamples.perPixel {
                let sample = pixel * EdgeSamples.perPixel + number
                scratch.rays.set(
                    waiting, origin: view.origin, direction: ray.direction + ray.shift(by: EdgeSamples.offset(number)),
                    far: scratch.edgeHits.depth[sample], time: Float(view.time))
                scratch.waiting[waiting] = sample
                waiting += 1
            }
        }
        scratch.cast(waiting, with: targets, by: raycaster, into: scratch.edgeHits)
    }

    /// The mean light of a pixel's samples; those that see what no centre around sees are left out.
    private func blend(
        _ samples: HitBatch, column: Int, row: Int, light: UnsafePointer<SIMD4<Float>>
    ) -> SIMD4<Float> {
        let own = row * size.width + column
        // Beyond the picture's rim stands the pixel itself.
        let neighbours = EdgeSamples.Neighbours(
            left: column > 0 ? own - 1 : own, right: column + 1 < size.width ? own + 1 : own,
            above: row > 0 ? own - size.width : own, below: row + 1 < size.height ? own + size.width : own)
        var (sum, count) = (SIMD4<Float>(), Float(0))
        let ownObject = firstHits.object[own]
        let isOnMesh = if ownObject >= 0, case .mesh = surfaces[ownObject] { true } else { false }
        for number in 0..<EdgeSamples.perPixel {
            let object = samples.object[number]
            if object == ownObject, !isOnMesh {
                sum += light[own]
                count += 1
                continue
            }
            guard let center = center(of: object, samples, number, own, neighbours) else { continue }
            sum += light[center]
            count += 1
        }
        return count > 0 ? sum / count : light[own]
    }

    /// The nearest centre that sees what a sample sees.
    @inline(__always)
    private func center(
        of object: Int32, _ samples: HitBatch, _ number: Int, _ own: Int, _ neighbours: EdgeSamples.Neighbours
    ) -> Int? {
        let objects = firstHits.object
        guard object >= 0, case .mesh(let mesh) = surfaces[object] else {
            if objects[own] == object { return own }
            return neighbours.first(of: number) { objects[$0] == object }
        }
        // Of the centres on the same mesh, one that is on the same part of it.
        func isSamePart(_ center: Int) -> Bool {
            objects[center] == object
                && !mesh.pointee.hasEdge(
                    between: (samples.primitive[number], samples.depth[number]),
                    and: (firstHits.primitive[center], firstHits.depth[center]))
        }
        if isSamePart(own) { return own }
        return neighbours.first(of: number, isSamePart)
            ?? (objects[own] == object ? own : neighbours.first(of: number) { objects[$0] == object })
    }
}

/// The samples of a pixel at an edge.
enum EdgeSamples {
    static let perPixel = 8

    /// Places in a pixel, from its centre, first their columns, then their rows: no two share a row or a column of an
    /// 8×8 grid, so that an edge of any slope passes eight different shares of the pixel. (Shirley 1991, "Discrepancy as
    /// a quality measure": n rooks.)
    static let coordinates: SIMD16<Float> = {
        var coordinates = SIMD16<Float>()
        for (column, row) in [3, 6, 0, 5, 2, 7, 1, 4].enumerated() {
            coordinates[column] = (Float(column) + 0.5) / Float(perPixel) - 0.5
            coordinates[column + perPixel] = (Float(row) + 0.5) / Float(perPixel) - 0.5
        }
        return coordinates
    }()

    /// Where a sample is, from the pixel's centre, in pixels.
    @inline(__always) static func offset(_ sample: Int) -> SIMD2<Float> {
        SIMD2(coordinates[sample], coordinates[sample + perPixel])
    }

    /// For each set of neighbours, a bit each, the samples to which the left one, the right one, the one above and the one
    /// below are the nearest of the set.
    static let nearest: [SIMD4<UInt8>] = (0..<16).map { neighbours in
        var nearest = SIMD4<UInt8>()
        for sample in 0..<perPixel {
            let first = Neighbours(left: 0, right: 1, above: 2, below: 3)
                .first(of: sample) { neighbours & 1 << $0 != 0 }
            if let first { nearest[first] |= 1 << sample }
        }
        return nearest
    }

    /// Calls a function with the samples as the façade takes them.
    static func withFacade<Result>(_ body: (UnsafePointer<CRaycastEdgeSamples>) -> Result) -> Result {
        withUnsafeBytes(of: coordinates) { coordinates in
            nearest.withUnsafeBytes { nearest in
                let columns = coordinates.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped
                let samples = CRaycastEdgeSamples(
                    columns: columns, rows: columns + perPixel,
                    nearest: nearest.assumingMemoryBound(to: (UInt8, UInt8, UInt8, UInt8).self).baseAddress)
                return withUnsafePointer(to: samples, body)
            }
        }
    }

    /// The pixels around one, by index.
    struct Neighbours {
        let left: Int
        let right: Int
        let above: Int
        let below: Int

        /// The first that fulfils a condition, the nearest to a sample before the others.
        ///
        /// The first four samples are left of the middle, every other one is above it, and those in the middle columns
        /// are farther from it in their rows.
        @inline(__always) func first(of sample: Int, _ condition: (Int) -> Bool) -> Int? {
            let (beside, opposite) = sample < 4 ? (left, right) : (right, left)
            let (upright, inverse) = sample.isMultiple(of: 2) ? (above, below) : (below, above)
            let isBeside = sample < 2 || sample > 5
            let (nearest, next) = isBeside ? (beside, upright) : (upright, beside)
            let (third, last) = isBeside ? (inverse, opposite) : (opposite, inverse)
            if condition(nearest) { return nearest }
            if condition(next) { return next }
            if condition(third) { return third }
            return condition(last) ? last : nil
        }
    }
}
