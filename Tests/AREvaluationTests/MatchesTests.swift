// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import TestSupport
import Testing

@Suite struct MatchesTests {
    private func trajectory(_ milliseconds: [Double]) -> Trajectory {
        Trajectory(
            milliseconds.map {
                StampedPose(timestamp: Timestamp(nanoseconds: Int64($0 * 1e6)), worldFromBody: .identity)
            })
    }

    private func pairs(_ estimate: [Double], _ truth: [Double], within: Double, offset: Double = 0) -> [[Int]] {
        Matches(
            trajectory(estimate), trajectory(truth), within: Int64(within * 1e6), offset: Int64(offset * 1e6)
        ).pairs.map { [$0.estimate, $0.truth] }
    }

    @Test func theShorterTrajectoryChooses() {
        #expect(pairs([500, 1004, 1005], [0, 1000, 2000, 3000], within: 600) == [[0, 0], [1, 1], [2, 1]])
        #expect(pairs([0, 1000, 2000, 3000], [500, 1004, 1005], within: 600) == [[0, 0], [1, 1], [1, 2]])
    }

    @Test func theEstimateChoosesWhereBothAreAsLong() {
        #expect(
            pairs([500, 1500, 2005, 2006], [0, 1000, 2000, 3000], within: 500) == [[0, 0], [1, 1], [2, 2], [3, 2]])
        #expect(pairs([0, 1000, 2000, 3000], [500, 1500, 2005, 2006], within: 500) == [[0, 0], [1, 0], [2, 2]])
    }

    @Test func theOffsetIsAddedToTheEstimate() {
        #expect(
            pairs([500, 1500, 2005, 2006], [0, 1000, 2000, 3000], within: 100, offset: 500) == [[0, 1], [1, 2]])
    }

    @Test func ofEqualStampsTheFirstIsTaken() {
        #expect(pairs([10], [5, 10, 10, 15], within: 1) == [[0, 1]])
        #expect(pairs([8], [5, 5, 20], within: 5) == [[0, 0]])
    }

    @Test func theRestIsCounted() {
        let matches = Matches(trajectory([0, 1000, 2000, 3000]), trajectory([4, 990, 1010]), within: 11_000_000)
        #expect(matches.pairs.map(\.estimate) == [0, 1, 1])
        #expect(matches.unmatchedInEstimate == 2)
        #expect(matches.unmatchedInTruth == 0)
    }

    @Test func positionsBeyondAllBoundsAreAnError() throws {
        let far = windingWay().mapPoses { RigidTransform(translation: $1.translation * 1e200) }
        for (estimate, truth) in [(far, windingWay()), (windingWay(), far)] {
            let error = try #require(throws: EvaluationError.self) { try Evaluation(of: estimate, against: truth) }
            guard case .positionTooFar = error else {
                Issue.record("\(error)")
                continue
            }
        }
        // What is merely absurd has figures that can be written.
        let absurd = windingWay().mapPoses { RigidTransform(translation: $1.translation * 1e90) }
        for alignment in TrajectoryAlignment.allCases {
            var options = EvaluationOptions()
            options.alignment = alignment
            let evaluation = try Evaluation(of: absurd, against: windingWay(), options)
            #expect(EvaluationReport([.init(name: "absurd", evaluation: evaluation)]).json.text.contains("ate_rmse_m"))
            #expect(EvaluationPlot(evaluation, title: "absurd").svg.contains("polyline"))
        }
    }

    @Test func nothingInCommonIsAnError() throws {
        let (early, late) = (trajectory([0, 1, 2]), trajectory([5000, 5001]))
        for (estimate, truth) in [(early, late), (trajectory([]), late), (early, trajectory([]))] {
            let error = try #require(throws: EvaluationError.self) { try Evaluation(of: estimate, against: truth) }
            guard case .noMatch = error else {
                Issue.record("\(error)")
                continue
            }
        }
        let error = try #require(throws: EvaluationError.self) { try Evaluation(of: early, against: late) }
        #expect(
            error.description.contains(
                "3 poses from 0.000000000 s to 0.002000000 s) lies within 0.01 s of one of the truth (2 poses from "))
    }
}
