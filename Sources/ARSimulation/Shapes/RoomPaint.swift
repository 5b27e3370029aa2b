// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

/// What a thing of a scanned room is painted with, by its label: rich in texture, in the colours of a lived-in room.
struct RoomPaint: Sendable {
    /// How glossy the thing is.
    let gloss: Double
    private let base: MaterialPattern
    private let spots: LatticeNoise

    /// The paint of a thing; its pattern is drawn from the seed and a name of its own.
    ///
    /// The colours are those of the thing, the pattern is that of one of its sides.
    init(label: String, thing: String, side: Int = 0, seed: UInt64) {
        let pattern = "\(thing).\(side)"
        var colors = SeededRandom(seed: seed, purpose: "colors of \(thing)")
        let (material, gloss) = Self.material(label: label, random: &colors)
        self.gloss = gloss
        var random = SeededRandom(seed: seed, purpose: "wear of \(pattern)")
        base = MaterialPattern(material, surface: pattern, seed: seed)
        spots = LatticeNoise(seed: random.next())
    }

    /// The mean albedo around a place: the material, worn and dusty here and there.
    func albedo(at place: Point2, texel: Vector2) -> Vector3 {
        let wear = spots.fractal(place.x / 0.45, place.y / 0.45, octaves: 6, finest: texel.x / 0.45)
        return base.albedo(at: place, texel: texel) * (1 + 0.22 * wear)
    }

    private static func material(
        label: String, random: inout SeededRandom
    ) -> (material: Scene.Material, gloss: Double) {
        var material = Scene.Material()
        material.name = label
        func set(_ kind: Scene.Material.Kind, _ color: Vector3, _ second: Vector3, scale: Double) {
            (material.kind, material.color, material.secondColor, material.scaleMeters) = (kind, color, second, scale)
        }
        let shade = random.uniform(0.85..<1.1)
        switch label {
        case "FLOOR":
            set(.wood, Vector3(0.74, 0.57, 0.40), Vector3(0.44, 0.29, 0.18), scale: 0.07)
            return (material, 0.15)
        case "CEILING":
            set(.plaster, Vector3(0.90, 0.90, 0.88), Vector3(0.70, 0.69, 0.66), scale: 0.10)
        case "WALL_FACE", "INVISIBLE_WALL_FACE":
            set(.plaster, shade * Vector3(0.80, 0.77, 0.70), Vector3(0.50, 0.47, 0.42), scale: 0.09)
        case "TABLE", "DESK", "STORAGE", "SHELF":
            set(.wood, shade * Vector3(0.60, 0.42, 0.27), shade * Vector3(0.33, 0.20, 0.12), scale: 0.06)
            return (material, 0.2)
        case "COUCH", "BED", "SEAT":
            set(.carpet, Vector3(0.36, 0.42, 0.52), Vector3(0.66, 0.62, 0.55), scale: 0.07)
        case "SCREEN":
            set(.noise, Vector3(0.07, 0.08, 0.10), Vector3(0.18, 0.24, 0.34), scale: 0.16)
            return (material, 0.5)
        case "LAMP":
            set(.plaster, Vector3(0.92, 0.86, 0.70), Vector3(0.74, 0.62, 0.42), scale: 0.05)
        case "PLANT":
            set(.noise, Vector3(0.10, 0.24, 0.09), Vector3(0.38, 0.56, 0.22), scale: 0.05)
        default:
            let warmth = random.uniform(-0.06..<0.06)
            let tint = Vector3(0.62 + warmth, 0.58, 0.52 - warmth)
            set(.noise, tint, 0.6 * tint, scale: 0.04)
        }
        return (material, 0)
    }
}

/// A door, a window or a picture in the plane of a wall.
struct RoomInset: Sendable {
    private enum Kind { case door, window, picture }
    private let kind: Kind
    /// The rectangle's middle and half of its width and height on the wall's texture, in metres.
    private let center: Point2
    private let half: Vector2
    private let first: MaterialPattern
    private let second: MaterialPattern

    /// The inset of a rectangle that lies in a wall's plane, or `nil` when it does not.
    init?(
        _ rectangle: RoomScan.Rectangle, on chart: ProjectedChart, plane: RoomScan.Rectangle, name: String, seed: UInt64
    ) {
        let pose = rectangle.roomFromRectangle
        let inPlane = plane.roomFromRectangle.inverse * pose
        guard abs(inPlane.translation.y) < 0.15, abs((inPlane.rotation * Vector3(0, 1, 0)).y) > 0.9 else { return nil }
        let textureFromRoom = chart.meshFromTexture.inverse
        let middle = textureFromRoom * pose.translation - chart.corner
        // The rectangle's axes are the wall's up to quarter turns.
        let across = textureFromRoom * (pose.rotation * Vector3(rectangle.size.x / 2, 0, 0))
        let down = textureFromRoom * (pose.rotation * Vector3(0, 0, rectangle.size.y / 2))
        center = Point2(middle.x, middle.z)
        half = Vector2(max(abs(across.x), abs(down.x)), max(abs(across.z), abs(down.z)))
        guard center.x + half.x > 0, center.x - half.x < chart.extent.x else { return nil }
        switch rectangle.label {
        case "DOOR_FRAME": kind = .door
        case "WINDOW_FRAME": kind = .window
        default: kind = .picture
        }
        var random = SeededRandom(seed: seed, purpose: "inset \(name) \(rectangle.label) \(middle)")
        func pattern(_ part: String, _ patternKind: Scene.Material.Kind, _ a: Vector3, _ b: Vector3, scale: Double)
            -> MaterialPattern
        {
            var material = Scene.Material()
            (material.kind, material.color, material.secondColor, material.scaleMeters) = (patternKind, a, b, scale)
            return MaterialPattern(material, surface: "\(name) \(part) \(middle)", seed: seed)
        }
        switch kind {
        case .door:
            first = pattern("frame", .wood, Vector3(0.84, 0.80, 0.72), Vector3(0.70, 0.64, 0.54), scale: 0.1)
            second = pattern("panel", .wood, Vector3(0.66, 0.47, 0.30), Vector3(0.46, 0.30, 0.18), scale: 0.09)
        case .window:
            first = pattern("frame", .plaster, Vector3(0.93, 0.93, 0.91), Vector3(0.8, 0.8, 0.78), scale: 0.1)
            second = pattern("trees", .noise, Vector3(0.16, 0.30, 0.12), Vector3(0.50, 0.62, 0.34), scale: 0.22)
        case .picture:
            first = pattern("frame", .wood, Vector3(0.24, 0.18, 0.13), Vector3(0.14, 0.10, 0.07), scale: 0.03)
            let warm = Vector3(random.uniform(0.6..<0.95), random.uniform(0.4..<0.75), random.uniform(0.2..<0.5))
            let cold = Vector3(random.uniform(0.05..<0.3), random.uniform(0.15..<0.4), random.uniform(0.3..<0.6))
            second = pattern("painting", .noise, warm, cold, scale: 0.16)
        }
    }

    /// The mean albedo around a place of the wall, the wall's own where the inset is not.
    func albedo(at place: Point2, texel: Vector2, over wall: Vector3) -> Vector3 {
        let offset = place - center
        let inside = min(half.x - abs(offset.x), half.y - abs(offset.y))
        guard inside > 0 else { return wall }
        let frame = kind == .picture ? 0.035 : 0.06
        let own = first.albedo(at: place, texel: texel)
        guard inside > frame else { return own * (0.75 + 0.25 * smoothStep(0, 0.012, inside)) }
        let content = second.albedo(at: place, texel: texel)
        switch kind {
        case .picture: return content
        case .door:
            // Two panels, one above the other, with a bevel around each.
            let panel = min(
                half.x - frame - abs(offset.x), abs(offset.y + 0.1 * half.y), half.y - frame - abs(offset.y))
            return content * (1 - 0.35 * exp(-pow((panel - 0.09) / 0.01, 2)))
        case .window:
            // A cross of bars before trees and a sky that brightens upwards.
            if min(abs(offset.x), abs(offset.y + 0.2 * half.y)) < 0.02 { return own }
            let height = (half.y - offset.y) / (2 * half.y)
            let sky = mix(Vector3(0.80, 0.86, 0.92), Vector3(0.42, 0.60, 0.85), smoothStep(0.4, 1, height))
            return mix(content, sky, smoothStep(0.40, 0.46, height + 0.1 * (content.y - 0.2)))
        }
    }
}
