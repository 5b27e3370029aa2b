// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

/// A picture of an evaluation: both ways from above, and the errors over time. Times in which the tracker did not call
/// itself normal are shaded.
public struct EvaluationPlot: Sendable {
    private let evaluation: Evaluation
    private let title: String

    /// The plot of an evaluation, under a title.
    public init(_ evaluation: Evaluation, title: String) {
        self.evaluation = evaluation
        self.title = title
    }

    /// The picture as SVG; the same evaluation gives the same bytes.
    public var svg: String {
        var canvas = SVGCanvas(width: 1080, height: 540)
        canvas.text(title, x: 30, y: 30, size: 18)
        canvas.text(subtitle, x: 30, y: 52, size: 13, color: Palette.dim)
        drawWay(in: PlotFrame(x: 70, y: 80, width: 400, height: 400), on: &canvas)
        if !evaluation.timesNotNormal.isEmpty {
            canvas.text("shaded: not normal", x: 1050, y: 72, size: 12, color: Palette.dim, anchor: "end")
        }
        drawErrors(
            "position error, m", \.metres, 1, in: PlotFrame(x: 560, y: 80, width: 490, height: 175), on: &canvas)
        drawErrors(
            "rotation error, °", \.radians, 180 / .pi, in: PlotFrame(x: 560, y: 305, width: 490, height: 175),
            on: &canvas)
        return canvas.document
    }

    private var subtitle: String {
        let mode = evaluation.mode.map { "mode \($0), " } ?? ""
        let frames = evaluation.options.comparesNormalPosesOnly ? "normal frames" : "frames"
        return
            "\(mode)\(evaluation.matches.pairs.count) \(frames), aligned by \(evaluation.options.alignment.rawValue), "
            + "ATE \(NumberText.rounded(evaluation.position.rmse)) m, "
            + "\(NumberText.rounded(evaluation.rotation.inDegrees.rmse))° (RMSE)"
    }

    private func drawWay(in frame: PlotFrame, on canvas: inout SVGCanvas) {
        let up = evaluation.options.up
        let right = Vector3(1, 0, 0).perpendicular(to: up) ?? Vector3(0, 1, 0)
        let ahead = up.cross(right)
        let fromAbove = { (pose: RigidTransform) in
            Point2(pose.translation.dot(right), pose.translation.dot(ahead))
        }
        let step = max(1, evaluation.errors.count / 3000)
        let shown = stride(from: 0, to: evaluation.errors.count, by: step).map { evaluation.errors[$0] }
        let truth = shown.map { fromAbove($0.truth) }
        let estimate = shown.map { fromAbove($0.estimate) }
        let axes = PlotAxes(square: truth + estimate, in: frame)
        axes.draw(on: &canvas, xLabel: "m, seen from above", yLabel: "m")
        canvas.polyline(truth.map(axes.place), color: Palette.truth, width: 2.4)
        canvas.polyline(estimate.map(axes.place), color: Palette.estimate, width: 1.3)
        if let start = truth.first { canvas.dot(axes.place(start), color: Palette.ink) }
        canvas.text("truth", x: frame.x + 12, y: frame.y + 20, size: 13, color: Palette.truth)
        canvas.text("estimate", x: frame.x + 54, y: frame.y + 20, size: 13, color: Palette.estimate)
        canvas.text("• start", x: frame.x + 120, y: frame.y + 20, size: 13, color: Palette.ink)
    }

    private func drawErrors(
        _ label: String, _ value: (FrameError) -> Double, _ factor: Double, in frame: PlotFrame,
        on canvas: inout SVGCanvas
    ) {
        let start = evaluation.start
        let points = evaluation.errors.map { Point2($0.timestamp.seconds(since: start), value($0) * factor) }
        let shown = Self.peaks(of: points, count: 1000)
        let last = points.last?.x ?? 1
        let axes = PlotAxes(
            x: min(0, points.first?.x ?? 0)...max(last, 1e-3), y: 0...max(points.map(\.y).max() ?? 0, 1e-9) * 1.05,
            in: frame)
        for (from, to) in timesNotNormal(until: last) {
            let (left, right) = (axes.place(Point2(from, 0)).x, axes.place(Point2(to, 0)).x)
            canvas.rectangle(
                PlotFrame(x: left, y: frame.y, width: right - left, height: frame.height), fill: Palette.shade)
        }
        axes.draw(on: &canvas, xLabel: "s", yLabel: label)
        canvas.polyline(shown.map(axes.place), color: Palette.estimate, width: 1.3)
    }

    /// The largest of each group of neighbours: thinning must not hide a peak.
    private static func peaks(of points: [Point2], count: Int) -> [Point2] {
        let group = max(1, (points.count + count - 1) / count)
        return stride(from: 0, to: points.count, by: group).compactMap { start in
            points[start..<min(start + group, points.count)].max { $0.y < $1.y }
        }
    }

    /// The times, in seconds from the start, at which the state was another than normal.
    private func timesNotNormal(until end: Double) -> [(Double, Double)] {
        evaluation.timesNotNormal.map { (min($0.0, end), min($0.1, end)) }.filter { $0.0 < $0.1 }
    }
}

private enum Palette {
    static let truth = "#8a8f98"
    static let estimate = "#c2410c"
    static let ink = "#1f2328"
    static let dim = "#5b6068"
    static let shade = "#fde7d9"
}

extension Vector3 {
    /// The direction of the part at a right angle to a direction of length one, or `nil` where there is none.
    fileprivate func perpendicular(to direction: Vector3) -> Vector3? {
        let part = self - direction * dot(direction)
        return part.length > 0.1 ? part.normalized() : nil
    }
}
