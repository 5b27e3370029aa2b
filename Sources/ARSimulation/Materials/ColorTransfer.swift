// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Between light and the values of pixels: the curve of IEC 61966-2-1 (sRGB).
enum ColorTransfer {
    /// The light, 0…1, that a value 0…1 stands for.
    static func linear(fromSRGB value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The same for each of three channels.
    static func linear(fromSRGB color: Vector3) -> Vector3 {
        Vector3(linear(fromSRGB: color.x), linear(fromSRGB: color.y), linear(fromSRGB: color.z))
    }

    /// The value 0…1 that stands for a light of 0…1.
    static func sRGB(fromLinear light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
