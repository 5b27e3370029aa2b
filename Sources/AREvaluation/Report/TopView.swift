// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth

/// A picture of what a session found, seen from above: planes, rectangles and the camera's way, and the truth beside them
/// where it is known.
///
/// World +X points to the right and world +Z down. Where rectangles were found, a second panel shows their surroundings.
public struct TopView: Sendable {
    /// What is true, and how what was found is laid over it.
    public struct Truth: Sendable {
        /// The planes.
        public var planes: [DeclaredPlane]
        /// The rectangles' corners in the world.
        public var rectangles: [RectangleTruth]
        /// The camera's poses.
        public var path: [RigidTransform]
        /// The session's world laid over the truth's: Evaluation/truthFromNormal.
        public var truthFromSession: Similarity

        /// A truth.
        public init(
            planes: [DeclaredPlane], rectangles: [RectangleTruth] = [], path: [RigidTransform] = [],
            truthFromSession: Similarity = .identity
        ) {
            self.planes = planes
            self.rectangles = rectangles
            self.path = path
            self.truthFromSession = truthFromSession
        }
    }

    private let title: String
    private let found: FoundWorld
    private let truePlanes: [FlatOutline]
    private let trueRectangles: [FlatOutline]
    private let truePath: [RigidTransform]
    private let subtitle: String

    /// The view of what a session answered, in the truth's world where that is given, else in its own.
    public init(_ answers: SessionAnswers, truth: Truth? = nil, title: String) {
        self.title = title
        found = FoundWorld(answers, movedBy: truth?.truthFromSession ?? .identity)
        truePlanes = (truth?.planes ?? []).map { plane in
            FlatOutline(
                name: plane.name, classification: plane.classification,
                corners: plane.boundary.map { plane.worldFromPlane * Point3($0.x, 0, $0.y) },
                normal: plane.worldFromPlane.rotation * Vector3(0, 1, 0))
        }
        trueRectangles = (truth?.rectangles ?? []).map { FlatOutline(name: $0.name, corners: $0.corners.inWorld) }
        truePath = truth?.path ?? []
        let mode = answers.mode.map { "mode \($0), " } ?? ""
        subtitle =
            "\(mode)planes \(found.planes.count), rectangles \(found.rectangles.count), frames \(answers.frames.count); "
            + "seen from above, +X to the right, +Z down"
    }

    /// The picture as SVG; the same answers give the same bytes.
    public var svg: String {
        var canvas = SVGCanvas(width: 1080, height: 760)
        canvas.text(title, x: 30, y: 30, size: 18)
        canvas.text(subtitle, x: 30, y: 52, size: 13, color: Palette.dim)
        let hasDetail = !found.rectangles.isEmpty
        let frame = PlotFrame(x: 30, y: 70, width: hasDetail ? 640 : 1020, height: 640)
        let shown = found.planes + found.rectangles + truePlanes
        let everything = shown.flatMap(\.corners) + (found.path + truePath).map(\.translation)
        draw(in: GroundPanel(showing: everything, margin: 0.05, in: frame), labels: .planes, on: &canvas)
        if hasDetail {
            // Half as far around the rectangles as they reach.
            let panel = GroundPanel(
                showing: found.rectangles.flatMap(\.corners), margin: 0.5,
                in: PlotFrame(x: 690, y: 70, width: 360, height: 360))
            draw(in: panel, labels: .rectangles, on: &canvas)
        }
        drawLegend(on: &canvas)
        return canvas.document
    }

    private enum Labels { case planes, rectangles }

    private func draw(in panel: GroundPanel, labels: Labels, on canvas: inout SVGCanvas) {
        canvas.clip(to: panel.frame) { canvas in
            for plane in found.planes { panel.draw(plane, color: plane.classification.color, on: &canvas) }
            for plane in truePlanes { panel.outline(plane, on: &canvas) }
            for rectangle in trueRectangles { panel.outline(rectangle, on: &canvas) }
            panel.drawPath(truePath, color: Palette.truth, on: &canvas)
            panel.drawPath(found.path, color: Palette.path, on: &canvas)
            for rectangle in found.rectangles { panel.draw(rectangle, color: Palette.rectangle, on: &canvas) }
        }
        canvas.rectangle(panel.frame, stroke: Palette.dim)
        switch labels {
        case .planes: panel.drawLabels(found.planes.map { ($0, $0.label) }, on: &canvas)
        case .rectangles:
            let labels = found.rectangles.enumerated().map { index, rectangle in
                (rectangle, "\(rectangle.shortName ?? "rectangle \(index + 1)"), \(rectangle.sizeText)")
            }
            panel.drawLabels(labels, on: &canvas)
        }
        panel.drawScaleBar(on: &canvas)
    }

    private func drawLegend(on canvas: inout SVGCanvas) {
        let y = 738.0
        canvas.text("the camera's way, its start, where it looked", x: 30, y: y, size: 13, color: Palette.path)
        guard !(truePlanes.isEmpty && truePath.isEmpty && trueRectangles.isEmpty) else { return }
        canvas.text("grey and dashed: the truth", x: 320, y: y, size: 13, color: Palette.truth)
    }
}

private enum Palette {
    static let truth = "#6b7280"
    static let path = "#c2410c"
    static let rectangle = "#be123c"
    static let ink = "#1f2328"
    static let dim = "#5b6068"
}

extension PlaneClassification {
    fileprivate var color: String {
        switch self {
        case .none: "#64748b"
        case .floor: "#4d7c0f"
        case .table: "#b45309"
        case .seat: "#0f766e"
        case .wall: "#1d4ed8"
        case .ceiling: "#7c3aed"
        case .window: "#0891b2"
        case .door: "#9d174d"
        }
    }
}

extension FlatOutline {
    /// What a plane is, and how high it lies.
    fileprivate var label: String {
        let name = classification == .none ? "plane" : classification.rawValue
        return isLevel ? "\(name), y = \(NumberText.string((height * 1000).rounded() / 1000)) m" : name
    }

    /// The name, or the end of a long one.
    fileprivate var shortName: String? {
        name.map { $0.count <= 20 ? $0 : "…" + $0.suffix(19) }
    }

    /// The lengths of a rectangle's top and left side.
    fileprivate var sizeText: String {
        func millimetres(_ side: Vector3) -> String { NumberText.string((side.length * 1e4).rounded() / 10) }
        return "\(millimetres(corners[1] - corners[0])) × \(millimetres(corners[3] - corners[0])) mm"
    }
}

/// A part of the ground in a rectangle of a picture.
private struct GroundPanel {
    let frame: PlotFrame
    private let center: Point2
    private let pixelsPerMeter: Double

    /// The ground around points, and beyond them by a part of how far they reach.
    init(showing points: [Point3], margin: Double, in frame: PlotFrame) {
        let places = points.map { Point2($0.x, $0.z) }.filter { $0.x.isFinite && $0.y.isFinite }
        let low = places.reduce(Point2(repeating: .infinity)) { pointwiseMin($0, $1) }
        let high = places.reduce(Point2(repeating: -.infinity)) { pointwiseMax($0, $1) }
        self.frame = frame
        guard !places.isEmpty else {
            (center, pixelsPerMeter) = (.zero, 100)
            return
        }
        center = (low + high) / 2
        let size = pointwiseMax((high - low) * (1 + 2 * margin), Point2(repeating: 1e-3))
        pixelsPerMeter = min(frame.width / size.x, frame.height / size.y)
    }

    private func place(_ point: Point3) -> Point2 {
        Point2(frame.x + frame.width / 2, frame.y + frame.height / 2)
            + pixelsPerMeter * (Point2(point.x, point.z) - center)
    }

    func draw(_ outline: FlatOutline, color: String, on canvas: inout SVGCanvas) {
        let corners = outline.corners.map(place)
        canvas.polygon(
            corners, fill: color, opacity: 0.16, stroke: color, width: outline.isLevel ? 1.6 : 3.5, dash: false)
        // Of what stands upright, the side that it faces.
        guard !outline.isLevel, let side = Vector2(outline.normal.x, outline.normal.z).normalized() else { return }
        let middle = corners.reduce(.zero, +) / Double(max(corners.count, 1))
        canvas.line(middle, middle + 12 * side, color: color)
    }

    func outline(_ outline: FlatOutline, on canvas: inout SVGCanvas) {
        canvas.polygon(
            outline.corners.map(place), fill: "none", opacity: 1, stroke: Palette.truth, width: 1.4, dash: true)
    }

    /// A way with some twenty directions of sight.
    func drawPath(_ path: [RigidTransform], color: String, on canvas: inout SVGCanvas) {
        guard let first = path.first else { return }
        let step = max(1, path.count / 2000)
        let shown = stride(from: 0, to: path.count, by: step).map { path[$0] }
        canvas.polyline(shown.map { place($0.translation) }, color: color, width: 1.4)
        for index in stride(from: 0, to: path.count, by: max(1, path.count / 20)) {
            let ahead = path[index].rotation * Vector3(0, 0, -1)
            let start = place(path[index].translation)
            canvas.line(start, start + 14 * Vector2(ahead.x, ahead.z), color: color)
        }
        canvas.dot(place(first.translation), color: color)
    }

    /// Texts at the corners that are nearest to the upper left, inside the panel; below one another where they would meet.
    func drawLabels(_ labels: [(outline: FlatOutline, text: String)], on canvas: inout SVGCanvas) {
        var taken: [PlotFrame] = []
        for (outline, text) in labels {
            let corners = outline.corners.map(place)
            guard let corner = corners.min(by: { $0.x + $0.y < $1.x + $1.y }) else { continue }
            let width = 7 * Double(text.count)
            var box = PlotFrame(
                x: max(min(corner.x + 6, frame.x + frame.width - width), frame.x + 6),
                y: min(max(corner.y + 4, frame.y + 4), frame.y + frame.height - 42), width: width, height: 16)
            while let other = taken.first(where: box.meets) { box.y = other.y + other.height }
            taken.append(box)
            canvas.label(text, x: box.x, y: box.y + 12, size: 12, color: Palette.ink)
        }
    }

    /// A bar of a round length, about a fifth of the panel.
    func drawScaleBar(on canvas: inout SVGCanvas) {
        let length = PlotAxes.roundStep(near: frame.width / pixelsPerMeter / 5)
        let start = Point2(frame.x + 14, frame.y + frame.height - 14)
        let end = start + Point2(length * pixelsPerMeter, 0)
        canvas.polyline([start - Point2(0, 4), start, end, end - Point2(0, 4)], color: Palette.ink, width: 1.6)
        let text =
            length >= 1 ? "\(NumberText.string(length)) m" : "\(NumberText.string((length * 1e5).rounded() / 100)) mm"
        canvas.label(text, x: end.x + 8, y: end.y + 1, size: 12, color: Palette.ink)
    }
}

extension PlotFrame {
    fileprivate func meets(_ other: PlotFrame) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
}
