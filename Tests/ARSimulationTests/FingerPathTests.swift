// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct FingerPathTests {
    private static func scene(_ change: (inout Scene.Finger) -> Void) throws -> Scene {
        var scene = try Scene(yaml: smallScene, file: "small")
        var finger = try #require(scene.finger)
        finger.strokes = []
        change(&finger)
        scene.finger = finger
        scene.durationSeconds = 60
        scene.cameraPath.intervalSeconds = 60
        return try scene.validated()
    }

    /// One of each way to say what is written.
    private static func scenes(in folder: TemporaryFolder) throws -> [Scene] {
        try folder.write(recording, to: "pen.csv")
        var recorded = try Scene(yaml: smallScene, file: "small")
        recorded.folder = folder.url
        recorded.finger?.strokes = []
        recorded.finger?.csv = "pen.csv"
        recorded.durationSeconds = 60
        recorded.cameraPath.intervalSeconds = 60
        return [
            try scene { $0.text = "Rust, ij & 89!" },
            try scene { $0.beziers = [[Point2(0, 0), Point2(0.1, 0), Point2(0.1, 0.1), Point2(0, 0.1)]] },
            try scene {
                $0.strokes = [[Point2(0, 0), Point2(0.05, 0), Point2(0.05, 0.05)], [Point2(0.1, 0), Point2(0, 0.1)]]
            },
            try scene {
                $0.strokes = [[Point2(0, 0), Point2(0.05, 0), Point2(0.05, 0.05), Point2(0.01, 0.02)]]
                $0.isSmooth = false
            },
            try recorded.validated(),
        ]
    }

    private static let recording = """
        t_s,x_m,z_m,pen
        # the pen comes, draws a bow, goes over, and draws a line
        2.0,0.00,0.00,0
        2.1,0.00,0.01,1
        2.2,0.01,0.02,1
        2.3, 0.03, 0.02, 1
        2.4,0.04,0.01,1

        2.5,0.05,0.01,0
        2.8,0.06,0.00,0
        3.0,0.06,0.02,1
        3.4,0.06,0.05,1
        3.5,0.07,0.05,0
        """

    /// While the pen is down the tip lies on the plane and on the stroke; while it is up, above the plane.
    @Test func strokesAreWhatIsDrawn() throws {
        let folder = try TemporaryFolder()
        for scene in try Self.scenes(in: folder) {
            let timeline = try #require(try scene.fingerTimeline())
            #expect(!timeline.strokes.isEmpty)
            for stroke in timeline.strokes {
                let chords = zip(stroke.pointsInPlane, stroke.pointsInPlane.dropFirst()).map { Segment2($0, $1) }
                #expect(chords.allSatisfy { ($0.end - $0.start).length < 5e-4 })
                var drawn: Set<Int> = []
                for step in 0...300 {
                    let seconds = mix(stroke.startSeconds, stroke.endSeconds, Double(step) / 300)
                    #expect(timeline.isPenDown(at: seconds))
                    let tip = timeline.tipInPlane(at: seconds)
                    #expect(tip.y == 0)
                    let distances = chords.map { $0.distance(to: Point2(tip.x, tip.z)) }
                    let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 0
                    drawn.insert(10 * nearest / chords.count)
                    // The recorded pen follows the curve, whose chords of 0.1 mm lie within a micrometre of it.
                    #expect(distances[nearest] < 1e-6)
                }
                // All ten parts of the stroke are gone through, but for dots, whose parts a hundredth of a second passes.
                #expect(drawn.count >= min(10, chords.count) - 1)
                let (first, last) = (
                    timeline.tipInPlane(at: stroke.startSeconds), timeline.tipInPlane(at: stroke.endSeconds)
                )
                #expect(stroke.pointsInPlane.first.map { ($0 - Point2(first.x, first.z)).length < 1e-12 } == true)
                #expect(stroke.pointsInPlane.last.map { ($0 - Point2(last.x, last.z)).length < 1e-12 } == true)
            }
            for (before, next) in zip(timeline.strokes, timeline.strokes.dropFirst()) {
                let between = timeline.tipInPlane(at: (before.endSeconds + next.startSeconds) / 2)
                #expect(abs(between.y - 0.03) < 1e-12)
            }
        }
    }

    /// The tip never jumps: in a tenth of a millisecond it goes no further than a hand's greatest speed lets it.
    @Test func theTipMovesContinuously() throws {
        let folder = try TemporaryFolder()
        for scene in try Self.scenes(in: folder) {
            let timeline = try #require(try scene.fingerTimeline())
            var last = timeline.tipInPlane(at: 0)
            for step in 1...Int((timeline.endSeconds + 0.1) * 1e4) {
                let tip = timeline.tipInPlane(at: Double(step) * 1e-4)
                #expect((tip - last).length < 2.5e-4)
                last = tip
            }
            #expect(abs(last.y - 0.03) < 1e-12)
        }
    }

    /// A planned stroke is drawn at the mean speed asked for, from rest to rest, with minimum jerk: the greatest speed is
    /// 15/8 of the mean one (Flash, Hogan 1985).
    @Test func speedsAreThoseOfAHand() throws {
        let timeline = try #require(
            try Self.scene {
                $0.strokes = [[Point2(0, 0), Point2(0.2, 0)]]
                $0.isSmooth = false
            }.fingerTimeline())
        let stroke = timeline.strokes[0]
        #expect(abs(stroke.endSeconds - stroke.startSeconds - (0.2 / 0.1 + 2 * 0.1)) < 1e-12)
        func speed(at seconds: Double) -> Double {
            (timeline.tipInPlane(at: seconds + 1e-3) - timeline.tipInPlane(at: seconds - 1e-3)).length / 2e-3
        }
        #expect(speed(at: stroke.startSeconds + 0.1) < 1e-4)
        #expect(speed(at: stroke.endSeconds - 0.1) < 1e-4)
        let greatest = (1..<200).map { speed(at: mix(stroke.startSeconds, stroke.endSeconds, Double($0) / 200)) }.max()
        #expect(greatest.map { abs($0 - 0.1875) < 1e-3 } == true)
    }

    /// Straight lines keep their corners, where the finger rests; a smooth curve through the same places does not.
    @Test func cornersAreKept() throws {
        let corners = [Point2(0, 0), Point2(0.05, 0), Point2(0.05, 0.04), Point2(0.02, 0.06)]
        let straight = StrokeCurve(corners: corners, speed: 0.1)
        for corner in corners { #expect(straight.points.contains { ($0 - corner).length < 1e-12 }) }
        let length = zip(corners, corners.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        #expect(abs(straight.length - length) < 1e-12)
        for point in straight.points {
            let distance = zip(corners, corners.dropFirst()).map { Segment2($0, $1).distance(to: point) }.min()
            #expect(distance.map { $0 < 1e-12 } == true)
        }
        #expect((straight.point(after: 0.5) - corners[1]).length < 1e-12)
        #expect((straight.point(after: 0.5 + 0.01) - corners[1]).length < 1e-4)
        let smooth = StrokeCurve(through: corners, speed: 0.1)
        #expect(smooth.length > length)
    }

    /// A dot takes as long as a hand needs for any move.
    @Test func shortMovesTakeTheirTime() {
        let dot = StrokeCurve(corners: [Point2(0, 0), Point2(0, 1e-3)], speed: 0.1)
        #expect(dot.seconds == StrokeCurve.shortestMoveSeconds)
    }

    /// A text lies where it was put: between its ends along x, and above the baseline, capitals as high as was asked.
    @Test func textsLieWhereTheyShould() throws {
        let timeline = try #require(
            try Self.scene {
                $0.text = "HEX"
                $0.letterHeightMeters = 0.04
                $0.textPosition = Point2(-0.1, 0.2)
            }.fingerTimeline())
        #expect(timeline.strokes.count == 3 + 2 + 2)
        let points = timeline.strokes.flatMap(\.pointsInPlane)
        let (xs, zs) = (points.map(\.x), points.map(\.y))
        #expect(xs.min().map { abs($0 + 0.1) < 1e-9 } == true)
        #expect(xs.max().map { abs($0 - (-0.1 + 0.04 * StrokeFont.width(of: "HEX"))) < 1e-9 } == true)
        #expect(zs.min().map { abs($0 - 0.16) < 1e-9 } == true)
        #expect(zs.max().map { abs($0 - 0.2) < 1e-9 } == true)
    }

    /// A recorded pen is where it was recorded, at its times counted from when the finger has come down.
    @Test func recordedPensAreFollowed() throws {
        let folder = try TemporaryFolder()
        let scene = try #require(try Self.scenes(in: folder).last)
        let finger = try #require(scene.finger)
        let timeline = try #require(try scene.fingerTimeline())
        let start = finger.startSeconds + finger.liftSeconds
        #expect(timeline.strokes.count == 2)
        #expect(abs(timeline.strokes[0].startSeconds - (start + 0.1)) < 1e-12)
        #expect(abs(timeline.strokes[1].endSeconds - (start + 1.4)) < 1e-12)
        for (seconds, x, z) in [(0.3, 0.03, 0.02), (0.8, 0.06, 0.0), (1.0, 0.06, 0.02), (9.0, 0.07, 0.05)] {
            let tip = timeline.tipInPlane(at: start + seconds)
            #expect((Point2(tip.x, tip.z) - Point2(x, z)).length < 1e-12)
        }
    }

    /// Each case: a file's text, and its error's message after the file's name.
    static let malformed: [(text: String, message: String)] = [
        ("", ":1: found no path, expected at least two samples"),
        ("x,y\n1,2", ":1: found 'x,y', expected the line 't_s,x_m,z_m,pen' first"),
        ("t_s,x_m,z_m,pen\n0,0,0,1", ":1: found no path, expected at least two samples"),
        ("t_s,x_m,z_m,pen\n0,0,0,1\n1,0,1", ":3: found 3 values, expected 4: t_s,x_m,z_m,pen"),
        ("t_s,x_m,z_m,pen\n0,0,0,1\n\n1,a,0,1", ":4: found 'a', expected a number, -10000 to 10000"),
        ("t_s,x_m,z_m,pen\n0,0,nan,1\n1,0,0,1", ":2: found 'nan', expected a number, -10000 to 10000"),
        ("t_s,x_m,z_m,pen\n0,0,0,2\n1,0,0,1", ":2: found a pen of 2, expected 1 where it draws, 0 where it does not"),
        ("t_s,x_m,z_m,pen\n5,0,0,1\n5,0,1,1", ":3: found the time 5 s, expected a time after that of the line before"),
        ("t_s,x_m,z_m,pen\n0,0,0,0\n1,0,0,0", ":2: found a pen that is never down, expected samples with the pen 1"),
        (
            "t_s,x_m,z_m,pen\n0,0,0,0\n1,0,0,1\n2,0,0,0",
            ":3: found a stroke of one sample, expected at least two samples with the pen 1 one after the other"
        ),
    ]

    @Test(arguments: malformed) func malformedRecordingsAreRefused(text: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "pen.csv")
        let yaml = smallScene.replacingOccurrences(of: "strokes_m: [[[0, 0], [0.05, 0]]]", with: "csv: pen.csv")
        try folder.write(yaml, to: "scene.yaml")
        let error = #expect(throws: SceneError.self) { try Scene(contentsOf: folder("scene.yaml")) }
        #expect(error.map { "\($0)" } == folder("pen.csv").path + message)
    }

    @Test func recordingsThatAreNotThereAreErrorsOfTheKey() throws {
        let yaml = smallScene.replacingOccurrences(of: "strokes_m: [[[0, 0], [0.05, 0]]]", with: "csv: nowhere.csv")
        let error = #expect(throws: SceneError.self) { try Scene(yaml: yaml, file: "s.yaml") }
        #expect(error.map { "\($0)".hasPrefix("s.yaml:26:8: the finger's path cannot be read: ") } == true)
    }

    /// Each case: what stands for the strokes, and the error's message.
    @Test(arguments: [
        (
            "",
            "s.yaml:23:3: the key 'strokes_m' is missing here; add `strokes_m:` with what to write; or add `text`, `beziers_m` or `csv`"
        ),
        ("text: ar\n  csv: a.csv", "s.yaml:27:8: 'csv' is given beside 'text', expected one of them alone"),
        ("text: 'ß'", "s.yaml:26:9: 'text' is a text with 'ß', expected letters among \(String(StrokeFont.letters))"),
        ("text: ' '", "s.yaml:26:9: 'text' is blank, expected at least one letter"),
        (
            "beziers_m: [[[0, 0], [1, 0], [1, 1], [0, 1], [2, 2]]]",
            "s.yaml:26:14: 'beziers_m' is a stroke of 5 points, expected a start and then three points for each piece: 4, 7, 10, … points"
        ),
    ]) func writingIsGivenInOneWay(keys: String, message: String) {
        let yaml = smallScene.replacingOccurrences(of: "strokes_m: [[[0, 0], [0.05, 0]]]", with: keys)
        let error = #expect(throws: SceneError.self) { try Scene(yaml: yaml, file: "s.yaml") }
        #expect(error.map { "\($0)" } == message)
    }

    @Test func allWaysSurviveTheFile() throws {
        let folder = try TemporaryFolder()
        for scene in try Self.scenes(in: folder) {
            #expect(try scene.validated() == scene)
        }
    }
}
