// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision

extension ImageBuffer {
    /// The picture in grey, with the mean of each square of `side` × `side` pixels as one pixel; what is left of a square at the right
    /// and at the bottom is left out. A position u of this picture is (u + ½) / `side` − ½ in that one.
    ///
    /// Law: `ImageReductionTests.aPixelIsTheMeanOfItsSquare`.
    ///
    /// - side: from one to the shorter side of the picture.
    public func grayMeans(ofSquaresOf side: Int) -> ImageBuffer {
        precondition(
            (1...max(1, min(size.width, size.height))).contains(side),
            "a picture of \(size) holds no square of \(side) × \(side) pixels")
        let reduced = ImageSize(width: size.width / side, height: size.height / side)
        let count = reduced.width * reduced.height
        let means = [UInt8](unsafeUninitializedCapacity: count) { means, initializedCount in
            let status = bytes.withUnsafeBufferPointer { pixels in
                var picture = CVisionPicture(
                    pixels: pixels.baseAddress, width: Int32(size.width), height: Int32(size.height),
                    bytes_per_row: Int32(bytesPerRow), channels: Int32(format.bytesPerPixel))
                return cvision_reduce_picture(&picture, Int32(side), means.baseAddress)
            }
            check(status)
            initializedCount = count
        }
        return ImageBuffer(size: reduced, format: .gray8, bytes: means)
    }
}
