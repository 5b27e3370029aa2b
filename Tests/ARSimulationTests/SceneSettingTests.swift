// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct SceneSettingTests {
    private static func scene(_ settings: String...) throws -> Scene {
        try Scene(yaml: smallScene, file: "s.yaml", settings: settings.map(SceneSetting.init))
    }

    @Test func keysAreSet() throws {
        let scene = try Self.scene(
            "seed=5", "camera.rate_hz=60", "camera.size_px=[640, 480]", "materials.squares.scale_m=0.25",
            "quads[0].size_m=[1, 3]", "camera_path.waypoints[1].position_m[2]=0.7", "finger.strokes_m[0][1][0]=0.04",
            "name='other: name'")
        var expected = try Scene(yaml: smallScene, file: "s.yaml")
        expected.seed = 5
        expected.camera.rateInHertz = 60
        expected.camera.size = .init(width: 640, height: 480)
        expected.materials[0].scaleMeters = 0.25
        expected.quads[0].size = Vector2(1, 3)
        expected.cameraPath.waypoints[1].position.z = 0.7
        expected.finger?.strokes[0][1].x = 0.04
        expected.name = "other: name"
        #expect(scene == expected)
    }

    @Test func noSettingChangesNothing() throws {
        #expect(try Self.scene() == Scene(yaml: smallScene, file: "s.yaml"))
        #expect(try Self.scene("seed=1", "materials.squares.kind=checker") == Self.scene())
    }

    @Test func missingKeysAndPartsAreAdded() throws {
        let scene = try Self.scene("light.sun=0.5", "camera.exposure_ms=2", "finger.rest_s=0.05")
        #expect(scene.light.sun == 0.5)
        #expect(scene.camera.exposureMilliseconds == 2)
        #expect(scene.finger?.restSeconds == 0.05)
        // Whole parts too, as YAML on one line.
        let named = try Self.scene("boxes=[{name: b, center_m: [0, 0, 0], size_m: [1, 1, 1], material: squares}]")
        #expect(named.boxes.map(\.name) == ["b"])
    }

    @Test func theLastOfTwoHolds() throws { #expect(try Self.scene("seed=5", "seed=6").seed == 6) }

    /// Each case: a setting, and the message of its error.
    static let malformed: [(setting: String, message: String)] = [
        ("seed", "the setting 'seed' is no setting; write a path and a value, as in camera.rate_hz=60"),
        ("=5", "the setting '=5' is no setting; write a path and a value, as in camera.rate_hz=60"),
        ("a..b=5", "the setting 'a..b=5' is no setting; write a path and a value, as in camera.rate_hz=60"),
        ("a[x]=5", "the setting 'a[x]=5' is no setting; write a path and a value, as in camera.rate_hz=60"),
        ("a[0=5", "the setting 'a[0=5' is no setting; write a path and a value, as in camera.rate_hz=60"),
        ("seed= ", "the setting 'seed= ' has no value on its line; write one behind the '='"),
        ("seed=-1", "the setting 'seed=-1':1:6: 'seed' is '-1', expected a whole number, 0 to 18446744073709551615"),
        ("camera.rate_hz=0", "the setting 'camera.rate_hz=0':1:16: 'rate_hz' is 0, expected 0.1 to 1000.0"),
        (
            "camera.size_px=[64]",
            "the setting 'camera.size_px=[64]':1:16: 'size_px' is a list of 1, expected a list of 2 numbers"
        ),
        (
            "camera.size_px=[64, 8]",
            "the setting 'camera.size_px=[64, 8]':1:21: 'size_px' is 8, expected 16.0 to 8192.0"
        ),
        (
            "quads.wall.turn_rad=1",
            "the setting 'quads.wall.turn_rad=1' names 'wall', which is not in the list; there are 'floor'"
        ),
        ("quads[1].turn_rad=1", "the setting 'quads[1].turn_rad=1' asks for item 1, counted from 0, of a list of 1"),
        ("seed[0]=1", "the setting 'seed[0]=1' asks for item 0 of what is no list"),
        ("seed.x=1", "the setting 'seed.x=1' asks for 'x' in what has no keys"),
        (
            "quads[0].material=tiles",
            "the setting 'quads[0].material=tiles':1:19: 'material' names 'tiles', which does not exist; there are 'squares'"
        ),
        ("name=[a", "the setting 'name=[a':1:6: this is not YAML: did not find expected ',' or ']'"),
        (
            "format=arsim-scene/2",
            "the setting 'format=arsim-scene/2':1:8: the format is 'arsim-scene/2', expected 'arsim-scene/1'; write `format: arsim-scene/1`"
        ),
    ]

    @Test(arguments: malformed) func malformedSettingsAreRefused(setting: String, message: String) {
        let error = #expect(throws: SceneError.self) { try Self.scene(setting) }
        #expect(error.map { "\($0)" } == message)
    }

    /// An unknown key is an error at its own place in the setting, wherever it stands.
    @Test(arguments: [("speed=1", 1), ("camera.focal_mm=4", 8), ("lights.sun=1", 1), ("quads.floor.colour=1", 13)])
    func unknownKeysAreRefused(setting: String, column: Int) {
        let error = #expect(throws: SceneError.self) { try Self.scene(setting) }
        guard case .unknownKey(_, _, let position) = error else { return #expect(error == nil) }
        #expect(position.column == column && position.file == "the setting '\(setting)'")
    }

    /// Errors in the file keep their places when there are settings.
    @Test func theFileKeepsItsPlaces() throws {
        let yaml = smallScene.replacingOccurrences(of: "rate_hz: 10", with: "rate_hz: -1")
        let error = #expect(throws: SceneError.self) {
            try Scene(yaml: yaml, file: "s.yaml", settings: [SceneSetting("seed=3")])
        }
        #expect(error.map { "\($0)".hasPrefix("s.yaml:8:12: 'rate_hz'") } == true)
    }
}
