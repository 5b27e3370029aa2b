// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct StateTests {
    /// Ten seconds at twenty frames a second: two of starting, then normal, but for one second from the sixth on.
    private func estimate(_ change: (Int, RigidTransform) -> RigidTransform = { $1 }) -> Trajectory {
        let truth = windingWay(200)
        let states = truth.poses.enumerated().map { index, pose in
            let state =
                index < 40 ? "notAvailable" : (120..<140).contains(index) ? "limited(insufficientFeatures)" : "normal"
            return StampedState(timestamp: pose.timestamp, state: state)
        }
        let poses = truth.poses.enumerated().dropFirst(40).map {
            StampedPose(timestamp: $1.timestamp, worldFromBody: change($0, $1.worldFromBody))
        }
        return Trajectory(poses, states: states, mode: "tracked")
    }

    @Test func timesAddUp() throws {
        let evaluation = try Evaluation(of: estimate(), against: windingWay(200))
        let states = try #require(evaluation.states)
        #expect(states.states.map(\.name) == ["limited(insufficientFeatures)", "normal", "notAvailable"])
        #expect(states.states.map(\.frameCount) == [20, 140, 40])
        // The last frame lasts no time: nothing comes after it.
        expectClose(states.states.map(\.seconds).reduce(0, +), 9.95, tolerance: 1e-9)
        expectClose(states.states[2].seconds, 2, tolerance: 1e-9)
        #expect(states.fraction(of: "normal") == 0.7 && states.fraction(of: "lost") == 0)
        #expect(states.firstNormal == 2 && evaluation.firstPose == 2)
        #expect(evaluation.frameCount == 200 && evaluation.poseCount == 160 && evaluation.mode == "tracked")
        #expect(evaluation.matches.pairs.count == 160)
        #expect(evaluation.wrongWhileNormal == WrongWhileNormal.none)
    }

    @Test func wrongPosesCountWhileTheyAreCalledNormal() throws {
        // Off by 6 cm in frames 100–129: twenty are normal, ten limited; turned by 3° in frames 160 and 161.
        let wrong = estimate { index, pose in
            switch index {
            case 100..<130: RigidTransform(rotation: pose.rotation, translation: pose.translation + Vector3(0, 0.06, 0))
            case 160...161: pose * RigidTransform(rotation: Rotation(rotationVector: Vector3(3 * .pi / 180, 0, 0)))
            default: pose
            }
        }
        var options = EvaluationOptions()
        options.alignment = .origin
        let found = try #require(try Evaluation(of: wrong, against: windingWay(200), options).wrongWhileNormal)
        #expect(found.frameCount == 22)
        expectClose(found.seconds, 1.1, tolerance: 1e-9)
        expectClose(found.longestSeconds, 1, tolerance: 1e-9)
        options.wrongBeyond = WrongPoseLimits(metres: 0.07, radians: 4 * .pi / 180)
        #expect(try Evaluation(of: wrong, against: windingWay(200), options).wrongWhileNormal?.frameCount == 0)
    }

    /// A tracker that is lost for a while, far off, and says so, is not wrong before and after; one that comes back elsewhere is.
    /// What interrupts wrong poses counts as an interruption, compared or not.
    @Test(arguments: [false, true]) func posesThatClaimNothingMakeNoneWrong(normalOnly: Bool) throws {
        func found(offBy metres: Double, in frames: Range<Int>) throws -> WrongWhileNormal {
            let trajectory = estimate { index, pose in
                switch index {
                case 120..<140: RigidTransform(translation: Vector3(0, 2, 0)) * pose
                case frames: RigidTransform(translation: Vector3(0, metres, 0)) * pose
                default: pose
                }
            }
            var options = EvaluationOptions()
            options.comparesNormalPosesOnly = normalOnly
            let evaluation = try Evaluation(of: trajectory, against: windingWay(200), options)
            if frames.isEmpty { #expect((evaluation.truthFromNormal * Point3.zero).length < 1e-9) }
            return try #require(evaluation.wrongWhileNormal)
        }
        #expect(try found(offBy: 0, in: 0..<0).frameCount == 0)
        // The mean of 140 poses, of which 60 are off by half a metre, is off by more than the limit from all of them.
        let comesBackElsewhere = try found(offBy: 0.5, in: 140..<200)
        #expect(comesBackElsewhere.frameCount == 140)
        expectClose(comesBackElsewhere.longestSeconds, 4, tolerance: 1e-9)
        #expect(comesBackElsewhere.longestSeconds < comesBackElsewhere.seconds)
    }

    /// Where only normal poses are compared, what others err by is no error, each covariance stays with its pose, and time still
    /// counts from the first frame.
    @Test func normalPosesAloneAreCompared() throws {
        let wrong = estimate { index, pose in
            (120..<140).contains(index) ? RigidTransform(translation: Vector3(0, 5, 0)) * pose : pose
        }
        let claims = wrong.poses.indices.map { place in
            let block = Matrix3x3(diagonal: Vector3(repeating: Double(place + 1)))
            return (
                place,
                Matrix6x6(
                    translationByTranslation: block, translationByRotation: .zero, rotationByTranslation: .zero,
                    rotationByRotation: block)
            )
        }
        let claiming = Trajectory(
            wrong.poses, states: wrong.states, covariances: Dictionary(uniqueKeysWithValues: claims), mode: wrong.mode)
        var options = EvaluationOptions()
        #expect(try Evaluation(of: claiming, against: windingWay(200), options).position.maximum > 1)
        options.comparesNormalPosesOnly = true
        let evaluation = try Evaluation(of: claiming, against: windingWay(200), options)
        #expect(evaluation.position.maximum < 1e-9)
        #expect(evaluation.frameCount == 200 && evaluation.poseCount == 140 && evaluation.firstPose == 2)
        // Covariances count from where tracking began: the first pose that has one, which is laid on the truth.
        #expect(evaluation.normalizedErrors.count == 139)
        // Here that is not normal.
        var begun = claiming.states
        begun[40].state = "limited(initializing)"
        let displaced = Trajectory(
            claiming.poses.enumerated().map { place, pose in
                place == 0
                    ? StampedPose(
                        timestamp: pose.timestamp,
                        worldFromBody: RigidTransform(translation: Vector3(0, 3, 0)) * pose.worldFromBody) : pose
            }, states: begun, covariances: claiming.covariances, mode: claiming.mode)
        let since = try Evaluation(of: displaced, against: windingWay(200), options)
        #expect(since.position.maximum < 1e-9 && since.normalizedErrors.count == 139)
        #expect(since.normalizedErrors.allSatisfy { $0.position > 0.01 })
        // One that looks for its place in the world claims nothing of it.
        options.comparesNormalPosesOnly = false
        let lost = Trajectory(
            claiming.poses,
            states: claiming.states.enumerated().map { index, state in
                StampedState(
                    timestamp: state.timestamp,
                    state: (120..<140).contains(index) ? StampedState.relocalizing : state.state)
            }, covariances: claiming.covariances, mode: claiming.mode)
        let claimed = try Evaluation(of: lost, against: windingWay(200), options).normalizedErrors
        #expect(claimed.count == 139 && claimed.allSatisfy { $0.position < 1e-9 })
        let normal = claiming.whileNormal
        let former = try normal.poses.map { pose in
            try #require(claiming.poses.firstIndex { $0.timestamp == pose.timestamp })
        }
        #expect(normal.poses.indices.allSatisfy { normal.covariances[$0] == claiming.covariances[former[$0]] })
        #expect(windingWay().whileNormal == windingWay())
    }

    /// A tracker that never was normal claims nothing, and there is nothing to compare.
    @Test func whatWasNeverNormalCannotBeCompared() {
        let lost = Trajectory(
            windingWay(20).poses,
            states: windingWay(20).poses.map { StampedState(timestamp: $0.timestamp, state: "notAvailable") })
        var options = EvaluationOptions()
        options.comparesNormalPosesOnly = true
        #expect(throws: EvaluationError.self) { try Evaluation(of: lost, against: windingWay(20), options) }
    }

    @Test func bareTrajectoriesHaveNoStates() throws {
        let evaluation = try Evaluation(of: windingWay(), against: windingWay())
        #expect(evaluation.states == nil && evaluation.wrongWhileNormal == nil && evaluation.consistency == nil)
        #expect(evaluation.frameCount == 200)
    }
}

extension WrongWhileNormal {
    /// No frame.
    fileprivate static var none: WrongWhileNormal? {
        let still = windingWay(2)
        let states = still.poses.map { StampedState(timestamp: $0.timestamp, state: "normal") }
        return try? Evaluation(of: Trajectory(still.poses, states: states), against: still, .byOrigin).wrongWhileNormal
    }
}

extension EvaluationOptions {
    fileprivate static var byOrigin: EvaluationOptions {
        var options = EvaluationOptions()
        options.alignment = .origin
        return options
    }
}
