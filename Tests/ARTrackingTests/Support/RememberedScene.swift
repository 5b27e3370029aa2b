// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport

@testable import ARSimulation
@testable import ARTracking

/// A shipped scene that is looked at from anywhere, with a phone's noise, and with the true places of what is seen.
struct RememberedScene {
    let session: SceneSession
    let camera: Camera
    private let simulatedCamera: SimulatedCamera
    private let depthRenderer: Renderer

    init(_ name: String) throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Scenes/\(name).yaml")
        session = try SceneSession(scene: Scene(contentsOf: file.standardized))
        camera = session.rig.camera.camera
        simulatedCamera = session.makeCamera()
        depthRenderer = Renderer(
            model: session.stage.model, camera: session.scene.camera.model, size: session.scene.camera.size)
    }

    private func shot(from worldFromOptical: RigidTransform) -> Shot {
        var shot = session.shot(at: 0)
        shot.worldFromCameraByRow = shot.worldFromCameraByRow.map { _ in worldFromOptical * .opticalFromCamera }
        return shot
    }

    func picture(from worldFromOptical: RigidTransform, frame: Int) -> ImageBuffer {
        simulatedCamera.image(of: shot(from: worldFromOptical), frame: frame)
    }

    /// The tracker's points in a picture, each with its place, known to that share of its distance.
    func points(
        in picture: ImageBuffer, from worldFromOptical: RigidTransform, depthDeviation: Double,
        random: inout TestRandom
    ) -> [PlacedPoint] {
        let shot = shot(from: worldFromOptical)
        let painter = TruthPainter(size: depthRenderer.size, kinds: [.depth])
        guard let depths = painter.pictures(of: shot, by: depthRenderer).depth?.meters else { return [] }
        var tracker = FeatureTracker(camera: camera, imageSize: picture.size)
        return tracker.track(picture).observations.compactMap { point in
            let index =
                Int(point.pixel.y.rounded()) * picture.size.width + Int(point.pixel.x.rounded())
            let depth = Double(depths[index]) * (1 + depthDeviation * 3.0.squareRoot() * random.uniform())
            guard depth > 0 else { return nil }
            let distance = depth / point.direction.z
            return PlacedPoint(
                pixel: point.pixel, positionInWorld: worldFromOptical * (point.direction * distance),
                distanceDeviation: depthDeviation * distance)
        }
    }

    /// What is remembered of a walk along the scene's own path, looked at three times a second.
    func memory(depthDeviation: Double = 0.005, random: inout TestRandom) -> PlaceMemory {
        var memory = PlaceMemory()
        for frame in 0..<Int(session.scene.durationSeconds * 3) {
            let worldFromOptical = session.worldFromCamera(at: Double(frame) / 3) * .cameraFromOptical
            let picture = picture(from: worldFromOptical, frame: frame)
            memory.keep(
                picture, camera: camera, worldFromOptical: worldFromOptical,
                points: points(
                    in: picture, from: worldFromOptical, depthDeviation: depthDeviation, random: &random))
        }
        return memory
    }
}

extension Rotation {
    /// The attitude as it is known after an interruption: turned about +Y by any angle, and tilted by up to 1°.
    func leveled(using random: inout TestRandom) -> Rotation {
        let around = random.uniform(-Double.pi...Double.pi)
        let tilt = Vector3(cos(around), 0, sin(around)) * random.uniform(0...0.0175)
        return Rotation(rotationVector: Vector3(0, random.uniform(-Double.pi...Double.pi), 0))
            * Rotation(rotationVector: tilt) * self
    }
}
