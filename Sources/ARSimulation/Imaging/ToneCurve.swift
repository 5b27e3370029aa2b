// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// From the light of a pixel, where 1 is the brightest that fits, to its byte.
///
/// A table with 2048 entries for each halving of the light, down to 2⁻²⁴, which is black: fine where the curves are
/// steep, and found by the first bits of a floating-point number. A value is off by at most 0.04 before it is rounded.
struct ToneCurve: Sendable {
    private let bytes: [UInt8]

    /// The table of a transfer function.
    init(_ transfer: TransferFunction, gamma: Double) {
        let last = Self.entries(ofLight: SIMD4(repeating: 1)).x
        bytes = (0...last).map { entry in
            let light = entry == 0 ? 0 : Float(bitPattern: Self.darkest + entry << Self.bitsBelowEntry)
            return UInt8((transfer.value(ofLight: Double(light), gamma: gamma) * 255).rounded())
        }
    }

    /// The places in the table of four lights of at most 1.
    @inline(__always) static func entries(ofLight light: SIMD4<Float>) -> SIMD4<UInt32> {
        // The bits of floats of one sign are in the order of the floats: what is too dark, or no number, is replaced before
        // they are read.
        let dark = SIMD4<Float>(repeating: Float(bitPattern: darkest))
        let visible = dark.replacing(with: light, where: light .>= dark)
        let bits = unsafeBitCast(visible, to: SIMD4<UInt32>.self)
        return (bits &- darkest &+ (1 << (bitsBelowEntry - 1))) &>> bitsBelowEntry
    }

    /// Lends the table.
    @inline(__always) func withBytes(_ body: (UnsafePointer<UInt8>) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { body(start) }
        }
    }

    /// The bits of 2⁻²⁴.
    private static let darkest: UInt32 = (127 - 24) << 23
    /// 23 bits of a float follow its exponent; the first 11 count.
    private static let bitsBelowEntry: UInt32 = 12
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
