// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension SceneSession {
    /// When the rows of a frame are exposed.
    var shutter: ShutterTiming {
        ShutterTiming(rowCount: scene.camera.size.height, readoutSeconds: scene.camera.readoutSeconds)
    }

    /// Where everything is that moves, for a frame with that stamp.
    func shot(at timestamp: Timestamp) -> Shot { shot(at: timestamp.seconds(since: Self.start)) }

    /// Where everything is that moves, each row at its own instant, for a frame at a time of the scene.
    func shot(at seconds: Double) -> Shot {
        let height = scene.camera.size.height
        let half = shutter.readoutSeconds / 2
        let poses =
            shutter.readoutSeconds == 0
            ? [RigidTransform](repeating: worldFromCamera(at: seconds), count: height)
            : (0..<height).map { worldFromCamera(at: seconds + shutter.offsetSeconds(ofRow: Double($0))) }
        return Shot(
            worldFromCameraByRow: poses, movements: stage.movements(from: seconds - half, to: seconds + half),
            deformations: stage.deformations(from: seconds - half, to: seconds + half),
            irradiance: stage.light.irradiance(at: seconds))
    }

    /// A camera at the beginning of the session.
    func makeCamera() -> SimulatedCamera { makeCamera(sensorSeeds: [sensorSeed]) }

    /// A camera at the beginning of the session, with a sensor for each seed.
    func makeCamera(sensorSeeds: [UInt64]) -> SimulatedCamera {
        SimulatedCamera(
            makeRenderer(), settings: scene.camera, seeds: sensorSeeds, truthPainter: truthPainter)
    }

    /// A renderer of what the session's camera sees.
    func makeRenderer() -> Renderer {
        Renderer(model: stage.model, camera: scene.camera.model, size: scene.camera.size, threads: threads)
    }

    /// The picture of a frame, counted from zero, without those before it: an automatic exposure is settled on it.
    public func image(ofFrame number: Int) -> ImageBuffer { image(ofFrame: number, by: makeCamera()) }

    /// The picture of a frame, counted from zero, as a camera of this session takes it.
    func image(ofFrame number: Int, by camera: SimulatedCamera) -> ImageBuffer {
        images(ofFrame: number, by: camera)[0]
    }

    /// The pictures of a frame, counted from zero: one by each of the camera's sensors.
    func images(ofFrame number: Int, by camera: SimulatedCamera) -> [ImageBuffer] {
        let timestamp = timestamp(ofFrame: number)
        let seconds = timestamp.seconds(since: Self.start)
        let images = camera.images(
            ofFrame: number, flicker: { stage.light.flicker(around: seconds + $0, exposureSeconds: $1) },
            shotAt: { shot(at: seconds + $0) })
        if let painter = camera.truthPainter, let pictures = camera.truthPictures {
            lastTruthPictures.keep(pictures, of: painter.kinds, at: timestamp)
        }
        return images
    }
}
