// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct RectangleEvaluationTests {
    @Test(arguments: 0..<4) func theTruthHasNoErrorWhicheverCornerIsFirst(turn: Int) throws {
        var random = TestRandom(case: turn)
        let truthFromSession = random.yawAndPlace()
        var answers = SampleWorld.trueAnswers(truthFromSession: truthFromSession)
        for index in answers.indices {
            answers[index].rectangles = answers[index].rectangles?.map {
                RectangleAnswer(quad: $0.quad.turned(by: turn))
            }
            answers[index].placedRectangles = answers[index].placedRectangles?.map { rectangle in
                PlacedRectangleAnswer(
                    identifier: "r", corners: (0..<4).map { rectangle.corners[($0 + turn) % 4] },
                    size: turn % 2 == 0 ? rectangle.size : Vector2(rectangle.size.y, rectangle.size.x))
            }
        }
        let evaluation = SampleWorld.evaluate(answers, truthFromSession: truthFromSession)
        let detection = try #require(evaluation.rectangles)
        #expect(detection.recall == 1 && detection.otherCount == 0 && detection.expectedCount == answers.count)
        expectClose(try #require(detection.cornerPixels).maximum, 0, tolerance: 1e-9)
        let placed = try #require(evaluation.placedRectangles)
        #expect(placed.recall == 1)
        #expect(placed.quadrantErrorCount == (turn == 0 ? 0 : answers.count))
        expectClose(try #require(placed.sizeMetres).maximum, 0, tolerance: 1e-12)
        for errors in [placed.cornerMetres, placed.centerMetres, placed.heading, placed.tilt] {
            expectClose(try #require(errors).world.maximum, 0, tolerance: 1e-7)
            expectClose(try #require(errors).camera.maximum, 0, tolerance: 1e-7)
        }
        #expect(evaluation.placedRectanglesByName.map(\.name) == ["card"])
    }

    @Test func knownErrorsAreFound() throws {
        let center = SampleWorld.card.reduce(.zero, +) / 4
        let (heading, tilt, growth) = (0.03, 0.02, 1.05)
        let shift = Vector3(0.002, 0, 0.001)
        let axis = try #require((SampleWorld.card[1] - SampleWorld.card[0]).normalized())
        // First the turn in the plane, then the tilt about its own top.
        let turn = Rotation(rotationVector: axis * tilt) * Rotation(rotationVector: Vector3(0, heading, 0))
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices {
            answers[index].rectangles = answers[index].rectangles?.map { rectangle in
                RectangleAnswer(
                    quad: PixelQuad(corners: rectangle.quad.corners.map { PixelPoint($0.x + 0.3, $0.y - 0.4) }))
            }
            answers[index].placedRectangles = [
                PlacedRectangleAnswer(
                    identifier: "r",
                    corners: SampleWorld.card.map { center + shift + growth * (turn * ($0 - center)) },
                    size: growth * Vector2(0.063, 0.088))
            ]
        }
        let evaluation = SampleWorld.evaluate(answers)
        expectClose(try #require(evaluation.rectangles?.cornerPixels).median, 0.5, tolerance: 1e-9)
        let placed = try #require(evaluation.placedRectangles)
        expectClose(try #require(placed.sizeParts).maximum, 0.05, tolerance: 1e-9)
        expectClose(try #require(placed.sizeMetres).maximum, 0.05 * 0.088, tolerance: 1e-9)
        expectClose(try #require(placed.centerMetres).world.median, shift.length, tolerance: 1e-9)
        expectClose(try #require(placed.heading).world.median, heading, tolerance: 1e-4)
        expectClose(try #require(placed.tilt).world.median, tilt, tolerance: 1e-7)
        #expect(placed.quadrantErrorCount == 0)
    }

    @Test func whatIsNoTrueRectangleIsNotTaken() throws {
        var answers = SampleWorld.trueAnswers()
        let elsewhere = PixelQuad(
            corners: [PixelPoint(10, 10), PixelPoint(60, 10), PixelPoint(60, 70), PixelPoint(10, 70)])
        for index in answers.indices {
            answers[index].rectangles = [RectangleAnswer(quad: elsewhere)]
            answers[index].placedRectangles = []
        }
        let evaluation = SampleWorld.evaluate(answers)
        #expect(evaluation.rectangles?.recall == 0 && evaluation.rectangles?.otherCount == answers.count)
        #expect(evaluation.rectangles?.cornerPixels == nil)
        #expect(evaluation.placedRectangles?.recall == 0 && evaluation.placedRectangles?.cornerMetres == nil)
    }

    /// Answers that bear a name, moved by a way.
    private func answers(named name: String?, movedBy way: Vector3 = .zero) -> [FrameAnswers] {
        var answers = SampleWorld.trueAnswers()
        for index in answers.indices {
            answers[index].placedRectangles = [
                PlacedRectangleAnswer(
                    identifier: "r", name: name, corners: SampleWorld.card.map { $0 + way }, size: Vector2(0.063, 0.088)
                )
            ]
        }
        return answers
    }

    /// Adds a rectangle without a code, so far from the card.
    private static func addPlain(at way: Vector3) -> (inout FrameTruth) -> Void {
        { truth in
            var plain = truth.rectangles[0]
            plain.name = "plain"
            plain.corners.inWorld = plain.corners.inWorld.map { $0 + way }
            truth.rectangles.append(plain)
        }
    }

    @Test(arguments: [("Q♥", false), (nil, false), ("7♣", true)] as [(String?, Bool)]) func wrongNamesAreCounted(
        name: String?, isWrong: Bool
    ) {
        let evaluation = SampleWorld.evaluate(answers(named: name))
        #expect(evaluation.placedRectangles?.misnamedCount == (isWrong ? SampleWorld.instants.count : 0))
        #expect(evaluation.placedRectangles?.recall == 1)
        #expect(evaluation.placedRectangles?.cornerMetres?.world.maximum ?? 1 < 1e-9)
    }

    /// A wrong place has no excuse where the name says which rectangle is meant; without a name it is another rectangle.
    @Test func whatBearsANameIsComparedWithIt() throws {
        let way = Vector3(0.3, 0, 0.4)
        let named = try #require(SampleWorld.evaluate(answers(named: "Q♥", movedBy: way)).placedRectangles)
        #expect(named.recall == 0 && named.misnamedCount == 0)
        expectClose(try #require(named.centerMetres).world.median, 0.5, tolerance: 1e-9)
        for name in [nil, "7♣"] {
            let other = try #require(SampleWorld.evaluate(answers(named: name, movedBy: way)).placedRectangles)
            #expect(other.recall == 0 && other.cornerMetres == nil && other.misnamedCount == 0)
        }
    }

    /// What is in another rectangle's place, or beside the one that has the name already, has a wrong name, however well it is placed.
    @Test func aNameInTheWrongPlaceIsWrong() throws {
        let way = Vector3(0.3, 0, 0.4)
        let wrong = answers(named: "Q♥", movedBy: way)
        func beside(_ answers: [FrameAnswers]) -> [FrameAnswers] {
            zip(answers, wrong).map { right, wrong in
                var both = right
                both.placedRectangles = (wrong.placedRectangles ?? []) + (right.placedRectangles ?? [])
                return both
            }
        }
        let swapped = SampleWorld.evaluate(beside(answers(named: nil)), change: Self.addPlain(at: way))
        #expect(swapped.placedRectanglesByName.map(\.misnamedCount) == [0, SampleWorld.instants.count])
        #expect(swapped.placedRectangles?.cornerMetres?.world.maximum ?? 1 < 1e-9)
        let stray = try #require(SampleWorld.evaluate(beside(answers(named: "Q♥"))).placedRectangles)
        #expect(stray.misnamedCount == SampleWorld.instants.count && stray.recall == 1)
        #expect(stray.cornerMetres?.world.maximum ?? 1 < 1e-9)
    }

    /// Of two rectangles that lie so close that either could be meant, the name tells which is; without codes nothing is misnamed.
    @Test func namesTellNeighboursApart() throws {
        let shift = Vector3(0.02, 0, 0)
        let named = SampleWorld.evaluate(answers(named: "Q♥", movedBy: 0.9 * shift), change: Self.addPlain(at: shift))
        #expect(named.placedRectanglesByName.map(\.foundCount) == [SampleWorld.instants.count, 0])
        let nameless = SampleWorld.evaluate(answers(named: nil, movedBy: 0.9 * shift), change: Self.addPlain(at: shift))
        #expect(nameless.placedRectanglesByName.map(\.foundCount) == [0, SampleWorld.instants.count])
        let withoutCodes = SampleWorld.evaluate(answers(named: "Q♥")) { $0.codes = [] }
        #expect(withoutCodes.placedRectangles?.misnamedCount == 0)
    }

    @Test func whatNobodyLookedForIsNotJudged() {
        let answers = SampleWorld.trueAnswers().map {
            FrameAnswers(timestamp: $0.timestamp, worldFromCamera: $0.worldFromCamera)
        }
        let evaluation = SampleWorld.evaluate(answers)
        #expect(evaluation.rectangles == nil && evaluation.placedRectangles == nil && evaluation.codes == nil)
        #expect(evaluation.hits == nil && evaluation.planes != nil && evaluation.frameCount == answers.count)
    }
}
