// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

extension Renderer {
    /// The third pass: the light of each pixel in a row of blocks.
    func shadeBlockRow(_ blockRow: Int, of shot: Shot, scratch: RowScratch, into light: RadianceImage) {
        sunlightOfBlocks(inBlockRow: blockRow, into: &scratch.sunlight)
        let first = blockRow * ShadowBlocks.side
        for row in first..<min(first + ShadowBlocks.side, size.height) {
            let view = view(ofRow: row, of: shot)
            let shading = RowShading(
                view: view, pixels: scratch.pixelRows.row(of: view), hasSmoothEdges: shot.hasSmoothEdges,
                renderer: self, scratch: scratch, light: light[row: row])
            shading.shade()
        }
    }
}

/// A row on its way to light: what is shaded at once, and what waits for more rays.
private struct RowShading {
    let view: RowView
    let pixels: CRaycastPixelRow
    let hasSmoothEdges: Bool
    let renderer: Renderer
    let scratch: RowScratch
    let light: UnsafeMutableBufferPointer<SIMD4<Float>>

    func shade() {
        scratch.beginRow()
        renderer.forEachRun(inRow: view.row) { object, columns in shade(columns, of: object) }
        renderer.shade(halfShadowsIn: scratch, time: view.time, into: light)
        renderer.shade(edgesIn: scratch, view: view, into: light)
    }

    /// Shades neighbours that see the same object.
    private func shade(_ columns: Range<Int>, of object: Int32) {
        let rim = hasSmoothEdges ? renderer.rim(of: columns, row: view.row) : nil
        if object >= 0, case .mesh(let mesh) = renderer.surfaces[object] {
            return shade(columns, of: mesh.pointee, rim: rim)
        }
        guard let rim else { return shadeInside(columns, of: object) }
        var start = columns.lowerBound
        for column in columns where rim.contains(column) {
            scratch.edges.append(column)
            shadeInside(start..<column, of: object)
            start = column + 1
        }
        shadeInside(start..<columns.upperBound, of: object)
    }

    /// Shades neighbours that see nothing else than the same rectangle, or nothing at all.
    private func shadeInside(_ columns: Range<Int>, of object: Int32) {
        guard !columns.isEmpty else { return }
        if object >= 0, case .rectangle(let rectangle) = renderer.surfaces[object] {
            return shade(columns, of: rectangle.pointee, object)
        }
        for column in columns { light[column] = view.isValid(column) ? renderer.illumination.background : .zero }
    }

    private func shade(_ columns: Range<Int>, of rectangle: RectangleRecord, _ object: Int32) {
        let normal = rectangle.normal(towards: view.origin)
        let shares = renderer.illumination.shares(normal: normal, translucency: 0)
        let looks = scratch.look(at: rectangle, object, columns, in: view, pixels: pixels, hasSun: shares.sun > 0)
        for column in columns {
            let albedo = scratch.albedos[column]
            let index = column - columns.lowerBound
            let visibility =
                shares.sun > 0
                ? rectangle.sunVisibility(
                    atCell: SIMD2(looks.cell_x[index], looks.cell_y[index]), width: looks.cell_width[index]) : 0
            let amount = visibility > 0 ? scratch.sunlight[column / ShadowBlocks.side].onRectangles : .none
            if rectangle.gloss == 0, amount != .partial || !renderer.hasMovingShadows {
                light[column] = albedo * (shares.sky + (amount == .none ? 0 : shares.sun * visibility))
                continue
            }
            var reflection = renderer.illumination.reflection(
                of: albedo, gloss: rectangle.gloss, shares: shares, normal: normal,
                towardsViewer: -view.direction(column))
            reflection.sunshine *= visibility
            if amount == .partial, renderer.hasMovingShadows {
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

    private func shade(_ columns: Range<Int>, of mesh: MeshRecord, rim: Rim?) {
        let illumination = renderer.illumination
        for column in columns {
            if let rim, rim.contains(column) || renderer.isAtFold(column: column, row: view.row, of: mesh) {
                scratch.edges.append(column)
                continue
            }
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
        scratch.halfShadows.append(
            HalfShadow(
                column: column, origin: renderer.shadowOrigin(of: place), reflection: reflection, subset: subset))
    }
}

/// Which pixels of a run, neighbours in a row that see the same surface, have a neighbour that sees another one.
struct Rim {
    fileprivate let above: UnsafePointer<Int32>?
    fileprivate let below: UnsafePointer<Int32>?
    fileprivate let object: Int32
    fileprivate let first: Int
    fileprivate let last: Int

    @inline(__always) func contains(_ column: Int) -> Bool {
        column == first || column == last
            || above.map { $0[column] != object } ?? false || below.map { $0[column] != object } ?? false
    }
}

extension Renderer {
    fileprivate func rim(of run: Range<Int>, row: Int) -> Rim {
        let objects = firstHits.object + row * size.width
        return Rim(
            above: row > 0 ? UnsafePointer(objects - size.width) : nil,
            below: row + 1 < size.height ? UnsafePointer(objects + size.width) : nil, object: objects[run.lowerBound],
            // The picture's own rim is no edge.
            first: run.lowerBound > 0 ? run.lowerBound : -1,
            last: run.upperBound < size.width ? run.upperBound - 1 : -1)
    }

    /// Whether a neighbour's centre sees a part of the same mesh that is not connected with this one, or creased.
    @inline(__always)
    fileprivate func isAtFold(column: Int, row: Int, of mesh: MeshRecord) -> Bool {
        let index = row * size.width + column
        func differs(_ other: Int) -> Bool {
            guard firstHits.primitive[other] != firstHits.primitive[index] else { return false }
            let (near, far) = (firstHits.depth[index], firstHits.depth[other])
            return abs(near - far) > 0.02 * min(near, far)
                || mesh.hasCrease(between: firstHits.primitive[index], and: firstHits.primitive[other])
        }
        return column > 0 && differs(index - 1) || column + 1 < size.width && differs(index + 1)
            || row > 0 && differs(index - size.width) || row + 1 < size.height && differs(index + size.width)
    }
}
