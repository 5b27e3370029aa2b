// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision

extension Canvas {
    /// A face's box as an app draws it: white, rounded, turned with the head and seen with perspective. One that is not seen
    /// is thin.
    mutating func draw(_ face: DetectedFace, isSeen: Bool = true, label: String? = nil) {
        // The picture is the view: one point a pixel.
        let overlay = FaceOverlay(face.angles)
        let size = ViewSize(width: face.box.size.x, height: face.box.size.y)
        let middle = face.box.center.vector
        let outline = overlay.roundedOutline(size: size).map { PixelPoint(middle + $0) }
        stroke(outline, closed: true, width: isSeen ? 2 : 1, color: .white)
        guard let label else { return }
        let start = PixelPoint(max(face.box.minimum.x, 4), max(face.box.minimum.y - 6, 14))
        write(label, at: start, capitalHeight: 9)
    }
}
