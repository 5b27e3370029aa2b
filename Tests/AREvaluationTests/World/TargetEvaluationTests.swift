// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARTruth
import Foundation
import TestSupport
import Testing

@Suite struct TargetEvaluationTests {
    /// The card's picture in the middle of the card.
    private static let worldFromCard =
        SampleWorld.planes[2].worldFromPlane
        * RigidTransform(translation: Vector3(-0.1, 0, -0.1))

    /// Limits that the card, of some thirty pixels here, keeps.
    private static let options = {
        var options = WorldEvaluationOptions()
        options.leastTargetSidePixels = 10
        return options
    }()

    private static func addTarget(to truth: inout FrameTruth) {
        truth.targets = [
            ImageTargetTruth(
                name: "on-card", picture: "heart", worldFromTarget: worldFromCard, size: Vector2(0.063, 0.088),
                corners: truth.rectangles[0].corners)
        ]
    }

    /// What a session answers that recognises the card and knows the truth.
    private static func trueAnswers() -> [FrameAnswers] {
        SampleWorld.trueAnswers().enumerated().map { index, answers in
            var answers = answers
            let truth = SampleWorld.frame(index)
            answers.targets = answers.rectangles?.map {
                TargetAnswer(
                    picture: "heart", quad: $0.quad, cameraFromTarget: truth.worldFromCamera.inverse * worldFromCard)
            }
            return answers
        }
    }

    private func evaluate(
        _ answers: [FrameAnswers], options: WorldEvaluationOptions = options
    ) throws -> TargetOutcomes {
        try #require(SampleWorld.evaluate(answers, options: options, change: Self.addTarget).targets)
    }

    @Test func theTruthHasNoError() throws {
        let outcomes = try evaluate(Self.trueAnswers())
        #expect(outcomes.targets.map(\.name) == ["on-card"] && outcomes.namedCount == 1)
        #expect(outcomes.all.recall == 1 && outcomes.all.expectedCount == 40 && outcomes.all.secondsToName == 0)
        #expect(outcomes.wrongNameCount == 0 && outcomes.misplacedCount == 0)
        expectClose(try #require(outcomes.all.cornerPixels).maximum, 0, tolerance: 1e-9)
        expectClose(try #require(outcomes.all.turn).maximum, 0, tolerance: 1e-7)
        expectClose(try #require(outcomes.all.offsetParts).maximum, 0, tolerance: 1e-9)
    }

    @Test func whatNobodyLookedForIsNotJudged() {
        #expect(SampleWorld.evaluate(SampleWorld.trueAnswers(), change: Self.addTarget).targets == nil)
    }

    @Test func silenceWrongNamesAndWrongPlacesAreCounted() throws {
        var answers = Self.trueAnswers()
        for index in answers.indices {
            var target = try #require(answers[index].targets?.first)
            switch index {
            case ..<10: answers[index].targets = []
            case ..<15:
                target.picture = "spade"
                answers[index].targets = [target]
            case ..<20:
                target.quad = target.quad.turned(by: 2)
                answers[index].targets = [target]
            default: break
            }
        }
        let outcomes = try evaluate(answers)
        #expect(outcomes.wrongNameCount == 5 && outcomes.misplacedCount == 5)
        #expect(outcomes.all.foundCount == 20 && outcomes.all.expectedCount == 40)
        expectClose(try #require(outcomes.all.secondsToName), 2, tolerance: 1e-9)
    }

    /// A print so near that a corner lies behind the camera is rightly named, wherever its corners are said to be; one that
    /// is hidden is not.
    @Test(arguments: [(0.2, 0), (0, 40)])
    func printsThatReachBehindTheCamera(visible: VisibleFraction, wrongNames: Int) throws {
        let outcomes = try #require(
            SampleWorld.evaluate(Self.trueAnswers(), options: Self.options) { truth in
                Self.addTarget(to: &truth)
                truth.targets[0].corners.pixels[2] = nil
                truth.targets[0].corners.visibleFraction = visible
            }.targets)
        #expect(outcomes.wrongNameCount == wrongNames && outcomes.misplacedCount == 0)
        #expect(outcomes.all.expectedCount == 0)
    }

    @Test func poseErrorsAreThoseOfTheCamera() throws {
        var answers = Self.trueAnswers()
        let offset = RigidTransform(rotation: Rotation(rotationVector: Vector3(0, 0.02, 0)), translation: .zero)
        for index in answers.indices {
            let pose = try #require(answers[index].targets?.first?.cameraFromTarget)
            answers[index].targets?[0].cameraFromTarget = RigidTransform(
                rotation: (pose * offset).rotation, translation: 1.03 * pose.translation)
        }
        let all = try evaluate(answers).all
        expectClose(try #require(all.turn).median, 0.02, tolerance: 1e-9)
        expectClose(try #require(all.offsetParts).median, 0.03, tolerance: 1e-9)
    }

    @Test func smallTargetsNeedNotBeNamed() throws {
        let outcomes = try evaluate(Self.trueAnswers(), options: WorldEvaluationOptions())
        #expect(outcomes.targets.isEmpty && outcomes.all.recall == nil && outcomes.wrongNameCount == 0)
    }

    @Test func figuresReachReportsAndBudgets() {
        let names = EvaluationMetric.all.map(\.name)
        for name in ["target_recall", "target_wrong_names", "target_turn_median_deg", "target_offset_median_percent"] {
            #expect(names.contains(name))
        }
    }
}
