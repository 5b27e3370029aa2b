// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

extension Scene {
    /// Checks what concerns one thing alone and needs more than one of its keys.
    func checkThings(positions: ScenePositions) throws(SceneError) {
        for (path, motion) in motions {
            try Self.checkIncreasing(motion.keyframes.map(\.seconds), "\(path).motion.keyframes", positions)
        }
        for (index, head) in heads.enumerated() {
            try Self.checkIncreasing(head.poses.map(\.seconds), "heads[\(index)].poses", positions)
            let level = Vector3(head.facing.x, 0, head.facing.z)
            guard level.length > 1e-3 * head.facing.length else {
                throw .outOfRange(
                    key: "facing", found: "vertical", expected: "a direction that is not; nod with pitch_rad",
                    at: positions["heads[\(index)].facing"])
            }
            guard head.faceBox[0] < head.faceBox[2], head.faceBox[1] < head.faceBox[3] else {
                throw .outOfRange(
                    key: "face_box", found: "without an area", expected: "left, top, right, bottom",
                    at: positions["heads[\(index)].face_box"])
            }
        }
        for (index, change) in light.changes.enumerated().dropFirst()
        where change.seconds < light.changes[index - 1].seconds {
            throw .outOfRange(
                key: "at_s", found: "\(change.seconds)", expected: "no less than the time before it",
                at: positions["light.changes[\(index)].at_s"])
        }
    }

    /// The motions of all things that can have one, with the paths of the things.
    private var motions: [(path: String, motion: Motion)] {
        func motions<Part>(_ list: String, _ parts: [Part], _ motion: KeyPath<Part, Motion?>) -> [(String, Motion)] {
            parts.enumerated().compactMap { index, part in part[keyPath: motion].map { ("\(list)[\(index)]", $0) } }
        }
        return motions("quads", quads, \.motion) + motions("boxes", boxes, \.motion)
            + motions("cylinders", cylinders, \.motion) + motions("spheres", spheres, \.motion)
            + motions("meshes", meshes, \.motion) + motions("prints", prints, \.motion)
    }

    private static func checkIncreasing(
        _ times: [Double], _ path: String, _ positions: ScenePositions
    ) throws(SceneError) {
        for index in times.indices.dropFirst() where times[index] <= times[index - 1] {
            throw .outOfRange(
                key: "at_s", found: "\(times[index])", expected: "more than the time before it, \(times[index - 1])",
                at: positions["\(path)[\(index)].at_s"])
        }
    }
}
