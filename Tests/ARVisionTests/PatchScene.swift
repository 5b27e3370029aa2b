// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport

/// A textured square before a textured wall, and what hides it.
struct PatchScene {
    let size = ImageSize(width: 240, height: 180)
    /// The square's side, where it is neither scaled nor hidden.
    let side = 48.0
    private let wall: ImageBuffer
    private let print: WaveTexture

    init(_ random: inout TestRandom) {
        wall = WaveTexture(&random).picture(size)
        print = WaveTexture(&random)
    }

    /// The square upright in its first size.
    func box(at center: Vector2) -> PatchBox { PatchBox(center: PixelPoint(center), width: side, height: side) }

    /// The wall alone.
    var empty: ImageBuffer { wall }

    /// The square with its middle at a pixel. A bar hides `hidden` of it, from its left.
    func picture(at center: Vector2, scale: Double = 1, rotation: Double = 0, hidden: Double = 0) -> ImageBuffer {
        var image = wall
        let radius = Int(side * scale)
        for row in max(Int(center.y) - radius, 0)...min(Int(center.y) + radius, size.height - 1) {
            for column in max(Int(center.x) - radius, 0)...min(Int(center.x) + radius, size.width - 1) {
                let offset = (Vector2(Double(column), Double(row)) - center) / scale
                let u = cos(rotation) * offset.x + sin(rotation) * offset.y
                let v = -sin(rotation) * offset.x + cos(rotation) * offset.y
                guard abs(u) <= side / 2, abs(v) <= side / 2 else { continue }
                let light = u < (hidden - 0.5) * side ? 128 + 20 * sin(0.3 * u) : print.light(at: Vector2(u, v))
                image.bytes[row * size.width + column] = UInt8(min(max(light, 0), 255).rounded())
            }
        }
        return image
    }
}
