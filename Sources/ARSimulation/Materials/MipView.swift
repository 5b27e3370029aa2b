// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// A texture as the inner loop sees it; valid as long as its ``MipTexture``.
struct MipView {
    let texture: CRaycastTexture
    /// The light of a texture that is the same everywhere.
    let plain: SIMD4<Float>?

    /// The light that a few pixels see, averaged over what each covers.
    @inline(__always)
    func light(
        of footprints: UnsafePointer<CRaycastFootprint>, count: Int, into light: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        if let plain {
            light.update(repeating: plain, count: count)
            return
        }
        var texture = texture
        light.withMemoryRebound(to: (Float, Float, Float, Float).self, capacity: count) {
            craycast_sample(&texture, footprints, count, $0)
        }
    }

    /// The light that a pixel sees, averaged over what it covers.
    func light(of footprint: CRaycastFootprint) -> SIMD4<Float> {
        var (footprint, light) = (footprint, SIMD4<Float>())
        self.light(of: &footprint, count: 1, into: &light)
        return light
    }
}

extension CRaycastFootprint {
    /// The parallelogram around a place, with those sides, in texels of the finest level.
    @inline(__always)
    init(place: SIMD2<Float>, acrossColumns: SIMD2<Float>, acrossRows: SIMD2<Float>) {
        self.init(
            x: place.x, y: place.y, column_x: acrossColumns.x, column_y: acrossColumns.y, row_x: acrossRows.x,
            row_y: acrossRows.y)
    }

    /// The place in other units, and the mean length of the sides there.
    @inline(__always)
    func scaled(by factor: SIMD2<Float>) -> (place: SIMD2<Float>, width: Float) {
        let (column, row) = (SIMD2(column_x, column_y) * factor, SIMD2(row_x, row_y) * factor)
        return (SIMD2(x, y) * factor, ((column * column + row * row).sum() / 2).squareRoot())
    }
}

/// Red, green and blue light in ten bits each, as square roots: steps are small where light is dim.
struct PackedTexel: Equatable {
    /// Red in the lowest bits.
    let word: UInt32

    /// The texel of a colour, linear RGB 0…1; what is outside is cut off.
    init(_ light: Vector3) {
        let inside = light.clamped(lowerBound: Vector3(), upperBound: Vector3(repeating: 1))
        func root(_ channel: Double) -> UInt32 { UInt32(channel.squareRoot() * 1023 + 0.5) }
        word = root(inside.x) | root(inside.y) << 10 | root(inside.z) << 20
    }

    /// Linear RGB.
    var light: Vector3 {
        let roots = Vector3(Double(word & 0x3ff), Double(word >> 10 & 0x3ff), Double(word >> 20 & 0x3ff)) / 1023
        return roots * roots
    }
}
