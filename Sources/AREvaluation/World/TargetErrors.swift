// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// How well an image target was recognised.
public struct TargetErrors: Hashable, Sendable {
    /// The name of what wears the picture; `all` for all of them together.
    public var name: String
    /// In how many frames it was fully visible and large enough.
    public var expectedCount = 0
    /// In how many of these it was named, in its place.
    public var foundCount = 0
    /// Pixels from the true corners; the picture's own order counts.
    public var cornerPixels: ErrorQuantiles?
    /// The angle between its pose and the true one, as the camera sees them, in radians.
    public var turn: ErrorQuantiles?
    /// What its middle is off, as seen by the camera, in parts of the true distance.
    public var offsetParts: ErrorQuantiles?
    /// Seconds from the first frame in which it should be named to the first in which it was; `nil` where it never was. Of
    /// all targets, those of the one that took longest, and `nil` where one was never named.
    public var secondsToName: Double?

    /// The part of the frames in which it was named; `nil` where it never should have been.
    public var recall: Double? { expectedCount > 0 ? Double(foundCount) / Double(expectedCount) : nil }
}

/// How well all image targets were recognised.
public struct TargetOutcomes: Hashable, Sendable {
    /// Those that should have been named at some time, in alphabetical order.
    public var targets: [TargetErrors]
    /// All of them together.
    public var all: TargetErrors
    /// How many of them were named at least once.
    public var namedCount: Int
    /// How often something was called by the name of a picture that the frame does not show.
    public var wrongNameCount: Int
    /// How often a picture that the frame shows was seen where it is not.
    public var misplacedCount: Int
}

/// Compares the targets that were recognised with the true ones, frame by frame.
struct TargetEvaluator: Sendable {
    private struct Record: Sendable {
        var expected = 0
        var found = 0
        var cornerErrors: [Double] = []
        var turns: [Double] = []
        var offsetParts: [Double] = []
        var firstExpected: Timestamp?
        var firstNamed: Timestamp?

        /// Seconds from the first frame in which it should be named to the first in which it was.
        var secondsToName: Double? {
            guard let firstExpected, let firstNamed else { return nil }
            return max(0, firstNamed.seconds(since: firstExpected))
        }

        mutating func append(_ other: Record) {
            expected += other.expected
            found += other.found
            cornerErrors += other.cornerErrors
            turns += other.turns
            offsetParts += other.offsetParts
        }

        func errors(named name: String) -> TargetErrors {
            TargetErrors(
                name: name, expectedCount: expected, foundCount: found, cornerPixels: ErrorQuantiles(cornerErrors),
                turn: ErrorQuantiles(turns), offsetParts: ErrorQuantiles(offsetParts), secondsToName: secondsToName)
        }
    }

    private let options: WorldEvaluationOptions
    private var hasLooked = false
    private var records: [String: Record] = [:]
    private var wrongNameCount = 0
    private var misplacedCount = 0

    /// How far the corners of a target may be from those of the true one that it can be, in parts of its size.
    private static let farthest = 0.5

    init(_ options: WorldEvaluationOptions) { self.options = options }

    mutating func compare(_ answers: [TargetAnswer], with truth: FrameTruth) {
        hasLooked = true
        // A name is right where the frame shows the picture. Its place is judged where all true corners have a pixel: one
        // that reaches behind the camera has none.
        let shown = truth.targets.filter { $0.corners.visibleFraction > 0 }
        let seen = shown.compactMap { target in target.corners.visibleQuad.map { (target, $0) } }
        let gains = answers.map { answer in
            seen.map { target, quad in
                answer.isOf(target) ? quad.gain(of: Self.match(answer, quad), within: Self.farthest) : 0
            }
        }
        var isFound = [Bool](repeating: false, count: seen.count)
        for (answer, index) in zip(answers, Assignment(gains: gains).columns) {
            if let index {
                isFound[index] = true
                add(answer, seen[index].0, quad: seen[index].1, truth)
            } else if !shown.contains(where: answer.isOf) {
                wrongNameCount += 1
            } else if !shown.contains(where: { answer.isOf($0) && $0.corners.visibleQuad == nil }) {
                misplacedCount += 1
            }
        }
        for (index, (target, quad)) in seen.enumerated() where isExpected(target, quad) {
            var record = records[target.name] ?? Record()
            record.expected += 1
            record.found += isFound[index] ? 1 : 0
            record.firstExpected = record.firstExpected ?? truth.timestamp
            records[target.name] = record
        }
    }

    private mutating func add(
        _ answer: TargetAnswer, _ target: ImageTargetTruth, quad: PixelQuad, _ truth: FrameTruth
    ) {
        var record = records[target.name] ?? Record()
        record.firstNamed = record.firstNamed ?? truth.timestamp
        // What is hidden or hardly visible may be named, but is not measured.
        if isExpected(target, quad) {
            record.cornerErrors += Self.match(answer, quad).distances
            if let pose = answer.cameraFromTarget {
                let truePose = truth.worldFromCamera.inverse * target.worldFromTarget
                record.turns.append((truePose.rotation.inverse * pose.rotation).angle)
                record.offsetParts.append(
                    (pose.translation - truePose.translation).length / max(truePose.translation.length, 1e-9))
            }
        }
        records[target.name] = record
    }

    private func isExpected(_ target: ImageTargetTruth, _ quad: PixelQuad) -> Bool {
        options.isFullyVisible(target.corners.visibleFraction) && quad.shortestSide >= options.leastTargetSidePixels
    }

    private static func match(_ answer: TargetAnswer, _ quad: PixelQuad) -> CornerMatch {
        CornerMatch(answer.quad.corners, on: quad.corners, turns: 0..<1) { $0.distance(to: $1) }
    }

    /// What was recognised; `nil` where nobody looked.
    var outcomes: TargetOutcomes? {
        guard hasLooked else { return nil }
        let ordered = records.sorted { $0.key < $1.key }.filter { $0.value.expected > 0 }
        var together = Record()
        for (_, record) in ordered { together.append(record) }
        var all = together.errors(named: "all")
        let times = ordered.map(\.value.secondsToName)
        all.secondsToName = times.contains(nil) ? nil : times.compactMap { $0 }.max()
        return TargetOutcomes(
            targets: ordered.map { $0.value.errors(named: $0.key) }, all: all,
            namedCount: times.count { $0 != nil }, wrongNameCount: wrongNameCount, misplacedCount: misplacedCount)
    }
}

extension TargetAnswer {
    /// Whether it names what a true target shows. A picture that is printed in one ink is the picture still.
    fileprivate func isOf(_ target: ImageTargetTruth) -> Bool {
        target.picture == picture || target.picture == picture + ImageTargetTruth.oneInkSuffix
    }
}
