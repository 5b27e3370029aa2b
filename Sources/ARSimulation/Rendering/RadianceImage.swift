// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The light on a sensor: linear RGB by pixel, row after row, the fourth component unused.
///
/// 1 is the light from a white surface under the irradiance 1. Sendable although the compiler cannot see it: threads
/// write different rows, and nobody reads before they are done.
final class RadianceImage: @unchecked Sendable {
    let size: ImageSize
    let pixels: UnsafeMutablePointer<SIMD4<Float>>

    /// A dark picture.
    init(size: ImageSize) {
        self.size = size
        pixels = .allocate(capacity: size.width * size.height)
        pixels.initialize(repeating: .zero, count: size.width * size.height)
    }

    deinit { pixels.deallocate() }

    /// A row's pixels.
    @inline(__always) subscript(row row: Int) -> UnsafeMutableBufferPointer<SIMD4<Float>> {
        UnsafeMutableBufferPointer(start: pixels + row * size.width, count: size.width)
    }
}
