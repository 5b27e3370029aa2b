// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSimulation
import Foundation
import TestSupport
import Testing

struct SceneBaseTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write(smallScene, to: "base.yaml")
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    }

    private func scene(_ text: String) throws -> Scene {
        try write(text, to: "scene.yaml")
        return try Scene(contentsOf: folder.url.appendingPathComponent("scene.yaml"))
    }

    /// What the file says replaces what the base says; all else is the base's.
    @Test func keysReplaceThoseOfTheBase() throws {
        let base = try Scene(contentsOf: folder.url.appendingPathComponent("base.yaml"))
        let scene = try scene(
            """
            format: arsim-scene/1
            based_on: base.yaml
            name: other
            seed: 99
            light: {sun: 0.25}
            """)
        var expected = base
        expected.name = "other"
        expected.seed = 99
        expected.light = Scene.Light()
        expected.light.sun = 0.25
        #expect(scene == expected)
    }

    /// Things are known by their names: one of the same name replaces, another is added.
    @Test func thingsAreJoinedByTheirNames() throws {
        let base = try Scene(contentsOf: folder.url.appendingPathComponent("base.yaml"))
        let scene = try scene(
            """
            format: arsim-scene/1
            based_on: base.yaml
            materials:
              - {name: red, kind: plain, color_srgb: [1, 0, 0]}
            quads:
              - {name: \(base.quads[0].name), center_m: [0, 0, 0], size_m: [3, 3], material: red}
              - {name: more, center_m: [0, 1, 0], size_m: [1, 1], material: red}
            """)
        #expect(scene.materials.map(\.name) == base.materials.map(\.name) + ["red"])
        #expect(scene.quads.map(\.name) == base.quads.map(\.name) + ["more"])
        #expect(scene.quads[0].size == Vector2(3, 3))
        #expect(scene.quads[0].material == "red")
    }

    @Test func errorsAreReportedWhereTheyAre() throws {
        let own = try #require(throws: SceneError.self) {
            try scene("format: arsim-scene/1\nbased_on: base.yaml\nduration_s: never\n")
        }
        #expect(own.description.contains("scene.yaml:3:13"))
        try write(smallScene.replacingOccurrences(of: "seed: ", with: "sead: "), to: "base.yaml")
        let ofBase = try #require(throws: SceneError.self) {
            try scene("format: arsim-scene/1\nbased_on: base.yaml\n")
        }
        #expect(ofBase.description.contains("base.yaml:"))
    }

    @Test func aBaseMustExistAndEnd() throws {
        let missing = try #require(throws: SceneError.self) {
            try scene("format: arsim-scene/1\nbased_on: nowhere.yaml\n")
        }
        #expect(missing.description.contains("nowhere.yaml"))
        try write("format: arsim-scene/1\nbased_on: base.yaml\n", to: "base.yaml")
        let endless = try #require(throws: SceneError.self) {
            try scene("format: arsim-scene/1\nbased_on: base.yaml\n")
        }
        #expect(endless.description.contains("base.yaml:2:11"))
    }
}
