// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import TestSupport
import Testing

@Suite struct StrokeBuilderTests {
    /// Samples of a pen that rests, creeps and jumps.
    private static func way(_ random: inout TestRandom) -> [Point2] {
        var position = Point2.zero
        return (0..<60).map { _ in
            let speed = [0, 1e-7, 0.001, 0.003, 0.05, 0.5].randomElement(using: &random)!
            position += speed * random.vector2()
            return position
        }
    }

    private static func build(_ way: [Point2], spacing: Double = 0.003) throws -> [Stroke] {
        var builder = StrokeBuilder(worldFromPlane: .identity, spacing: spacing, path: .straight)
        for (index, position) in way.enumerated() {
            try builder.add(.down(index, position))
        }
        return builder.drawing.strokes
    }

    @Test(arguments: 0..<100) func neighborsAreOneSpacingApart(number: Int) throws {
        var random = TestRandom(case: number)
        let way = Self.way(&random)
        let strokes = try Self.build(way)
        #expect(strokes.count == 1)
        let points = strokes[0].points
        #expect(points.first?.position == way.first)
        #expect(points.last?.position == way.last)
        let gaps = zip(points, points.dropFirst()).map { ($1.position - $0.position).length }
        #expect(gaps.dropLast().allSatisfy { abs($0 - 0.003) < 1e-12 })
        #expect(gaps.last.map { $0 > 0 && $0 < 0.003 + 1e-12 } ?? true)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
    }

    @Test(arguments: 0..<50) func pointsLieOnThePensWay(number: Int) throws {
        var random = TestRandom(case: number)
        let way = Self.way(&random)
        let points = try Self.build(way)[0].points
        for point in points {
            // The stamp says between which samples, the line between them where.
            let index = min(Int(point.timestamp.nanoseconds / 1_000_000), way.count - 1)
            let near = (max(0, index - 1)..<min(way.count - 1, index + 2)).map {
                Segment2(way[$0], way[$0 + 1]).distance(to: point.position)
            }
            #expect(near.min() ?? 0 < 1e-12)
        }
        // And no sample is farther from the stroke than the spacing.
        for sample in way {
            let distances = zip(points, points.dropFirst()).map {
                Segment2($0.position, $1.position).distance(to: sample)
            }
            #expect(distances.min() ?? 0 <= 0.003)
        }
    }

    @Test func aFastPenLeavesNoGapAndARestingOneNoCrowd() throws {
        let fast = try Self.build([Point2(0, 0), Point2(3, 4)])[0]
        #expect(fast.points.count == 1668)
        #expect(abs(fast.length - 5) < 1e-9)
        let half = fast.points[834]
        #expect(abs(Double(half.timestamp.nanoseconds) - 1e6 * half.position.length / 5) <= 1)
        let resting = try Self.build((0..<1000).map { Point2(1e-6 * Double($0 % 7), 0) })[0]
        #expect(resting.points.count == 2)
    }

    @Test func penUpEndsAStrokeAndADotIsAStroke() throws {
        var builder = StrokeBuilder(worldFromPlane: .identity)
        try builder.add(.down(0, Point2(0, 0)))
        try builder.add(.up(1, Point2(1, 0)))
        #expect(builder.finishedStrokes.count == 1)
        try builder.add(.up(2, nil))
        try builder.add(.down(3, Point2(0.001, 0)))
        try builder.add(.down(4, Point2(0.002, 0)))
        #expect(builder.finishedStrokes.count == 1)
        let strokes = builder.drawing.strokes
        #expect(strokes.map(\.points.count) == [1, 2])
        #expect(strokes[0].length == 0)
        #expect(abs(builder.drawing.length - 0.001) < 1e-15)
    }

    @Test func aSampleWithoutAHitIsNotBridged() throws {
        var builder = StrokeBuilder(worldFromPlane: .identity)
        try builder.add(.down(0, Point2(0, 0)))
        try builder.add(.down(1, Point2(0.01, 0)))
        try builder.add(.down(2, nil))
        try builder.add(.down(3, Point2(0.02, 0)))
        let strokes = builder.drawing.strokes
        #expect(strokes.count == 2)
        #expect(strokes.flatMap(\.points).allSatisfy { $0.position.x <= 0.01 || $0.position.x == 0.02 })
    }

    @Test func badSamplesAreRefusedAndChangeNothing() throws {
        var builder = StrokeBuilder(worldFromPlane: .identity)
        try builder.add(.down(5, Point2(0, 0)))
        let before = builder.drawing
        #expect(throws: PenSampleError.timestampNotIncreasing(found: .at(5), previous: .at(5))) {
            try builder.add(.down(5, Point2(1, 0)))
        }
        for bad in [Double.nan, .infinity, 1e9, -1001] {
            #expect(throws: PenSampleError.self) { try builder.add(.down(6, Point2(0, bad))) }
            #expect(throws: PenSampleError.self) { try builder.add(.down(6, Point2(bad, 0))) }
        }
        #expect(builder.drawing == before)
        try builder.add(.down(6, Point2(0.004, 0)))
        #expect(builder.drawing.strokes[0].points.count == 3)
        let message = "\(PenSampleError.timestampNotIncreasing(found: .at(5), previous: .at(6)))"
        #expect(
            message
                == "pen sample at 5000000 ns follows one at 6000000 ns: give samples in the order of time, each once")
    }
}

extension Timestamp {
    fileprivate static func at(_ milliseconds: Int) -> Timestamp {
        Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
}

extension PenSample {
    fileprivate static func down(_ milliseconds: Int, _ position: Point2?) -> PenSample {
        PenSample(timestamp: .at(milliseconds), position: position, isDown: true)
    }

    fileprivate static func up(_ milliseconds: Int, _ position: Point2?) -> PenSample {
        PenSample(timestamp: .at(milliseconds), position: position, isDown: false)
    }
}
