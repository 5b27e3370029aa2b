// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

extension Renderer {
    /// Pixels in which several surfaces meet: eight samples, each with its own place on the sun.
    func shade(edgesIn scratch: RowScratch, view: RowView, into light: UnsafeMutableBufferPointer<SIMD4<Float>>) {
        let chunk = RowScratch.rayCapacity / EdgeSamples.perPixel
        for first in stride(from: 0, to: scratch.edges.count, by: chunk) {
            let columns = scratch.edges[first..<min(first + chunk, scratch.edges.count)]
            seeEdges(columns, view: view, scratch: scratch)
            castEdgeShadows(columns, view: view, scratch: scratch)
            for (pixel, column) in columns.enumerated() {
                guard view.isValid(column) else {
                    light[column] = .zero
                    continue
                }
                let samples = EdgeSamples(
                    view: view.view(column), first: pixel * EdgeSamples.perPixel, scratch: scratch)
                light[column] = self.light(of: samples, row: view)
            }
        }
    }

    /// What each sample sees: the nearest of the tile's candidates, or what a ray meets.
    private func seeEdges(_ columns: ArraySlice<Int>, view: RowView, scratch: RowScratch) {
        let coordinates = EdgeSamples.coordinates
        var waiting = 0
        for (pixel, column) in columns.enumerated() {
            let first = pixel * EdgeSamples.perPixel
            if let rectangles = candidates?.rectangles(
                column: column / ViewTiles.width, band: view.row / ViewTiles.height)
            {
                for rectangle in rectangles { scratch.sights.see(rectangle, from: view) }
                var facadePixel = view.view(column).facade
                withUnsafeBytes(of: coordinates) { bytes in
                    let columns = bytes.assumingMemoryBound(to: Float.self).baseAddress.unsafelyUnwrapped
                    craycast_find_rectangles_in_pixel(
                        scratch.sights.facade, rectangles.baseAddress, rectangles.count, &facadePixel, columns,
                        columns + EdgeSamples.perPixel, EdgeSamples.perPixel, scratch.edgeHits.object + first)
                }
                continue
            }
            let far: Float = view.isValid(column) ? .infinity : -1
            let ray = view.inWorld(view.view(column))
            for (number, offset) in EdgeSamples.offsets.enumerated() {
                scratch.rays.set(
                    waiting, origin: view.origin, direction: Vector3(ray.direction + ray.shift(by: offset)), far: far,
                    time: Float(view.time))
                scratch.waiting[waiting] = first + number
                waiting += 1
            }
        }
        raycaster.intersect(scratch.rays, count: waiting, hits: scratch.hits)
        for index in 0..<waiting { scratch.edgeHits.copy(scratch.hits, index, to: scratch.waiting[index]) }
    }

    /// For each sample, whether it sees its place on the sun past what no light map knows.
    private func castEdgeShadows(_ columns: ArraySlice<Int>, view: RowView, scratch: RowScratch) {
        let count = columns.count * EdgeSamples.perPixel
        let seen = scratch.edgeSeen
        let samples = sunDisc.samples
        for index in 0..<count { seen[index] = 1 }
        for subset in [CRAYCAST_MOVING, CRAYCAST_ALL] where subset == CRAYCAST_ALL || hasMovingShadows {
            var waiting = 0
            for (pixel, column) in columns.enumerated() {
                let sunlight = scratch.sunlight[column / ShadowBlocks.side]
                for number in 0..<EdgeSamples.perPixel {
                    let index = pixel * EdgeSamples.perPixel + number
                    guard
                        let origin = shadowOrigin(
                            of: scratch.edgeHits[index], past: subset, sunlight, view, column, number)
                    else { continue }
                    // Every other place on the sun, so that a pixel's samples are spread over all of it.
                    scratch.rays.set(
                        waiting, origin: origin, direction: samples[2 * number],
                        far: illumination.shadowReach, time: Float(view.time))
                    scratch.waiting[waiting] = index
                    waiting += 1
                }
            }
            see(count: waiting, past: subset, scratch: scratch)
            for index in 0..<waiting { seen[scratch.waiting[index]] = scratch.seen[index] }
        }
    }

    /// Where a sample's ray to the sun past a subset begins, `nil` where it needs none.
    @inline(__always)
    private func shadowOrigin(
        of hit: RayHit, past subset: CRaycastSubset, _ sunlight: BlockSunlight, _ view: RowView, _ column: Int,
        _ number: Int
    ) -> Point3? {
        guard hit.object >= 0 else { return nil }
        let surface = surfaces[hit.object]
        let amount: BlockSunlight.Amount
        switch surface {
        case .rectangle:
            guard subset == CRAYCAST_MOVING else { return nil }
            amount = sunlight.onRectangles
        case .mesh:
            guard subset == CRAYCAST_ALL else { return nil }
            amount = sunlight.onMeshes
        }
        guard amount != .full else { return nil }
        let pixel = view.inWorld(view.view(column))
        let direction = Vector3(pixel.direction + pixel.shift(by: EdgeSamples.offsets[number]))
        let place = surface.place(at: hit, origin: view.origin, direction: direction, time: view.time)
        return illumination.reaches(place) ? shadowOrigin(of: place) : nil
    }

    private func light(of samples: EdgeSamples, row: RowView) -> SIMD4<Float> {
        var sum = SIMD4<Float>()
        for number in 0..<EdgeSamples.perPixel {
            let hit = samples.hit(number)
            guard hit.object >= 0 else {
                sum += illumination.background
                continue
            }
            switch surfaces[hit.object] {
            case .mesh(let mesh): sum += light(of: mesh.pointee, in: samples, number: number, row: row)
            case .rectangle(let rectangle) where !samples.hasObject(hit.object, before: number):
                sum += light(of: rectangle.pointee, in: samples, object: hit.object, row: row)
            case .rectangle: continue
            }
        }
        return sum / Float(EdgeSamples.perPixel)
    }

    private func light(of mesh: MeshRecord, in samples: EdgeSamples, number: Int, row: RowView) -> SIMD4<Float> {
        let hit = samples.hit(number)
        let part = row.inWorld(samples.view.part(offset: EdgeSamples.offsets[number], scale: EdgeSamples.side))
        let direction = Vector3(part.direction)
        let normal = mesh.normal(at: hit, direction: direction, time: row.time)
        let look = mesh.look(at: hit, view: part, time: row.time)
        return illumination.reflection(
            of: look.albedo, gloss: look.gloss,
            shares: illumination.shares(normal: normal, translucency: mesh.translucency), normal: normal,
            towardsViewer: -direction
        ).light(sunVisibility: Float(samples.seen(number)))
    }

    /// The light of a rectangle in all of the samples that see it: it is looked at once, in their middle.
    private func light(
        of rectangle: RectangleRecord, in samples: EdgeSamples, object: Int32, row: RowView
    ) -> SIMD4<Float> {
        var (offsets, seen, count) = (SIMD2<Float>.zero, 0, 0)
        for number in 0..<EdgeSamples.perPixel where samples.hit(number).object == object {
            offsets += EdgeSamples.offsets[number]
            seen += samples.seen(number)
            count += 1
        }
        let scale = (Float(count) / Float(EdgeSamples.perPixel)).squareRoot()
        let part = samples.view.part(offset: offsets / Float(count), scale: scale)
        let place = samples.scratch.sights.sight(of: object, from: row).pointee.place(of: part)
        let normal = rectangle.normal(towards: row.origin)
        let shares = illumination.shares(normal: normal, translucency: 0)
        let reflection = illumination.reflection(
            of: rectangle.texture.light(of: rectangle.footprint(of: place)), gloss: rectangle.gloss, shares: shares,
            normal: normal, towardsViewer: -Vector3(row.inWorld(part).direction))
        // As the whole pixel would see it: its neighbours look at the same level of the light map.
        let reached =
            shares.sun > 0 && seen > 0 ? Float(seen) * rectangle.sunVisibility(of: place, wider: 1 / scale) : 0
        return reflection.shade * Float(count) + reflection.sunshine * reached
    }
}

/// The samples of one pixel at an edge.
private struct EdgeSamples {
    /// The pixel's view, in the camera's axes.
    let view: PixelView
    /// Where the pixel's samples are in the scratch.
    let first: Int
    let scratch: RowScratch

    @inline(__always) func hit(_ number: Int) -> RayHit { scratch.edgeHits[first + number] }

    /// 1 when a sample sees its place on the sun.
    @inline(__always) func seen(_ number: Int) -> Int { Int(scratch.edgeSeen[first + number]) }

    /// Whether an earlier sample sees the same object.
    @inline(__always) func hasObject(_ object: Int32, before number: Int) -> Bool {
        (0..<number).contains { scratch.edgeHits.object[first + $0] == object }
    }

    /// Places in a pixel, from its centre: no two share a row or a column of an 8×8 grid, so that an edge of any slope
    /// passes eight different shares of the pixel. (Shirley 1991, "Discrepancy as a quality measure": n rooks.)
    static let offsets: [SIMD2<Float>] = [3, 6, 0, 5, 2, 7, 1, 4].enumerated().map { column, row in
        SIMD2((Float(column) + 0.5) / 8 - 0.5, (Float(row) + 0.5) / 8 - 0.5)
    }

    /// The same, first the columns and then the rows, as the façade takes them.
    static let coordinates: SIMD16<Float> = {
        var coordinates = SIMD16<Float>()
        for (number, offset) in offsets.enumerated() {
            coordinates[number] = offset.x
            coordinates[number + perPixel] = offset.y
        }
        return coordinates
    }()

    static let perPixel = 8
    /// The side of a square part of a pixel that is as large as a sample's.
    static let side = (1 / Float(perPixel)).squareRoot()
}
