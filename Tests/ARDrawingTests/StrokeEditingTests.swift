// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct StrokeSimplificationTests {
    @Test(arguments: SamplePath.allCases, [1e-6, 1e-4, 2e-3]) func whatIsLeftOutLiesNear(
        path: SamplePath, tolerance: Double
    ) {
        for number in 0..<6 {
            var random = TestRandom(case: number, "whatIsLeftOutLiesNear \(path)")
            let stroke = path.stroke(&random)
            let simple = stroke.simplified(tolerance: tolerance)
            #expect(
                simple.points.first == stroke.points.first && simple.points.last == stroke.points.last)
            #expect(simple.points.count <= stroke.points.count)
            // Each point left out lies between two that stay: near the line that joins them.
            var next = 1
            for point in stroke.points {
                while next < simple.points.count - 1, simple.points[next].timestamp < point.timestamp {
                    next += 1
                }
                let (from, to) = (
                    simple.points[max(0, next - 1)], simple.points[min(next, simple.points.count - 1)]
                )
                let distance = Segment2(from.position, to.position).distance(to: point.position)
                #expect(distance <= tolerance * (1 + 1e-9))
            }
        }
    }

    @Test func straightLinesKeepTheirEndsAndCurvesFewPoints() {
        let line = Stroke(positions: (0...1000).map { Point2(1e-4 * Double($0), 2e-4 * Double($0)) })
        #expect(line.simplified(tolerance: 1e-6).points.count == 2)
        let circle = Stroke(
            positions: (0...10_000).map { 0.05 * Point2(cos(6e-4 * Double($0)), sin(6e-4 * Double($0))) })
        // Chords whose arcs are 10 µm high: about 0.04 rad each, twice as many where a cone opens from one end.
        let count = circle.simplified(tolerance: 1e-5).points.count
        #expect(count > 100 && count < 450)
    }

    @Test func cornersStay() {
        // Corners of 50° that stand out by 0.8 mm.
        let bend = 25 * Double.pi / 180
        let zigzag = (0...40).map { 0.002 * Point2(Double($0) * cos(bend), Double($0 % 2) * sin(bend)) }
        let stroke = Stroke(positions: zigzag)
        #expect(stroke.simplified(tolerance: 0.0015).points.count == zigzag.count)
        #expect(stroke.simplified(tolerance: 0.0015, cornerAngle: 1).points.count < 8)
    }

    @Test func pressureIsKept() {
        var stroke = Stroke(positions: (0...100).map { Point2(0.001 * Double($0), 0) }, width: 0.01)
        stroke.points[50].pressure = 0.5
        #expect(stroke.simplified(tolerance: 1e-4).points.contains { $0.pressure == 0.5 })
    }
}

@Suite struct StrokeErasingTests {
    @Test(arguments: SamplePath.allCases, 0..<10) func piecesEndOnTheRim(
        path: SamplePath, number: Int
    ) throws {
        var random = TestRandom(case: number, "piecesEndOnTheRim \(path)")
        let stroke = path.stroke(&random)
        let center = stroke.points.randomElement(using: &random)!.position + 0.01 * random.vector2()
        let radius = random.uniform(0.001...0.05)
        let pieces = stroke.erasing(around: center, radius: radius)
        for piece in pieces {
            for (index, point) in piece.points.enumerated() {
                let distance = (point.position - center).length
                #expect(distance > radius - 1e-9)
                let isEnd = index == 0 || index == piece.points.count - 1
                #expect(isEnd || stroke.points.contains(point))
            }
            for (a, b) in zip(piece.points, piece.points.dropFirst()) {
                #expect(a.timestamp <= b.timestamp)
                #expect(Segment2(a.position, b.position).distance(to: center) > radius - 1e-9)
            }
        }
        // What is gone lay inside.
        let inside = zip(stroke.points, stroke.points.dropFirst()).reduce(0) { sum, ends in
            let steps = 200
            let length = (ends.1.position - ends.0.position).length
            let count = (0..<steps).count { step in
                let part = (Double(step) + 0.5) / Double(steps)
                let point = ends.0.position + part * (ends.1.position - ends.0.position)
                return (point - center).length <= radius
            }
            return sum + length * Double(count) / Double(steps)
        }
        let left = pieces.reduce(0) { $0 + $1.length }
        #expect(abs(stroke.length - inside - left) < 0.01 * stroke.length + 1e-9)
    }

    @Test func aHoleInTheMiddleSplits() {
        var stroke = Stroke(positions: [Point2(0, 0), Point2(0.1, 0)], width: 0.005)
        stroke.color = StrokeColor(red: 1, green: 2, blue: 3)
        stroke.points[1].timestamp = Timestamp(nanoseconds: 1000)
        let pieces = stroke.erasing(around: Point2(0.05, 0), radius: 0.01)
        #expect(pieces.map { $0.points.map(\.timestamp.nanoseconds) } == [[0, 400], [600, 1000]])
        #expect(pieces.allSatisfy { $0.color == stroke.color && $0.width == 0.005 })
        #expect(stroke.erasing(around: Point2(0.05, 0.02), radius: 0.01) == [stroke])
        #expect(stroke.erasing(around: Point2(0.05, 0), radius: 1).isEmpty)
    }

    @Test func aBallErasesWhereItMeetsThePlane() {
        var drawing = Drawing(strokes: [Stroke(positions: [Point2(0, 0), Point2(0.1, 0)])])
        drawing.erase(around: Point3(0.05, 0.004, 0), radius: 0.005)
        #expect(drawing.strokes.count == 2)
        #expect(abs(drawing.length - (0.1 - 0.006)) < 1e-12)
        let before = drawing
        drawing.erase(around: Point3(0.05, 0.4, 0), radius: 0.1)
        #expect(drawing == before)
    }
}

@Suite struct DrawingEditorTests {
    private static func edit(_ drawing: Drawing, _ random: inout TestRandom) -> DrawingEditor.Edit {
        let stroke = Stroke(positions: SamplePath.segment.points(&random))
        guard let index = drawing.strokes.indices.randomElement(using: &random) else {
            return .add(stroke)
        }
        let edits: [DrawingEditor.Edit] = [
            .add(stroke), .add(stroke), .remove(index), .move(index, by: random.vector2()),
            .recolor(index, StrokeColor(red: 7, green: UInt8(index % 256), blue: 9)),
            .setWidth(index, random.uniform(0.001...0.01)),
            .setHeight(index, random.uniform(0.001...0.01)),
            .fill(index, true), .erase(around: Point3(random.uniform(-1...1), 0, 0), radius: 0.3), .clear,
        ]
        return edits.randomElement(using: &random)!
    }

    @Test(arguments: 0..<30) func undoAndRedoAreInverse(number: Int) {
        var random = TestRandom(case: number)
        var editor = DrawingEditor()
        var history = [editor.drawing]
        for _ in 0..<40 {
            editor.apply(Self.edit(editor.drawing, &random))
            if editor.drawing != history.last { history.append(editor.drawing) }
        }
        for drawing in history.reversed() {
            #expect(editor.drawing == drawing)
            editor.undo()
        }
        #expect(!editor.canUndo && editor.drawing == Drawing())
        for drawing in history {
            #expect(editor.drawing == drawing)
            editor.redo()
        }
        #expect(!editor.canRedo)
        editor.undo()
        editor.apply(.add(Stroke(positions: [Point2(5, 5)])))
        #expect(!editor.canRedo)
    }

    @Test func onlySoManyStepsAreKept() {
        var editor = DrawingEditor(depth: 3)
        for index in 0..<5 { editor.apply(.add(Stroke(positions: [Point2(Double(index), 0)]))) }
        for _ in 0..<9 { editor.undo() }
        #expect(editor.drawing.strokes.count == 2)
    }

    @Test func editsDoWhatTheySay() {
        var drawing = Drawing(strokes: [Stroke(positions: [Point2(1, 2)])])
        drawing.apply(.move(0, by: Vector2(0.5, -1)))
        drawing.apply(.setWidth(0, 0.007))
        drawing.apply(.setHeight(0, 0.02))
        drawing.apply(.recolor(0, StrokeColor(hex: "#0a0B0c")!))
        let stroke = drawing.strokes[0]
        #expect(stroke.points[0].position == Point2(1.5, 1))
        #expect((stroke.width, stroke.height) == (0.007, 0.02))
        #expect(stroke.color.hex == "#0a0b0c")
        for bad in ["0a0b0c", "#0a0b0", "#0a0b0g", "#0a0b0c0", "", "#+a0b0c"] {
            #expect(StrokeColor(hex: bad) == nil)
        }
    }
}

@Suite struct PenTests {
    @Test func curvesAreSmooth() throws {
        // A circle at 1 m/s, thirty samples a second: 33 mm apart. Chords leave it by 2.8 mm, the curve by far less.
        let radius = 0.05
        var builder = StrokeBuilder(worldFromPlane: .identity)
        for frame in 0..<40 {
            let angle = Double(frame) / 30 / radius
            try builder.add(
                PenSample(
                    timestamp: Timestamp(nanoseconds: Int64(frame) * 33_333_333),
                    position: radius * Point2(cos(angle), sin(angle)), isDown: true))
        }
        let points = builder.drawing.strokes[0].points
        // The first and the last piece have a neighbour on one side only.
        let middle = points.filter {
            $0.timestamp.nanoseconds > 40_000_000 && $0.timestamp.nanoseconds < 1_260_000_000
        }
        #expect(middle.allSatisfy { abs($0.position.length - radius) < 0.0004 })
        let gaps = zip(points, points.dropFirst()).map { ($1.position - $0.position).length }
        #expect(gaps.allSatisfy { $0 <= StrokeBuilder.defaultSpacing + 1e-12 })
    }

    @Test func cornersStaySharp() throws {
        let square = [Point2(0, 0), Point2(0.1, 0), Point2(0.2, 0), Point2(0.2, 0.1), Point2(0.2, 0.2)]
        let stroke = Stroke(positions: square).smoothed(spacing: 0.001)
        for point in stroke.points {
            let distance = zip(square, square.dropFirst()).map {
                Segment2($0, $1).distance(to: point.position)
            }.min()!
            #expect(distance < 1e-12)
        }
    }

    @Test func pressureFollowsTheSpeed() {
        let pen = SpeedPressure()
        #expect(pen.pressure(atSpeed: 0) == 1.25)
        #expect(abs(pen.pressure(atSpeed: 0.5) - 0.875) < 1e-15)
        // 0.2 m/s, then 2 m/s; single stamps off by 40 %.
        let points = (0...200).map { index -> Stroke.Point in
            let time = index <= 100 ? 0.015 * Double(index) : 1.5 + 0.0015 * Double(index - 100)
            let jitter = (index % 2 == 0 ? 0.2 : -0.2) * (index < 100 ? 0.015 : 0.0015)
            return Stroke.Point(
                timestamp: Timestamp(nanoseconds: Int64((time + jitter) * 1e9)),
                position: Point2(0.003 * Double(index), 0))
        }
        let stroke = Stroke(points: points, worldFromPlane: .identity)
        let speeds = stroke.speeds(over: 0.03)
        for (index, speed) in speeds.enumerated() where abs(index - 100) > 10 {
            let expected = index < 100 ? 0.2 : 2.0
            #expect(abs(speed - expected) < 0.1 * expected)
        }
        let pressures = pen.applied(to: stroke).points.map(\.pressure)
        #expect(pressures[50] > 1 && pressures[150] < 0.7)
        #expect(Stroke(positions: [.zero]).speeds() == [0])
    }

    @Test func aRisingFingerGivesAHeight() {
        let gesture = HeightGesture()
        #expect(gesture.height(touchY: 600, currentY: 200, viewHeight: 800) == 0.2)
        #expect(gesture.height(touchY: 600, currentY: 600, viewHeight: 800) == nil)
        #expect(gesture.height(touchY: 600, currentY: 700, viewHeight: 800) == nil)
    }
}
