// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A tube of round section along a path, in the plane's frame: it lies on the plane.
///
/// Sections stand square to the path and turn as little as possible from one to the next, so that no twist builds up;
/// around a sharp corner they swing in small steps. Closed, manifold and facing outwards for every path; where the path
/// comes back to itself, or bends more sharply than the tube's radius, the tube passes through itself.
/// Law: `TubeTests.tubesAreClosedWhateverThePath`.
/// - Reference: Wang, Jüttler, Zheng, Liu 2008, "Computation of rotation minimizing frames" (the frame; for a path of
///   straight pieces, turning from direction to direction is exact).
struct Tube {
    private let sides: Int
    private var positions: [Point3] = []
    private var triangles: [TriangleIndices] = []
    /// For each position the point of the path from which it comes.
    private(set) var origins: [Int32] = []
    /// For each position how far along the path it lies, in metres, and how far around, 0 … 1.
    private(set) var textureCoordinates: [Point2] = []
    private var frame: Frame
    private var hasRing = false
    private var distance = 0.0

    /// The largest angle between the sections at a corner.
    private static let largestSwing = 0.3

    /// Directions square to each other: `right` × `up` = `forward`.
    private struct Frame {
        var forward: Vector3
        var right: Vector3
        var up: Vector3 { forward.cross(right) }

        /// Turns `forward` to another direction, on the shortest way; straight back around `up`.
        mutating func turn(to direction: Vector3) {
            guard let turn = Rotation(turning: forward, to: direction) else { return }
            right = turn * right
            forward = direction
        }
    }

    /// The tube along a path.
    init(along path: PenPath, cap: StrokeCap, arcTolerance: Double) {
        let radius = path.points.map(\.radius).max() ?? 0
        let halfStep = acos(max(0, 1 - arcTolerance / max(radius, .leastNormalMagnitude)))
        // A multiple of four, half a step away from the axes: no corner lies on the upright axis around which the
        // sections at a corner swing.
        sides = 4 * max(2, Int(min(64, (Double.pi / halfStep / 4).rounded(.up))))
        let centers = path.points.map { PlanView.pointInPlane($0.position, height: $0.radius) }
        let directions = zip(centers, centers.dropFirst()).map { ($1 - $0).normalized() ?? Vector3(1, 0, 0) }
        let first = directions.first ?? Vector3(1, 0, 0)
        let right = first.cross(Vector3(0, 1, 0)).normalized() ?? Vector3(0, 0, 1)
        frame = Frame(forward: first, right: right)
        addCap(at: centers[0], path.points[0].radius, origin: 0, cap, isStart: true, isDot: centers.count == 1)
        for index in centers.indices {
            if index > 0 { distance += (centers[index] - centers[index - 1]).length }
            addSections(
                at: centers[index], path.points[index].radius, origin: index,
                towards: index < directions.count ? directions[index] : frame.forward)
        }
        let last = centers.count - 1
        addCap(at: centers[last], path.points[last].radius, origin: last, cap, isStart: false, isDot: last == 0)
    }

    /// The tube's surface.
    var mesh: TriangleMesh { TriangleMesh(positions: positions, triangles: triangles) }

    /// The sections at a corner: one halfway between both directions, or a fan where the path turns sharply.
    private mutating func addSections(at center: Point3, _ radius: Double, origin: Int, towards direction: Vector3) {
        let before = frame.forward
        let angle = atan2(before.cross(direction).length, before.dot(direction))
        let axis = before.cross(direction).normalized() ?? frame.up
        let count = angle > Self.largestSwing ? Int((angle / Self.largestSwing).rounded(.up)) : 0
        for step in 0...count {
            let part = count == 0 ? 0.5 : Double(step) / Double(count)
            let turned = Rotation(angle: part * angle, axis: axis).map { $0 * before } ?? before
            frame.turn(to: turned)
            addRing(at: center, radius, origin: origin)
        }
        frame.turn(to: direction)
    }

    private mutating func addCap(
        at center: Point3, _ radius: Double, origin: Int, _ cap: StrokeCap, isStart: Bool, isDot: Bool
    ) {
        let outwards = isStart ? -frame.forward : frame.forward
        // A dot has no length: without a cap it would be flat.
        let cap = isDot && cap == .butt ? .round : cap
        if isStart { addPole(at: cap == .butt ? center : center + radius * outwards, origin: origin) }
        if cap == .square { addRing(at: center + radius * outwards, radius, origin: origin) }
        if cap == .round {
            let count = max(2, sides / 4)
            for step in 1..<count {
                let angle = Double.pi / 2 * Double(isStart ? count - step : step) / Double(count)
                addRing(at: center + radius * sin(angle) * outwards, radius * cos(angle), origin: origin)
            }
        }
        if !isStart { addPole(at: cap == .butt ? center : center + radius * outwards, origin: origin) }
    }

    private mutating func add(_ position: Point3, _ origin: Int, around: Double) {
        positions.append(position)
        origins.append(Int32(origin))
        textureCoordinates.append(Point2(distance, around))
    }

    /// Adds a section and joins it to what is before it: the first pole or another section.
    private mutating func addRing(at center: Point3, _ radius: Double, origin: Int) {
        let (first, before) = (Int32(positions.count), Int32(positions.count - sides))
        for side in 0..<sides {
            let around = (Double(side) + 0.5) / Double(sides)
            let normal = cos(2 * .pi * around) * frame.right + sin(2 * .pi * around) * frame.up
            add(center + radius * normal, origin, around: around)
        }
        for side in 0..<Int32(sides) {
            let next = (side + 1) % Int32(sides)
            if hasRing {
                triangles.append(TriangleIndices(before + side, before + next, first + next))
                triangles.append(TriangleIndices(before + side, first + next, first + side))
            } else {
                triangles.append(TriangleIndices(first - 1, first + next, first + side))
            }
        }
        hasRing = true
    }

    private mutating func addPole(at point: Point3, origin: Int) {
        if hasRing {
            let (pole, before) = (Int32(positions.count), Int32(positions.count - sides))
            for side in 0..<Int32(sides) {
                triangles.append(TriangleIndices(pole, before + side, before + (side + 1) % Int32(sides)))
            }
        }
        add(point, origin, around: 0.5)
    }
}

extension Rotation {
    /// The shortest rotation from one unit direction to another; `nil` where they are opposite or the same.
    fileprivate init?(turning from: Vector3, to: Vector3) {
        let axis = from.cross(to)
        self.init(angle: atan2(axis.length, from.dot(to)), axis: axis)
    }
}
