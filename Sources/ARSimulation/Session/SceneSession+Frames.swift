// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension SceneSession {
    /// Where everything is that moves.
    func shot(at timestamp: Timestamp) -> Shot {
        let seconds = timestamp.seconds(since: Self.start)
        let pose = worldFromCamera(at: seconds)
        return Shot(
            worldFromCameraByRow: [RigidTransform](repeating: pose, count: scene.camera.size.height),
            movements: stage.finger.map { [Movement(at: $0.worldFromHand(at: seconds))] } ?? [])
    }

    /// The object number of the hand in ``Renderer/objects``.
    var handObject: Int? { stage.finger == nil ? nil : stage.model.surfaces.count - 1 }

    func makeCamera() -> SimulatedCamera {
        SimulatedCamera(
            Renderer(model: stage.model, camera: scene.camera.model, size: scene.camera.size, threads: threads),
            pixelFormat: scene.camera.pixelFormat, transfer: scene.camera.transfer, exposure: scene.camera.exposure)
    }
}
