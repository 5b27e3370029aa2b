// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Renders a model through a camera: exact geometry, filtered textures, smooth edges, soft shadows.
///
/// A frame takes three passes over its rows. The first finds what each pixel's centre sees. The second finds, on blocks
/// of 4×4 pixels, how much of the sun is seen. The third shades: pixels at an edge by eight samples, pixels in
/// half-shadow by up to sixteen rays to the sun, the others by one sample. Rows are independent within a pass, so that any
/// number of threads makes the same bytes.
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
    let firstHits: HitBatch
    let sunlitBlocks: UnsafeMutablePointer<UInt8>

    /// A renderer for a camera.
    init(
        model: RenderModel, camera: Camera, size: ImageSize, threads: Int = Parallel.defaultThreadCount
    ) {
        self.model = model
        self.size = size
        self.threads = threads
        table = RayTable(camera: camera, size: size)
        firstHits = HitBatch(capacity: size.width * size.height)
        sunlitBlocks = .allocate(capacity: ShadowBlocks.count(size.width) * ShadowBlocks.count(size.height))
        surfaces = SurfaceTable(model.surfaces)
        illumination = model.illumination
        raycaster.add(model.surfaces)
    }

    deinit {
        firstHits.deallocate()
        sunlitBlocks.deallocate()
    }

    /// Renders a shot: the light on each pixel.
    func render(_ shot: Shot, into light: RadianceImage) {
        precondition(light.size == size, "a renderer of \(size) cannot fill a picture of \(light.size)")
        prepare(shot)
        Parallel.run(count: size.height, threads: threads) { row in
            _ = light[row: row].update(fromContentsOf: shadeRow(row, of: shot))
        }
    }

    /// The surface that each pixel's centre saw in the last shot, −1 for none.
    var objects: [Int32] { Array(UnsafeBufferPointer(start: firstHits.object, count: size.width * size.height)) }

    /// The depth along the optical axis of what each pixel's centre saw in the last shot, which was this one, in metres;
    /// infinite where there was nothing.
    func depths(of shot: Shot) -> [Float] {
        (0..<size.width * size.height).map { index in
            guard firstHits.object[index] >= 0 else { return .infinity }
            let (row, column) = (index / size.width, index % size.width)
            let pose = shot.worldFromCameraByRow[row]
            let inCamera = table.direction(column: column, row: row, offset: shot.pixelOffset)
            let distance = surfaces[firstHits.object[index]].distance(
                to: firstHit(column: column, row: row), origin: pose.translation, direction: pose.rotation * inCamera)
            return Float(-inCamera.z * distance)
        }
    }

    /// What a pixel's centre sees.
    @inline(__always) func firstHit(column: Int, row: Int) -> RayHit { firstHits[row * size.width + column] }

    private func prepare(_ shot: Shot) {
        precondition(
            shot.worldFromCameraByRow.count == size.height,
            "a shot of \(size) has \(size.height) camera poses, not \(shot.worldFromCameraByRow.count)")
        illumination = model.illumination.scaled(by: shot.irradiance)
        move(model.objects(.moving), along: shot.movements)
        deform(model.objects(.deforming), as: shot.deformations)
        raycaster.commit()
        Parallel.run(count: size.height, threads: threads) { row in castRow(row, of: shot) }
        Parallel.run(count: ShadowBlocks.count(size.height), threads: threads) { row in
            castShadowRow(row, of: shot)
        }
    }

    private func move(_ objects: [Int32], along movements: [Movement]) {
        precondition(
            objects.count == movements.count, "\(objects.count) meshes move, but a shot moves \(movements.count)")
        for (object, movement) in zip(objects, movements) {
            raycaster.place(object, along: movement)
            surfaces.turn(object, along: movement)
        }
    }

    private func deform(_ objects: [Int32], as deformations: [Deformation]) {
        precondition(
            objects.count == deformations.count,
            "\(objects.count) meshes deform, but a shot deforms \(deformations.count)")
        for (object, deformation) in zip(objects, deformations) {
            raycaster.deform(object, deformation)
            surfaces.deform(object, deformation)
        }
    }

    private func castRow(_ row: Int, of shot: Shot) {
        let pose = shot.worldFromCameraByRow[row]
        let axes = pose.rotation.matrix
        let time = Float(shot.time(ofRow: row))
        let rays = RayBatch(capacity: size.width, near: 0)
        for column in 0..<size.width {
            let direction = table.direction(column: column, row: row, offset: shot.pixelOffset)
            rays.set(
                column, origin: pose.translation, direction: axes * direction,
                far: direction == .zero ? -1 : .infinity, time: time)
        }
        raycaster.intersect(rays, count: size.width, hits: firstHits.suffix(from: row * size.width))
    }
}
