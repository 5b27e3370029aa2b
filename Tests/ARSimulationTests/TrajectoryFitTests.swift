// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// A published trajectory, in its own axes.
func publishedPoses(_ file: String) throws -> [TimedPose] {
    let reader = try TrajectoryReader(RealData.url("motion/\(file)"))
    var poses: [TimedPose] = []
    var first: Int64?
    while let row = try reader.next() {
        first = first ?? row.timestamp.nanoseconds
        let seconds = Double(row.timestamp.nanoseconds - (first ?? 0)) * 1e-9
        poses.append(TimedPose(seconds: seconds, worldFromBody: row.worldFromBody))
    }
    return poses
}

@Suite struct TrajectoryFitTests {
    @Test(arguments: [
        "table_01.txt", "table_02.txt", "table_03.txt", "dataset-room1_512_16.txt", "dataset-room2_512_16.txt",
        "V1_01_easy.txt", "V1_02_medium.txt", "MH_03_medium.txt",
    ]) func dump(file: String) throws {
        let poses = try publishedPoses(file)
        let clock = ContinuousClock()
        var fit: TrajectoryFit!
        let took = clock.measure { fit = TrajectoryFit(poses) }
        print("FIT", file, poses.count, "cutoffs", fit.positionCutoffInHertz, fit.rotationCutoffInHertz, "residual mm", fit.positionResidual * 1e3, "deg", fit.rotationResidualRadians * 180 / .pi, "knot", fit.motion.intervalSeconds, took)
        var text = ""
        for index in 0..<Int(fit.motion.endSeconds * 200) {
            let s = fit.motion.state(at: Double(index) / 200)
            let r = InertialSensor.perfectReading(of: s, gravity: 0)
            let f = s.worldFromBody.rotation.inverse * (s.acceleration + Vector3(0, 0, 9.81))
            text += [r.angularVelocity, f].flatMap { [$0.x, $0.y, $0.z] }.map { "\($0)" }.joined(separator: " ") + "\n"
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: "/tmp/wt/scratch/fit_\(file)"))
    }
}
