// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The closed boxes among rectangles: six of which each has its four sides in common with four others. From outside those
/// that are turned away are hidden behind the others; law: `ClosedBoxTests`.
struct ClosedBoxes {
    private let boxes: [Box]

    init(of surfaces: [RenderSurface]) {
        let neighbours = SideNeighbours(of: surfaces)
        boxes = surfaces.indices.compactMap { Box(above: Int32($0), neighbours) }
    }

    var isEmpty: Bool { boxes.isEmpty }

    /// Calls a function with each rectangle that nobody sees who is not farther from a place than `stray`, in metres.
    func forEachHidden(from place: Point3, stray: Double, _ body: (Int32) -> Void) {
        for box in boxes { box.forEachHidden(from: place, stray: stray, body) }
    }
}

/// Six rectangles around a box.
private struct Box {
    private let faces: [(object: Int32, point: Point3, outward: Vector3)]
    /// How far from its faces it is left open whether somebody stands before or behind them, in metres: more than common
    /// sides may differ.
    private static let clearance = 1e-4

    /// The box that stands on a rectangle, the first of its six.
    init?(above object: Int32, _ neighbours: SideNeighbours) {
        guard let walls = neighbours.ofSides(of: object), let upward = walls.first?.other.inward,
            walls.allSatisfy({ ($0.other.inward - upward).length < RectangleSide.mostTurn }),
            let lid = neighbours.opposite(walls[0].other),
            walls.allSatisfy({ neighbours.opposite($0.other)?.object == lid.object }),
            walls.allSatisfy({ abs($0.own.inward.dot(upward)) < RectangleSide.mostTurn })
        else { return nil }
        faces =
            [(object, walls[0].own.ends.0, -upward), (lid.object, lid.ends.0, upward)]
            + walls.map { ($0.other.object, $0.own.ends.0, -$0.own.inward) }
        guard faces.allSatisfy({ $0.object >= object }), Set(faces.map(\.object)).count == 6 else { return nil }
    }

    func forEachHidden(from place: Point3, stray: Double, _ body: (Int32) -> Void) {
        let margin = stray + Self.clearance
        func height(above face: (object: Int32, point: Point3, outward: Vector3)) -> Double {
            face.outward.dot(place - face.point)
        }
        guard faces.contains(where: { height(above: $0) > margin }) else { return }
        for face in faces where height(above: face) < -margin { body(face.object) }
    }
}

/// What is beyond the sides of rectangles.
private struct SideNeighbours {
    typealias Pair = (own: RectangleSide, other: RectangleSide)
    /// By object number, for each side all with the same ends.
    private var pairs: [[[Pair]]]

    init(of surfaces: [RenderSurface]) {
        var pairs = [[[Pair]]](repeating: [[], [], [], []], count: surfaces.count)
        RectangleSide.forEachPair(of: surfaces) { side, other in
            pairs[Int(side.object)][side.number].append((side, other))
            pairs[Int(other.object)][other.number].append((other, side))
        }
        self.pairs = pairs
    }

    /// A rectangle's four sides, if each is that of one other rectangle.
    func ofSides(of object: Int32) -> [Pair]? {
        let sides = pairs[Int(object)]
        return sides.allSatisfy { $0.count == 1 } ? sides.map { $0[0] } : nil
    }

    /// The one other rectangle's side that is opposite to a side.
    func opposite(_ side: RectangleSide) -> RectangleSide? {
        let sides = pairs[Int(side.object)][side.number ^ 1]
        return sides.count == 1 ? sides[0].other : nil
    }
}
