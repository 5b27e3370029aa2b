// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Where a thing is at any time; position and rotation are once continuously differentiable, or smoother.
///
/// Laws: `ObjectMotionTests`.
struct ObjectMotion: Hashable, Sendable {
    /// Where the thing stands when nothing moves it.
    let worldFromRest: RigidTransform
    private let offsets: MonotoneCurve<Vector3>?
    private let turns: MonotoneCurve<Vector3>?
    private let spin: Vector3
    private let swing: Scene.Swing?

    /// A thing that stands at a place, and moves from there as described.
    init(worldFromRest: RigidTransform, _ motion: Scene.Motion? = nil) {
        self.worldFromRest = worldFromRest
        let keyframes = motion?.keyframes ?? []
        let times = keyframes.map(\.seconds)
        offsets = keyframes.isEmpty ? nil : MonotoneCurve(through: keyframes.map(\.offset), at: times)
        turns = keyframes.isEmpty ? nil : MonotoneCurve(through: keyframes.map(\.turnRadians), at: times)
        spin = motion?.spinRadiansPerSecond ?? .zero
        swing = motion?.swing
    }

    /// The thing's pose: shifted along the world's axes, turned about its own.
    func worldFromObject(at seconds: Double) -> RigidTransform {
        var offset = offsets?.value(at: seconds) ?? .zero
        var turn =
            Rotation(rotationVector: turns?.value(at: seconds) ?? .zero) * Rotation(rotationVector: spin * seconds)
        if let swing {
            let share = sin(2 * .pi * seconds / swing.periodSeconds + swing.phaseRadians)
            offset += share * swing.offset
            turn = turn * Rotation(rotationVector: share * swing.turnRadians)
        }
        return RigidTransform(
            rotation: worldFromRest.rotation * turn, translation: worldFromRest.translation + offset)
    }
}
