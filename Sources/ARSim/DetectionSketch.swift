// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTargets
import ARVision

/// What was found in a picture, to be drawn on it.
public struct DetectionSketch {
    /// The picture.
    public let image: ImageBuffer
    /// The rectangles found in it.
    public let rectangles: [DetectedRectangle]
    /// The codes found in it.
    public let codes: [DetectedCode]
    /// The image targets found in it; `nil` where nobody looked for any.
    public let targets: [TargetSighting]?
    /// The faces found in it; `nil` where nobody looked for any.
    public let faces: [DetectedFace]?

    /// What was found in a picture.
    public init(
        image: ImageBuffer, rectangles: [DetectedRectangle], codes: [DetectedCode], targets: [TargetSighting]? = nil,
        faces: [DetectedFace]? = nil
    ) {
        self.image = image
        self.rectangles = rectangles
        self.codes = codes
        self.targets = targets
        self.faces = faces
    }

    /// The picture with rectangles in cyan, magenta where a code identifies them, and codes in yellow with their payload,
    /// image targets in green with their name, faces in white with the confidence.
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
            canvas.write(String(code.payload.prefix(60)), below: code.quad, unit: unit)
        }
        for target in targets ?? [] {
            canvas.draw(target.corners, color: .green, unit: unit)
            canvas.write(String(target.target.name.prefix(60)), below: target.corners, unit: unit)
        }
        for face in faces ?? [] {
            canvas.draw(face, label: "\((face.confidence * 100).rounded() / 100)")
        }
        return canvas.image
    }
}

extension Canvas {
    fileprivate mutating func draw(_ quad: PixelQuad, color: OverlayColor, unit: Int) {
        stroke(quad.corners, closed: true, width: 2 * unit, color: color)
        dot(at: quad.topLeft, radius: 3.0 * Double(unit), color: color)
    }

    /// Text under a quadrilateral, as far as the picture has room there.
    fileprivate mutating func write(_ text: String, below quad: PixelQuad, unit: Int) {
        let place = quad.lowestLeft(below: 16 * Double(unit))
        write(
            text, at: PixelPoint(max(place.x, 4), min(place.y, Double(image.size.height) - 6)), capitalHeight: 9 * unit)
    }
}
