// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CRaycast

/// Where the pixels of one row after the other look, in the form in which the façade's loops read it.
///
/// Most rows are read from the ``RayTable`` itself. Where samples lie beside their pixels' centres, or where some pixels
/// have no direction, the row is computed into arrays of its own.
final class PixelRows {
    /// How many numbers loops that work on several pixels at once may read or write behind the last.
    static let padding = Int(CRAYCAST_LANES) - 1
    /// As many rows as are shaded together.
    private static let rows = ViewTiles.height
    private static let arrays = 9
    private let storage: UnsafeMutablePointer<Float>
    private let stride: Int

    /// Room for rows of that many pixels.
    init(width: Int) {
        stride = width + Self.padding
        storage = .allocate(capacity: Self.rows * Self.arrays * stride)
        storage.initialize(repeating: 0, count: Self.rows * Self.arrays * stride)
    }

    deinit { storage.deallocate() }

    /// A row; valid until one that lies a multiple of eight rows beside is asked for.
    func row(of view: RowView) -> CRaycastPixelRow {
        guard view.isComputed else { return view.tableRow }
        let first = view.row % Self.rows * Self.arrays
        for column in 0..<stride - Self.padding {
            let pixel = view.view(column)
            set(first, column, pixel.direction)
            set(first + 3, column, pixel.direction + pixel.acrossColumns)
            set(first + 6, column, pixel.direction + pixel.acrossRows)
        }
        return CRaycastPixelRow(
            directions: vectors(first), next_column: vectors(first + 3), next_row: vectors(first + 6))
    }

    private func set(_ array: Int, _ column: Int, _ v: SIMD4<Float>) {
        for axis in 0..<3 { storage[(array + axis) * stride + column] = v[axis] }
    }

    private func vectors(_ array: Int) -> CRaycastVectors {
        CRaycastVectors(
            x: storage + array * stride, y: storage + (array + 1) * stride, z: storage + (array + 2) * stride)
    }
}
