// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

extension TrajectoryAlignment: ExpressibleByArgument {}
extension TrajectoryReading.Up: ExpressibleByArgument {}
extension TrajectoryReading.Body: ExpressibleByArgument {}

/// How two trajectories are compared, as it stands on the command line.
struct ComparisonOptions: ParsableArguments {
    @Option(help: "How the estimate is laid over the truth.") var align: TrajectoryAlignment = .yaw
    @Option(help: ArgumentHelp("Align by that many matched poses, from the first on.", valueName: "count"))
    var alignPoses: Int?
    @Option(help: ArgumentHelp("The longest time between poses that belong together.", valueName: "s"))
    var maxDifference: Double = 0.01
    @Option(help: ArgumentHelp("What is added to the estimate's stamps first.", valueName: "s")) var offset: Double = 0
    @Flag(help: "Compare poses only while the tracker called itself normal.") var onlyNormal = false
    @Option(help: "How far apart the two poses of a relative error are.") var delta: Double = 1
    @Option(help: "In which unit.") var unit: SpanUnit = .frames
    @Flag(help: "Let every pose begin a relative error, not only the one where the last ended.") var allPairs = false
    @Option(help: ArgumentHelp("With --all-pairs: by which part of delta pairs may differ from it.", valueName: "part"))
    var tolerance: Double = 0.1
    @Flag(help: "Find the pairs on the truth's way, not on the estimate's.") var pairsFromTruth = false
    @Option(help: "The axis that points up in files of TUM's, EuRoC's and KITTI's kind.")
    var up: TrajectoryReading.Up = .z
    @Option(help: "Whose poses are taken from a recording's truth.") var body: TrajectoryReading.Body = .camera
    @Option(
        help: ArgumentHelp(
            "The estimate's body in the axes of the truth's: x,y,z in metres and a quaternion qx,qy,qz,qw.",
            valueName: "pose"))
    var truthBodyFromEstimateBody: BodyPose = BodyPose(transform: .identity)
    @Option(help: ArgumentHelp("A normal frame's pose is wrong when it is further off.", valueName: "m"))
    var wrongBeyond: Double = 0.05
    @Option(help: ArgumentHelp("A normal frame's pose is wrong when it is turned further.", valueName: "degrees"))
    var wrongBeyondTurn: Double = 2

    /// The units of `--delta`.
    enum SpanUnit: String, CaseIterable, ExpressibleByArgument {
        case frames, metres, seconds, degrees, radians
    }

    func validate() throws {
        guard delta > 0, delta.isFinite, delta < 1e9 else {
            throw ValidationError("--delta must be positive, not \(delta)")
        }
        guard unit != .frames || delta == delta.rounded() else {
            throw ValidationError("--delta is a whole number of frames, not \(delta)")
        }
        if let alignPoses, alignPoses < 1 { throw ValidationError("--align-poses must be positive, not \(alignPoses)") }
        for (name, value) in [
            ("max-difference", maxDifference), ("tolerance", tolerance), ("wrong-beyond", wrongBeyond),
            ("wrong-beyond-turn", wrongBeyondTurn),
        ] where !(value >= 0 && value < 1e9) {
            throw ValidationError("--\(name) must not be negative, and is \(value)")
        }
        guard abs(offset) < 1e9 else { throw ValidationError("--offset must be a number of seconds, not \(offset)") }
    }

    /// Reads both trajectories and compares them; and what a trace says of the world, where the truth is a session's.
    func compare(_ estimate: URL, with truth: TruthInput) throws -> Evaluation {
        let reading = TrajectoryReading(up: up, body: body)
        let estimated = try Trajectory(contentsOf: estimate, reading)
        var trueMotion = try truth.trajectory(reading)
        if truthBodyFromEstimateBody.transform != .identity {
            trueMotion = trueMotion.asSeen(from: truthBodyFromEstimateBody.transform)
        }
        var evaluation: Evaluation
        do { evaluation = try Evaluation(of: estimated, against: trueMotion, options) } catch {
            throw CameToNothing.nothingCompared(estimate: estimate.relativePath, error)
        }
        // Only a trace states its mode, and its poses are the camera's.
        if let source = truth.source, estimated.mode != nil, body == .camera {
            let answers = try SessionAnswers(contentsOf: estimate)
            var bar = ProgressBar("comparing", total: answers.frames.count)
            defer { bar.finish() }
            evaluation.world = try WorldEvaluation(
                of: answers, against: source, truthFromSession: evaluation.truthFromNormal, offset: options.offset
            ) { bar.show($0) }
        }
        return evaluation
    }

    private var options: EvaluationOptions {
        var options = EvaluationOptions()
        options.alignment = align
        options.posesToAlign = alignPoses
        options.longestDifference = Int64((maxDifference * 1e9).rounded())
        options.offset = Int64((offset * 1e9).rounded())
        options.comparesNormalPosesOnly = onlyNormal
        options.span = span
        options.usesAllPairs = allPairs
        options.pairTolerance = tolerance
        options.pairsFromTruth = pairsFromTruth
        options.wrongBeyond = WrongPoseLimits(metres: wrongBeyond, radians: wrongBeyondTurn * .pi / 180)
        return options
    }

    private var span: PairSpan {
        switch unit {
        case .frames: .frames(Int(delta))
        case .metres: .metres(delta)
        case .seconds: .seconds(delta)
        case .degrees: .radians(delta * .pi / 180)
        case .radians: .radians(delta)
        }
    }
}

/// A body's pose in another's axes: seven numbers, separated by commas.
struct BodyPose: ExpressibleByArgument {
    let transform: RigidTransform

    init(transform: RigidTransform) { self.transform = transform }

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard numbers.count == 7, numbers.allSatisfy(\.isFinite),
            let rotation = Rotation(x: numbers[3], y: numbers[4], z: numbers[5], w: numbers[6])
        else { return nil }
        transform = RigidTransform(rotation: rotation, translation: Vector3(numbers[0], numbers[1], numbers[2]))
    }

    var defaultValueDescription: String { "the same body" }
}
