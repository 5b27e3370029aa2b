// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// The direction in which each pixel's centre looks, for any camera model, computed once: the owner of ``PixelRays``.
final class RayTable: Sendable {
    let size: ImageSize
    /// Valid as long as the table.
    let rays: PixelRays

    /// The table of a camera, in ARKit's camera axes.
    ///
    /// Pixels outside the model's domain have the direction zero.
    init(camera: Camera, size: ImageSize) {
        self.size = size
        rays = PixelRays(camera: camera, size: size)
    }

    deinit { rays.deallocate() }
}

/// A ``RayTable``'s numbers at addresses that stay: a class would be retained for every pixel, and threads would contend
/// for its count of references.
///
/// Sendable although the compiler cannot see it: only the initialiser can write to them, before anyone else has them.
struct PixelRays: @unchecked Sendable {
    /// Whether some pixels lie outside the model's domain.
    let hasGaps: Bool
    private let size: ImageSize
    private let pixelCount: Int
    /// Directions in double precision, for distances, coordinate by coordinate.
    private let directions: UnsafePointer<Double>
    /// The same in single precision, for looks, with one more column and row, in which the directions go on as before.
    private let looks: UnsafePointer<SIMD4<Float>>
    /// These coordinate by coordinate, one array after the other, for work on several pixels at once.
    private let coordinates: UnsafePointer<Float>

    fileprivate init(camera: Camera, size: ImageSize) {
        self.size = size
        pixelCount = size.width * size.height
        let directions: UnsafeMutablePointer<Double> = LargePages.allocate(
            capacity: 3 * pixelCount + PixelRows.padding)
        directions.initialize(repeating: 0, count: 3 * pixelCount + PixelRows.padding)
        let lookCount = (size.width + 1) * (size.height + 1)
        let looks = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: lookCount)
        looks.initialize(repeating: .zero, count: lookCount)
        let coordinates = UnsafeMutablePointer<Float>.allocate(capacity: 3 * lookCount + PixelRows.padding)
        coordinates.initialize(repeating: 0, count: 3 * lookCount + PixelRows.padding)
        self.directions = UnsafePointer(directions)
        self.looks = UnsafePointer(looks)
        self.coordinates = UnsafePointer(coordinates)
        let cameraFromOptical = RigidTransform.cameraFromOptical.rotation
        var hasGaps = false
        for row in 0..<size.height {
            for column in 0..<size.width {
                let inOptical = camera.unproject(PixelPoint(Double(column), Double(row))) ?? .zero
                let inCamera = cameraFromOptical * inOptical
                hasGaps = hasGaps || inCamera == .zero
                for axis in 0..<3 { directions[axis * pixelCount + row * size.width + column] = inCamera[axis] }
            }
        }
        self.hasGaps = hasGaps
        for row in 0...size.height {
            for column in 0...size.width {
                looks[row * (size.width + 1) + column] = SIMD4(extrapolated(column: column, row: row), 0)
            }
        }
        for index in 0..<3 * lookCount { coordinates[index] = looks[index % lookCount][index / lookCount] }
    }

    fileprivate func deallocate() {
        directions.deallocate()
        looks.deallocate()
        coordinates.deallocate()
    }

    /// Where the pixels of a row look, from a column on; there is one more row and column than in the picture.
    @inline(__always) func vectors(row: Int, column: Int) -> CRaycastVectors {
        let (first, count) = (row * (size.width + 1) + column, (size.width + 1) * (size.height + 1))
        return CRaycastVectors(
            x: coordinates + first, y: coordinates + first + count, z: coordinates + first + 2 * count)
    }

    /// The directions of all centres, row after row.
    var facadeDirections: CRaycastDirections {
        CRaycastDirections(x: directions, y: directions + pixelCount, z: directions + 2 * pixelCount)
    }

    @inline(__always) private func direction(_ column: Int, _ row: Int) -> Vector3 {
        let pixel = directions + (row &* size.width &+ column)
        return Vector3(pixel[0], pixel[pixelCount], pixel[2 &* pixelCount])
    }

    private func extrapolated(column: Int, row: Int) -> Vector3 {
        let (lastColumn, lastRow) = (size.width - 1, size.height - 1)
        let (x, y) = (min(column, lastColumn), min(row, lastRow))
        var extrapolated = direction(x, y)
        if column > lastColumn { extrapolated += direction(x, y) - direction(max(x - 1, 0), y) }
        if row > lastRow { extrapolated += direction(x, y) - direction(x, max(y - 1, 0)) }
        return extrapolated
    }

    /// Where a pixel looks, at an offset from its centre.
    @inline(__always) func direction(column: Int, row: Int, offset: Vector2) -> Vector3 {
        let direction = direction(column, row)
        return offset == .zero || direction == .zero
            ? direction : direction + Vector3(view(column: column, row: row).shift(by: SIMD2<Float>(offset)))
    }

    /// Where a pixel's centre looks, and how that changes across the pixel.
    @inline(__always) func view(column: Int, row: Int) -> PixelView {
        let center = looks + (row &* (size.width &+ 1) &+ column)
        if hasGaps { return viewBesideGaps(column: column, row: row) }
        return PixelView(
            direction: center[0], acrossColumns: center[1] - center[0],
            acrossRows: center[size.width &+ 1] - center[0])
    }

    /// A pixel's view where the next pixel may have none: the change is then that from the pixel before.
    private func viewBesideGaps(column: Int, row: Int) -> PixelView {
        let (index, rowLength) = (row * (size.width + 1) + column, size.width + 1)
        func change(after next: Int, before previous: Int?) -> SIMD4<Float> {
            if looks[next] != .zero { return looks[next] - looks[index] }
            guard let previous, looks[previous] != .zero else { return .zero }
            return looks[index] - looks[previous]
        }
        guard looks[index] != .zero else {
            return PixelView(direction: .zero, acrossColumns: .zero, acrossRows: .zero)
        }
        return PixelView(
            direction: looks[index],
            acrossColumns: change(after: index + 1, before: column > 0 ? index - 1 : nil),
            acrossRows: change(after: index + rowLength, before: row > 0 ? index - rowLength : nil))
    }
}

/// A pixel's view: a direction and its change across the pixel, in any axes. The fourth components are zero.
struct PixelView {
    var direction: SIMD4<Float>
    var acrossColumns: SIMD4<Float>
    var acrossRows: SIMD4<Float>

    /// What an offset from the pixel's centre, in pixels, changes in the direction.
    @inline(__always) func shift(by offset: SIMD2<Float>) -> SIMD4<Float> {
        acrossColumns * offset.x + acrossRows * offset.y
    }

    /// The view of a square part with its middle at an offset from the centre, in pixels.
    @inline(__always) func part(at offset: SIMD2<Float>, side: Float) -> PixelView {
        PixelView(
            direction: direction + shift(by: offset), acrossColumns: acrossColumns * side,
            acrossRows: acrossRows * side)
    }

    /// The same as the façade takes it.
    @inline(__always) var facade: CRaycastPixel { unsafeBitCast(self, to: CRaycastPixel.self) }

    /// The same view in other axes, or in any other linear coordinates.
    @inline(__always) func mapped(by axes: FloatAxes) -> PixelView {
        PixelView(
            direction: axes * direction, acrossColumns: axes * acrossColumns, acrossRows: axes * acrossRows)
    }
}

/// A 3×3 matrix in single precision.
struct FloatAxes {
    private let columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    init(_ matrix: Matrix3x3) {
        columns = (SIMD4(matrix[0], 0), SIMD4(matrix[1], 0), SIMD4(matrix[2], 0))
    }

    @inline(__always) static func * (axes: FloatAxes, v: SIMD4<Float>) -> SIMD4<Float> {
        axes.columns.0 * v.x + axes.columns.1 * v.y + axes.columns.2 * v.z
    }
}

extension Vector3 {
    /// The first three components.
    @inline(__always) init(_ v: SIMD4<Float>) { self.init(Double(v.x), Double(v.y), Double(v.z)) }
}
