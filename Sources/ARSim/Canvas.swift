// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision
import Foundation

/// A colour of an overlay.
struct OverlayColor: Sendable {
    let red, green, blue: UInt8

    static let magenta = OverlayColor(red: 230, green: 40, blue: 190)
    static let red = OverlayColor(red: 235, green: 60, blue: 50)
    static let green = OverlayColor(red: 70, green: 200, blue: 80)
    static let blue = OverlayColor(red: 70, green: 120, blue: 245)
    static let yellow = OverlayColor(red: 250, green: 205, blue: 40)
    static let cyan = OverlayColor(red: 60, green: 200, blue: 220)
    static let white = OverlayColor(red: 255, green: 255, blue: 255)
    static let black = OverlayColor(red: 0, green: 0, blue: 0)

    fileprivate var inC: CVisionColor { CVisionColor(red: red, green: green, blue: blue) }
}

/// A colour picture that is drawn on: lines, filled polygons and text at sub-pixel positions, anti-aliased.
struct Canvas {
    private(set) var image: ImageBuffer

    /// Draws on a copy of the picture, in colour.
    init(_ image: ImageBuffer) { self.image = image.rgb }

    /// Straight segments from point to point.
    mutating func stroke(
        _ points: [PixelPoint], closed: Bool = false, width: Int = 1, color: OverlayColor
    ) {
        withPackedCoordinates(of: points) { coordinates, count, canvas in
            cvision_draw_polyline(canvas, coordinates, count, closed ? 1 : 0, Int32(width), color.inC)
        }
    }

    /// The inside of a polygon; `opacity` 0 leaves the picture as it is, 1 hides it.
    mutating func fill(_ points: [PixelPoint], opacity: Double, color: OverlayColor) {
        withPackedCoordinates(of: points) { coordinates, count, canvas in
            cvision_fill_polygon(canvas, coordinates, count, opacity, color.inC)
        }
    }

    /// Sets the pixels of the box around an outline to what a function of their places gives, 0 … 255; `nil` leaves one as it is.
    mutating func paint(within outline: [PixelPoint], color: (PixelPoint) -> Vector3?) {
        guard let left = outline.map(\.x).min(), let right = outline.map(\.x).max(),
            let top = outline.map(\.y).min(), let bottom = outline.map(\.y).max(),
            let columns = Self.pixels(from: left, to: right, below: image.size.width),
            let rows = Self.pixels(from: top, to: bottom, below: image.size.height)
        else { return }
        for row in rows {
            for column in columns {
                guard let color = color(PixelPoint(Double(column), Double(row))) else { continue }
                for channel in 0..<3 {
                    image.bytes[row * image.bytesPerRow + 3 * column + channel] = UInt8(color[channel].rounded())
                }
            }
        }
    }

    /// The pixels from one coordinate to another, within the picture.
    private static func pixels(from low: Double, to high: Double, below count: Int) -> ClosedRange<Int>? {
        let (low, high) = (max(low.rounded(.up), 0), min(high.rounded(.down), Double(count - 1)))
        return low <= high ? Int(low)...Int(high) : nil
    }

    /// A disc about a point, with a thin dark rim that sets it off from any ground.
    mutating func dot(at center: PixelPoint, radius: Double, color: OverlayColor) {
        let rim = circle(about: center, radius: radius)
        fill(rim, opacity: 1, color: color)
        stroke(rim, closed: true, color: .black)
    }

    /// A line of white text on a dark band, whose first letter starts at the point.
    mutating func write(_ text: String, at start: PixelPoint, capitalHeight: Int) {
        var width: Int32 = 0
        check(cvision_measure_text(text, Int32(capitalHeight), 1, &width))
        let margin = Double(capitalHeight) / 2
        let (left, right) = (start.x - margin, start.x + Double(width) + margin)
        let (top, bottom) = (start.y - Double(capitalHeight) - margin, start.y + margin)
        fill(
            [PixelPoint(left, top), PixelPoint(right, top), PixelPoint(right, bottom), PixelPoint(left, bottom)],
            opacity: 0.6, color: .black)
        check(
            withCanvas { canvas in
                cvision_draw_text(canvas, text, start.x, start.y, Int32(capitalHeight), 1, OverlayColor.white.inC)
            })
    }

    private func circle(about center: PixelPoint, radius: Double) -> [PixelPoint] {
        (0..<24).map { step in
            let angle = 2 * Double.pi * Double(step) / 24
            return PixelPoint(center.vector + radius * Vector2(cos(angle), sin(angle)))
        }
    }

    private mutating func withPackedCoordinates(
        of points: [PixelPoint], _ draw: (UnsafePointer<Double>, Int32, CVisionCanvas) -> CVisionStatus
    ) {
        guard !points.isEmpty else { return }
        let coordinates = points.flatMap { [$0.x, $0.y] }
        check(
            withCanvas { canvas in
                coordinates.withUnsafeBufferPointer { draw($0.baseAddress!, Int32(points.count), canvas) }
            })
    }

    private mutating func withCanvas(_ draw: (CVisionCanvas) -> CVisionStatus) -> CVisionStatus {
        let (size, bytesPerRow) = (image.size, image.bytesPerRow)
        return image.bytes.withUnsafeMutableBufferPointer {
            draw(
                CVisionCanvas(
                    pixels: $0.baseAddress, width: Int32(size.width), height: Int32(size.height),
                    bytes_per_row: Int32(bytesPerRow), channels: 3))
        }
    }

    private func check(_ status: CVisionStatus) {
        precondition(status == CVISION_OK, "drawing failed: \(String(cString: cvision_status_message(status)))")
    }
}
