// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A camera that looks at a rendered world: light comes in, bytes come out.
final class SimulatedCamera {
    let renderer: Renderer
    private let light: RadianceImage
    private let encoder: PixelEncoder

    /// A camera that sees what a renderer renders.
    init(
        _ renderer: Renderer, pixelFormat: PixelFormat = .rgb8, transfer: TransferFunction = .srgb,
        exposure: Double = 1
    ) {
        self.renderer = renderer
        light = RadianceImage(size: renderer.size)
        encoder = PixelEncoder(format: pixelFormat, transfer: transfer, exposure: Float(exposure))
    }

    /// The picture of a shot.
    func image(of shot: Shot) -> ImageBuffer {
        renderer.render(shot, into: light)
        let rowLength = light.size.width * encoder.format.bytesPerPixel
        var bytes = [UInt8](repeating: 0, count: light.size.height * rowLength)
        bytes.withUnsafeMutableBufferPointer { bytes in
            nonisolated(unsafe) let bytes = bytes
            let (light, encoder) = (light, encoder)
            Parallel.run(count: light.size.height, threads: renderer.threads) { row in
                encoder.encode(
                    light[row: row],
                    into: UnsafeMutableBufferPointer(rebasing: bytes[row * rowLength..<(row + 1) * rowLength]))
            }
        }
        return ImageBuffer(size: light.size, format: encoder.format, bytes: bytes)
    }
}
