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
        RectangleSide.forEachPair(of: surfaces) { side, other in
            guard side.continues(in: other) else { return }
            partners[Int(side.object)][side.number] = other.object
            partners[Int(other.object)][other.number] = side.object
            hasAny = true
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

extension RectangleSide {
    /// Whether there is nothing to be seen of a side that both rectangles have in common.
    fileprivate func continues(in other: RectangleSide) -> Bool {
        guard rectangle.gloss == other.rectangle.gloss, (inward + other.inward).length < Self.mostTurn else {
            return false
        }
        return isReversed(other) ? texels.goOn(in: other.texels.reversed) : texels.goOn(in: other.texels)
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
