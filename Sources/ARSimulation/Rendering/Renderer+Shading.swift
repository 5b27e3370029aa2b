// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

extension Renderer {
    /// The third pass: the light of each pixel in a band of tiles.
    ///
    /// Rectangles are shaded first, all rows of a pose together, so that each is looked up once; block by block follows
    /// what waits for more rays.
    func shadeBand(_ bandRows: Range<Int>, hasSmoothEdges: Bool, scratch: RowScratch, into light: RadianceImage) {
        let rows = bandRows.map { row in
            edgeRows[row].removeAll()
            clearHalfShadows(ofRow: row)
            return RowShading(
                view: view(ofRow: row), edges: hasSmoothEdges ? edgeRows[row] : nil, illumination: illumination,
                hasMovingShadows: hasMovingShadows, renderer: self, scratch: scratch, light: light[row: row])
        }
        for row in rows { row.findRims() }
        scratch.shadeRectangles(
            rows.map(\.view), coats: surfaces.coats, objects: firstHits.object, finishes: !hasMovingShadows,
            light: light)
        var runs = scratch.unfinishedRuns[...]
        for blockRow in bandRows.lowerBound / ShadowBlocks.side..<ShadowBlocks.count(bandRows.upperBound) {
            sunlightOfBlocks(inBlockRow: blockRow, into: scratch)
            scratch.halfShadows.removeAll()
            let end = (blockRow + 1) * ShadowBlocks.side - bandRows.lowerBound
            while let run = runs.first, run.row < end {
                runs.removeFirst()
                rows[Int(run.row)].shade(run)
            }
            shade(halfShadowsIn: scratch, into: light)
        }
    }
}

/// A row on its way to light: what is shaded at once, and what waits for more rays.
private struct RowShading {
    let view: RowView
    let edges: EdgeRow?
    let illumination: Illumination
    let hasMovingShadows: Bool
    let renderer: Renderer
    let scratch: RowScratch
    let light: UnsafeMutableBufferPointer<SIMD4<Float>>

    /// Finds the pixels that have a neighbour which sees another object, and not one in which their own goes on.
    func findRims() {
        guard let edges else { return }
        let (width, height) = (renderer.size.width, renderer.size.height)
        let objects = UnsafePointer(renderer.firstHits.object + view.row * width)
        func writeRims(_ columns: UnsafeMutablePointer<Int32>) -> Int {
            // Beyond the first and the last row stand these rows themselves.
            renderer.continuations.withFacade {
                craycast_find_rims(
                    objects, view.row > 0 ? objects - width : objects,
                    view.row + 1 < height ? objects + width : objects, width, $0, columns)
            }
        }
        if renderer.table.rays.hasGaps {
            let rims = UnsafeBufferPointer(start: scratch.rims, count: writeRims(scratch.rims))
            edges.append(rims.lazy.filter { view.isValid(Int($0)) })
        } else {
            edges.append(writeRims)
        }
    }

    /// Finds those of neighbours on a mesh whose neighbours see another part of it.
    private func findFolds(of mesh: UnsafePointer<MeshRecord>, _ columns: Range<Int>, _ edges: EdgeRow) {
        var count = 0
        // What is to the right of one pixel is to the left of the next.
        var isFoldBefore = columns.first.map { renderer.isAtFoldBefore(column: $0, row: view.row, of: mesh) } ?? false
        for column in columns {
            let isFoldBehind = renderer.isAtFoldBefore(column: column + 1, row: view.row, of: mesh)
            if isFoldBefore || isFoldBehind || renderer.isAtFoldAboveOrBelow(column: column, row: view.row, of: mesh),
                !renderer.isAtRim(column: column, row: view.row)
            {
                scratch.rims[count] = Int32(column)
                count += 1
            }
            isFoldBefore = isFoldBehind
        }
        edges.append(UnsafeBufferPointer(start: scratch.rims, count: count))
    }

    /// Shades neighbours that see the same object, or nothing. Of a rectangle the picture has the light without shadows.
    func shade(_ run: CRaycastRun) {
        let columns = Int(run.first_column)..<Int(run.first_column + run.column_count)
        guard run.object >= 0 else {
            for column in columns { light[column] = view.isValid(column) ? illumination.background : .zero }
            return
        }
        switch renderer.surfaces[run.object] {
        case .rectangle(let rectangle): shade(columns, of: rectangle, sunParts: scratch.sunParts(ofRow: Int(run.row)))
        case .mesh(let mesh):
            shade(columns, of: mesh.pointee, run.object)
            if let edges { findFolds(of: mesh, columns, edges) }
        }
    }

    private func shade(
        _ columns: Range<Int>, of rectangle: UnsafePointer<RectangleRecord>, sunParts: UnsafePointer<Float>
    ) {
        let (normal, gloss) = (rectangle.pointee.normal(towards: view.origin), rectangle.pointee.gloss)
        let shares = illumination.shares(normal: normal, translucency: 0)
        let sunlight = scratch.sunlight
        for column in columns {
            let (albedo, visibility) = (light[column], sunParts[column])
            let amount = visibility > 0 ? sunlight[column / ShadowBlocks.side].onRectangles : .none
            let isPartial = amount == .partial && hasMovingShadows
            if !isPartial, visibility > 0 { renderer.setSun(isSeen: amount != .none, column: column, row: view.row) }
            if gloss == 0, !isPartial {
                light[column] = albedo * (shares.sky + (amount == .none ? 0 : shares.sun * visibility))
                continue
            }
            var reflection = illumination.reflection(
                of: albedo, gloss: gloss, shares: shares, normal: normal,
                towardsViewer: -view.direction(column))
            reflection.sunshine *= visibility
            if isPartial {
                let hit = renderer.firstHit(column: column, row: view.row)
                append(
                    column,
                    at: renderer.surfaces[hit.object].place(
                        at: hit, origin: view.origin, direction: view.direction(column), time: view.time),
                    reflection, past: CRAYCAST_MOVING)
            } else {
                light[column] = reflection.light(sunVisibility: amount == .none ? 0 : 1)
            }
        }
    }

    private func shade(_ columns: Range<Int>, of mesh: MeshRecord, _ object: Int32) {
        let axes = mesh.axes(at: view.time)
        let albedos = scratch.albedos
        let hits = renderer.firstHits.suffix(from: view.row * renderer.size.width)
        scratch.look(at: mesh, columns, axes: axes, in: view, hits: hits)
        for column in columns {
            let (hit, albedo) = (hits[column], albedos[column])
            let direction = Vector3(view.inWorld(view.view(column)).direction)
            let place = SurfacePlace(
                position: view.origin + direction * Double(hit.depth),
                normal: mesh.normal(at: hit, direction: direction, axes: axes), translucency: mesh.translucency)
            let reflection = illumination.reflection(
                of: albedo, gloss: min(1, mesh.gloss + albedo.w),
                shares: illumination.shares(normal: place.normal, translucency: place.translucency),
                normal: place.normal, towardsViewer: -direction)
            let isOfBlock = renderer.objectInMiddleOfBlock(column: column, row: view.row) == object
            switch isOfBlock ? scratch.sunlight[column / ShadowBlocks.side].onMeshes : .partial {
            case .partial where illumination.reaches(place):
                append(
                    column, at: place, reflection, past: CRAYCAST_ALL,
                    expectsSun: isOfBlock ? nil : renderer.isSunny(aroundColumn: column, row: view.row, on: object))
            case .partial: light[column] = reflection.light(sunVisibility: 0)
            case let amount:
                renderer.setSun(isSeen: amount == .full, column: column, row: view.row)
                light[column] = reflection.light(sunVisibility: amount == .full ? 1 : 0)
            }
        }
    }

    private func append(
        _ column: Int, at place: SurfacePlace, _ reflection: Reflection, past subset: CRaycastSubset,
        expectsSun: Bool? = nil
    ) {
        let halfShadow = HalfShadow(
            column: column, row: view.row, time: Float(view.time), origin: renderer.shadowOrigin(of: place),
            reflection: reflection, expectsSun: expectsSun)
        scratch.halfShadows.append(halfShadow, past: subset)
    }
}

extension Renderer {
    /// Whether a neighbour's centre sees another object.
    @inline(__always)
    fileprivate func isAtRim(column: Int, row: Int) -> Bool {
        let objects = firstHits.object + row * size.width + column
        let object = objects[0]
        return column > 0 && objects[-1] != object || column + 1 < size.width && objects[1] != object
            || row > 0 && objects[-size.width] != object || row + 1 < size.height && objects[size.width] != object
    }

    /// Whether a pixel's centre and the one to its left see parts of the same mesh that are not connected, or creased.
    @inline(__always)
    fileprivate func isAtFoldBefore(column: Int, row: Int, of mesh: UnsafePointer<MeshRecord>) -> Bool {
        let index = row * size.width + column
        return column > 0 && column < size.width && isAtFold(index, index - 1, mesh)
    }

    /// The same for the ones above and below.
    @inline(__always)
    fileprivate func isAtFoldAboveOrBelow(column: Int, row: Int, of mesh: UnsafePointer<MeshRecord>) -> Bool {
        let index = row * size.width + column
        return row > 0 && isAtFold(index, index - size.width, mesh)
            || row + 1 < size.height && isAtFold(index, index + size.width, mesh)
    }

    @inline(__always)
    private func isAtFold(_ first: Int, _ second: Int, _ mesh: UnsafePointer<MeshRecord>) -> Bool {
        firstHits.object[first] == firstHits.object[second] && hasFold(first, second, mesh)
    }

    /// Whether there is an edge of a mesh between two pixels' centres, by index, that see it.
    @inline(__always)
    func hasFold(_ first: Int, _ second: Int, _ mesh: UnsafePointer<MeshRecord>) -> Bool {
        mesh.pointee.hasEdge(
            between: (firstHits.primitive[first], firstHits.depth[first]),
            and: (firstHits.primitive[second], firstHits.depth[second]))
    }
}
