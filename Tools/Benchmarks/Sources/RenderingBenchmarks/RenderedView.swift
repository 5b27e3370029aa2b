// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation

@testable import ARSimulation

/// A model, a camera, and a short film of it: what is measured.
struct RenderedView {
    var name: String
    var model: RenderModel
    var camera: Camera
    var size: ImageSize
    /// One shot a frame.
    var shots: [Shot]
}

extension RenderedView {
    static let frameCount = 24

    /// A scene's first frames, in its own size and, through a lens that sees as much, in another.
    init(scene name: String, size: ImageSize? = nil) throws {
        let file = URL(fileURLWithPath: "Scenes/\(name).yaml")
        var scene = try Scene(contentsOf: file)
        if let size {
            let factor = Double(size.width) / Double(scene.camera.size.width)
            scene.camera.focalPixels *= factor
            scene.camera.principalPointPixels = Vector2(Double(size.width - 1), Double(size.height - 1)) / 2
            scene.camera.size = size
        }
        let session = try SceneSession(scene: scene)
        let middle = session.frameCount / 2
        self.init(
            name: name, model: session.stage.model, camera: scene.camera.model, size: scene.camera.size,
            shots: (0..<Self.frameCount).map { session.shot(at: session.timestamp(ofFrame: middle + $0)) })
    }

    /// A floor and that many sheets above it, which cover as much of the picture however many they are.
    init(surfaceCount: Int, size: ImageSize) {
        var random = SeededRandom(seed: 5, purpose: "sheets")
        func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let texture = MipTexture(covering: Vector2(1, 1), texelMeters: 0.002, threads: 2) { place, _ in
            Vector3(repeating: 0.5) + 0.4 * Vector3(sin(60 * place.x), sin(80 * place.y), sin(50 * (place.x + place.y)))
        }
        let side = 2.4 / Double(surfaceCount).squareRoot()
        var surfaces = [
            TexturedRectangle(worldFromSurface: .identity, size: Vector2(8, 8), texture: texture)
        ]
        for _ in 1..<surfaceCount {
            let turn = Rotation(rotationVector: Vector3(uniform(-1...1), uniform(-3...3), uniform(-1...1)))
            let place = Point3(uniform(-1.6...1.6), uniform(0.2...1), uniform(-1.6...1.6))
            surfaces.append(
                TexturedRectangle(
                    worldFromSurface: RigidTransform(rotation: turn, translation: place),
                    size: Vector2(side, side), texture: texture))
        }
        let focal = 0.8 * Double(size.width)
        self.init(
            name: "\(surfaceCount) surfaces",
            model: RenderModel(surfaces: surfaces.map { .rectangle($0) }, illumination: Illumination(Scene.Light())),
            camera: .pinhole(
                PinholeCamera(
                    PinholeIntrinsics(
                        fx: focal, fy: focal, cx: Double(size.width - 1) / 2, cy: Double(size.height - 1) / 2))),
            size: size,
            shots: (0..<Self.frameCount).map { frame in
                var waypoint = Scene.Waypoint()
                waypoint.position = Point3(0.01 * Double(frame), 2.2, 2.2)
                waypoint.lookAt = Point3(0, 0.4, 0)
                let pose = waypoint.worldFromCamera ?? .identity
                return Shot(worldFromCameraByRow: [RigidTransform](repeating: pose, count: size.height))
            })
    }
}
