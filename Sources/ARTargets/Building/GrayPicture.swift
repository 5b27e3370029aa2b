// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFeatures

extension ImageBuffer {
    /// The size of a picture whose longer side is that long; no side is shorter than 16 pixels, which is what a print that
    /// is aligned must have.
    static func size(of size: ImageSize, longerSide: Int) -> ImageSize {
        let scale = Double(longerSide) / Double(max(size.width, size.height))
        return ImageSize(
            width: max(16, Int((Double(size.width) * scale).rounded())),
            height: max(16, Int((Double(size.height) * scale).rounded())))
    }

    /// The grey picture with a longer side of that many pixels; smaller pictures become larger.
    func gray(longerSide: Int) -> ImageBuffer {
        let size = Self.size(of: self.size, longerSide: longerSide)
        var picture = gray
        // How many pixels of the halved picture the print has: where a side was odd, its last pixel is there in part.
        var extent = Vector2(Double(picture.size.width), Double(picture.size.height))
        while max(picture.size.width, picture.size.height) >= 2 * longerSide,
            min(picture.size.width, picture.size.height) >= 4
        {
            picture = picture.halved
            extent = 0.5 * extent
        }
        let (stepX, stepY) = (extent.x / Double(size.width), extent.y / Double(size.height))
        if stepX == 1, stepY == 1 { return picture }
        let map = [stepX, 0, (stepX - 1) / 2, 0, stepY, (stepY - 1) / 2]
        var resized = ImageBuffer(size: size, format: .gray8)
        let status = picture.withKernelPicture { picture in
            resized.bytes.withUnsafeMutableBufferPointer {
                cfeatures_render_view(&picture, map, 0, $0.baseAddress, Int32(size.width), Int32(size.height))
            }
        }
        check(status)
        return resized
    }

    /// Means of four pixels; an odd last row or column counts twice.
    private var halved: ImageBuffer {
        let row = size.width
        var half = ImageBuffer(
            size: ImageSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2), format: .gray8)
        for y in 0..<half.size.height {
            let (top, bottom) = (2 * y * row, min(2 * y + 1, size.height - 1) * row)
            for x in 0..<half.size.width {
                let (left, right) = (2 * x, min(2 * x + 1, size.width - 1))
                let sum =
                    Int(bytes[top + left]) + Int(bytes[top + right]) + Int(bytes[bottom + left])
                    + Int(bytes[bottom + right])
                half.bytes[y * half.size.width + x] = UInt8((sum + 2) / 4)
            }
        }
        return half
    }
}
