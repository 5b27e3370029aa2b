// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

/// Faults applied to EuRoC's V1_01, as it was published.
@Suite(
    .enabled(if: RealData.has("euroc_micro_v101/mav0"), "euroc_micro_v101 is absent"), .tags(.slow), .whenSlowTestsRun)
struct RealRecordingTests {
    @Test func faultsOnARealRecordingAreReplayed() throws {
        let folder = try TemporaryFolder()
        let real = try Recording(opening: RealData.url("euroc_micro_v101"))
        let faults = try [
            "trim: {from_s: 0.5, to_s: 4}", "covered_lens: {from_s: 1, to_s: 2}",
            "dropped_frames: {probability: 0.1}",
            "late: {sensor: imu, probability: 0.05, delay_s: 0.05}", "imu_gap: {from_s: 2, to_s: 3}",
            "stamp_jitter: {sensor: camera, standard_deviation_s: 0.002}",
        ].map(Fault.yaml)
        let mutation = try RecordingWriter.mutate(real, faults: faults, to: folder("mutated"))
        let mutated = try Recording(opening: folder("mutated"))
        let faulted = try FaultedSource(real, faults: mutation.faults.map(\.fault))
        let (memory, replayed) = (try Outcome(faulted), try Outcome(mutated))
        #expect(replayed.events == memory.events)
        #expect(replayed.truths == memory.truths)
        #expect(replayed.frames.count == mutation.frameCount)
        let validation = Recording.validate(folder("mutated"))
        #expect(validation.findings.map(\.rule) == faults.map { _ in .declaredFault }, "\(validation.findings)")
    }
}
