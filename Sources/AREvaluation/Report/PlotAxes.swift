// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// Axes with round numbers in a frame.
struct PlotAxes {
    private let x: ClosedRange<Double>
    private let y: ClosedRange<Double>
    private let frame: PlotFrame

    /// Axes for these ranges, neither of which is empty.
    init(x: ClosedRange<Double>, y: ClosedRange<Double>, in frame: PlotFrame) {
        (self.x, self.y, self.frame) = (x, y, frame)
    }

    /// Axes of equal scale around points, in a square frame.
    init(square points: [Point2], in frame: PlotFrame) {
        let low = points.reduce(Point2(repeating: .infinity)) { pointwiseMin($0, $1) }
        let high = points.reduce(Point2(repeating: -.infinity)) { pointwiseMax($0, $1) }
        let middle = (low + high) / 2
        // Far from the origin neighbouring doubles are far apart, too.
        let half = max((high - low).max() * 0.54, 1e-6, max(abs(middle.x), abs(middle.y)) * 1e-9)
        self.init(x: middle.x - half...middle.x + half, y: middle.y - half...middle.y + half, in: frame)
    }

    /// The pixel of a point.
    func place(_ point: Point2) -> Point2 {
        Point2(
            frame.x + (point.x - x.lowerBound) / (x.upperBound - x.lowerBound) * frame.width,
            frame.y + frame.height - (point.y - y.lowerBound) / (y.upperBound - y.lowerBound) * frame.height)
    }

    /// Draws the frame, the grid, its numbers and the labels.
    func draw(on canvas: inout SVGCanvas, xLabel: String, yLabel: String) {
        let bottom = frame.y + frame.height
        for value in Self.roundNumbers(in: x) {
            let place = place(Point2(value, y.lowerBound)).x
            canvas.line(Point2(place, frame.y), Point2(place, bottom), color: Self.grid)
            canvas.text(Self.text(value), x: place, y: bottom + 17, size: 11, color: Self.ink, anchor: "middle")
        }
        for value in Self.roundNumbers(in: y) {
            let place = place(Point2(x.lowerBound, value)).y
            canvas.line(Point2(frame.x, place), Point2(frame.x + frame.width, place), color: Self.grid)
            canvas.text(Self.text(value), x: frame.x - 7, y: place + 4, size: 11, color: Self.ink, anchor: "end")
        }
        canvas.rectangle(frame, stroke: Self.ink)
        canvas.text(xLabel, x: frame.x + frame.width, y: bottom + 33, size: 12, color: Self.ink, anchor: "end")
        canvas.text(yLabel, x: frame.x, y: frame.y - 8, size: 12, color: Self.ink)
    }

    private static let grid = "#e5e7eb"
    private static let ink = "#5b6068"

    /// Multiples of 1, 2 or 5 times a power of ten: four to eight of them in the range.
    private static func roundNumbers(in range: ClosedRange<Double>) -> [Double] {
        let step = roundStep(near: (range.upperBound - range.lowerBound) / 5)
        let first = (range.lowerBound / step).rounded(.up)
        return stride(from: first, through: (range.upperBound / step).rounded(.down), by: 1).map { $0 * step }
    }

    /// 1, 2 or 5 times a power of ten: the smallest that is not much less than a positive number.
    static func roundStep(near rough: Double) -> Double {
        let power = pow(10, log10(rough).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.8 } ?? power * 10
    }

    private static func text(_ value: Double) -> String { NumberText.rounded(value) }
}
