// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport

extension WaveTexture {
    /// The picture whose pixels see the places that `place` gives, with gain and offset.
    func picture(
        _ size: ImageSize, gain: Double = 1, offset: Double = 0, place: (Vector2) -> Vector2 = { $0 }
    ) -> ImageBuffer {
        picture(size) { gain * light(at: place($0)) + offset }
    }

    private func picture(_ size: ImageSize, value: (Vector2) -> Double) -> ImageBuffer {
        var image = ImageBuffer(size: size, format: .gray8)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let value = value(Vector2(Double(column), Double(row)))
                image.bytes[row * size.width + column] = UInt8(min(max(value, 0), 255).rounded())
            }
        }
        return image
    }
}
