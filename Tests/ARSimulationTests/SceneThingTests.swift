// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// A scene with one of each thing; a cube lies in the file `cube.obj` beside it.
let sceneOfThings = """
    format: arsim-scene/1
    name: things
    summary: One of each.
    seed: 7
    duration_s: 2
    camera: {size_px: [160, 120], rate_hz: 10, focal_px: [120, 120], principal_point_px: [79.5, 59.5]}
    camera_path:
      interval_s: 2
      waypoints:
        - {position_m: [0, 1, 2.2], look_at_m: [0, 1, 0]}
        - {position_m: [0, 1, 2.2], look_at_m: [0, 1, 0]}
    light:
      changes: [{at_s: 0, sun: 1}, {at_s: 1, sun: 0.2, ambient: 0.5}, {at_s: 1, sun: 1}]
      flicker: {rate_hz: 100, depth: 0.1}
    materials:
      - {name: white, kind: plain, color_srgb: [0.9, 0.9, 0.9]}
      - {name: wood, kind: wood, color_srgb: [0.7, 0.5, 0.3], second_color_srgb: [0.4, 0.3, 0.2], scale_m: 0.1, texel_m: 0.02}
      - {name: emblem, kind: emblem, emblem: 3, width_px: 64, gloss: 0.7}
      - {name: face, kind: face, face: 2, width_px: 128}
    quads:
      - {name: slab, center_m: [-1, 0.5, 0], size_m: [0.3, 0.2], facing: [0, 0, 1], material: emblem, motion: {spin_rad_per_s: [0, 1, 0]}}
    boxes:
      - {name: box, center_m: [1, 0.2, 0], size_m: [0.2, 0.3, 0.4], material: wood, motion: {swing: {offset_m: [0.1, 0, 0], period_s: 1}}}
    rooms:
      - {name: room, size_m: [4, 2.5, 5], turn_rad: 0.3, floor: wood, walls: white, ceiling: white}
    cylinders:
      - {name: tin, center_m: [0.5, 0.3, 0.2], radius_m: 0.1, height_m: 0.3, axis: [1, 1, 0], material: wood}
    spheres:
      - {name: ball, center_m: [0, 0.3, 0.5], radius_m: 0.15, material: wood, motion: {keyframes: [{at_s: 0}, {at_s: 1, offset_m: [0, 0.5, 0], turn_rad: [0, 9, 0]}]}}
    meshes:
      - {name: cube, file: cube.obj, position_m: [-0.5, 0.2, 0.4], scale: 0.2, turn_rad: [0, 0.5, 0], material: wood}
    prints:
      - {name: print, center_m: [0.3, 1.4, -0.5], facing: [0, 0, 1], size_m: [0.3, 0.3], material: emblem, motion: {swing: {turn_rad: [0, 0.2, 0.3], period_s: 3, phase_rad: 1}}}
    flags:
      - {name: flag, center_m: [-0.6, 1.5, -0.4], size_m: [0.6, 0.4], material: emblem}
    heads:
      - {name: head, position_m: [0.8, 1.2, 0.3], material: face, poses: [{at_s: 0}, {at_s: 1, yaw_rad: 0.4, offset_m: [0.1, 0, 0]}]}
    planes:
      - {name: ground, surface: room.floor, classification: floor}
      - {name: poster, surface: print}
      - {name: lid, surface: box, classification: table}
    """

private let cube = """
    v 0 0 0
    v 1 0 0
    v 1 1 0
    v 0 1 0
    v 0 0 1
    v 1 0 1
    v 1 1 1
    v 0 1 1
    f 4 3 2 1
    f 5 6 7 8
    f 1 2 6 5
    f 3 4 8 7
    f 2 3 7 6
    f 1 5 8 4
    """

/// Reads the scene of things, or what a text makes of it, from a folder with its cube, which lasts as long as `body`.
func withSceneOfThings<Result>(_ yaml: String = sceneOfThings, _ body: (Scene) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    try folder.write(cube, to: "cube.obj")
    try folder.write(yaml, to: "things.yaml")
    return try withExtendedLifetime(folder) { try body(Scene(contentsOf: folder("things.yaml"))) }
}

@Suite struct SceneThingTests {
    /// A plane on a cylinder lies on its top, faces along its axis, and is as large as that, in the order of all outlines.
    @Test func aCylindersTopIsAPlane() throws {
        let declared = sceneOfThings + "\n  - {name: top, surface: tin}\n"
        try withSceneOfThings(declared) { scene in
            let planes = Dictionary(uniqueKeysWithValues: scene.declaredPlanes.map { ($0.name, $0) })
            let (top, box) = try (#require(planes["top"]), #require(planes["lid"]))
            let axis = Vector3(1, 1, 0) / 2.0.squareRoot()
            #expect((top.worldFromPlane.translation - (Point3(0.5, 0.3, 0.2) + 0.15 * axis)).length < 1e-12)
            #expect((top.worldFromPlane.rotation * Vector3(0, 1, 0) - axis).length < 1e-12)
            func area(_ outline: [Point2]) -> Double {
                zip(outline, outline[1...] + outline[..<1]).reduce(0) { $0 + $1.1.cross($1.0) / 2 }
            }
            #expect(top.boundary.allSatisfy { abs($0.length - 0.1) < 1e-12 })
            #expect(area(box.boundary) > 0)
            #expect(abs(area(top.boundary) / (Double.pi * 0.01) - 1) < 0.01)
        }
    }

    @Test func writtenScenesReadBack() throws {
        let scene = try withSceneOfThings { scene in
            try withSceneOfThings(scene.yaml) { again in
                var again = again
                again.folder = scene.folder
                #expect(again == scene)
            }
            #expect(try scene.validated() == scene)
            return scene
        }
        #expect(scene.spheres[0].motion?.keyframes.count == 2)
        #expect(scene.boxes[0].motion?.swing?.periodSeconds == 1)
        #expect(scene.materials[2].gloss == 0.7)
    }

    /// Each case: what is replaced in the scene of things, by what, and the error's message after the file's name.
    static let malformed: [(replace: String, by: String, message: String)] = [
        (
            "surface: room.floor", "surface: room.flor",
            "39:29: 'surface' names 'room.flor', which does not exist; there are "
        ),
        ("name: tin", "name: room.floor", "27:12: 'name' is 'room.floor' a second time"),
        ("name: head", "name: flag", "37:12: 'name' is 'flag' a second time"),
        ("walls: white", "walls: whit", "25:74: 'walls' names 'whit', which does not exist"),
        ("ceiling: white", "ceiling: whit", "25:90: 'ceiling' names 'whit', which does not exist"),
        ("material: face", "material: fac", "37:57: 'material' names 'fac', which does not exist"),
        ("file: cube.obj", "file: cub.obj", "31:24: the file of 'cube' cannot be read: No such file or directory"),
        (
            "{at_s: 1, offset_m: [0, 0.5, 0]", "{at_s: 0, offset_m: [0, 0.5, 0]",
            "29:114: 'at_s' is 0.0, expected more than the time before it, 0.0"
        ),
        ("{at_s: 1, yaw_rad", "{at_s: 0, yaw_rad", "37:89: 'at_s' is 0.0, expected more than the time before it, 0.0"),
        ("{at_s: 1, sun: 1}", "{at_s: 0.5, sun: 1}", "13:74: 'at_s' is 0.5, expected no less than the time before it"),
        (
            "position_m: [0.8, 1.2, 0.3]", "facing: [0, 1, 0], position_m: [0.8, 1.2, 0.3]",
            "37:26: 'facing' is vertical, expected a direction that is not; nod with pitch_rad"
        ),
        (
            "material: face", "face_box: [0, 0, 0, 1], material: face",
            "37:57: 'face_box' is without an area, expected left, top, right, bottom"
        ),
        ("gloss: 0.7", "gloss: 7", "18:66: 'gloss' is 7, expected 0.0 to 1.0"),
        ("axis: [1, 1, 0]", "axis: [0, 0, 0]", "27:80: 'axis' is zero"),
        ("period_s: 1}", "period_s: 0}", "23:131: 'period_s' is 0, expected 0.01 to 3600.0"),
        ("depth: 0.1", "depth: 2", "14:34: 'depth' is 2, expected 0.0 to 1.0"),
        ("radius_m: 0.15, ", "", "29:5: the key 'radius_m' is missing here"),
    ]

    @Test(arguments: malformed) func malformedThingsAreRefused(replace: String, by: String, message: String) throws {
        let range = try #require(sceneOfThings.range(of: replace))
        let error = #expect(throws: SceneError.self) {
            try withSceneOfThings(sceneOfThings.replacingCharacters(in: range, with: by)) { _ in }
        }
        #expect(error.map { "\($0)".contains("things.yaml:" + message) } == true, "\(String(describing: error))")
    }

    /// A room's walls stand on its floor's edges and look inwards, whatever way the room is turned.
    @Test func roomsBecomeQuads() throws {
        let scene = try withSceneOfThings { $0 }
        let quads = scene.rooms[0].quads
        #expect(quads.map(\.name) == ["floor", "north", "south", "east", "west", "ceiling"].map { "room." + $0 })
        let middle = Point3(0, 1.25, 0)
        for quad in quads {
            #expect(quad.facing.dot(middle - quad.center) > 0)
            let bottom = quad.outline.map { quad.worldFromSurface * Point3($0.x, 0, $0.y) }.map(\.y).min() ?? .nan
            if quad.name != "room.ceiling" { expectClose(bottom, 0, tolerance: 1e-12) }
        }
        let floor = quads[0].outline.map { quads[0].worldFromSurface * Point3($0.x, 0, $0.y) }
        let north = quads[1].outline.map { quads[1].worldFromSurface * Point3($0.x, 0, $0.y) }
        for corner in north.filter({ $0.y < 0.1 }) {
            #expect(floor.contains { ($0 - corner).length < 1e-12 })
        }
        var open = scene.rooms[0]
        open.ceiling = ""
        #expect(open.quads.count == 5)
    }

    @Test func planesLieOnWhatTheyName() throws {
        let planes = try withSceneOfThings { $0.declaredPlanes }
        #expect(planes.map(\.name) == ["ground", "poster", "lid"])
        expectClose(planes[0].worldFromPlane.translation, .zero, tolerance: 1e-12)
        expectClose(planes[1].worldFromPlane.translation, Point3(0.3, 1.4, -0.5), tolerance: 1e-12)
        // The sheet, with its border.
        expectClose(Polygon2(planes[1].boundary).area, 0.32 * 0.32, tolerance: 1e-12)
        expectClose(planes[2].worldFromPlane.translation, Point3(1, 0.35, 0), tolerance: 1e-12)
    }
}
