// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import Foundation
import TestSupport

/// A winding way through a room at twenty poses a second: the truth of generated evaluations.
func windingWay(_ count: Int = 200) -> Trajectory {
    Trajectory(
        (0..<count).map { index in
            let t = Double(index) / 20
            return StampedPose(
                timestamp: Timestamp(nanoseconds: 1_000_000_000 + Int64(index) * 50_000_000),
                worldFromBody: RigidTransform(
                    rotation: Rotation(rotationVector: Vector3(0.3 * sin(t), 0.7 * t, 0.2 * cos(1.7 * t))),
                    translation: Vector3(2 * sin(0.5 * t), 1.4 + 0.2 * sin(1.3 * t), 1.5 * cos(0.8 * t))))
        })
}

extension Trajectory {
    /// The poses, each changed.
    func mapPoses(_ change: (Int, RigidTransform) -> RigidTransform) -> Trajectory {
        Trajectory(
            poses.enumerated().map {
                StampedPose(timestamp: $1.timestamp, worldFromBody: change($0, $1.worldFromBody))
            }, states: states, covariances: covariances, mode: mode)
    }

    /// The same motion in a world that is scaled, turned and moved.
    func moved(by similarity: Similarity) -> Trajectory {
        mapPoses {
            RigidTransform(rotation: similarity.rotation * $1.rotation, translation: similarity * $1.translation)
        }
    }

    /// The trajectory with errors of some centimetres and hundredths of a radian.
    func disturbed(_ random: inout TestRandom) -> Trajectory {
        var changes: [RigidTransform] = []
        for _ in poses {
            changes.append(
                RigidTransform(
                    rotation: Rotation(rotationVector: random.vector3(-0.02...0.02)),
                    translation: random.vector3(-0.03...0.03)))
        }
        return mapPoses { $1 * changes[$0] }
    }

    /// The poses alone.
    var transforms: [RigidTransform] { poses.map(\.worldFromBody) }
}

extension TestRandom {
    /// A number of the standard normal distribution. (Box, Muller 1958.)
    mutating func normal() -> Double {
        (-2 * log(uniform(Double.leastNormalMagnitude...1))).squareRoot() * cos(uniform(0...(2 * .pi)))
    }

    /// A heading and a place.
    mutating func yawAndPlace() -> RigidTransform {
        RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, uniform(-Double.pi...Double.pi), 0)),
            translation: vector3(-5...5))
    }
}
