// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// From light to bytes.
struct PixelEncoder: Sendable {
    let format: PixelFormat
    private let curve: ToneCurve
    private let exposure: Float

    init(format: PixelFormat, transfer: TransferFunction, exposure: Float) {
        self.format = format
        curve = ToneCurve(transfer)
        self.exposure = exposure
    }

    /// Encodes a row. Grey is the luminance of the light (ITU-R BT.709), as a sensor without colour filters sees it.
    func encode(_ light: UnsafeMutableBufferPointer<SIMD4<Float>>, into bytes: UnsafeMutableBufferPointer<UInt8>) {
        curve.withBytes { byte in
            switch format {
            case .gray8:
                let weights = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0) * exposure
                for (column, value) in light.enumerated() { bytes[column] = byte((value * weights).sum()) }
            case .rgb8:
                for (column, value) in light.enumerated() {
                    let exposed = value * exposure
                    bytes[3 * column] = byte(exposed.x)
                    bytes[3 * column + 1] = byte(exposed.y)
                    bytes[3 * column + 2] = byte(exposed.z)
                }
            }
        }
    }
}

/// Light to bytes, by a table fine enough that no two neighbours in it differ by more than one.
private struct ToneCurve: Sendable {
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

    /// Lends the function from a light, where 1 is the brightest that fits, to its byte; brighter light is cut off.
    @inline(__always) func withBytes(_ body: ((Float) -> UInt8) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            body { light in bytes[Int(min(max(light, 0), 1) * Float(Self.steps) + 0.5)] }
        }
    }
}
