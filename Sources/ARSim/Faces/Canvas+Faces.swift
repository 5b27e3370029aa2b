// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision

extension Canvas {
    /// A face's box as an app draws it in a view that the picture fills, ``nominalViewWidth`` points across its shorter side:
    /// white, rounded, turned with the head and seen with perspective. One that is not seen is thin.
    mutating func draw(_ face: DetectedFace, isSeen: Bool = true, label: String? = nil) {
        let pixelsPerPoint = Double(min(image.size.width, image.size.height)) / Self.nominalViewWidth
        let size = ViewSize(width: face.box.size.x / pixelsPerPoint, height: face.box.size.y / pixelsPerPoint)
        let middle = face.box.center.vector
        let outline = FaceOverlay(face.angles).roundedOutline(size: size)
            .map { PixelPoint(middle + pixelsPerPoint * $0) }
        let width = (isSeen ? 2 : 1) * max(1, Int(pixelsPerPoint.rounded()))
        stroke(outline, closed: true, width: width, color: .white)
        guard let label else { return }
        let start = PixelPoint(max(face.box.minimum.x, 4), max(face.box.minimum.y - 6, 14))
        write(label, at: start, capitalHeight: 9)
    }

    /// The points across a phone that is held upright.
    private static let nominalViewWidth = 375.0
}
