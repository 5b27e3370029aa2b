// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The direction in which each pixel's centre looks, for any camera model, computed once.
///
/// Sendable although the compiler cannot see it: the table is filled before anyone else has it, and only read after.
final class RayTable: @unchecked Sendable {
    let size: ImageSize
    private let directions: UnsafeMutablePointer<Vector3>

    /// The table of a camera, in ARKit's camera axes.
    ///
    /// Pixels outside the model's domain have the direction zero.
    init(camera: Camera, size: ImageSize) {
        self.size = size
        directions = .allocate(capacity: size.width * size.height)
        let cameraFromOptical = RigidTransform.cameraFromOptical.rotation
        for row in 0..<size.height {
            for column in 0..<size.width {
                let inOptical = camera.unproject(PixelPoint(Double(column), Double(row))) ?? .zero
                (directions + row * size.width + column).initialize(to: cameraFromOptical * inOptical)
            }
        }
    }

    deinit { directions.deallocate() }

    /// Where a pixel looks, at an offset from its centre, and how that changes with a pixel to the right and a pixel
    /// down.
    @inline(__always) func ray(column: Int, row: Int, offset: Vector2) -> PixelRay {
        let ray = ray(column: column, row: row)
        return offset == .zero || !ray.isValid ? ray : ray.part(offset: offset, scale: 1)
    }

    @inline(__always) private func ray(column: Int, row: Int) -> PixelRay {
        let index = row * size.width + column
        let center = directions[index]
        let acrossColumns =
            column + 1 < size.width ? directions[index + 1] - center : center - directions[index - 1]
        let acrossRows =
            row + 1 < size.height ? directions[index + size.width] - center : center - directions[index - size.width]
        return PixelRay(direction: center, acrossColumns: acrossColumns, acrossRows: acrossRows)
    }

    /// Where a pixel looks, at an offset from its centre.
    @inline(__always) func direction(column: Int, row: Int, offset: Vector2) -> Vector3 {
        offset == .zero
            ? directions[row * size.width + column] : ray(column: column, row: row, offset: offset).direction
    }
}

/// A pixel's view: a direction and its change across the pixel.
struct PixelRay {
    var direction: Vector3
    var acrossColumns: Vector3
    var acrossRows: Vector3

    /// Whether the camera model has a direction for the pixel.
    @inline(__always) var isValid: Bool { direction != .zero }

    /// The view of a part of the pixel, `offset` pixels from its centre, that is smaller by a factor.
    @inline(__always) func part(offset: Vector2, scale: Double) -> PixelRay {
        PixelRay(
            direction: direction + offset.x * acrossColumns + offset.y * acrossRows,
            acrossColumns: acrossColumns * scale, acrossRows: acrossRows * scale)
    }

    /// The same view in other axes.
    @inline(__always) func rotated(_ axes: Matrix3x3) -> PixelRay {
        PixelRay(direction: axes * direction, acrossColumns: axes * acrossColumns, acrossRows: axes * acrossRows)
    }
}
