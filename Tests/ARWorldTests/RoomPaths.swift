// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport

extension RigidTransform {
    /// A camera at `eye` that looks at `target`, its picture upright.
    static func looking(from eye: Point3, at target: Point3) -> RigidTransform {
        let backward = (eye - target).normalized()!
        let right = Vector3(0, 1, 0).cross(backward).normalized()!
        let rotation = Rotation(Matrix3x3(right, backward.cross(right), backward))!
        return RigidTransform(rotation: rotation, translation: eye)
    }
}

/// A room 4 m to 5 m wide with a table and a box on the floor, all sizes and places by chance.
struct SampleRoom {
    let panels: [Panel]
    let table: Panel
    let floor: Panel
    /// Points that belong to no plane: things on the table.
    var clutter: [Point3] = []

    init(_ random: inout TestRandom) {
        let (width, depth) = (random.uniform(1.9...2.6), random.uniform(1.7...2.4))
        floor = Panel(
            name: "floor", center: Point3(0, 0, 0), halfWidth: Vector3(width, 0, 0), halfHeight: Vector3(0, 0, -depth),
            density: 60)
        let turn = random.uniform(-0.7...0.7)
        let (along, across) = (Vector3(cos(turn), 0, sin(turn)), Vector3(-sin(turn), 0, cos(turn)))
        let height = random.uniform(0.68...0.78)
        let center = Point3(random.uniform(-0.2...0.2), height, random.uniform(-0.2...0.2))
        table = Panel(
            name: "table", center: center, halfWidth: random.uniform(0.5...0.8) * along,
            halfHeight: -random.uniform(0.3...0.45) * across, density: 250)
        let wall = Panel(
            name: "wall", center: Point3(0, 1.25, -depth), halfWidth: Vector3(width, 0, 0),
            halfHeight: Vector3(0, 1.25, 0), density: 40)
        let side = Panel(
            name: "side", center: Point3(-width, 1.25, 0), halfWidth: Vector3(0, 0, -depth),
            halfHeight: Vector3(0, 1.25, 0), density: 40)
        panels = [floor, table, wall, side]
        // Cups, pens, books' edges: in heaps between one and fifteen centimetres high.
        for _ in 0..<5 {
            let heap =
                table.center + random.uniform(-0.8...0.8) * table.halfWidth + random.uniform(-0.8...0.8)
                * table.halfHeight
            for _ in 0..<12 {
                clutter.append(
                    heap
                        + Vector3(
                            random.uniform(-0.05...0.05), random.uniform(0.01...0.15), random.uniform(-0.05...0.05)))
            }
        }
    }

    /// A hand's way about the table at an instant, in seconds.
    func aroundTable(at seconds: Double) -> RigidTransform {
        let angle = 0.9 * sin(seconds * 0.35)
        let distance = 0.75 + 0.2 * sin(seconds * 0.5)
        let target =
            table.center + 0.4 * sin(seconds * 0.8) * table.halfWidth
            + 0.4 * sin(seconds * 0.53) * table.halfHeight
        let eye = table.center + Vector3(distance * sin(angle), 0.5 + 0.15 * sin(seconds * 0.9), distance * cos(angle))
        return .looking(from: eye, at: target)
    }

    /// A walk through the room that looks at its walls and at its floor.
    func walking(at seconds: Double) -> RigidTransform {
        let angle = seconds * 0.25
        let eye = Point3(1.2 * cos(angle), 1.5 + 0.05 * sin(seconds * 3), 1.1 * sin(angle) + 0.3)
        let ahead = Point3(-1.6 * cos(angle + 0.8), 0.75 + 0.6 * sin(seconds * 0.7), -1.6 * sin(angle + 0.8))
        return .looking(from: eye, at: ahead)
    }
}
