// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A rectangle's side.
struct RectangleSide {
    let object: Int32
    /// 0 at −x, 1 at +x, 2 at −z, 3 at +z.
    let number: Int
    let rectangle: TexturedRectangle
    /// Where the side begins and ends, in metres in the world; the texels along it stand in this order.
    let ends: (Point3, Point3)
    /// From the side into the rectangle, of length one.
    let inward: Vector3
    /// How far its middle lies along a direction in which few sides' middles lie level, so that equal sides are found side
    /// by side.
    private let level: Double

    /// How far apart ends may be that are the same, in metres: far less than is seen.
    private static let tolerance = 1e-5
    /// The most by which the planes of rectangles with a common side may differ, in radians.
    static let mostTurn = 1e-4

    private init(_ number: Int, of rectangle: TexturedRectangle, _ object: Int32) {
        self.object = object
        self.number = number
        self.rectangle = rectangle
        let (half, sign) = (rectangle.size / 2, number.isMultiple(of: 2) ? -1.0 : 1)
        let isAlongZ = number < 2
        let place = rectangle.worldFromSurface
        func end(_ other: Double) -> Point3 {
            place * (isAlongZ ? Point3(sign * half.x, 0, other * half.y) : Point3(other * half.x, 0, sign * half.y))
        }
        ends = (end(-1), end(1))
        inward = place.rotation * (isAlongZ ? Vector3(-sign, 0, 0) : Vector3(0, 0, -sign))
        level = Vector3(0.61, 0.37, 0.7).dot(end(0))
    }

    /// Calls a function with each two sides that two rectangles have in common: with the same ends, in whatever order.
    static func forEachPair(of surfaces: [RenderSurface], _ body: (RectangleSide, RectangleSide) -> Void) {
        let sides = surfaces.enumerated().flatMap { object, surface in
            guard case .rectangle(let rectangle) = surface else { return [RectangleSide]() }
            return (0..<4).map { RectangleSide($0, of: rectangle, Int32(object)) }
        }.sorted { ($0.level, $0.object) < ($1.level, $1.object) }
        for (index, side) in sides.enumerated() {
            for other in sides[(index + 1)...].prefix(while: { $0.level < side.level + 2 * tolerance })
            where side.object != other.object && (side.isParallel(other) || side.isReversed(other)) {
                body(side, other)
            }
        }
    }

    private func isParallel(_ other: RectangleSide) -> Bool {
        Self.areSame(ends.0, other.ends.0) && Self.areSame(ends.1, other.ends.1)
    }

    /// Whether a side has the same ends in the other order.
    func isReversed(_ other: RectangleSide) -> Bool {
        Self.areSame(ends.0, other.ends.1) && Self.areSame(ends.1, other.ends.0)
    }

    private static func areSame(_ a: Point3, _ b: Point3) -> Bool { (a - b).length < tolerance }
}
