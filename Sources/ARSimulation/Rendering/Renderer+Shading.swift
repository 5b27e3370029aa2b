// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

extension Renderer {
    /// The third pass: the light of each pixel in a row of blocks.
    func shadeBlockRow(_ blockRow: Int, of shot: Shot, scratch: RowScratch, into light: RadianceImage) {
        sunlightOfBlocks(inBlockRow: blockRow, into: &scratch.sunlight)
        scratch.halfShadows.removeAll()
        let first = blockRow * ShadowBlocks.side
        for row in first..<min(first + ShadowBlocks.side, size.height) {
            let view = view(ofRow: row, of: shot)
            edgeRows[row].removeAll()
            let shading = RowShading(
                view: view, pixels: scratch.pixelRows.row(of: view), edges: shot.hasSmoothEdges ? edgeRows[row] : nil,
                renderer: self, scratch: scratch, light: light[row: row])
            shading.shade()
        }
        shade(halfShadowsIn: scratch, into: light)
    }
}

/// A row on its way to light: what is shaded at once, and what waits for more rays.
private struct RowShading {
    let view: RowView
    let pixels: CRaycastPixelRow
    let edges: EdgeRow?
    let renderer: Renderer
    let scratch: RowScratch
    let light: UnsafeMutableBufferPointer<SIMD4<Float>>

    func shade() {
        renderer.forEachRun(inRow: view.row) { object, columns in
            if let edges { findEdges(columns, of: object, edges) }
            shade(columns, of: object)
        }
    }

    /// Finds those of neighbours that see the same object whose other neighbours see another one, or another part of it.
    private func findEdges(_ columns: Range<Int>, of object: Int32, _ edges: EdgeRow) {
        let rim = renderer.rim(of: columns, row: view.row)
        if object >= 0, case .mesh(let mesh) = renderer.surfaces[object] {
            for column in columns
            where rim.contains(column) || renderer.isAtFold(column: column, row: view.row, of: mesh.pointee) {
                edges.append(column)
            }
        } else {
            var column = columns.lowerBound
            while column < columns.upperBound {
                if column > columns.lowerBound, column + 8 < columns.upperBound, rim.isClear(ofEightFrom: column) {
                    column += 8
                    continue
                }
                if rim.contains(column), view.isValid(column) { edges.append(column) }
                column += 1
            }
        }
    }

    /// Shades neighbours that see the same object, or nothing.
    private func shade(_ columns: Range<Int>, of object: Int32) {
        guard object >= 0 else {
            for column in columns { light[column] = view.isValid(column) ? renderer.illumination.background : .zero }
            return
        }
        switch renderer.surfaces[object] {
        case .rectangle(let rectangle): shade(columns, of: rectangle.pointee, object)
        case .mesh(let mesh): shade(columns, of: mesh.pointee)
        }
    }

    private func shade(_ columns: Range<Int>, of rectangle: RectangleRecord, _ object: Int32) {
        let normal = rectangle.normal(towards: view.origin)
        let shares = renderer.illumination.shares(normal: normal, translucency: 0)
        let looks = scratch.look(at: rectangle, object, columns, in: view, pixels: pixels, hasSun: shares.sun > 0)
        let (albedos, sunlight, hasMovingShadows) = (scratch.albedos, scratch.sunlight, renderer.hasMovingShadows)
        func sunVisibility(_ column: Int) -> Float {
            guard shares.sun > 0 else { return 0 }
            let index = column - columns.lowerBound
            return rectangle.sunVisibility(
                atCell: SIMD2(looks.cell_x[index], looks.cell_y[index]), width: looks.cell_width[index])
        }
        if rectangle.gloss == 0, !hasMovingShadows {
            for column in columns {
                light[column] = albedos[column] * (shares.sky + shares.sun * sunVisibility(column))
            }
            return
        }
        for column in columns {
            let (albedo, visibility) = (albedos[column], sunVisibility(column))
            let amount = visibility > 0 ? sunlight[column / ShadowBlocks.side].onRectangles : .none
            if rectangle.gloss == 0, amount != .partial {
                light[column] = albedo * (shares.sky + (amount == .none ? 0 : shares.sun * visibility))
                continue
            }
            var reflection = renderer.illumination.reflection(
                of: albedo, gloss: rectangle.gloss, shares: shares, normal: normal,
                towardsViewer: -view.direction(column))
            reflection.sunshine *= visibility
            if amount == .partial, hasMovingShadows {
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

    private func shade(_ columns: Range<Int>, of mesh: MeshRecord) {
        let illumination = renderer.illumination
        for column in columns {
            let hit = renderer.firstHit(column: column, row: view.row)
            let pixel = view.inWorld(view.view(column))
            let direction = Vector3(pixel.direction)
            let look = mesh.look(at: hit, view: pixel, time: view.time)
            let place = SurfacePlace(
                position: view.origin + direction * Double(hit.depth),
                normal: mesh.normal(at: hit, direction: direction, time: view.time), translucency: mesh.translucency)
            let reflection = illumination.reflection(
                of: look.albedo, gloss: look.gloss,
                shares: illumination.shares(normal: place.normal, translucency: place.translucency),
                normal: place.normal, towardsViewer: -direction)
            switch scratch.sunlight[column / ShadowBlocks.side].onMeshes {
            case .full: light[column] = reflection.light(sunVisibility: 1)
            case .partial where illumination.reaches(place):
                append(column, at: place, reflection, past: CRAYCAST_ALL)
            default: light[column] = reflection.light(sunVisibility: 0)
            }
        }
    }

    private func append(
        _ column: Int, at place: SurfacePlace, _ reflection: Reflection, past subset: CRaycastSubset
    ) {
        let halfShadow = HalfShadow(
            column: column, row: view.row, time: Float(view.time), origin: renderer.shadowOrigin(of: place),
            reflection: reflection)
        if subset == CRAYCAST_MOVING {
            scratch.halfShadows.moving.append(halfShadow)
        } else {
            scratch.halfShadows.all.append(halfShadow)
        }
    }
}

/// Which pixels of a run, neighbours in a row that see the same surface, have a neighbour that sees another one.
struct Rim {
    fileprivate let above: UnsafePointer<Int32>
    fileprivate let below: UnsafePointer<Int32>
    fileprivate let object: Int32
    fileprivate let first: Int
    fileprivate let last: Int

    /// Whether the neighbours above and below of eight pixels, which are not the run's first or last, see the same.
    @inline(__always) func isClear(ofEightFrom column: Int) -> Bool {
        let objects = SIMD8(repeating: object)
        let upper = UnsafeRawPointer(above + column).loadUnaligned(as: SIMD8<Int32>.self)
        let lower = UnsafeRawPointer(below + column).loadUnaligned(as: SIMD8<Int32>.self)
        return (upper ^ objects) | (lower ^ objects) == .zero
    }

    @inline(__always) func contains(_ column: Int) -> Bool {
        above[column] != object || below[column] != object || column == first || column == last
    }
}

extension Renderer {
    fileprivate func rim(of run: Range<Int>, row: Int) -> Rim {
        let objects = UnsafePointer(firstHits.object + row * size.width)
        // Beyond the first and the last row stand these rows themselves.
        return Rim(
            above: row > 0 ? objects - size.width : objects,
            below: row + 1 < size.height ? objects + size.width : objects, object: objects[run.lowerBound],
            // The picture's own rim is no edge.
            first: run.lowerBound > 0 ? run.lowerBound : -1,
            last: run.upperBound < size.width ? run.upperBound - 1 : -1)
    }

    /// Whether a neighbour's centre sees a part of the same mesh that is not connected with this one, or creased.
    @inline(__always)
    fileprivate func isAtFold(column: Int, row: Int, of mesh: MeshRecord) -> Bool {
        let index = row * size.width + column
        func differs(_ other: Int) -> Bool {
            mesh.hasEdge(
                between: (firstHits.primitive[index], firstHits.depth[index]),
                and: (firstHits.primitive[other], firstHits.depth[other]))
        }
        return column > 0 && differs(index - 1) || column + 1 < size.width && differs(index + 1)
            || row > 0 && differs(index - size.width) || row + 1 < size.height && differs(index + size.width)
    }
}
