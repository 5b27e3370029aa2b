// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// From the light of a pixel, where 1 is the brightest that fits, to its byte.
///
/// A table over the square root of the light, so that it is fine where the curves are steep: no two neighbours in it
/// differ by more than one. A value is off by at most 0.02 before it is rounded.
struct ToneCurve: Sendable {
    private let bytes: [UInt8]
    /// The number of steps of the table.
    static let steps: Float = 16_384

    /// The table of a transfer function.
    init(_ transfer: TransferFunction, gamma: Double) {
        bytes = (0...Int(Self.steps)).map { step in
            let root = Double(step) / Double(Self.steps)
            return UInt8((transfer.value(ofLight: root * root, gamma: gamma) * 255).rounded())
        }
    }

    /// Lends the table: entry `steps` · √light, rounded, is a light's byte.
    @inline(__always) func withBytes(_ body: (UnsafePointer<UInt8>) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { body(start) }
        }
    }
}

extension TransferFunction {
    /// The value 0…1 of a light of 0…1; gamma is only for ``power``.
    func value(ofLight light: Double, gamma: Double) -> Double {
        switch self {
        case .linear: light
        case .srgb: ColorTransfer.sRGB(fromLinear: light)
        case .power: pow(light, 1 / gamma)
        }
    }
}
