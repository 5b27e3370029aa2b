// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARRecording
import ARSensing
import Foundation
import TestSupport
import Testing

/// The figures of evo, on all trajectories of evo_traj.
@Suite(.enabled(if: RealData.has("evo_traj/V102.txt"), "evo_traj is absent")) struct EvoTests {
    /// An evaluation and what evo says of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isRelative: Bool
        let pair: String
        let alignment: TrajectoryAlignment
        let posesToAlign: Int?
        let relation: String
        let span: PairSpan
        let usesAllPairs: Bool
        let pairsFromTruth: Bool
        let digits: [Double]

        init(_ line: Substring) {
            let words = line.split(separator: " ").map(String.init)
            testDescription = words[..<9].joined(separator: " ")
            isRelative = words[0] == "rpe"
            pair = words[1]
            alignment = TrajectoryAlignment(rawValue: words[2])!
            posesToAlign = Int(words[3]).flatMap { $0 == 0 ? nil : $0 }
            relation = words[4]
            let delta = Double(words[5]) ?? 1
            span =
                switch words[6] {
                case "m": .metres(delta)
                case "d": .radians(delta * .pi / 180)
                case "r": .radians(delta)
                default: .frames(Int(delta))
                }
            usesAllPairs = words[7] == "1"
            pairsFromTruth = words[8] == "truth"
            digits = words[9...].compactMap(Double.init)
        }

        var part: PoseErrorPart {
            switch relation {
            case "trans_part": .translation
            case "rot_part": .rotation
            case "full": .full
            default: .angle
            }
        }
    }

    static let rows = evoDigits.split(separator: "\n").map(Row.init)

    private static let files = [
        "xyz-rgbdslam": ("freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam.txt"),
        "xyz-drift": ("freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-rgbdslam_drift.txt"),
        "xyz-orb": ("freiburg1_xyz-groundtruth.txt", "freiburg1_xyz-ORB_kf_mono.txt"),
        "desk-orb": ("fr2_desk_groundtruth.txt", "fr2_desk_ORB.txt"),
        "v102": ("V102_groundtruth.csv", "V102.txt"),
    ]

    /// The trajectories are read once.
    private static let trajectories = Result {
        try files.mapValues { (truth: try trajectory($0.0), estimate: try trajectory($0.1)) }
    }

    private static func trajectory(_ name: String) throws -> Trajectory {
        let reader = try TrajectoryReader(RealData.url("evo_traj/\(name)"))
        var poses: [StampedPose] = []
        while let pose = try reader.next() {
            poses.append(StampedPose(timestamp: pose.timestamp, worldFromBody: pose.worldFromBody))
        }
        return Trajectory(poses)
    }

    @Test func allTrajectoriesAreThere() {
        #expect(Self.rows.count == 155)
        #expect(Set(Self.rows.map(\.pair)) == Set(Self.files.keys))
    }

    @Test(arguments: rows) func digits(_ row: Row) throws {
        let (truth, estimate) = try #require(try Self.trajectories.get()[row.pair])
        var options = EvaluationOptions()
        options.alignment = row.alignment
        options.posesToAlign = row.posesToAlign
        options.span = row.span
        options.usesAllPairs = row.usesAllPairs
        options.pairsFromTruth = row.pairsFromTruth
        let evaluation = try Evaluation(of: estimate, against: truth, options)
        let errors = evaluation.errors
        let (estimates, truths) = (errors.map(\.estimate), errors.map(\.truth))
        let found =
            row.isRelative
            ? relativeErrors(
                of: estimates, against: truths,
                over: row.span.pairs(
                    of: row.pairsFromTruth ? truths : estimates, at: errors.map(\.timestamp), all: row.usesAllPairs),
                row.part)
            : absoluteErrors(of: estimates, against: truths, row.part)
        let unit = row.relation == "angle_deg" ? 180 / Double.pi : 1
        let s = try #require(ErrorStatistics(found)).scaled(by: unit)
        let figures = [s.rmse, s.mean, s.median, s.standardDeviation, s.minimum, s.maximum, s.sumOfSquares]
        // The smallest error of an alignment by the first pose is zero but for rounding: its digits count as parts of the
        // root mean square.
        for (found, expected) in zip(figures, row.digits) {
            #expect(
                abs(found - expected) <= 1e-9 * max(abs(expected), row.digits[0]), "\(found), and evo says \(expected)")
        }
        // The evaluation's own figures are the same ones.
        let own: ErrorStatistics? =
            switch (row.isRelative, row.part) {
            case (false, .translation): evaluation.position
            case (false, .angle): evaluation.rotation
            case (false, .full): evaluation.full
            case (true, .translation): evaluation.relativePosition
            case (true, .angle): evaluation.relativeRotation
            default: nil
            }
        if let own { #expect(own.scaled(by: unit).rmse == s.rmse) }
    }
}
