// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARSensing
import ARSimulation
import Testing

@Suite struct SceneFaultTests {
    private func scene(_ faults: String) throws -> Scene {
        try Scene(yaml: smallScene + "\nfaults:\n" + faults, file: "s.yaml")
    }

    @Test func faultsAreWrittenAndRead() throws {
        let scene = try scene("  - dropped_frames: {from_s: 0.5, probability: 0.25}\n  - interruption: {to_s: 1}\n")
        #expect(scene.faults.map(\.name) == ["dropped_frames", "interruption"])
        #expect(try Scene(yaml: scene.yaml, file: "again") == scene)
    }

    @Test func theSessionHasThemAndTheSceneDecidesOnTheirSeeds() throws {
        var scene = try scene("  - dropped_frames: {from_s: 0.5, probability: 0.5}\n")
        let session = try SceneSession(scene: scene, threads: 1)
        func stamps(_ source: some SensorSource) throws -> [Timestamp] {
            var stream = try source.makeFrameStamps()
            var stamps: [Timestamp] = []
            while let stamp = try stream.next() { stamps.append(stamp) }
            return stamps
        }
        let all = try stamps(session)
        let left = try stamps(session.faulted())
        #expect(left.count < all.count && Set(left).isSubset(of: all))
        // Times count from the scene's zero.
        let half = SceneSession.start.advanced(byNanoseconds: 500_000_000)
        #expect(left.filter { $0 < half } == all.filter { $0 < half })
        #expect(try stamps(session.withSensorSeed(scene.seed).faulted()) == left)
        #expect(try stamps(session.withSensorSeed(scene.seed + 1).faulted()) != left)
        scene.seed += 1
        #expect(try stamps(SceneSession(scene: scene, threads: 1).faulted()) != left)
    }
}
