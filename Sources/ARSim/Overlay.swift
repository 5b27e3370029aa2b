// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import ARTargets
import ARTracking
import ARVision
import ARWorld
import Foundation

/// What is drawn over a frame.
public struct OverlayParts: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Planes with their grids and their anchors' axes.
    public static let planes = OverlayParts(rawValue: 1)
    /// Rectangles of the world, with their sizes, and those that the picture shows.
    public static let rectangles = OverlayParts(rawValue: 2)
    /// Codes with their payloads.
    public static let codes = OverlayParts(rawValue: 4)
    /// The strokes and the pen.
    public static let drawing = OverlayParts(rawValue: 8)
    /// Image targets with their names.
    public static let targets = OverlayParts(rawValue: 16)
    /// Faces with their numbers.
    public static let faces = OverlayParts(rawValue: 32)
    /// Everything.
    public static let all: OverlayParts = [.planes, .rectangles, .codes, .drawing, .targets, .faces]
}

extension SessionFrame {
    /// The frame's picture with what the session knows drawn over it: planes with their grids, the anchors' axes
    /// (x red, y green, z blue), rectangles with their sizes, codes with their payloads, the strokes and the pen. Geometry
    /// that sits where it should looks glued to the scene.
    /// - Parameter copies: pictures of rectangular things, drawn with their outlines where those things are in the world.
    public func picture(
        with drawing: Drawing, showing parts: OverlayParts = .all, copies: [RectangleCopy] = []
    ) -> ImageBuffer {
        var overlay = Overlay(frame: self)
        if trackingState == .normal {
            for copy in copies {
                guard let thing = rectangles?.first(where: { $0.identifier == copy.identifier }) else { continue }
                overlay.draw(copy, on: thing.rectangle)
                overlay.draw(thing)
            }
        }
        if trackingState == .normal, parts.contains(.planes) {
            for plane in world.planes { overlay.draw(plane) }
        }
        if parts.contains(.rectangles) {
            for rectangle in detections?.rectangles ?? [] { overlay.draw(rectangle) }
        }
        if parts.contains(.codes) {
            for code in detections?.codes ?? [] { overlay.draw(code) }
        }
        if parts.contains(.targets) {
            for target in targets ?? [] { overlay.draw(target) }
        }
        if parts.contains(.faces) {
            for face in faces ?? [] {
                overlay.canvas.draw(face.face, isSeen: face.isSeen, label: "\(face.id)")
            }
        }
        if trackingState == .normal, parts.contains(.rectangles) {
            for rectangle in rectangles ?? [] { overlay.draw(rectangle) }
        }
        if trackingState == .normal, parts.contains(.drawing) {
            for stroke in drawing.strokes { overlay.draw(stroke) }
            if let fingertip { overlay.draw(fingertip) }
            if let pen { overlay.draw(pen) }
        }
        overlay.writeCaption()
        return overlay.canvas.image
    }
}

/// Draws things of the world over a frame.
private struct Overlay {
    let frame: SessionFrame
    var canvas: Canvas

    init(frame: SessionFrame) {
        self.frame = frame
        canvas = Canvas(frame.image)
    }

    /// Outline, grid and axes of a plane.
    mutating func draw(_ plane: PlaneAnchor) {
        let extent = max(plane.extent.width, plane.extent.height)
        for line in grid(of: plane, spacing: gridSpacing(for: extent)) {
            drawLine(line, of: plane, color: .cyan)
        }
        for (corner, next) in zip(plane.boundary, plane.boundary.dropFirst() + plane.boundary.prefix(1)) {
            drawLine((corner, next), of: plane, width: 2, color: .yellow)
        }
        let axisLength = min(0.1, extent / 4)
        let origin = plane.worldFromAnchor.translation
        for (axis, color) in [(Vector3(1, 0, 0), OverlayColor.red), ([0, 1, 0], .green), ([0, 0, 1], .blue)] {
            let tip = plane.worldFromAnchor * (axis * axisLength)
            drawLine(from: origin, to: tip, width: 2, color: color)
        }
    }

    /// What the picture shows, thin: it lies under what the world knows.
    mutating func draw(_ rectangle: DetectedRectangle) {
        canvas.stroke(rectangle.quad.corners, closed: true, color: .white)
    }

    /// A code's outline and payload.
    mutating func draw(_ code: DetectedCode) {
        canvas.stroke(code.quad.corners, closed: true, width: 2, color: .yellow)
        let corners = code.quad.corners
        guard let left = corners.map(\.x).min(), let low = corners.map(\.y).max() else { return }
        label(String(code.payload.prefix(48)), at: PixelPoint(left, low + 2 * Double(capitalHeight)))
    }

    /// What the picture shows of an image target in green with its name; where it only is in the world, thin and grey.
    mutating func draw(_ target: SessionTarget) {
        if let corners = target.sighting?.corners {
            canvas.stroke(corners.corners, closed: true, width: 2, color: .green)
            canvas.dot(at: corners.topLeft, radius: 4, color: .green)
            label(target.label, at: corners.lowestLeft(below: 2 * Double(capitalHeight)))
        } else if let anchor = target.anchor, frame.trackingState == .normal {
            let outline = anchor.corners
            for corner in 0..<4 {
                drawLine(from: outline[corner], to: outline[(corner + 1) % 4], width: 1, color: .white)
            }
        }
    }

    /// The copy of a rectangular thing, where the thing is.
    mutating func draw(_ copy: RectangleCopy, on rectangle: WorldRectangle) {
        let view = frame.world.frame
        let outline = rectangle.corners.compactMap { view.project($0) }
        guard outline.count == 4 else { return }
        let rectangleFromWorld = rectangle.worldFromRectangle.inverse
        let camera = rectangleFromWorld * frame.worldFromCamera.translation
        let (size, texture) = (rectangle.size, copy.texture)
        canvas.paint(within: outline) { pixel in
            guard let direction = view.directionInWorld(of: pixel) else { return nil }
            let ray = rectangleFromWorld.rotation * direction
            guard camera.y * ray.y < 0 else { return nil }
            let place = camera - ray * (camera.y / ray.y)
            let (u, v) = (place.x / size.width + 0.5, place.z / size.height + 0.5)
            guard (0...1).contains(u), (0...1).contains(v) else { return nil }
            return texture.color(
                at: PixelPoint(u * Double(texture.size.width) - 0.5, v * Double(texture.size.height) - 0.5))
        }
    }

    /// A rectangle of the world, with its axes from the middle and its size in millimetres; thinner where it is only
    /// remembered.
    mutating func draw(_ tracked: TrackedRectangle) {
        let rectangle = tracked.rectangle
        let width = tracked.state == .tracked ? 2 : 1
        for corner in 0..<4 {
            drawLine(
                from: rectangle.corners[corner], to: rectangle.corners[(corner + 1) % 4], width: width, color: .magenta)
        }
        let axisLength = min(rectangle.size.width, rectangle.size.height) / 4
        for (axis, color) in [(Vector3(1, 0, 0), OverlayColor.red), ([0, 1, 0], .green), ([0, 0, 1], .blue)] {
            let tip = rectangle.worldFromRectangle * (axis * axisLength)
            drawLine(from: rectangle.center, to: tip, width: width, color: color)
        }
        let (w, h) = (rectangle.size.width * 1000, rectangle.size.height * 1000)
        let size = "\(Int(w.rounded())) x \(Int(h.rounded())) mm"
        if let pixel = frame.world.frame.project(rectangle.corners[0]), frame.image.size.contains(pixel) {
            label(size, at: PixelPoint(pixel.x, pixel.y - Double(capitalHeight)))
        }
    }

    mutating func draw(_ stroke: Stroke) {
        for run in visibleRuns(of: stroke.pointsInWorld) {
            canvas.stroke(run, width: 2, color: .magenta)
        }
    }

    /// The rounded end of the finger that was found.
    mutating func draw(_ fingertip: Fingertip) {
        let center = fingertip.center.vector
        let across = Vector2(-fingertip.direction.y, fingertip.direction.x)
        let cap = stride(from: -90.0, through: 90, by: 15).map { degrees in
            let turn = degrees * .pi / 180
            return PixelPoint(
                center + fingertip.radius * (cos(turn) * fingertip.direction + sin(turn) * across))
        }
        canvas.stroke(cap, width: 2, color: .cyan)
    }

    mutating func draw(_ pen: PenContact) {
        guard let pixel = visiblePixel(of: pen.positionInWorld) else { return }
        canvas.dot(at: pixel, radius: pen.isDown ? 5 : 3, color: pen.isDown ? .magenta : .white)
    }

    /// The height of capital letters, in pixels.
    private var capitalHeight: Int { max(8, frame.image.size.height / 48) }

    /// Text at a place, moved into the picture where it would begin outside.
    private mutating func label(_ text: String, at start: PixelPoint) {
        let (size, margin) = (frame.image.size, Double(capitalHeight))
        canvas.write(
            text,
            at: PixelPoint(
                min(max(start.x, margin), Double(size.width) - margin),
                min(max(start.y, 2 * margin), Double(size.height) - margin)),
            capitalHeight: capitalHeight)
    }

    mutating func writeCaption() {
        let caption = "\(frame.mode.rawValue)   frame \(frame.index)   \(frame.trackingState)"
        canvas.write(
            caption, at: PixelPoint(Double(capitalHeight), Double(2 * capitalHeight)), capitalHeight: capitalHeight)
    }

    // MARK: Lines of the world

    /// The grid's lines in the plane's x and z, cut off at the outline.
    private func grid(of plane: PlaneAnchor, spacing: Double) -> [(Point2, Point2)] {
        let outline = Polygon2(plane.boundary)
        return [Vector2(1, 0), Vector2(0, 1)].flatMap { direction in
            let across = direction.perpendicular
            let offsets = plane.boundary.map { $0.dot(across) }
            let (low, high) = (offsets.min() ?? 0, offsets.max() ?? 0)
            let first = (low / spacing).rounded(.up)
            let last = (high / spacing).rounded(.down)
            return stride(from: first, through: last, by: 1).flatMap { step in
                outline.chords(through: across * (step * spacing), along: direction)
            }
        }
    }

    /// The roundest spacing from a centimetre up that gives some ten lines.
    private func gridSpacing(for extent: Double) -> Double {
        var decade = 0.01
        while extent / (10 * decade) > 12 { decade *= 10 }
        return [decade, 2 * decade, 5 * decade].first { extent / $0 <= 12 } ?? 10 * decade
    }

    private mutating func drawLine(
        _ line: (Point2, Point2), of plane: PlaneAnchor, width: Int = 1, color: OverlayColor
    ) {
        drawLine(
            from: plane.pointInWorld(line.0), to: plane.pointInWorld(line.1), width: width, color: color)
    }

    /// A straight line of the world: bent by the lens, cut off where the camera does not see.
    private mutating func drawLine(from start: Point3, to end: Point3, width: Int, color: OverlayColor) {
        let pieces = 64
        let points = (0...pieces).map { start + (end - start) * (Double($0) / Double(pieces)) }
        for run in visibleRuns(of: points) { canvas.stroke(run, width: width, color: color) }
    }

    /// The pixels of a path, split where it leaves sight.
    private func visibleRuns(of path: [Point3]) -> [[PixelPoint]] {
        path.map(visiblePixel).split(separator: nil).map { $0.compactMap { $0 } }
    }

    /// The pixel of a point, or `nil` behind the camera, behind a plane, and far outside the picture.
    private func visiblePixel(of pointInWorld: Point3) -> PixelPoint? {
        let margin = Double(frame.image.size.width + frame.image.size.height)
        guard let pixel = frame.world.frame.project(pointInWorld),
            abs(pixel.x) < 2 * margin, abs(pixel.y) < 2 * margin, !isHiddenByAPlane(pointInWorld)
        else { return nil }
        return pixel
    }

    /// Whether a plane of the world lies between the camera and a point. Planes are known to a centimetre or so, and things that
    /// lie on them better: what is hardly behind one is on it.
    private func isHiddenByAPlane(_ pointInWorld: Point3) -> Bool {
        let camera = frame.worldFromCamera.translation
        guard let ray = Ray(from: camera, through: pointInWorld),
            let nearest = frame.world.hitTest(ray, types: .existingPlaneUsingGeometry).first
        else { return false }
        return nearest.distance < 0.97 * (pointInWorld - camera).length - 0.02
    }
}

extension SessionTarget {
    /// What is written at it: the club's name where its record has one, else the target's.
    fileprivate var label: String {
        if case .string(let name) = target.record["name"] { name } else { target.name }
    }
}

extension ImageAnchor {
    /// The print's corners in the world, its own upper left one first.
    var corners: [Point3] {
        let scale = estimatedScaleFactor / 2
        return [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { x, z in
            worldFromAnchor * Point3(x * physicalSize.width * scale, 0, z * physicalSize.height * scale)
        }
    }
}

extension PixelQuad {
    /// A place under the quadrilateral where its leftmost pixel is.
    func lowestLeft(below margin: Double) -> PixelPoint {
        PixelPoint(corners.map(\.x).min() ?? 0, (corners.map(\.y).max() ?? 0) + margin)
    }
}

extension Polygon2 {
    /// The pieces of a line that lie inside the polygon, by the even–odd rule.
    fileprivate func chords(through point: Point2, along direction: Vector2) -> [(Point2, Point2)] {
        let crossings = edges.compactMap { edge -> Double? in
            let (from, to) = ((edge.start - point).cross(direction), (edge.end - point).cross(direction))
            guard (from > 0) != (to > 0) else { return nil }
            let crossing = edge.start + (edge.end - edge.start) * (from / (from - to))
            return (crossing - point).dot(direction)
        }.sorted()
        let ends = crossings.map { point + direction * $0 }
        return stride(from: 0, to: ends.count - 1, by: 2).map { (ends[$0], ends[$0 + 1]) }
    }
}
