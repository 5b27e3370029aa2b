// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// What an estimate is compared with, as it stands on the command line: a file with a trajectory, a recording's folder, or
/// a scene.
struct TruthInput {
    private let input: SessionInput
    /// The session that knows the truth; `nil` for a bare trajectory.
    let source: (any SensorSource & TruthSource)?

    init(_ argument: String) throws {
        guard let input = SessionInput(argument: argument), FileManager.default.fileExists(atPath: input.url.path)
        else {
            throw MissingInput(input: argument, expected: "a recording's folder, a scene, a trace or a trajectory")
        }
        self.input = input
        let isScene = ["yaml", "yml"].contains(input.url.pathExtension)
        source = isScene || input.isFolder ? try input.open([]) : nil
    }

    /// The truth of a session that was opened already.
    init(_ input: SessionInput, source: any SensorSource & TruthSource) {
        self.input = input
        self.source = source
    }

    /// The true way.
    func trajectory(_ reading: TrajectoryReading) throws -> Trajectory {
        if let source { return try Trajectory(truthOf: source, body: reading.body) }
        return try Trajectory(contentsOf: input.url, reading)
    }
}
