// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct FaceEvaluationTests {
    private static func box(of name: String, in frame: Int) -> PixelBox {
        let left = (name == "ada" ? 20.0 : 200) + Double(frame)
        return PixelBox(minimum: PixelPoint(left, 50), maximum: PixelPoint(left + 60, 100))
    }

    private static let angles = EulerAngles(pitch: 0.1, yaw: -0.2, roll: 0.3)

    private static func addFaces(to truth: inout FrameTruth) {
        let frame = SampleWorld.trueAnswers().firstIndex { $0.timestamp == truth.timestamp } ?? 0
        truth.faces = ["ada", "ben"].map { name in
            FaceTruth(
                name: name, worldFromHead: RigidTransform(), box: box(of: name, in: frame), angles: angles,
                visibleFraction: 1)
        }
    }

    private static func trueAnswers() -> [FrameAnswers] {
        SampleWorld.trueAnswers().enumerated().map { index, answers in
            var answers = answers
            answers.faces = ["ada", "ben"].enumerated().map {
                FaceAnswer(id: $0.offset + 1, box: box(of: $0.element, in: index), isSeen: true, angles: angles)
            }
            return answers
        }
    }

    private func evaluate(_ answers: [FrameAnswers]) throws -> FaceOutcomes {
        try #require(SampleWorld.evaluate(answers, change: Self.addFaces).faces)
    }

    @Test func theTruthHasNoError() throws {
        let outcomes = try evaluate(Self.trueAnswers())
        #expect(outcomes.faces.map(\.name) == ["ada", "ben"])
        #expect(outcomes.all.recall == 1 && outcomes.precision == 1 && outcomes.all.switchCount == 0)
        expectClose(try #require(outcomes.all.roll).maximum, 0, tolerance: 1e-12)
        expectClose(try #require(outcomes.all.missingOverlap).maximum, 0, tolerance: 1e-12)
    }

    @Test func whatNobodyLookedForIsNotJudged() {
        #expect(SampleWorld.evaluate(SampleWorld.trueAnswers(), change: Self.addFaces).faces == nil)
    }

    /// A face that is missed, one that is none, one that is only held, a number that changes, and angles across ±π.
    @Test func errorsAreCounted() throws {
        var answers = Self.trueAnswers()
        answers[3].faces?.remove(at: 0)
        let nowhere = PixelBox(minimum: PixelPoint(400, 300), maximum: PixelPoint(450, 340))
        answers[4].faces?.append(FaceAnswer(id: 9, box: nowhere, isSeen: true))
        answers[5].faces?.append(FaceAnswer(id: 9, box: nowhere, isSeen: false))
        for index in 10..<answers.count { answers[index].faces?[1].id = 7 }
        answers[6].faces?[0].angles?.roll += 2 * .pi + 0.25
        let outcomes = try evaluate(answers)
        #expect(outcomes.all.foundCount == outcomes.all.expectedCount - 1)
        #expect(outcomes.falseCount == 1)
        #expect(outcomes.all.switchCount == 1 && outcomes.faces[1].switchCount == 1)
        expectClose(try #require(outcomes.all.roll).maximum, 0.25, tolerance: 1e-9)
    }

    /// What is only supposed to be somewhere was not found, wherever that is; it takes nothing from what is seen.
    @Test func whatIsHeldIsNotFound() throws {
        var answers = Self.trueAnswers()
        for frame in answers.indices {
            for face in answers[frame].faces?.indices ?? 0..<0 { answers[frame].faces?[face].isSeen = false }
        }
        let held = try evaluate(answers)
        #expect(held.all.recall == 0 && held.precision == nil && held.all.heldCount == held.all.expectedCount)
        #expect(held.all.roll == nil && held.all.missingOverlap == nil && held.all.switchCount == 0)

        // A held answer in the best of places beside a seen one that is a little off.
        var both = Self.trueAnswers()
        for frame in both.indices {
            guard let seen = both[frame].faces?[0] else { continue }
            both[frame].faces?.append(FaceAnswer(id: 50, box: seen.box, isSeen: false, angles: seen.angles))
            both[frame].faces?[0].box.maximum.x += 5
        }
        let outcomes = try evaluate(both)
        #expect(outcomes.all.recall == 1 && outcomes.all.heldCount == 0 && outcomes.all.switchCount == 0)
    }

    /// A number that goes over to a face that was never found before is a change of numbers, once.
    @Test func numbersGivenToAnotherAreChanges() throws {
        var answers = Self.trueAnswers()
        for frame in answers.indices {
            if frame < 5 {
                answers[frame].faces?.remove(at: 1)
            } else {
                answers[frame].faces?.remove(at: 0)
                answers[frame].faces?[0].id = 1
            }
        }
        let outcomes = try evaluate(answers)
        #expect(outcomes.faces.map(\.switchCount) == [0, 1])
    }
}
