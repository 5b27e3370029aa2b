// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// How well a code was read.
public struct CodeErrors: Hashable, Sendable {
    /// The name of what carries it; `all` for all codes together.
    public var name: String
    /// In how many frames it was fully visible with modules that are large enough.
    public var expectedCount = 0
    /// In how many of these it was read, in its place.
    public var foundCount = 0
    /// Pixels from the true corners; the code's own order counts.
    public var cornerPixels: ErrorQuantiles?
    /// Seconds from the first frame in which it should be read to the first in which it was; `nil` where it never was. Of
    /// all codes, those of the one that took longest, and `nil` where one was never read.
    public var secondsToRead: Double?

    /// The part of the frames in which it was read; `nil` where it never should have been.
    public var recall: Double? { expectedCount > 0 ? Double(foundCount) / Double(expectedCount) : nil }
}

/// How well all codes were read.
public struct CodeOutcomes: Hashable, Sendable {
    /// The codes that should have been read at some time, in alphabetical order.
    public var codes: [CodeErrors]
    /// All of them together.
    public var all: CodeErrors
    /// How often a code was read that does not exist, or whose text is another.
    public var wrongPayloadCount: Int
}

/// Compares the codes that were read with the true ones, frame by frame.
struct CodeEvaluator: Sendable {
    private struct Record: Sendable {
        var expected = 0
        var found = 0
        var cornerErrors: [Double] = []
        var firstExpected: Timestamp?
        var firstRead: Timestamp?

        mutating func add(_ cornerErrors: [Double], at instant: Timestamp) {
            self.cornerErrors += cornerErrors
            firstRead = firstRead ?? instant
        }

        mutating func expect(_ isFound: Bool, at instant: Timestamp) {
            expected += 1
            found += isFound ? 1 : 0
            firstExpected = firstExpected ?? instant
        }

        /// Seconds from the first frame in which it should be read to the first in which it was.
        var secondsToRead: Double? {
            guard let firstExpected, let firstRead else { return nil }
            return max(0, firstRead.seconds(since: firstExpected))
        }
    }

    private let options: WorldEvaluationOptions
    private var hasLooked = false
    private var records: [String: Record] = [:]
    private var wrongPayloadCount = 0

    /// How far the corners of a code may be from those of the true one that it can be, in parts of its size.
    private static let farthest = 0.5

    init(_ options: WorldEvaluationOptions) { self.options = options }

    mutating func compare(_ answers: [CodeAnswer], with truths: [CodeTruth], at instant: Timestamp) {
        hasLooked = true
        wrongPayloadCount += answers.count { answer in !truths.contains(where: answer.says) }
        let seen = truths.compactMap { truth in truth.corners.visibleQuad.map { (truth, $0) } }
        func match(_ answer: CodeAnswer, _ quad: PixelQuad) -> CornerMatch {
            CornerMatch(answer.quad.corners, on: quad.corners, turns: 0..<1) { $0.distance(to: $1) }
        }
        let gains = answers.map { answer in
            seen.map { truth, quad in
                answer.says(truth) ? quad.gain(of: match(answer, quad), within: Self.farthest) : 0
            }
        }
        var isFound = [Bool](repeating: false, count: seen.count)
        for (answer, index) in zip(answers, Assignment(gains: gains).columns) {
            guard let index else { continue }
            isFound[index] = true
            let (truth, quad) = seen[index]
            records[truth.name, default: Record()].add(match(answer, quad).distances, at: instant)
        }
        for (index, (truth, quad)) in seen.enumerated() where isReadable(truth, quad) {
            records[truth.name, default: Record()].expect(isFound[index], at: instant)
        }
    }

    private func isReadable(_ truth: CodeTruth, _ quad: PixelQuad) -> Bool {
        let modules = Double(truth.modulesAcross ?? options.modulesAcross)
        return options.isFullyVisible(truth.corners.visibleFraction)
            && quad.shortestSide / modules >= options.leastModulePixels
    }

    /// What was read; `nil` where nobody looked.
    var outcomes: CodeOutcomes? {
        guard hasLooked else { return nil }
        let ordered = records.sorted { $0.key < $1.key }
        let times = ordered.filter { $0.value.expected > 0 }.map(\.value.secondsToRead)
        let all = CodeErrors(
            name: "all", expectedCount: ordered.reduce(0) { $0 + $1.value.expected },
            foundCount: ordered.reduce(0) { $0 + $1.value.found },
            cornerPixels: ErrorQuantiles(ordered.flatMap(\.value.cornerErrors)),
            secondsToRead: times.contains(nil) ? nil : times.compactMap { $0 }.max())
        let codes = ordered.map { name, record in
            CodeErrors(
                name: name, expectedCount: record.expected, foundCount: record.found,
                cornerPixels: ErrorQuantiles(record.cornerErrors), secondsToRead: record.secondsToRead)
        }
        return CodeOutcomes(codes: codes, all: all, wrongPayloadCount: wrongPayloadCount)
    }
}

extension CodeAnswer {
    /// Whether it says what a true code says.
    fileprivate func says(_ truth: CodeTruth) -> Bool { payload == truth.payload && symbology == truth.symbology }
}
