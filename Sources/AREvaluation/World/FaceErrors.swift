// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// How well a face was followed.
public struct FaceErrors: Hashable, Sendable {
    /// The face's name; `all` for all of them together.
    public var name: String
    /// In how many frames it was seen well and large enough.
    public var expectedCount = 0
    /// In how many of these it was found.
    public var foundCount = 0
    /// In how many more of them it was not found, but a face that the session held without seeing it was supposed there.
    public var heldCount = 0
    /// How often it got another number than it had when it was found last, or, when it was found first, one that another face
    /// had got.
    public var switchCount = 0
    /// The part that the box and the true one share of what either covers, as what is missing to one, where it was found.
    public var missingOverlap: ErrorQuantiles?
    /// The errors of the angles where the face looks no farther aside than the options say, in radians.
    public var roll, yaw, pitch: ErrorQuantiles?

    /// The part of the frames in which it was found; `nil` where it never should have been.
    public var recall: Double? { expectedCount > 0 ? Double(foundCount) / Double(expectedCount) : nil }
}

/// How well all faces were followed.
public struct FaceOutcomes: Hashable, Sendable {
    /// Those that should have been found at some time, in alphabetical order.
    public var faces: [FaceErrors]
    /// All of them together.
    public var all: FaceErrors
    /// How many of the faces that were said to be seen are true ones, in full view or half hidden.
    public var trueCount: Int
    /// How often something was said to be seen where there is no face.
    public var falseCount: Int

    /// The part of what was found that are faces; `nil` where nothing was found.
    public var precision: Double? {
        trueCount + falseCount > 0 ? Double(trueCount) / Double(trueCount + falseCount) : nil
    }
}

/// Compares the faces that a session follows with the true ones, frame by frame.
struct FaceEvaluator: Sendable {
    private struct Record: Sendable {
        var expected = 0
        var found = 0
        var held = 0
        var switches = 0
        var lastID: Int?
        var missingOverlaps: [Double] = []
        var rolls: [Double] = []
        var yaws: [Double] = []
        var pitches: [Double] = []

        mutating func append(_ other: Record) {
            expected += other.expected
            found += other.found
            held += other.held
            switches += other.switches
            missingOverlaps += other.missingOverlaps
            rolls += other.rolls
            yaws += other.yaws
            pitches += other.pitches
        }

        func errors(named name: String) -> FaceErrors {
            FaceErrors(
                name: name, expectedCount: expected, foundCount: found, heldCount: held, switchCount: switches,
                missingOverlap: ErrorQuantiles(missingOverlaps), roll: ErrorQuantiles(rolls),
                yaw: ErrorQuantiles(yaws), pitch: ErrorQuantiles(pitches))
        }
    }

    private let options: WorldEvaluationOptions
    private var hasLooked = false
    private var records: [String: Record] = [:]
    /// Which face got a number first.
    private var firstNames: [Int: String] = [:]
    private var trueCount = 0
    private var falseCount = 0

    /// The overlap from which on a box can be a true one's.
    private static let leastOverlap = 0.3

    init(_ options: WorldEvaluationOptions) { self.options = options }

    mutating func compare(_ answers: [FaceAnswer], with truths: [FaceTruth]) {
        hasLooked = true
        let shown = truths.compactMap { truth in truth.box.map { (truth, $0) } }
        // What is only held finds nothing: it was not seen.
        let (seen, held) = (answers.filter(\.isSeen), answers.filter { !$0.isSeen })
        let gains = seen.map { answer in
            shown.map { _, box in
                let overlap = answer.box.overlap(with: box)
                return overlap >= Self.leastOverlap ? overlap : 0
            }
        }
        var isFound = [Bool](repeating: false, count: shown.count)
        for (answer, index) in zip(seen, Assignment(gains: gains).columns) {
            guard let index else {
                falseCount += 1
                continue
            }
            isFound[index] = true
            trueCount += 1
            if isExpected(shown[index].0, shown[index].1) { add(answer, shown[index].0, shown[index].1) }
        }
        for (index, (truth, box)) in shown.enumerated() where isExpected(truth, box) {
            let isHeld = !isFound[index] && held.contains { $0.box.overlap(with: box) >= Self.leastOverlap }
            records[truth.name, default: Record()].expected += 1
            records[truth.name, default: Record()].found += isFound[index] ? 1 : 0
            records[truth.name, default: Record()].held += isHeld ? 1 : 0
        }
    }

    private func isExpected(_ truth: FaceTruth, _ box: PixelBox) -> Bool {
        truth.visibleFraction >= options.leastVisibleFaceFraction
            && box.maximum.y - box.minimum.y >= options.leastFaceHeightPixels
    }

    private mutating func add(_ answer: FaceAnswer, _ truth: FaceTruth, _ box: PixelBox) {
        var record = records[truth.name] ?? Record()
        let firstName = firstNames[answer.id] ?? truth.name
        let hasChanged = record.lastID.map { $0 != answer.id } ?? (firstName != truth.name)
        record.switches += hasChanged ? 1 : 0
        record.lastID = answer.id
        firstNames[answer.id] = firstName
        record.missingOverlaps.append(1 - answer.box.overlap(with: box))
        if let angles = answer.angles, abs(truth.angles.yaw) <= options.greatestFaceYaw {
            record.rolls.append(abs(angles.roll - truth.angles.roll).asTurn)
            record.yaws.append(abs(angles.yaw - truth.angles.yaw).asTurn)
            record.pitches.append(abs(angles.pitch - truth.angles.pitch).asTurn)
        }
        records[truth.name] = record
    }

    /// How the faces were followed; `nil` where nobody looked.
    var outcomes: FaceOutcomes? {
        guard hasLooked else { return nil }
        let ordered = records.sorted { $0.key < $1.key }.filter { $0.value.expected > 0 }
        var together = Record()
        for (_, record) in ordered { together.append(record) }
        return FaceOutcomes(
            faces: ordered.map { $0.value.errors(named: $0.key) }, all: together.errors(named: "all"),
            trueCount: trueCount, falseCount: falseCount)
    }
}

extension PixelBox {
    /// The area that both boxes cover, as a part of what either covers.
    fileprivate func overlap(with other: PixelBox) -> Double {
        func area(_ box: PixelBox) -> Double {
            max(0, box.maximum.x - box.minimum.x) * max(0, box.maximum.y - box.minimum.y)
        }
        let common = area(
            PixelBox(
                minimum: PixelPoint(max(minimum.x, other.minimum.x), max(minimum.y, other.minimum.y)),
                maximum: PixelPoint(min(maximum.x, other.maximum.x), min(maximum.y, other.maximum.y))))
        let either = area(self) + area(other) - common
        return either > 0 ? common / either : 0
    }
}

extension Double {
    /// The turn between two angles whose difference this is: at most π.
    fileprivate var asTurn: Double {
        let rest = truncatingRemainder(dividingBy: 2 * .pi)
        return rest > .pi ? 2 * .pi - rest : rest
    }
}
