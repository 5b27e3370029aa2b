// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFeatures

extension ImageBuffer {
    /// The grey picture with a longer side of that many pixels; smaller pictures become larger.
    func gray(longerSide: Int) -> ImageBuffer {
        var picture = gray
        while max(picture.size.width, picture.size.height) >= 2 * longerSide,
            min(picture.size.width, picture.size.height) >= 4
        {
            picture = picture.halved
        }
        let scale = Double(longerSide) / Double(max(picture.size.width, picture.size.height))
        let size = ImageSize(
            width: max(8, Int((Double(picture.size.width) * scale).rounded())),
            height: max(8, Int((Double(picture.size.height) * scale).rounded())))
        if size == picture.size { return picture }
        let stepX = Double(picture.size.width) / Double(size.width)
        let stepY = Double(picture.size.height) / Double(size.height)
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

    /// Means of four pixels; an odd last row or column is left out.
    private var halved: ImageBuffer {
        let (width, row) = (size.width / 2, size.width)
        var half = ImageBuffer(size: ImageSize(width: width, height: size.height / 2), format: .gray8)
        for y in 0..<half.size.height {
            for x in 0..<width {
                let corner = 2 * y * row + 2 * x
                let sum =
                    Int(bytes[corner]) + Int(bytes[corner + 1]) + Int(bytes[corner + row])
                    + Int(bytes[corner + row + 1])
                half.bytes[y * width + x] = UInt8((sum + 2) / 4)
            }
        }
        return half
    }
}
