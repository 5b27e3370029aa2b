// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What a renderer is asked for: where the camera and the moving meshes are.
struct Shot: Sendable {
    /// The camera's pose, one for each row of the picture: rows may be taken at different times.
    var worldFromCameraByRow: [RigidTransform]
    /// The poses of the moving meshes, in the order of their surfaces.
    var worldFromMoving: [RigidTransform] = []
}

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
    private let movingObjects: [Int32]
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
        movingObjects = raycaster.add(model.surfaces)
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
            let inCamera = table.direction(column: column, row: row)
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
        precondition(
            shot.worldFromMoving.count == movingObjects.count,
            "\(movingObjects.count) meshes move, but the shot places \(shot.worldFromMoving.count)")
        for (object, pose) in zip(movingObjects, shot.worldFromMoving) {
            raycaster.place(object, at: pose)
            surfaces.turn(object, pose.rotation)
        }
        if !movingObjects.isEmpty { raycaster.commit() }
        Parallel.run(count: size.height, threads: threads) { row in castRow(row, of: shot) }
        Parallel.run(count: ShadowBlocks.count(size.height), threads: threads) { row in
            castShadowRow(row, of: shot)
        }
    }

    private func castRow(_ row: Int, of shot: Shot) {
        let pose = shot.worldFromCameraByRow[row]
        let axes = pose.rotation.matrix
        let rays = RayBatch(capacity: size.width, near: 0)
        for column in 0..<size.width {
            let direction = table.direction(column: column, row: row)
            rays.set(
                column, origin: pose.translation, direction: axes * direction,
                far: direction == .zero ? -1 : .infinity)
        }
        raycaster.intersect(rays, count: size.width, hits: firstHits.suffix(from: row * size.width))
    }
}
