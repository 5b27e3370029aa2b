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
}

/// Red, green and blue light in steps of 1/32767, as the texture filter in C++ reads it.
struct PackedTexel: Equatable {
    /// Red, green, blue, and nothing.
    private let steps: SIMD4<UInt16>
    private static let full = 32767.0

    /// The texel of a colour, linear RGB 0…1; what is outside is cut off.
    init(_ light: Vector3) {
        let inside = light.clamped(lowerBound: Vector3(), upperBound: Vector3(repeating: 1)) * Self.full + 0.5
        steps = SIMD4(UInt16(inside.x), UInt16(inside.y), UInt16(inside.z), 0)
    }

    /// The mean of four texels.
    @inline(__always) init(meanOf a: PackedTexel, _ b: PackedTexel, _ c: PackedTexel, _ d: PackedTexel) {
        func wide(_ texel: PackedTexel) -> SIMD4<UInt32> { SIMD4(truncatingIfNeeded: texel.steps) }
        let sum = wide(a) &+ wide(b) &+ wide(c) &+ wide(d) &+ SIMD4(repeating: 2)
        steps = SIMD4(truncatingIfNeeded: sum &>> 2)
    }

    /// Linear RGB.
    var light: Vector3 { Vector3(Double(steps.x), Double(steps.y), Double(steps.z)) / Self.full }
}
