// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CPatches
import Foundation

extension ImageBuffer {
    /// Calls a kernel of CPatches with the picture: grey or colour, rows from the top, not copied.
    package func withPatchPicture<Result>(_ body: (inout CPatchesPicture) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { pixels in
            var picture = CPatchesPicture(
                pixels: pixels.baseAddress, width: Int32(size.width), height: Int32(size.height),
                bytes_per_row: Int32(bytesPerRow), channels: Int32(format.bytesPerPixel))
            return body(&picture)
        }
    }
}

/// Where a patch is taken to be, as a change of the box in the first picture.
struct PatchPose: Hashable, Sendable {
    var center: Vector2
    /// How much larger than in the first picture.
    var scale: Double
    var rotation: Double

    /// The place that lies so far from the middle in the patch's own directions, in pixels of the first picture.
    func place(right: Double, down: Double) -> Vector2 {
        let (cosine, sine) = (scale * cos(rotation), scale * sin(rotation))
        return center + Vector2(cosine * right - sine * down, sine * right + cosine * down)
    }

    /// The same place under another scale and rotation.
    func changed(scale factor: Double = 1, rotation turn: Double = 0) -> PatchPose {
        PatchPose(center: center, scale: scale * factor, rotation: rotation + turn)
    }

    /// A grid about the patch whose places are so many of the first picture's pixels apart.
    func frame(step: Double) -> CPatchesFrame {
        CPatchesFrame(x_px: center.x, y_px: center.y, step_px: min(max(step * scale, 0.05), 200), turn_rad: rotation)
    }
}

/// Kernels refuse only what this module never gives them.
func check(_ status: CPatchesStatus) {
    precondition(status == CPATCHES_OK, "a kernel failed: \(String(cString: cpatches_status_message(status)))")
}
