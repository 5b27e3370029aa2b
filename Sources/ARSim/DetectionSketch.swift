// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// What was found in a picture, to be drawn on it.
public struct DetectionSketch {
    /// The picture.
    public let image: ImageBuffer
    /// The rectangles found in it.
    public let rectangles: [DetectedRectangle]
    /// The codes found in it.
    public let codes: [DetectedCode]

    /// What was found in a picture.
    public init(image: ImageBuffer, rectangles: [DetectedRectangle], codes: [DetectedCode]) {
        self.image = image
        self.rectangles = rectangles
        self.codes = codes
    }

    /// The picture with rectangles in cyan, magenta where a code identifies them, and codes in yellow with their payload.
    /// A dot marks each upper left corner.
    public func drawn() -> ImageBuffer {
        var canvas = Canvas(image)
        let unit = max(1, max(image.size.width, image.size.height) / 800)
        for rectangle in rectangles.reversed() {
            let isIdentified = !rectangle.codes(among: codes).isEmpty
            canvas.draw(rectangle.quad, color: isIdentified ? .magenta : .cyan, unit: unit)
        }
        for code in codes {
            canvas.draw(code.quad, color: .yellow, unit: unit)
            let lowest = code.quad.corners.max { $0.y < $1.y } ?? code.quad.bottomLeft
            let left = code.quad.corners.map(\.x).min() ?? lowest.x
            let start = PixelPoint(max(left, 4), min(lowest.y + 16 * Double(unit), Double(image.size.height) - 6))
            canvas.write(String(code.payload.prefix(60)), at: start, capitalHeight: 9 * unit)
        }
        return canvas.image
    }
}

extension Canvas {
    fileprivate mutating func draw(_ quad: PixelQuad, color: OverlayColor, unit: Int) {
        stroke(quad.corners, closed: true, width: 2 * unit, color: color)
        dot(at: quad.topLeft, radius: 3.0 * Double(unit), color: color)
    }
}
