// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision

/// A picture in several sizes, in one block of memory that is used again for the next picture.
struct ImagePyramid: Sendable {
    let size: ImageSize
    let levelCount: Int
    private var bytes: [UInt8]

    /// Room for pictures of a size, at most so many levels: as long as the coarsest still holds a patch.
    init(size: ImageSize, levelCount: Int) {
        precondition(
            (1...Int(CVISION_MAX_SIDE_PX)).contains(size.width) && (1...Int(CVISION_MAX_SIDE_PX)).contains(size.height),
            "pictures have 1 to \(CVISION_MAX_SIDE_PX) columns and rows, not \(size)")
        let patchSide = 16
        let shorterSide = min(size.width, size.height)
        let usefulCount = (1...Int(CVISION_MAX_PYRAMID_LEVELS)).last { shorterSide >> ($0 - 1) >= patchSide } ?? 1
        self.size = size
        self.levelCount = min(max(levelCount, 1), usefulCount)
        let byteCount = cvision_pyramid_bytes(Int32(size.width), Int32(size.height), Int32(self.levelCount))
        // Every byte is written when a picture is taken in.
        bytes = [UInt8](unsafeUninitializedCapacity: Int(byteCount)) { $1 = Int(byteCount) }
    }

    /// Takes a picture in; it becomes grey.
    mutating func fill(with image: ImageBuffer) {
        precondition(image.size == size, "the camera's pictures are \(size), this one is \(image.size)")
        let status = image.bytes.withUnsafeBufferPointer { pixels in
            var picture = CVisionPicture(
                pixels: pixels.baseAddress, width: Int32(size.width), height: Int32(size.height),
                bytes_per_row: Int32(image.bytesPerRow), channels: Int32(image.format.bytesPerPixel))
            return withWritableKernelPyramid { cvision_build_pyramid(&picture, &$0) }
        }
        check(status)
    }

    /// Calls a kernel that only reads the pyramid.
    func withKernelPyramid<Result>(_ body: (inout CVisionPyramid) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            var pyramid = CVisionPyramid(
                pixels: UnsafeMutablePointer(mutating: bytes.baseAddress), width: Int32(size.width),
                height: Int32(size.height), level_count: Int32(levelCount))
            return body(&pyramid)
        }
    }

    private mutating func withWritableKernelPyramid<Result>(_ body: (inout CVisionPyramid) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { [size, levelCount] bytes in
            var pyramid = CVisionPyramid(
                pixels: bytes.baseAddress, width: Int32(size.width), height: Int32(size.height),
                level_count: Int32(levelCount))
            return body(&pyramid)
        }
    }
}

/// Kernels refuse only what this module never gives them.
func check(_ status: CVisionStatus) {
    precondition(status == CVISION_OK, "a kernel failed: \(String(cString: cvision_status_message(status)))")
}
