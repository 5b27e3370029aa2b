// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// A rectangle of a picture, in pixels from the top left.
struct PlotFrame {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}

/// A drawing in SVG, with coordinates to a hundredth of a pixel.
struct SVGCanvas {
    private let width: Double
    private let height: Double
    private var body = ""
    private var clipCount = 0

    init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

    /// The whole file.
    var document: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
        width="\(number(width))" height="\(number(height))" font-family="Helvetica, Arial, sans-serif">
        <rect width="100%" height="100%" fill="#ffffff"/>
        \(body)</svg>

        """
    }

    mutating func text(
        _ text: String, x: Double, y: Double, size: Double, color: String = "#1f2328", anchor: String = "start"
    ) {
        let place = "x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(number(size))\" "
        body += "<text \(place)fill=\"\(color)\" text-anchor=\"\(anchor)\">\(escaped(text))</text>\n"
    }

    /// A text that stands on something: with white around its letters.
    mutating func label(_ text: String, x: Double, y: Double, size: Double, color: String) {
        let place = "x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(number(size))\" "
        body += "<text \(place)fill=\"#ffffff\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\">"
        body += "\(escaped(text))</text>\n"
        self.text(text, x: x, y: y, size: size, color: color)
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }

    mutating func line(_ from: Point2, _ to: Point2, color: String) {
        body +=
            "<path d=\"M\(number(from.x)) \(number(from.y))L\(number(to.x)) \(number(to.y))\" stroke=\"\(color)\"/>\n"
    }

    mutating func polyline(_ points: [Point2], color: String, width: Double) {
        let list = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        body += "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(number(width))\" "
        body += "stroke-linejoin=\"round\"/>\n"
    }

    mutating func rectangle(_ frame: PlotFrame, fill: String = "none", stroke: String = "none") {
        body += "<rect x=\"\(number(frame.x))\" y=\"\(number(frame.y))\" width=\"\(number(frame.width))\" "
        body += "height=\"\(number(frame.height))\" fill=\"\(fill)\" stroke=\"\(stroke)\"/>\n"
    }

    mutating func polygon(_ points: [Point2], fill: String, opacity: Double, stroke: String, width: Double, dash: Bool)
    {
        let list = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        body += "<polygon points=\"\(list)\" fill=\"\(fill)\" fill-opacity=\"\(number(opacity))\" "
        body += "stroke=\"\(stroke)\" stroke-width=\"\(number(width))\" stroke-linejoin=\"round\""
        body += dash ? " stroke-dasharray=\"5 4\"/>\n" : "/>\n"
    }

    /// Draws something of which only what lies in a rectangle is shown.
    mutating func clip(to frame: PlotFrame, _ draw: (inout SVGCanvas) -> Void) {
        clipCount += 1
        body += "<clipPath id=\"clip\(clipCount)\">"
        rectangle(frame)
        body += "</clipPath>\n<g clip-path=\"url(#clip\(clipCount))\">\n"
        draw(&self)
        body += "</g>\n"
    }

    mutating func dot(_ center: Point2, color: String) {
        body += "<circle cx=\"\(number(center.x))\" cy=\"\(number(center.y))\" r=\"5\" fill=\"\(color)\"/>\n"
    }

    private func number(_ value: Double) -> String { NumberText.string((value * 100).rounded() / 100) }
}
