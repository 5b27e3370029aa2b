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

/// Light to bytes, by a table fine enough that no two neighbours in it differ by more than one.
struct ToneCurve: Sendable {
    private let bytes: [UInt8]
    private static let steps = 16_384

    /// The table of a transfer function.
    init(_ transfer: TransferFunction) {
        bytes = (0...Self.steps).map { step in
            let light = Double(step) / Double(Self.steps)
            let value = transfer == .linear ? light : ColorTransfer.sRGB(fromLinear: light)
            return UInt8((value * 255).rounded())
        }
    }

    /// The byte for a light, where 1 is the brightest that fits; brighter light is cut off.
    @inline(__always) func byte(_ light: Float) -> UInt8 {
        bytes.withUnsafeBufferPointer { $0[Int(min(max(light, 0), 1) * Float(Self.steps) + 0.5)] }
    }
}
