// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARTracking
import ARWorld
import Foundation
import Timing

// Measures hit tests in worlds of many planes, and what a frame costs there, and prints a table.
//
// Planes are scattered like desks, shelves and walls over one storey, from the middle outwards, always as densely: a larger
// world contains the smaller ones and is wider. The same rays are asked in all of them, from the middle.

/// Planes a cubic metre: six in a room of 20 m² that is three metres high.
let density = 0.1
let height = 3.0
let repetitions = 15

/// The planes of a world, the innermost first.
func planes(_ count: Int) -> [PlaneAnchor] {
    var random = SeededRandom(seed: 1, purpose: "planes")
    return (0..<count).map { number in
        let attitude =
            number.isMultiple(of: 2)
            ? Rotation.identity
            : Rotation(rotationVector: Vector3(0, .random(in: -3...3, using: &random), 0))
                * Rotation(rotationVector: Vector3(.pi / 2, 0, 0))
        let half = Vector2(.random(in: 0.2...1, using: &random), .random(in: 0.2...1, using: &random))
        let radius = (Double(number + 1) / (.pi * height * density)).squareRoot()
        let direction = Double.random(in: 0...2 * .pi, using: &random)
        let place = Vector3(
            radius * cos(direction), .random(in: -height / 2...height / 2, using: &random), radius * sin(direction))
        return PlaneAnchor(
            identifier: UUID(number: number), worldFromAnchor: RigidTransform(rotation: attitude, translation: place),
            boundary: [
                Point2(-half.x, half.y), Point2(half.x, half.y), Point2(half.x, -half.y), Point2(-half.x, -half.y),
            ])
    }
}

extension UUID {
    /// An identifier that holds a number.
    init(number: Int) {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        self.init(
            uuid: (
                bytes[7], bytes[6], bytes[5], bytes[4], bytes[3], bytes[2], bytes[1], bytes[0], 0, 0, 0, 0, 0, 0, 0, 0
            ))
    }
}

/// View points of a phone that turns about itself in the middle of the world.
struct Look {
    var worldFromCamera: RigidTransform
    var point: ViewPoint
}

func looks(_ count: Int) -> [Look] {
    var random = SeededRandom(seed: 2, purpose: "looks")
    return (0..<count).map { _ in
        let attitude = EulerAngles(
            pitch: .random(in: -1.2...0.3, using: &random), yaw: .random(in: -3.14...3.14, using: &random),
            roll: -.pi / 2)
        return Look(
            worldFromCamera: RigidTransform(rotation: Rotation(attitude)),
            point: ViewPoint(.random(in: 0...390, using: &random), .random(in: 0...844, using: &random)))
    }
}

let viewport = Viewport(size: ViewSize(width: 390, height: 844), orientation: .portrait)

func frame(_ worldFromCamera: RigidTransform) -> TrackedFrame {
    TrackedFrame(
        timestamp: Timestamp(nanoseconds: 0), trackingState: .normal, worldFromCamera: worldFromCamera,
        camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 934, fy: 934, cx: 618, cy: 363))),
        imageSize: ImageSize(width: 1280, height: 720))
}

func microseconds(each count: Int, _ work: () -> Void) -> Double {
    work()
    return median((0..<repetitions).map { _ in 1e3 * milliseconds(work) / Double(count) })
}

func padded(_ text: String) -> String { String(repeating: " ", count: max(0, 13 - text.count)) + text }

func row(_ cells: [String]) { print(cells.map(padded).joined()) }

print("Microseconds for one hit test from a view point, and for one frame; medians of \(repetitions) runs.")
row(["planes", "geometry", "hits", "extent", "hits", "infinite", "hits", "quiet frame", "a plane grew"])
for count in [10, 100, 1000, 10_000] {
    let anchors = planes(count)
    var world = World()
    for plane in anchors { world.add(.plane(plane)) }
    let first = world.update(with: frame(.identity))
    // Snapshots of one world share its index, as the frames of a session do.
    let queries = looks(500).map { (world.update(with: frame($0.worldFromCamera)), $0.point) }
    var cells = ["\(first.planes.count)"]
    for type: HitTestResult.ResultType in [.existingPlaneUsingGeometry, .existingPlaneUsingExtent, .existingPlane] {
        let asked = type == .existingPlane ? Array(queries.prefix(20)) : queries
        var hits = 0
        let time = microseconds(each: asked.count) {
            hits = asked.reduce(0) { $0 + $1.0.hitTest($1.1, in: viewport, types: type).count }
        }
        cells += [String(format: "%.2f", time), String(format: "%.2f", Double(hits) / Double(asked.count))]
    }
    let quiet = microseconds(each: 1000) {
        for _ in 0..<1000 { _ = world.update(with: frame(.identity)) }
    }
    var width = 1.0
    let grown = microseconds(each: 5) {
        for _ in 0..<5 {
            var plane = anchors[0]
            width += 0.01
            plane.extent.width = width
            world.add(.plane(plane))
            _ = world.update(with: frame(.identity))
        }
    }
    row(cells + [String(format: "%.2f", quiet), String(format: "%.1f", grown)])
}

/// A table of 150 feature points, seen from above.
func tableFrame() -> TrackedFrame {
    var random = SeededRandom(seed: 3, purpose: "features")
    var tracked = frame(
        RigidTransform(
            rotation: Rotation(EulerAngles(pitch: -0.9, yaw: 0, roll: -.pi / 2)), translation: Vector3(0, 0.7, 0.6)))
    tracked.featurePoints = (0..<150).map { number in
        let place = Point3(
            .random(in: -0.4...0.4, using: &random), .random(in: -0.005...0.005, using: &random),
            .random(in: -0.4...0.4, using: &random))
        return EstimatedLandmark(id: UInt64(number), position: place, covariance: 1e-5 * Matrix3x3.identity)
    }
    return tracked
}

print("\nMicroseconds for one hit test among 150 feature points.")
let table = WorldSnapshot(frame: tableFrame(), planes: [])
for type: HitTestResult.ResultType in [.featurePoint, .estimatedHorizontalPlane, .estimatedVerticalPlane] {
    let time = microseconds(each: 100) {
        for _ in 0..<100 { _ = table.hitTest(viewport.size.center, in: viewport, types: type) }
    }
    print(type.name, String(format: "%.1f", time))
}
