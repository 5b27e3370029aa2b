// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a picture is divided into blocks to find out where shadows are.
enum ShadowBlocks {
    /// The side of a block, in pixels.
    static let side = 4
    /// A block whose middle sees no surface that the sun could reach.
    static let unknown: UInt8 = 255

    static func count(_ pixels: Int) -> Int { (pixels + side - 1) / side }
}

/// How much of the sun the pixels of a block see.
private enum Sunlight {
    case full
    case none
    case partial
}

extension Renderer {
    /// The second pass: for each block, how many of the sun's probes its middle sees.
    func castShadowRow(_ blockRow: Int, of shot: Shot) {
        let row = min(blockRow * ShadowBlocks.side + ShadowBlocks.side / 2, size.height - 1)
        let pose = shot.worldFromCameraByRow[row]
        let axes = pose.rotation.matrix
        let probes = model.illumination.sunProbes
        let blockCount = ShadowBlocks.count(size.width)
        let blocks = sunlitBlocks + blockRow * blockCount
        let rays = RayBatch(capacity: blockCount * probes.count, near: 0)
        for block in 0..<blockCount {
            let column = min(block * ShadowBlocks.side + ShadowBlocks.side / 2, size.width - 1)
            let hit = firstHit(column: column, row: row)
            blocks[block] = ShadowBlocks.unknown
            var point: SurfacePoint?
            if hit.object >= 0 {
                let ray = table.ray(column: column, row: row).rotated(axes)
                point = records[Int(hit.object)].point(at: hit, origin: pose.translation, ray: ray)
            }
            for (index, probe) in probes.enumerated() {
                if let point, model.illumination.reaches(point) {
                    setShadowRay(rays, block * probes.count + index, from: point, towards: probe)
                    blocks[block] = 0
                } else {
                    rays.set(block * probes.count + index, origin: .zero, direction: probe, far: -1)
                }
            }
        }
        let occluded = [UInt8](unsafeUninitializedCapacity: blockCount * probes.count) { buffer, count in
            count = blockCount * probes.count
            if let result = buffer.baseAddress { raycaster.occluded(rays, count: count, into: result) }
        }
        for block in 0..<blockCount where blocks[block] != ShadowBlocks.unknown {
            for index in 0..<probes.count { blocks[block] += 1 - occluded[block * probes.count + index] }
        }
    }

    /// The third pass: the light of each pixel of a row.
    func shadeRow(_ row: Int, of shot: Shot) -> [SIMD4<Float>] {
        let pose = shot.worldFromCameraByRow[row]
        let axes = pose.rotation.matrix
        let sunlight = sunlightOfBlocks(atRow: row)
        var light = [SIMD4<Float>](repeating: .zero, count: size.width)
        var edges: [Int] = []
        var halfShadows: [(column: Int, point: SurfacePoint)] = []
        for column in 0..<size.width {
            if isEdge(column: column, row: row) {
                edges.append(column)
                continue
            }
            let hit = firstHit(column: column, row: row)
            guard hit.object >= 0 else {
                light[column] =
                    table.direction(column: column, row: row) == .zero ? .zero : model.illumination.background
                continue
            }
            let ray = table.ray(column: column, row: row).rotated(axes)
            let point = records[Int(hit.object)].point(at: hit, origin: pose.translation, ray: ray)
            switch sunlight[column / ShadowBlocks.side] {
            case .partial where model.illumination.reaches(point): halfShadows.append((column, point))
            case .none: light[column] = self.light(of: point, sunVisibility: 0, direction: ray.direction)
            default: light[column] = self.light(of: point, sunVisibility: 1, direction: ray.direction)
            }
        }
        shade(halfShadows, origin: pose.translation, into: &light)
        shade(edges: edges, row: row, pose: pose, sunlight: sunlight, into: &light)
        return light
    }

    @inline(__always)
    private func light(of point: SurfacePoint, sunVisibility: Float, direction: Vector3) -> SIMD4<Float> {
        model.illumination.light(of: point, sunVisibility: sunVisibility, towardsViewer: -direction)
    }

    @inline(__always)
    private func setShadowRay(_ rays: RayBatch, _ index: Int, from point: SurfacePoint, towards direction: Vector3) {
        // A tenth of a millimetre off the surface: more than single precision errs over a room, less than is seen.
        rays.set(
            index, origin: point.position + point.normal * 1e-4, direction: direction,
            far: model.illumination.shadowReach)
    }

    /// A block is in full light, or in none, when all of its neighbours agree; otherwise a shadow's rim may cross it.
    private func sunlightOfBlocks(atRow row: Int) -> [Sunlight] {
        let (columns, rows) = (ShadowBlocks.count(size.width), ShadowBlocks.count(size.height))
        let blockRow = row / ShadowBlocks.side
        let all = UInt8(model.illumination.sunProbes.count)
        return (0..<columns).map { block in
            var (lowest, highest) = (all, UInt8(0))
            for neighbourRow in max(blockRow - 1, 0)...min(blockRow + 1, rows - 1) {
                for neighbour in max(block - 1, 0)...min(block + 1, columns - 1) {
                    let seen = sunlitBlocks[neighbourRow * columns + neighbour]
                    guard seen != ShadowBlocks.unknown else { continue }
                    lowest = min(lowest, seen)
                    highest = max(highest, seen)
                }
            }
            if lowest == all, highest == all { return .full }
            return highest == 0 && lowest == 0 ? .none : .partial
        }
    }

    /// Whether a neighbour's centre sees another surface, or a part of the same mesh that is not connected with this.
    private func isEdge(column: Int, row: Int) -> Bool {
        let index = row * size.width + column
        func differs(_ other: Int) -> Bool {
            let object = firstHits.object[index]
            guard firstHits.object[other] == object else { return true }
            guard object >= 0, firstHits.primitive[other] != firstHits.primitive[index] else { return false }
            let (near, far) = (firstHits.depth[index], firstHits.depth[other])
            return abs(near - far) > 0.02 * min(near, far)
                || records[Int(object)].hasCrease(between: firstHits.primitive[index], and: firstHits.primitive[other])
        }
        return column > 0 && differs(index - 1) || column + 1 < size.width && differs(index + 1)
            || row > 0 && differs(index - size.width) || row + 1 < size.height && differs(index + size.width)
    }

    /// Pixels that see one surface and some of the sun.
    private func shade(
        _ pixels: [(column: Int, point: SurfacePoint)], origin: Point3, into light: inout [SIMD4<Float>]
    ) {
        guard !pixels.isEmpty else { return }
        let samples = model.illumination.sunSamples
        let rays = RayBatch(capacity: pixels.count * samples.count, near: 0)
        for (pixel, entry) in pixels.enumerated() {
            for (index, sample) in samples.enumerated() {
                setShadowRay(rays, pixel * samples.count + index, from: entry.point, towards: sample)
            }
        }
        let seen = visibility(rays, count: pixels.count * samples.count)
        for (pixel, entry) in pixels.enumerated() {
            let sum = seen[pixel * samples.count..<(pixel + 1) * samples.count].reduce(0, +)
            let direction = (entry.point.position - origin).normalized() ?? .zero
            light[entry.column] = self.light(
                of: entry.point, sunVisibility: sum / Float(samples.count), direction: direction)
        }
    }

    /// Pixels in which several surfaces meet: eight samples, each with its own place on the sun.
    private func shade(
        edges columns: [Int], row: Int, pose: RigidTransform, sunlight: [Sunlight], into light: inout [SIMD4<Float>]
    ) {
        guard !columns.isEmpty else { return }
        let axes = pose.rotation.matrix
        let perPixel = Self.edgeSamples.count
        let count = columns.count * perPixel
        let rays = RayBatch(capacity: count, near: 0)
        let views = columns.flatMap { column in
            let ray = table.ray(column: column, row: row)
            return Self.edgeSamples.map { ray.part(offset: $0, scale: 0.35).rotated(axes) }
        }
        for (index, view) in views.enumerated() {
            rays.set(index, origin: pose.translation, direction: view.direction, far: view.isValid ? .infinity : -1)
        }
        let hits = HitBatch(capacity: count)
        defer { hits.deallocate() }
        raycaster.intersect(rays, count: count, hits: hits)

        var points = [SurfacePoint?](repeating: nil, count: count)
        for index in 0..<count {
            rays.set(index, origin: .zero, direction: model.illumination.towardsSun, far: -1)
            guard hits.object[index] >= 0 else { continue }
            let hit = RayHit(
                object: hits.object[index], primitive: hits.primitive[index], u: hits.u[index], v: hits.v[index],
                depth: hits.depth[index])
            let point = records[Int(hit.object)].point(at: hit, origin: pose.translation, ray: views[index])
            points[index] = point
            if sunlight[columns[index / perPixel] / ShadowBlocks.side] != .full, model.illumination.reaches(point) {
                // Every other place on the sun, so that a pixel's samples are spread over all of it.
                setShadowRay(rays, index, from: point, towards: model.illumination.sunSamples[2 * (index % perPixel)])
            }
        }
        let seen = visibility(rays, count: count)
        for (pixel, column) in columns.enumerated() {
            var sum = SIMD4<Float>()
            for index in pixel * perPixel..<(pixel + 1) * perPixel {
                if let point = points[index] {
                    sum += self.light(of: point, sunVisibility: seen[index], direction: views[index].direction)
                } else if views[index].isValid {
                    sum += model.illumination.background
                }
            }
            light[column] = sum / Float(perPixel)
        }
    }

    /// 1 for each ray that meets nothing, 0 for each that does.
    private func visibility(_ rays: RayBatch, count: Int) -> [Float] {
        let occluded = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let result = buffer.baseAddress { raycaster.occluded(rays, count: count, into: result) }
            initialized = count
        }
        return occluded.map { $0 == 0 ? 1 : 0 }
    }

    /// Places in a pixel, from its centre: no two share a row or a column of an 8×8 grid, so that an edge of any slope
    /// passes eight different shares of the pixel. (Shirley 1991, "Discrepancy as a quality measure": n rooks.)
    private static let edgeSamples: [Vector2] = [3, 6, 0, 5, 2, 7, 1, 4].enumerated().map { column, row in
        Vector2((Double(column) + 0.5) / 8 - 0.5, (Double(row) + 0.5) / 8 - 0.5)
    }
}
