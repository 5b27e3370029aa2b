// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import Testing

@Suite struct FaultDocumentTests {
    @Test(arguments: Fault.examples) func everyFaultIsReadBack(_ text: String) throws {
        var fault = try Fault.yaml(text)
        let read = try Fault(JSONReader.read(Array(fault.json.text.utf8)[...], file: "f"))
        #expect(read == fault)
        #expect(text.hasPrefix(fault.name + ":"))
        // What has no use for a seed does not write one.
        fault.seed = 42
        let seeded = try Fault(JSONReader.read(Array(fault.json.text.utf8)[...], file: "f"))
        #expect(seeded.seed == (fault.json.text.contains("seed") ? 42 : nil))
    }

    @Test func everyKindHasAnExample() throws {
        let names = try Set(Fault.examples.map { try Fault.yaml($0).name })
        #expect(names == Set(Fault.names))
    }

    @Test func aNameAloneStandsForEveryDefault() throws {
        let faults = try Fault.list(YamlReader.read("faults:\n  - frozen_frames:\n  - darkness:\n", file: "f"))
        #expect(faults == [Fault(.frozenFrames(FrozenFrames())), Fault(.darkness(Darkness()))])
    }

    /// What needs no key, because its name says enough, does something to a session without leaving nothing of it; what needs
    /// one is refused without.
    @Test(arguments: Fault.names) func aBareNameDoesWhatItSays(_ name: String) throws {
        guard let fault = try? Fault.yaml("\(name):") else { return }
        let outcome = try Outcome(GeneratedSource().with(fault))
        #expect(try outcome.events != Outcome(GeneratedSource()).events)
        #expect(!outcome.frames.isEmpty)
    }

    @Test(arguments: [
        ("- covered_lense: {}", "f:1:3: found the fault \"covered_lense\", expected one of covered_lens, darkness,"),
        ("- darkness: {light: much}", "f:1:21: found \"much\", expected a number"),
        ("- darkness: {light: 2}", "f:1:21: found 2, expected a number from 0 to 1"),
        (
            "- darkness:\n    ligth: 0.5",
            "f:2:12: found the key \"ligth\", expected one of the keys from_s, to_s, light"
        ),
        ("- darkness: {from_s: 2, to_s: 1}", "f:1:31: found 1, expected a time after from_s"),
        ("- darkness: {seed: -1}", "f:1:20: found -1, expected a whole number that is not negative"),
        ("- imu_gap: {from_s: 2}", "f:1:12: found a record of 1, expected the key \"to_s\""),
        ("- interruption:", "expected a record with the key \"to_s\""),
        ("- late: {delay_s: 0.1}", "f:1:9: found a record of 1, expected the key \"sensor\""),
        ("- late: {sensor: lidar, delay_s: 0.1}", "f:1:18: found \"lidar\", expected one of camera, imu, both"),
        ("- retime: {speed: 2, from_s: 1}", "f:1:30: found the key \"from_s\", expected one of the keys speed, imu"),
        ("- wrong_calibration: {principal_point_px: [1]}", "f:1:43: found a list of 1, expected a list of 2 numbers"),
        ("- {flash: {}, darkness: {}}", "f:1:3: found a record of 2, expected a record of one key, the fault's name"),
        ("- reordered: {sensor: imu, group: 1}", "f:1:35: found 1, expected a whole number from 2 to 50"),
        (
            "- dropped_frames: {}",
            "f:1:19: found a record of 0, expected a record with at least one of the keys from_s, to_s,"
        ),
        (
            "- dropped_samples: {seed: 2}",
            "f:1:20: found a record of 1, expected a record with at least one of the keys"
        ),
        ("- dropped_samples:", "expected a record with at least one of the keys from_s, to_s, probability"),
        ("- trim: {}", "f:1:9: found a record of 0, expected a record with at least one of the keys from_s or to_s"),
        (
            "- noise_burst: {from_s: 1}",
            "f:1:16: found a record of 1, expected a record with at least one of the keys picture"
        ),
        (
            "- saturation: {to_s: 1}",
            "f:1:15: found a record of 1, expected a record with at least one of the keys angular"
        ),
        (
            "- wrong_calibration: {}",
            "f:1:22: found a record of 0, expected a record with at least one of the keys focal"
        ),
        ("darkness: {}", "expected one of the keys faults"),
        ("- [", "expected a YAML document"),
    ]) func malformedFaultsSayWhere(_ text: String, _ message: String) {
        let error = #expect(throws: DocumentError.self) {
            try Fault.list(YamlReader.read(text, file: "f"))
        }
        #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
    }
}
