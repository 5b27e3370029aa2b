// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// A picture of a mesh, for people: on a plain ground, in soft light, from the side and above.
public enum MeshPreview {
    /// The picture of meshes that lie in one frame, +Y up; `nil` when they have no triangle with an area.
    ///
    /// The camera sees the whole of the bounding box; the ground is at its bottom. Edges are smoothed by eight samples a pixel.
    public static func render(
        _ meshes: [TriangleMesh], size: ImageSize = ImageSize(width: 960, height: 720), threads: Int? = nil
    ) -> ImageBuffer? {
        let mesh = meshes.reduce(TriangleMesh(), +)
        let shaded = ShadedMesh(mesh, albedo: ColorTransfer.linear(fromSRGB: Vector3(0.86, 0.47, 0.22)))
        guard let bounds = mesh.bounds, !shaded.triangles.isEmpty else { return nil }
        let view = PreviewView(of: bounds, size: size)
        let ground = TexturedRectangle(
            worldFromSurface: RigidTransform(
                translation: Point3(bounds.center.x, bounds.minimum.y, bounds.center.z)),
            size: Vector2(repeating: 60 * view.radius), texture: MipTexture(plain: Vector3(0.55, 0.56, 0.57)))
        var light = Scene.Light()
        light.direction = view.worldFromCamera.rotation * Vector3(-0.75, 1.0, 0.8)
        light.sun = 0.70
        light.ambient = 0.45
        light.angularRadius = 0.12
        light.shadowReachMeters = 10 * view.radius
        let renderer = Renderer(
            model: RenderModel(
                surfaces: [.rectangle(ground), .mesh(shaded, placement: .fixed)], illumination: Illumination(light)),
            camera: view.camera, size: size, threads: threads ?? Parallel.defaultThreadCount)
        var settings = Scene.CameraSettings()
        settings.size = size
        return SimulatedCamera(renderer, settings: settings, seed: 0).image(
            of: Shot(
                worldFromCameraByRow: [RigidTransform](repeating: view.worldFromCamera, count: size.height)))
    }
}

/// The camera from which a box is seen whole.
private struct PreviewView {
    let worldFromCamera: RigidTransform
    let camera: Camera
    /// The radius of the sphere around the box.
    let radius: Double

    /// A view from the front right, 38° above the ground, through a lens of 30°.
    init(of bounds: AxisAlignedBox, size: ImageSize) {
        let center = bounds.center
        radius = max((bounds.maximum - bounds.minimum).length / 2, 1e-6)
        let (azimuth, elevation) = (0.45, 0.66)
        let backward = Vector3(sin(azimuth) * cos(elevation), sin(elevation), cos(azimuth) * cos(elevation))
        var waypoint = Scene.Waypoint()
        waypoint.position = center + backward
        waypoint.lookAt = center
        let rotation = waypoint.worldFromCamera?.rotation ?? .identity
        let halfHeight = tan(0.26)
        let halfWidth = halfHeight * Double(size.width) / Double(size.height)
        // The distance at which each corner just lies inside the picture's edges, less a margin.
        let distance = bounds.corners.reduce(0.0) { farthest, corner in
            let p = rotation.inverse * (corner - center)
            return max(farthest, p.z + abs(p.x) / (0.86 * halfWidth), p.z + abs(p.y) / (0.86 * halfHeight))
        }
        worldFromCamera = RigidTransform(
            rotation: rotation, translation: center + backward * max(distance, 1.2 * radius))
        let focal = Double(size.height) / 2 / halfHeight
        camera = .pinhole(
            PinholeCamera(
                PinholeIntrinsics(
                    fx: focal, fy: focal, cx: Double(size.width - 1) / 2, cy: Double(size.height - 1) / 2)))
    }
}

extension ShadedMesh {
    /// A mesh of one colour whose faces are smooth where they meet at less than ``TriangleMesh/creaseAngle``, and creased
    /// where they do not.
    fileprivate init(_ mesh: TriangleMesh, albedo: Vector3) {
        self.init(positions: [], normals: [], coat: .colors([]), triangles: [], gloss: 0.06)
        for (index, normals) in mesh.cornerNormals.enumerated() {
            guard let normals else { continue }
            let first = UInt32(positions.count)
            let corners = mesh.corners(ofTriangle: index)
            positions += [corners.0, corners.1, corners.2].map { SIMD3<Float>($0) }
            self.normals += [normals.0, normals.1, normals.2].map { SIMD3<Float>($0) }
            triangles.append(SIMD3(first, first + 1, first + 2))
        }
        coat = .colors([SIMD4<Float>](repeating: SIMD4(albedo, 0), count: positions.count))
    }
}
