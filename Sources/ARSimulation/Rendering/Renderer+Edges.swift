// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Renderer {
    /// Pixels in which several surfaces meet: eight samples, each with its own place on the sun.
    func shade(
        edges columns: [Int], row: Int, of shot: Shot, sunlight: [Sunlight], into light: inout [SIMD4<Float>]
    ) {
        guard !columns.isEmpty else { return }
        let pose = shot.worldFromCameraByRow[row]
        let axes = pose.rotation.matrix
        let time = shot.time(ofRow: row)
        let count = columns.count * EdgeSamples.perPixel
        let directions = columns.flatMap { column in
            let ray = table.ray(column: column, row: row, offset: shot.pixelOffset)
            return EdgeSamples.offsets.map { axes * ray.part(offset: $0, scale: 1).direction }
        }
        let rays = RayBatch(capacity: count, near: 0)
        for (index, direction) in directions.enumerated() {
            rays.set(
                index, origin: pose.translation, direction: direction, far: direction == .zero ? -1 : .infinity,
                time: Float(time))
        }
        let hits = HitBatch(capacity: count)
        defer { hits.deallocate() }
        raycaster.intersect(rays, count: count, hits: hits)

        for (index, direction) in directions.enumerated() {
            let isSunSure = sunlight[columns[index / EdgeSamples.perPixel] / ShadowBlocks.side] == .full
            let origin =
                isSunSure
                ? nil : shadowOrigin(of: hits[index], origin: pose.translation, direction: direction, time: time)
            // Every other place on the sun, so that a pixel's samples are spread over all of it.
            rays.set(
                index, origin: origin ?? .zero,
                direction: illumination.sunSamples[2 * (index % EdgeSamples.perPixel)],
                far: origin == nil ? -1 : illumination.shadowReach, time: Float(time))
        }
        let seen = visibility(rays, count: count)
        for (pixel, column) in columns.enumerated() {
            let first = pixel * EdgeSamples.perPixel
            let last = first + EdgeSamples.perPixel
            let samples = EdgeSamples(
                view: table.ray(column: column, row: row, offset: shot.pixelOffset),
                directions: directions[first..<last],
                hits: hits.suffix(from: first), seen: seen[first..<last])
            if samples.view.isValid { light[column] = self.light(of: samples, worldFromCamera: pose, time: time) }
        }
    }

    /// Where a ray to the sun begins, `nil` where nothing was hit or what was hit is turned away from the sun.
    private func shadowOrigin(of hit: RayHit, origin: Point3, direction: Vector3, time: Double) -> Point3? {
        guard hit.object >= 0 else { return nil }
        let place = surfaces[hit.object].place(at: hit, origin: origin, direction: direction, time: time)
        return illumination.reaches(place) ? shadowOrigin(of: place) : nil
    }

    private func light(of samples: EdgeSamples, worldFromCamera: RigidTransform, time: Double) -> SIMD4<Float> {
        let axes = worldFromCamera.rotation.matrix
        var sum = SIMD4<Float>()
        for number in 0..<EdgeSamples.perPixel {
            let hit = samples.hits[number]
            guard hit.object >= 0 else {
                sum += illumination.background
                continue
            }
            switch surfaces[hit.object] {
            case .mesh(let mesh):
                sum += light(of: mesh.pointee, in: samples, number: number, axes: axes, time: time)
            case .rectangle(let rectangle) where !samples.hasObject(hit.object, before: number):
                sum += light(
                    of: RectangleView(rectangle.pointee, from: worldFromCamera), in: samples, object: hit.object,
                    axes: axes)
            case .rectangle: continue
            }
        }
        return sum / Float(EdgeSamples.perPixel)
    }

    private func light(
        of mesh: MeshRecord, in samples: EdgeSamples, number: Int, axes: Matrix3x3, time: Double
    ) -> SIMD4<Float> {
        let hit = samples.hits[number]
        let part = samples.view.part(offset: EdgeSamples.offsets[number], scale: EdgeSamples.side).rotated(axes)
        let normal = mesh.normal(at: hit, direction: part.direction, time: time)
        let look = mesh.look(at: hit, view: part, time: time)
        return illumination.reflection(
            of: look.albedo, gloss: look.gloss,
            shares: illumination.shares(normal: normal, translucency: mesh.translucency), normal: normal,
            towardsViewer: -part.direction
        ).light(sunVisibility: Float(samples.seen[samples.seen.startIndex + number]))
    }

    /// The light of a rectangle in all of the samples that see it: it is looked at once, in their middle.
    private func light(of view: RectangleView, in samples: EdgeSamples, object: Int32, axes: Matrix3x3) -> SIMD4<Float>
    {
        var (offsets, seen, count) = (Vector2.zero, 0, 0)
        for number in 0..<EdgeSamples.perPixel where samples.hits.object[number] == object {
            offsets += EdgeSamples.offsets[number]
            seen += Int(samples.seen[samples.seen.startIndex + number])
            count += 1
        }
        let part = samples.view.part(
            offset: offsets / Double(count), scale: (Double(count) / Double(EdgeSamples.perPixel)).squareRoot())
        let reflection = illumination.reflection(
            of: view.look(along: part), gloss: view.gloss,
            shares: illumination.shares(normal: view.normal, translucency: 0), normal: view.normal,
            towardsViewer: axes * -part.direction)
        return reflection.shade * Float(count) + reflection.sunshine * Float(seen)
    }
}

/// The samples of one pixel at an edge.
private struct EdgeSamples {
    /// The pixel's view, in the camera's axes.
    let view: PixelRay
    /// Where the samples look, in the world's axes.
    let directions: ArraySlice<Vector3>
    let hits: HitBatch
    /// 1 for each sample that sees its place on the sun.
    let seen: ArraySlice<UInt8>

    /// Whether an earlier sample sees the same object.
    func hasObject(_ object: Int32, before number: Int) -> Bool { (0..<number).contains { hits.object[$0] == object } }

    /// Places in a pixel, from its centre: no two share a row or a column of an 8×8 grid, so that an edge of any slope
    /// passes eight different shares of the pixel. (Shirley 1991, "Discrepancy as a quality measure": n rooks.)
    static let offsets: [Vector2] = [3, 6, 0, 5, 2, 7, 1, 4].enumerated().map { column, row in
        Vector2((Double(column) + 0.5) / 8 - 0.5, (Double(row) + 0.5) / 8 - 0.5)
    }

    static let perPixel = 8
    /// The side of a square part of a pixel that is as large as a sample's.
    static let side = (1 / Double(perPixel)).squareRoot()
}
