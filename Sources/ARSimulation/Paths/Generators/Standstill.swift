// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

extension Scene {
    /// A camera that stays where it is: held in the hand, or without tremor on a tripod.
    public struct Standstill: Hashable, Sendable {
        /// Where it is and where it looks.
        public var view = Waypoint()

        /// A camera at the origin.
        public init() {}
    }
}

extension Scene.Standstill: CameraGenerator {
    mutating func visit(_ fields: SceneFields) throws(SceneError) { try view.visitLevelView(fields) }

    var knotSeconds: Double { 10 }

    func makeMotion(_ random: inout SeededRandom) -> (Double) -> RigidTransform {
        let pose = RigidTransform(cameraAt: view.position, lookingAt: view.lookAt, roll: view.rollRadians)
        return { _ in pose }
    }
}
