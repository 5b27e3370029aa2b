// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// The scenes that come with the package.
let shippedScenes: [URL] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Scenes").standardizedFileURL
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }
}()

/// Those of them that need no data recorded by others, and the others.
let selfContainedScenes = shippedScenes.filter { !scenesWithData.contains($0) }
let scenesWithData = shippedScenes.filter {
    ["office", "replayed-flight", "replayed-motion"].contains($0.deletingPathExtension().lastPathComponent)
}

/// A small valid scene: a checkered floor, a camera that looks at it, and a finger that draws a line.
let smallScene = """
    format: arsim-scene/1
    name: small
    summary: A line on a floor.
    seed: 1
    duration_s: 2
    camera:
      size_px: [64, 48]
      rate_hz: 10
      focal_px: [50, 50]
      principal_point_px: [31.5, 23.5]
    camera_path:
      interval_s: 2
      waypoints:
        - {position_m: [0, 0.6, 0.4], look_at_m: [0, 0, 0]}
        - {position_m: [0.1, 0.6, 0.4], look_at_m: [0, 0, 0]}
    materials:
      - {name: squares, kind: checker, color_srgb: [1, 1, 1], second_color_srgb: [0, 0, 0], scale_m: 0.1, texel_m: 0.01}
    quads:
      - {name: floor, center_m: [0, 0, 0], size_m: [2, 2], material: squares}
    planes:
      - {name: ground, surface: floor, classification: floor}
    finger:
      plane: ground
      start_s: 0.1
      lift_s: 0.2
      strokes_m: [[[0, 0], [0.05, 0]]]
      heading_rad: 1.2
    """

@Suite struct SceneFileTests {
    @Test func scenesAreShipped() { #expect(shippedScenes.contains { $0.lastPathComponent == "draw.yaml" }) }

    @Test(arguments: selfContainedScenes) func roundTrip(file: URL) throws {
        let scene = try Scene(contentsOf: file)
        #expect(scene.name == file.deletingPathExtension().lastPathComponent)
        #expect(try Scene(yaml: scene.yaml, file: "written", folder: scene.folder) == scene)
        #expect(try scene.validated() == scene)
    }

    @Test(
        .enabled(if: RealData.isBesideThePackage, "the recordings that these scenes replay are not beside the package"))
    func roundTripOfScenesWithData() throws {
        for file in scenesWithData { try roundTrip(file: file) }
    }

    @Test func numbersSurviveExactly() throws {
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.cameraPath.waypoints[0].position = Point3(0.1 + 0.2, 1.0 / 3, 5e-5)
        scene.seed = .max
        scene.sensorSeed = .max - 1
        #expect(try Scene(yaml: scene.yaml, file: "written") == scene)
    }

    @Test func defaultsHold() throws {
        let scene = try Scene(yaml: smallScene, file: "small")
        #expect(scene.camera.pixelFormat == .rgb8)
        #expect(scene.light == Scene.Light())
        #expect(scene.boxes.isEmpty)
    }

    /// Each case: what is replaced in the small scene, by what, and the error's message after the file's name.
    static let malformed: [(replace: String, by: String, message: String)] = [
        (
            "format: arsim-scene/1", "format: arsim-scene/9",
            "1:9: the format is 'arsim-scene/9', expected 'arsim-scene/1'; write `format: arsim-scene/1`"
        ),
        ("format: arsim-scene/1\n", "", "1:1: the key 'format' is missing here; add `format:` with a text"),
        ("seed: 1", "seed: -1", "4:7: 'seed' is '-1', expected a whole number, 0 to 18446744073709551615"),
        ("seed: 1", "seed: 1.5", "4:7: 'seed' is '1.5', expected a whole number, 0 to 18446744073709551615"),
        ("seed: 1", "seed: one", "4:7: 'seed' is 'one', expected a whole number, 0 to 18446744073709551615"),
        ("name: small", "name: ''", "2:7: 'name' is empty, expected a text"),
        ("name: small", "name: [a]", "2:7: 'name' is a list of 1, expected a text"),
        ("duration_s: 2", "duration_s: \"2\"", "5:13: 'duration_s' is the text \"2\", expected a number"),
        ("duration_s: 2", "duration_s: .nan", "5:13: 'duration_s' is '.nan', expected a number"),
        ("duration_s: 2", "duration_s: inf", "5:13: 'duration_s' is 'inf', expected a number"),
        ("duration_s: 2", "duration_s: -3", "5:13: 'duration_s' is -3, expected 0.01 to 86400.0"),
        (
            "duration_s: 2", "duration_ms: 2",
            "1:1: the key 'duration_s' is missing here; add `duration_s:` with a number, 0.01 to 86400.0"
        ),
        (
            "duration_s: 2", "duration_s: 2\nspeed: 1",
            "6:1: the key 'speed' is unknown here; known are 'format', 'name', 'summary', 'seed', 'sensor_seed', 'duration_s', 'device', 'camera', 'camera_path', 'imu', 'light', 'materials', 'quads', 'boxes', 'rooms', 'cylinders', 'spheres', 'meshes', 'prints', 'decks', 'flags', 'heads', 'scans', 'planes', 'finger', 'faults'"
        ),
        (
            "duration_s: 2", "duration_s: 2\nfaults: [{darkness: {light: 2}}]",
            "6:29: 'faults' is 2, expected a number from 0 to 1"
        ),
        (
            "duration_s: 2", "duration_s: 2.5",
            "14:5: 'waypoints' is a path of 2.0 s, expected waypoints for all 2.5 s: add some, or make them last longer"
        ),
        (
            "duration_s: 2", "duration_s: 1",
            "26:14: 'strokes_m' is writing that ends after 1.2 s, expected an end within duration_s, 1.0: write faster or less, or start earlier"
        ),
        ("size_px: [64, 48]", "size_px: [64]", "7:12: 'size_px' is a list of 1, expected a list of 2 numbers"),
        (
            "size_px: [64, 48]", "size_px: [64.5, 48]",
            "7:12: 'size_px' is a list with a fraction, expected two whole numbers"
        ),
        ("size_px: [64, 48]", "size_px: [8, 48]", "7:13: 'size_px' is 8, expected 16.0 to 8192.0"),
        ("size_px: [64, 48]", "size_px: wide", "7:12: 'size_px' is 'wide', expected a list of 2 numbers"),
        ("rate_hz: 10", "rate_hz: 0", "8:12: 'rate_hz' is 0, expected 0.1 to 1000.0"),
        (
            "rate_hz: 10", "rate_hz: 10\n  pixel_format: yuv",
            "9:17: 'pixel_format' is 'yuv', expected one of gray8, rgb8"
        ),
        ("rate_hz: 10", "rate_hz: 10\n  rate_hz: 20", "8:3: this is not YAML: a mapping has a key twice: rate_hz"),
        (
            "rate_hz: 10", "rate_hz: 10\n  focal_mm: 4",
            "9:3: the key 'focal_mm' is unknown here; known are 'preset', 'size_px', 'rate_hz', 'focal_px', 'principal_point_px', 'lens', 'vignetting', 'calibration_focal_deviation_percent', 'calibration_principal_point_deviation_px', 'calibration_rotation_deviation_rad', 'calibration_translation_deviation_m', 'calibration_radial_distortion_deviation', 'calibration_readout_deviation_ms', 'states_deviations', 'samples_per_side', 'readout_ms', 'motion_blur', 'blur_shots_max', 'exposure_control', 'exposure_ms', 'gain_db', 'saturation_ms', 'full_well_e', 'shot_noise', 'read_noise_e', 'prnu', 'dsnu_e', 'pixel_format', 'transfer'"
        ),
        (
            "    - {position_m: [0.1, 0.6, 0.4], look_at_m: [0, 0, 0]}\n", "",
            "14:5: 'waypoints' is a list of 1, expected a list of at least 2 mappings"
        ),
        (
            "position_m: [0, 0.6, 0.4], look_at_m: [0, 0, 0]", "position_m: [0, 0.6, 0.4], look_at_m: [0, 9, 0.4]",
            "14:46: 'look_at_m' is straight above, below or at the camera, expected a point beside the vertical through the camera"
        ),
        (
            "kind: checker", "kind: marble",
            "17:27: 'kind' is 'marble', expected one of plain, checker, noise, wood, carpet, plaster, brick, tiles, fabric, paper, picture, emblem, code, card, face"
        ),
        (
            "scale_m: 0.1, ", "",
            "17:5: the key 'scale_m' is missing here; add `scale_m:` with a number, 0.0001 to 10000.0"
        ),
        ("color_srgb: [1, 1, 1]", "color_srgb: [1, 2, 1]", "17:52: 'color_srgb' is 2, expected 0.0 to 1.0"),
        (
            "material: squares", "material: tiles",
            "19:66: 'material' names 'tiles', which does not exist; there are 'squares'"
        ),
        (
            "size_m: [2, 2]", "facing: [0, 0, 0], size_m: [2, 2]",
            "19:48: 'facing' is zero, expected a direction: three numbers that are not all zero"
        ),
        ("surface: floor", "surface: table", "21:29: 'surface' names 'table', which does not exist; there are 'floor'"),
        ("plane: ground", "plane: floor", "23:10: 'plane' names 'floor', which does not exist; there are 'ground'"),
        (
            "[[[0, 0], [0.05, 0]]]", "[[[0, 0]]]",
            "26:15: 'strokes_m' is a list of 1, expected a list of lists of at least 2 points, each a list of 2 numbers"
        ),
        (
            "[[[0, 0], [0.05, 0]]]", "[[[0, 0], [0.05]]]",
            "26:24: 'strokes_m' is a list of 1, expected a list of 2 numbers"
        ),
        ("finger:\n", "finger: 3\nx:\n", "22:9: 'finger' is '3', expected a mapping (keys and values)"),
        (
            "kind: checker, color_srgb: [1, 1, 1], second_color_srgb: [0, 0, 0], scale_m: 0.1, texel_m: 0.01",
            "kind: emblem, emblem: -1", "17:43: 'emblem' is -1, expected 0 to 1000000"
        ),
        (
            "kind: checker, color_srgb: [1, 1, 1], second_color_srgb: [0, 0, 0], scale_m: 0.1, texel_m: 0.01",
            "kind: code, payload: " + String(repeating: "x", count: 2332),
            "17:42: 'payload' is a text of 2332 bytes, more than a code with medium error correction holds; shorten it, or lower the error correction, expected a text that a QR code can hold"
        ),
        ("name: small", "name: [small", "3:8: this is not YAML: did not find expected ',' or ']'"),
        ("name: small", "name: a: b", "2:8: this is not YAML: mapping values are not allowed in this context"),
    ]

    @Test(arguments: malformed) func malformedScenesAreRefused(replace: String, by: String, message: String) throws {
        let range = try #require(smallScene.range(of: replace))
        let text = smallScene.replacingCharacters(in: range, with: by)
        let error = #expect(throws: SceneError.self) { try Scene(yaml: text, file: "s.yaml") }
        #expect(error.map { "\($0)" } == "s.yaml:" + message)
    }

    @Test(arguments: [
        ("materials", "materials:\n  - {name: squares, kind: plain, color_srgb: [1, 1, 1]}", "18:12"),
        ("quads", "quads:\n  - {name: floor, center_m: [0, 0, 0], size_m: [1, 1], material: squares}", "20:12"),
        ("planes", "planes:\n  - {name: ground, surface: floor}", "22:12"),
    ]) func namesAreUnique(list: String, text: String, position: String) throws {
        let yaml = smallScene.replacingOccurrences(of: "\(list):", with: text)
        let error = #expect(throws: SceneError.self) { try Scene(yaml: yaml, file: "s.yaml") }
        #expect(error.map { "\($0)".hasPrefix("s.yaml:\(position): 'name' is '") } == true)
    }

    /// The specification's example is a scene, and every key of a file stands in the specification.
    @Test func theSpecificationIsUpToDate() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/ARSimulation/ARSimulation.docc/SceneFormat.md").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "```yaml\n").last?.components(separatedBy: "```").first)
        #expect(try Scene(yaml: example, file: "example").name == "line")
        for scene in try selfContainedScenes.map(Scene.init(contentsOf:)) {
            let keys = scene.yaml.split(whereSeparator: \.isNewline).compactMap { line in
                line.split(separator: ":").first?.drop { $0 == " " || $0 == "-" }
            }
            let words = Set(keys.filter { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0 == "_" } })
            for word in words { #expect(text.contains("`\(word)`") || text.contains("[].\(word)`"), "\(word)") }
        }
    }

    @Test func missingFilesSayWhere() {
        let error = #expect(throws: SceneError.self) { try Scene(contentsOf: URL(fileURLWithPath: "/nowhere/a.yaml")) }
        #expect(error.map { "\($0)".hasPrefix("/nowhere/a.yaml: the scene file cannot be read: ") } == true)
    }

    /// Whatever is cut off the end, the reader gives a scene or a typed error, and never stops the program.
    @Test func everyTruncationIsHandled() {
        for length in 0..<smallScene.count {
            do throws(SceneError) { _ = try Scene(yaml: String(smallScene.prefix(length)), file: "s") } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
    }
}
