// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// Which rectangles go on in others: beyond a side that both have in common, in the same plane, as glossy, with a texture
/// that continues theirs. Between two such rectangles there is no edge to be seen, and so none to be smoothed; law:
/// `ContinuationTests`.
struct Continuations {
    /// By object number, a place for each side; `nil` where no surface goes on in another.
    private let partners: [SIMD4<Int32>]?

    init(of surfaces: [RenderSurface]) {
        var partners = [SIMD4<Int32>](repeating: SIMD4(repeating: CRAYCAST_NO_CONTINUATION), count: surfaces.count)
        var hasAny = false
        let sides = surfaces.enumerated().flatMap { object, surface in
            guard case .rectangle(let rectangle) = surface else { return [RectangleSide]() }
            return (0..<4).map { RectangleSide($0, of: rectangle, Int32(object)) }
        }.sorted { ($0.level, $0.object) < ($1.level, $1.object) }
        for (index, side) in sides.enumerated() {
            for other in sides[(index + 1)...].prefix(while: { $0.level < side.level + 2 * RectangleSide.tolerance })
            where side.continues(in: other) {
                partners[Int(side.object)][side.number] = other.object
                partners[Int(other.object)][other.number] = side.object
                hasAny = true
            }
        }
        self.partners = hasAny ? partners : nil
    }

    /// Whether a surface goes on in another.
    func contains(_ object: Int32, _ other: Int32) -> Bool {
        guard let partners = partners?[Int(object)] else { return false }
        return partners.indices.contains { partners[$0] == other }
    }

    /// Calls a function with the continuations as the façade takes them.
    func withFacade<Result>(_ body: (UnsafePointer<(Int32, Int32, Int32, Int32)>?) -> Result) -> Result {
        guard let partners else { return body(nil) }
        return partners.withUnsafeBytes {
            body($0.assumingMemoryBound(to: (Int32, Int32, Int32, Int32).self).baseAddress)
        }
    }
}

/// A rectangle's side.
private struct RectangleSide {
    let object: Int32
    /// 0 at −x, 1 at +x, 2 at −z, 3 at +z.
    let number: Int
    private let rectangle: TexturedRectangle
    /// Where the side begins and ends, in metres in the world; the texels along it stand in this order.
    private let ends: (Point3, Point3)
    /// From the side into the rectangle, of length one.
    private let inward: Vector3
    /// How far its middle lies along a direction in which few sides' middles lie level, so that equal sides are found side
    /// by side.
    let level: Double

    /// How far apart ends may be that are the same, in metres: far less than is seen.
    static let tolerance = 1e-5
    /// The most by which the planes of rectangles with a common side may differ, in radians.
    private static let mostTurn = 1e-4

    init(_ number: Int, of rectangle: TexturedRectangle, _ object: Int32) {
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

    /// Whether there is nothing to be seen of a common side.
    func continues(in other: RectangleSide) -> Bool {
        guard rectangle.gloss == other.rectangle.gloss, (inward + other.inward).length < Self.mostTurn else {
            return false
        }
        func areSame(_ a: Point3, _ b: Point3) -> Bool { (a - b).length < Self.tolerance }
        if areSame(ends.0, other.ends.0), areSame(ends.1, other.ends.1) {
            return texels.goOn(in: other.texels)
        }
        guard areSame(ends.0, other.ends.1), areSame(ends.1, other.ends.0) else { return false }
        return texels.goOn(in: other.texels.reversed)
    }

    private var texels: SideTexels { rectangle.texture.texels(alongSide: number) }
}

/// The texels along a side of a texture, and those behind them.
private struct SideTexels {
    let rim: [Vector3]
    let inner: [Vector3]

    var reversed: SideTexels { SideTexels(rim: rim.reversed(), inner: inner.reversed()) }

    /// Whether one picture goes on from these texels to others: nowhere along the side is the step across greater than
    /// twice the steps on either side of it, neither from texel to texel nor in the mean of 2, 4, 8, … neighbours, so that
    /// coarse texels hide no step that is seen from afar. A picture whose steps change evenly fulfils it with half of that.
    func goOn(in other: SideTexels) -> Bool {
        guard rim.count == other.rim.count else { return false }
        var steps = rim.indices.map { index in
            (rim[index] - inner[index], other.rim[index] - rim[index], other.inner[index] - other.rim[index])
        }
        while true {
            guard steps.allSatisfy({ Self.isEven($0, $1, $2) }) else { return false }
            guard steps.count > 1 else { return true }
            steps = stride(from: 0, to: steps.count - 1, by: 2).map { index in
                let (a, b) = (steps[index], steps[index + 1])
                return ((a.0 + b.0) / 2, (a.1 + b.1) / 2, (a.2 + b.2) / 2)
            }
        }
    }

    /// Texels are rounded to 1/32767.
    private static let rounding = 4.0 / 32767

    private static func isEven(_ before: Vector3, _ across: Vector3, _ behind: Vector3) -> Bool {
        (0..<3).allSatisfy { abs(across[$0]) <= 2 * max(abs(before[$0]), abs(behind[$0])) + rounding }
    }
}

extension MipTexture {
    /// The finest texels along a side: 0 and 1 are the first and the last column, 2 and 3 the first and the last row. A
    /// plain texture has one, as it has no texels of its own.
    fileprivate func texels(alongSide side: Int) -> SideTexels {
        if let plain = view.plain {
            let light = Vector3(Double(plain.x), Double(plain.y), Double(plain.z))
            return SideTexels(rim: [light], inner: [light])
        }
        let isColumn = side < 2
        let (count, depth) = isColumn ? (size.height, size.width) : (size.width, size.height)
        func line(_ fromRim: Int) -> [Vector3] {
            let number = side.isMultiple(of: 2) ? fromRim : depth - 1 - fromRim
            return (0..<count).map { isColumn ? light(column: number, row: $0) : light(column: $0, row: number) }
        }
        return SideTexels(rim: line(0), inner: line(1))
    }
}
