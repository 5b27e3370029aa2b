// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension ImageBuffer {
    /// The picture as the app shows it, turned by quarter turns for the interface.
    ///
    /// Law: `FaceViewTests.picturesTurnWithTheirPoints`.
    func turned(for orientation: InterfaceOrientation) -> ImageBuffer {
        guard orientation != .landscapeRight else { return self }
        let target = size.turned(for: orientation)
        let (width, height, channels) = (size.width, size.height, format.bytesPerPixel)
        var turned = ImageBuffer(size: target, format: format)
        bytes.withUnsafeBufferPointer { source in
            turned.bytes.withUnsafeMutableBufferPointer { result in
                for row in 0..<target.height {
                    for column in 0..<target.width {
                        let (x, y) =
                            switch orientation {
                            case .landscapeRight: (column, row)
                            case .landscapeLeft: (width - 1 - column, height - 1 - row)
                            case .portrait: (row, height - 1 - column)
                            case .portraitUpsideDown: (width - 1 - row, column)
                            }
                        for channel in 0..<channels {
                            result[(row * target.width + column) * channels + channel] =
                                source[(y * width + x) * channels + channel]
                        }
                    }
                }
            }
        }
        return turned
    }
}
