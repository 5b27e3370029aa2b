// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CRaycast

/// How a camera's picture is divided into tiles, and between which planes the pixels of each look: a thing that lies
/// behind one of these planes cannot be seen there.
///
/// Tiles stand in bands across the picture. A band has planes above and below it, and so has a group of neighbouring
/// bands; a band's parts, which are halved again and again down to single tiles, have planes to their left and right.
final class ViewTiles: Sendable {
    static let width = 16
    static let height = 8

    let size: ImageSize
    let columns: Int
    let bands: Int
    /// The planes of a band, two by two: those of the band, then those of its parts as ``Part`` numbers them.
    let planesPerBand: Int
    private let planes: [CRaycastPlane]
    /// The planes of each group, two by two.
    private let groupPlanes: [CRaycastPlane]
    static let bandsPerGroup = 8

    /// The tiles of a camera whose every pixel has a direction.
    init(_ table: RayTable) {
        let size = table.size
        self.size = size
        columns = (size.width + Self.width - 1) / Self.width
        bands = (size.height + Self.height - 1) / Self.height
        planesPerBand = 2 + 2 * (2 * columns - 1)
        var planes: [CRaycastPlane] = []
        for band in 0..<bands {
            let rows = Self.rows(ofBand: band, height: size.height)
            planes += PixelBlock(rays: table.rays, columns: 0..<size.width, rows: rows).planesAboveAndBelow
            Part(columns: 0..<columns, number: 0).forEach { part in
                let pixels =
                    part.columns.lowerBound * Self.width..<min(part.columns.upperBound * Self.width, size.width)
                planes += PixelBlock(rays: table.rays, columns: pixels, rows: rows).planesLeftAndRight
            }
        }
        self.planes = planes
        groupPlanes = stride(from: 0, to: bands, by: Self.bandsPerGroup).flatMap { band in
            let rows = band * Self.height..<min((band + Self.bandsPerGroup) * Self.height, size.height)
            return PixelBlock(rays: table.rays, columns: 0..<size.width, rows: rows).planesAboveAndBelow
        }
    }

    /// The number of groups of bands.
    var groups: Int { groupPlanes.count / 2 }

    /// The rows of a group of bands.
    func rows(ofGroup group: Int) -> Range<Int> {
        let first = group * Self.bandsPerGroup * Self.height
        return first..<min(first + Self.bandsPerGroup * Self.height, size.height)
    }

    /// The rows of a band.
    func rows(ofBand band: Int) -> Range<Int> { Self.rows(ofBand: band, height: size.height) }

    private static func rows(ofBand band: Int, height: Int) -> Range<Int> {
        band * Self.height..<min((band + 1) * Self.height, height)
    }

    /// The columns of pixels in a column of tiles.
    func pixels(ofColumn column: Int) -> Range<Int> {
        column * Self.width..<min((column + 1) * Self.width, size.width)
    }

    /// Turns a band's planes into the world.
    func turnPlanes(ofBand band: Int, by worldFromCamera: Matrix3x3, slack: Float, into turned: inout [CRaycastPlane]) {
        turn(
            planes[band * planesPerBand..<(band + 1) * planesPerBand], by: worldFromCamera, slack: slack, into: &turned)
    }

    /// Turns a group's planes into the world.
    func turnPlanes(ofGroup group: Int, by worldFromCamera: Matrix3x3, slack: Float, into turned: inout [CRaycastPlane])
    {
        turn(groupPlanes[2 * group..<2 * group + 2], by: worldFromCamera, slack: slack, into: &turned)
    }

    private func turn(
        _ planes: ArraySlice<CRaycastPlane>, by worldFromCamera: Matrix3x3, slack: Float,
        into turned: inout [CRaycastPlane]
    ) {
        let axes = FloatAxes(worldFromCamera)
        turned.removeAll(keepingCapacity: true)
        for plane in planes {
            let normal = axes * SIMD4(plane.normal.0, plane.normal.1, plane.normal.2, 0)
            turned.append(CRaycastPlane(normal: (normal.x, normal.y, normal.z), slack: plane.slack - slack))
        }
    }

    /// Neighbours in a band.
    struct Part {
        let columns: Range<Int>
        /// Counted from the whole band, each part before its halves, the left half and all its parts before the right.
        let number: Int

        var halves: (left: Part, right: Part) {
            let middle = columns.lowerBound + columns.count / 2
            return (
                Part(columns: columns.lowerBound..<middle, number: number + 1),
                Part(columns: middle..<columns.upperBound, number: number + 2 * (columns.count / 2))
            )
        }

        /// Calls a function with the part and all of its parts, in the order of their numbers.
        func forEach(_ body: (Part) -> Void) {
            body(self)
            guard columns.count > 1 else { return }
            halves.left.forEach(body)
            halves.right.forEach(body)
        }
    }
}

/// A rectangle of pixels, and the cone into which they look.
private struct PixelBlock {
    let rays: PixelRays
    let columns: Range<Int>
    let rows: Range<Int>

    var planesAboveAndBelow: [CRaycastPlane] {
        [plane(through: topLeft, topRight), plane(through: bottomLeft, bottomRight)]
    }

    var planesLeftAndRight: [CRaycastPlane] {
        [plane(through: topLeft, bottomLeft), plane(through: topRight, bottomRight)]
    }

    private var topLeft: Vector3 { direction(columns.lowerBound, rows.lowerBound) }
    private var topRight: Vector3 { direction(columns.upperBound - 1, rows.lowerBound) }
    private var bottomLeft: Vector3 { direction(columns.lowerBound, rows.upperBound - 1) }
    private var bottomRight: Vector3 { direction(columns.upperBound - 1, rows.upperBound - 1) }

    private func direction(_ column: Int, _ row: Int) -> Vector3 {
        rays.direction(column: column, row: row, offset: .zero)
    }

    /// The plane through two directions that has the block before it, with as much slack as its pixels need: for samples
    /// up to a pixel beside their centres, and for sides that are curved.
    private func plane(through first: Vector3, _ second: Vector3) -> CRaycastPlane {
        let middle = direction(
            (columns.lowerBound + columns.upperBound - 1) / 2, (rows.lowerBound + rows.upperBound - 1) / 2)
        guard let across = first.cross(second).normalized() ?? first.cross(middle).normalized() else {
            return CRaycastPlane(normal: (0, 0, 0), slack: -1)
        }
        let normal = across.dot(middle) < 0 ? -across : across
        var (lowest, widest) = (0.0, 0.0)
        for row in rows {
            for column in columns {
                let direction = direction(column, row)
                lowest = min(lowest, normal.dot(direction) / direction.length)
                let view = rays.view(column: column, row: row)
                let step = abs(normal.dot(Vector3(view.acrossColumns))) + abs(normal.dot(Vector3(view.acrossRows)))
                widest = max(widest, step / direction.length)
            }
        }
        return CRaycastPlane(
            normal: (Float(normal.x), Float(normal.y), Float(normal.z)), slack: Float(lowest - widest))
    }
}
