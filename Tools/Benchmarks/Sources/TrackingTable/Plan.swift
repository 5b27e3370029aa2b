// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// What is tracked, and how the work is shared out.
struct Plan: Sendable {
    /// Which motions.
    let motions: [Motion]
    /// Each of them with these seeds.
    let seeds: [UInt64]
    /// Whether each seed sees surfaces of its own, so that one seed's errors tell nothing of another's; otherwise all see
    /// the same.
    let ownSurfaces: Bool
    /// How long each is watched at most, in seconds; `nil` for its whole length.
    let longest: Double?
    /// The folder of the motions' files.
    let motionFolder: URL
    /// Where sessions come from.
    let studio: Studio
    /// Who does the work.
    let workers: Workers

    /// A motion from its beginning on.
    func take(_ motion: Motion, seed: UInt64) throws -> Take {
        let seconds = min(longest ?? motion.seconds, motion.seconds)
        // Recordings of other lengths are other recordings.
        let length = seconds < motion.seconds ? "-\(seconds)s" : ""
        return Take(
            name: "\(motion.name)-\(seed)\(ownSurfaces ? "-own" : "")\(length)",
            scene: try motion.scene(
                folder: motionFolder, seconds: seconds, seed: seed, ownSurfaces: ownSurfaces))
    }
}
