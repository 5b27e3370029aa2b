// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension ImageBuffer {
    /// The light between four pixels of a grey picture of at least two columns and rows; beyond the edge that of the edge.
    func light(at place: Vector2) -> Double {
        let x = min(max(place.x, 0), Double(size.width - 1) - 1e-6)
        let y = min(max(place.y, 0), Double(size.height - 1) - 1e-6)
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (x - Double(column), y - Double(row))
        let index = row * size.width + column
        let upper = Double(bytes[index]) * (1 - u) + Double(bytes[index + 1]) * u
        let lower = Double(bytes[index + size.width]) * (1 - u) + Double(bytes[index + size.width + 1]) * u
        return upper * (1 - v) + lower * v
    }
}
