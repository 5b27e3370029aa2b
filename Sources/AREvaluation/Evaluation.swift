// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What is compared, and how.
public struct EvaluationOptions: Hashable, Sendable {
    /// How the estimate is laid over the truth.
    public var alignment = TrajectoryAlignment.yaw
    /// How many matched poses, from the first on, the alignment looks at; `nil` for all.
    public var posesToAlign: Int?
    /// The vertical, of length one, the same in both worlds.
    public var up = Vector3(0, 1, 0)
    /// The longest time between two poses that belong together, in nanoseconds.
    public var longestDifference: Int64 = 10_000_000
    /// What is added to the estimate's instants, in nanoseconds.
    public var offset: Int64 = 0
    /// How far apart the two poses of a relative error are.
    public var span = PairSpan.frames(1)
    /// Whether every pose begins a relative error, not only the one where the last ended.
    public var usesAllPairs = false
    /// The part of the span by which the distance of a pair may differ from it, with all pairs.
    public var pairTolerance = 0.1
    /// Whether pairs are found on the truth's way, not on the estimate's.
    public var pairsFromTruth = false
    /// Whether poses are compared only while the tracker called itself normal; all are of a trajectory without states.
    public var comparesNormalPosesOnly = false
    /// From which error on a pose is wrong.
    public var wrongBeyond = WrongPoseLimits()

    /// evo's values for pairs and matching, and the alignment of inertial trackers.
    public init() {}
}

/// The error of one frame's pose after alignment.
public struct FrameError: Hashable, Sendable {
    /// The instant of the estimate's pose.
    public var timestamp: Timestamp
    /// The displacement, in metres.
    public var metres: Double
    /// The turn, in radians.
    public var radians: Double
    /// The aligned estimate in the truth's world.
    public var estimate: RigidTransform
    /// The truth.
    public var truth: RigidTransform
}

/// How good a trajectory is: an estimate compared with the truth.
public struct Evaluation: Sendable {
    /// How it was compared.
    public let options: EvaluationOptions
    /// Where the estimate's poses come from, in the words of a trace; `nil` where its file does not say.
    public let mode: String?
    /// The number of frames: of the estimate's states, or of its poses where it has no states.
    public let frameCount: Int
    /// The number of the estimate's poses, or of those while it was normal where only they are compared.
    public let poseCount: Int
    /// Which pose belongs to which.
    public let matches: Matches
    /// The transform of the estimate's world into the truth's that was applied.
    public let truthFromEstimate: Similarity
    /// The same by what was `normal`, in which alone a session answers questions about its world: where the alignment fits all
    /// poses, it fits the normal ones here, as those that claim nothing have no say in whether the others are right. Law:
    /// `StateTests.posesThatClaimNothingMakeNoneWrong`.
    public let truthFromNormal: Similarity
    /// The length of the truth's way over the matched poses, in metres.
    public let truthLength: Double
    /// The time from the first matched pose to the last, in seconds.
    public let duration: Double
    /// The errors of the matched frames.
    public let errors: [FrameError]
    /// The absolute displacements, in metres: the ATE.
    public let position: ErrorStatistics
    /// The absolute turns, in radians.
    public let rotation: ErrorStatistics
    /// Displacements and turns as one figure: ``PoseErrorPart/full``.
    public let full: ErrorStatistics
    /// The relative displacements, in metres; `nil` where no two poses are as far apart as asked.
    public let relativePosition: ErrorStatistics?
    /// The relative turns, in radians.
    public let relativeRotation: ErrorStatistics?
    /// What the estimate's lengths must be multiplied by to become the truth's; `nil` where its positions lie on a line.
    public let scale: Double?
    /// How fast the estimate runs away; `nil` where the truth does not move.
    public let drift: Drift?
    /// Seconds from the first frame to the first of these poses.
    public let firstPose: Double
    /// How long the tracker was in which state; `nil` where the estimate says none.
    public let states: StateTimes?
    /// When it was wrong, by ``truthFromNormal``, and called itself normal.
    public let wrongWhileNormal: WrongWhileNormal?
    /// The errors measured by the covariances, with the first matched pose's position and heading laid on the truth: an
    /// inertial tracker's covariance counts from there, whether that pose is compared otherwise or not. Without the poses of a
    /// tracker that looks for its place, which claim nothing of the world. Empty where the estimate has no covariances.
    public let normalizedErrors: [NormalizedError]
    /// How good the estimate's answers about its world are, where it has such and the truth knows of it.
    public var world: WorldEvaluation?
    /// The first frame's instant.
    public let start: Timestamp
    /// The times in which the tracker did not call itself normal, in seconds since the start.
    let timesNotNormal: [(Double, Double)]

    /// Compares an estimate with the truth.
    public init(
        of estimate: Trajectory, against truth: Trajectory, _ options: EvaluationOptions = EvaluationOptions()
    ) throws(EvaluationError) {
        let all = estimate
        let estimate = options.comparesNormalPosesOnly ? all.whileNormal : all
        func match(_ estimate: Trajectory) -> Matches {
            Matches(estimate, truth, within: options.longestDifference, offset: options.offset)
        }
        let matches = match(estimate)
        guard !matches.pairs.isEmpty else {
            throw .noMatch(
                estimate: .init(estimate.poses), truth: .init(truth.poses),
                longestDifference: options.longestDifference)
        }
        let matched = MatchedPoses(estimate, truth, matches)
        if let farthest = matched.farthestCoordinate, farthest > EvaluationError.farthest {
            throw .positionTooFar(metres: farthest)
        }
        guard let truthFromEstimate = matched.align(options) else {
            throw .notAlignable(options.alignment, poses: matches.pairs.count)
        }
        let aligned = matched.estimate.map { $0.moved(by: truthFromEstimate) }
        errors = matched.errors(aligned)
        // Of the errors that were just made, of which there is at least one.
        position = ErrorStatistics(errors.map(\.metres))!
        rotation = ErrorStatistics(errors.map(\.radians))!
        full = ErrorStatistics(absoluteErrors(of: aligned, against: matched.truth, .full))!

        let pairs = options.span.pairs(
            of: options.pairsFromTruth ? matched.truth : aligned, at: matched.instants, all: options.usesAllPairs,
            tolerance: options.pairTolerance)
        relativePosition = ErrorStatistics(
            relativeErrors(of: aligned, against: matched.truth, over: pairs, .translation))
        relativeRotation = ErrorStatistics(relativeErrors(of: aligned, against: matched.truth, over: pairs, .angle))
        drift = Drift(of: aligned, against: matched.truth, at: matched.instants)
        scale = TrajectoryAlignment.scale.truthFromEstimate(estimate: matched.estimate, truth: matched.truth)?.scale

        self.options = options
        self.matches = matches
        self.truthFromEstimate = truthFromEstimate
        mode = estimate.mode
        poseCount = estimate.poses.count
        frameCount = estimate.states.isEmpty ? poseCount : estimate.states.count
        truthLength = matched.truth.pathLengths.last ?? 0
        duration = matched.instants.last.map { $0.seconds(since: matched.instants[0]) } ?? 0
        let firstPose = estimate.poses[0].timestamp
        start = estimate.states.first.map { min($0.timestamp, firstPose) } ?? firstPose
        self.firstPose = firstPose.seconds(since: start)
        let origin = start
        timesNotNormal = zip(estimate.states, estimate.states.dropFirst()).compactMap { state, next in
            guard state.state != StampedState.normal else { return nil }
            return (state.timestamp.seconds(since: origin), next.timestamp.seconds(since: origin))
        }
        states = StateTimes(estimate.states)
        let (allMatched, normal) = (MatchedPoses(all, truth, match(all)), all.whileNormal)
        let isFittedToAll = options.alignment.isFittedToAll && options.posesToAlign == nil
        let fitted = isFittedToAll ? MatchedPoses(normal, truth, match(normal)).align(options) : nil
        let truthFromNormal = fitted ?? truthFromEstimate
        self.truthFromNormal = truthFromNormal
        let judged = allMatched.estimate.map { $0.moved(by: truthFromNormal) }
        wrongWhileNormal = WrongWhileNormal(
            allMatched.errors(judged), states: all.states, beyond: options.wrongBeyond)
        // A covariance counts from where tracking began, whether that was normal or not; while a tracker that began anew looks for
        // its place in the world, from elsewhere.
        let compared = Set(matched.instants)
            .subtracting(all.states.lazy.filter { $0.state == StampedState.relocalizing }.map(\.timestamp))
        normalizedErrors = allMatched.normalizedErrors(all.covariances, up: options.up)
            .filter { compared.contains($0.timestamp) }
    }

    /// Whether the covariances are true, as far as this run alone can tell; `nil` where there are none.
    public var consistency: Consistency? { Consistency([normalizedErrors], origins: [start]) }
}

/// The poses that belong together, in two lists.
private struct MatchedPoses {
    let instants: [Timestamp]
    let estimate: [RigidTransform]
    let truth: [RigidTransform]
    let places: [Int]

    init(_ estimate: Trajectory, _ truth: Trajectory, _ matches: Matches) {
        places = matches.pairs.map(\.estimate)
        instants = places.map { estimate.poses[$0].timestamp }
        self.estimate = places.map { estimate.poses[$0].worldFromBody }
        self.truth = matches.pairs.map { truth.poses[$0.truth].worldFromBody }
    }

    /// The largest coordinate of a position.
    var farthestCoordinate: Double? {
        (estimate + truth).map { max(abs($0.translation.x), abs($0.translation.y), abs($0.translation.z)) }.max()
    }

    func align(_ options: EvaluationOptions) -> Similarity? {
        let count = options.posesToAlign ?? estimate.count
        return options.alignment.truthFromEstimate(
            estimate: Array(estimate.prefix(count)), truth: Array(truth.prefix(count)), up: options.up)
    }

    func errors(_ aligned: [RigidTransform]) -> [FrameError] {
        aligned.indices.map { index in
            let error = truth[index].inverse * aligned[index]
            return FrameError(
                timestamp: instants[index], metres: PoseErrorPart.translation.size(of: error),
                radians: PoseErrorPart.angle.size(of: error), estimate: aligned[index], truth: truth[index])
        }
    }

    /// What covariances say of the errors after the first pose that has one: before it, nothing is claimed, and that pose is laid
    /// on the truth.
    /// Law: `ConsistencyTests.posesBeforeTheFirstClaimDoNotCount`.
    func normalizedErrors(_ covariances: [Int: Matrix6x6], up: Vector3) -> [NormalizedError] {
        guard let first = places.firstIndex(where: { covariances[$0] != nil }),
            let estimateFromTruth = TrajectoryAlignment.originYaw.truthFromEstimate(
                estimate: [truth[first]], truth: [estimate[first]], up: up)
        else { return [] }
        return places.indices.dropFirst(first + 1).compactMap { index in
            covariances[places[index]].flatMap {
                NormalizedError(
                    timestamp: instants[index], worldFromBody: estimate[index],
                    truth: truth[index].moved(by: estimateFromTruth), covariance: $0)
            }
        }
    }
}

extension RigidTransform {
    /// The pose in a world that is turned, moved and scaled.
    fileprivate func moved(by newFromOld: Similarity) -> RigidTransform {
        RigidTransform(rotation: newFromOld.rotation * rotation, translation: newFromOld * translation)
    }
}
