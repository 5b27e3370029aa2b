// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Renderer {
    /// The third pass: the light of each pixel of a row.
    func shadeRow(_ row: Int, of shot: Shot) -> [SIMD4<Float>] {
        var shading = RowShading(row: row, of: shot, renderer: self)
        let objects = firstHits.object + row * size.width
        var start = 0
        while start < size.width {
            var end = start + 1
            while end < size.width, objects[end] == objects[start] { end += 1 }
            shading.shade(start..<end, of: objects[start], renderer: self)
            start = end
        }
        shade(shading.halfShadows, time: shot.time(ofRow: row), into: &shading.light)
        shade(edges: shading.edges, row: row, of: shot, sunlight: shading.sunlight, into: &shading.light)
        return shading.light
    }
}

/// A row on its way to light: what is shaded at once, and what waits for more rays.
private struct RowShading {
    let row: Int
    let worldFromCamera: RigidTransform
    let axes: Matrix3x3
    let time: Double
    let pixelOffset: Vector2
    let hasSmoothEdges: Bool
    let sunlight: [Sunlight]
    var light: [SIMD4<Float>]
    var edges: [Int] = []
    var halfShadows: [HalfShadow] = []

    init(row: Int, of shot: Shot, renderer: Renderer) {
        self.row = row
        worldFromCamera = shot.worldFromCameraByRow[row]
        time = shot.time(ofRow: row)
        pixelOffset = shot.pixelOffset
        hasSmoothEdges = shot.hasSmoothEdges
        axes = worldFromCamera.rotation.matrix
        sunlight = renderer.sunlightOfBlocks(atRow: row)
        light = [SIMD4<Float>](repeating: .zero, count: renderer.size.width)
    }

    /// Shades neighbours that see the same object.
    mutating func shade(_ columns: Range<Int>, of object: Int32, renderer: Renderer) {
        guard object >= 0 else {
            for column in columns {
                if hasSmoothEdges, renderer.isAtSilhouette(column: column, row: row, run: columns) {
                    edges.append(column)
                } else if renderer.table.direction(column: column, row: row, offset: pixelOffset) != .zero {
                    light[column] = renderer.illumination.background
                }
            }
            return
        }
        switch renderer.surfaces[object] {
        case .rectangle(let rectangle):
            shade(columns, of: RectangleView(rectangle.pointee, from: worldFromCamera), renderer: renderer)
        case .mesh(let mesh): shade(columns, of: mesh.pointee, renderer: renderer)
        }
    }

    private mutating func shade(_ columns: Range<Int>, of view: RectangleView, renderer: Renderer) {
        let illumination = renderer.illumination
        let shares = illumination.shares(normal: view.normal, translucency: 0)
        for column in columns {
            if hasSmoothEdges, renderer.isAtSilhouette(column: column, row: row, run: columns) {
                edges.append(column)
                continue
            }
            let ray = renderer.table.ray(column: column, row: row, offset: pixelOffset)
            let reflection = illumination.reflection(
                of: view.look(along: ray), gloss: view.gloss, shares: shares, normal: view.normal,
                towardsViewer: axes * -ray.direction)
            switch sunlight[column / ShadowBlocks.side] {
            case .full: light[column] = reflection.light(sunVisibility: 1)
            case .partial where shares.sun > 0:
                let position = worldFromCamera.translation + axes * ray.direction * view.distance(along: ray.direction)
                let place = SurfacePlace(position: position, normal: view.normal, translucency: 0)
                halfShadows.append(
                    HalfShadow(column: column, origin: renderer.shadowOrigin(of: place), reflection: reflection))
            default: light[column] = reflection.light(sunVisibility: 0)
            }
        }
    }

    private mutating func shade(_ columns: Range<Int>, of mesh: MeshRecord, renderer: Renderer) {
        let illumination = renderer.illumination
        for column in columns {
            if hasSmoothEdges,
                renderer.isAtSilhouette(column: column, row: row, run: columns)
                    || renderer.isAtFold(column: column, row: row, of: mesh)
            {
                edges.append(column)
                continue
            }
            let hit = renderer.firstHit(column: column, row: row)
            let view = renderer.table.ray(column: column, row: row, offset: pixelOffset).rotated(axes)
            let direction = view.direction
            let look = mesh.look(at: hit, view: view, time: time)
            let place = SurfacePlace(
                position: worldFromCamera.translation + direction * Double(hit.depth),
                normal: mesh.normal(at: hit, direction: direction, time: time), translucency: mesh.translucency)
            let reflection = illumination.reflection(
                of: look.albedo, gloss: look.gloss,
                shares: illumination.shares(normal: place.normal, translucency: place.translucency),
                normal: place.normal, towardsViewer: -direction)
            switch sunlight[column / ShadowBlocks.side] {
            case .full: light[column] = reflection.light(sunVisibility: 1)
            case .partial where illumination.reaches(place):
                halfShadows.append(
                    HalfShadow(column: column, origin: renderer.shadowOrigin(of: place), reflection: reflection))
            default: light[column] = reflection.light(sunVisibility: 0)
            }
        }
    }
}

extension Renderer {
    /// Whether a neighbour's centre sees another surface than the run of pixels in a row that has this one in it.
    @inline(__always)
    fileprivate func isAtSilhouette(column: Int, row: Int, run: Range<Int>) -> Bool {
        let index = row * size.width + column
        let object = firstHits.object[index]
        return column == run.lowerBound && column > 0 || column + 1 == run.upperBound && column + 1 < size.width
            || row > 0 && firstHits.object[index - size.width] != object
            || row + 1 < size.height && firstHits.object[index + size.width] != object
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
