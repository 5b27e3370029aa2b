// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct ChiSquaredTests {
    /// The values of scipy.stats.chi2.ppf (SciPy 1.17).
    @Test(arguments: [
        (0.95, 3, 7.814727903251179), (0.025, 6, 1.2373442457912027), (0.975, 6, 14.44937533544792),
        (0.5, 1, 0.454936423119572), (0.975, 30, 46.97924224367115), (0.025, 600, 534.0185504659327),
        (0.975, 600, 669.7691522164112), (1e-6, 2, 2.0000010000006676e-06), (0.999999, 15, 56.49344249969959),
    ]) func quantiles(_ probability: Double, _ degrees: Int, _ expected: Double) {
        let distribution = ChiSquared(degreesOfFreedom: degrees)
        expectClose(distribution.quantile(probability), expected, tolerance: 1e-10, scale: expected)
        expectClose(distribution.probability(upTo: expected), probability, tolerance: 1e-12)
    }

    /// Of two variables the distribution is 1 − exp(−x/2).
    @Test func twoDegreesOfFreedomInClosedForm() {
        for x in stride(from: 0.01, to: 60, by: 0.37) {
            expectClose(ChiSquared(degreesOfFreedom: 2).probability(upTo: x), 1 - exp(-x / 2), tolerance: 1e-14)
        }
    }
}

@Suite struct ConsistencyTests {
    /// Lower triangles of a random covariance's root: P = L Lᵀ, some millimetres and milliradians.
    private struct Spread {
        let covariance: Matrix6x6
        private let rows: [[Double]]

        init(_ random: inout TestRandom) {
            let scale = [0.01, 0.02, 0.005, 0.002, 0.004, 0.001]
            var rows: [[Double]] = []
            for row in 0..<6 {
                rows.append((0..<6).map { $0 > row ? 0 : scale[row] * ($0 == row ? 1 : random.uniform(-0.7...0.7)) })
            }
            func block(_ r: Int, _ c: Int) -> Matrix3x3 {
                var block = Matrix3x3.zero
                for i in 0..<3 {
                    for j in 0..<3 { block[j, i] = zip(rows[r + i], rows[c + j]).reduce(0) { $0 + $1.0 * $1.1 } }
                }
                return block
            }
            self.rows = rows
            covariance = Matrix6x6(
                translationByTranslation: block(0, 0), translationByRotation: block(0, 3),
                rotationByTranslation: block(3, 0), rotationByRotation: block(3, 3))
        }

        /// An error with this covariance.
        func sample(_ random: inout TestRandom) -> (δp: Vector3, δθ: Vector3) {
            let white = (0..<6).map { _ in random.normal() }
            let e = rows.map { zip($0, white).reduce(0) { $0 + $1.0 * $1.1 } }
            return (Vector3(e[0], e[1], e[2]), Vector3(e[3], e[4], e[5]))
        }
    }

    /// A run whose poses err as its covariances say, times a factor; the first of them is exact. Poses before it have no
    /// covariance, and are anywhere.
    private func run(
        _ number: Int, errors factor: Double = 1, claimingFrom first: Int = 0, _ test: String = #function
    ) throws -> Evaluation {
        var random = TestRandom(case: number, test)
        let truth = windingWay(400)
        var covariances = [first: Matrix6x6.zero]
        var poses = truth.poses
        for index in 0..<first { poses[index].worldFromBody.translation += random.vector3() }
        for index in poses.indices.dropFirst(first + 1) {
            let spread = Spread(&random)
            let (δp, δθ) = spread.sample(&random)
            let pose = poses[index].worldFromBody
            // The truth is (p + δp, Exp(δθ) R).
            poses[index].worldFromBody = RigidTransform(
                rotation: Rotation(rotationVector: -factor * δθ) * pose.rotation,
                translation: pose.translation - factor * δp)
            covariances[index] = spread.covariance
        }
        // The estimate's world has its own heading and place.
        let estimate = Trajectory(poses, covariances: covariances).moved(by: random.yawAndPlace())
        return try Evaluation(of: estimate, against: truth)
    }

    @Test func normalizedErrorsOfSamples() throws {
        let consistency = try #require(try run(0).consistency)
        #expect(consistency.instantCount == 399)
        // Means of 399 samples of variance 2d: three standard deviations.
        expectClose(consistency.position.mean, 3, tolerance: 3 * (6.0 / 399).squareRoot())
        expectClose(consistency.orientation.mean, 3, tolerance: 3 * (6.0 / 399).squareRoot())
        expectClose(consistency.pose.mean, 6, tolerance: 3 * (12.0 / 399).squareRoot())
        // 95 % within three standard deviations of a binomial share.
        expectClose(consistency.pose.insideFraction, 0.95, tolerance: 3 * (0.95 * 0.05 / 399).squareRoot())
    }

    /// A pose without a covariance claims nothing, and what follows need not agree with it.
    @Test func posesBeforeTheFirstClaimDoNotCount() throws {
        let consistency = try #require(try run(0, claimingFrom: 20).consistency)
        #expect(consistency.instantCount == 379)
        expectClose(consistency.pose.mean, 6, tolerance: 3 * (12.0 / 379).squareRoot())
    }

    @Test func averagesLieWithinTheirBounds() throws {
        let runs = try (0..<5).map { EvaluationReport.Run(name: "\($0)", evaluation: try run($0)) }
        let consistency = try #require(EvaluationReport(runs).consistency)
        #expect(consistency.runCount == 5)
        let whole = ChiSquared(degreesOfFreedom: 30).bounds(holding: 0.95)
        expectClose(consistency.pose.bounds.upperBound, whole.upperBound / 5, tolerance: 1e-12)
        for part in [consistency.position, consistency.orientation, consistency.pose] {
            expectClose(part.insideFraction, 0.95, tolerance: 3 * (0.95 * 0.05 / 399).squareRoot())
        }
    }

    @Test func tooMuchConfidenceIsSeen() throws {
        let consistency = try #require(try run(0, errors: 2).consistency)
        expectClose(consistency.pose.mean, 24, tolerance: 4 * 3 * (12.0 / 399).squareRoot())
        #expect(consistency.pose.aboveFraction > 0.6)
        let shy = try #require(try run(0, errors: 0.3).consistency)
        #expect(shy.pose.insideFraction < 0.3 && shy.pose.aboveFraction == 0)
    }

    @Test func singularCovariancesAreLeftOut() {
        #expect(
            NormalizedError(
                timestamp: Timestamp(nanoseconds: 0), worldFromBody: .identity, truth: .identity, covariance: .zero)
                == nil)
        var indefinite = Matrix6x6.identity
        indefinite.rotationByRotation = Matrix3x3(diagonal: Vector3(1, -1, -1))
        #expect(
            NormalizedError(
                timestamp: Timestamp(nanoseconds: 0), worldFromBody: .identity, truth: .identity, covariance: indefinite
            )
                == nil)
    }

    @Test func runsAreJoinedAtTheirCommonInstants() throws {
        func errors(_ milliseconds: [Int64]) -> [NormalizedError] {
            milliseconds.compactMap {
                NormalizedError(
                    timestamp: Timestamp(nanoseconds: $0 * 1_000_000), worldFromBody: .identity,
                    truth: RigidTransform(translation: Vector3(1, 0, 0)), covariance: .identity)
            }
        }
        let zero = Timestamp(nanoseconds: 0)
        let later = Timestamp(nanoseconds: 50_000_000)
        let consistency = Consistency([errors([0, 50, 100]), errors([50, 110, 150, 200])], origins: [zero, later])
        #expect(try #require(consistency).instantCount == 2)
        #expect(try #require(consistency).position.mean == 1)
        #expect(Consistency([errors([0]), errors([10])], origins: [zero, zero]) == nil)
        #expect(Consistency([[]], origins: [zero]) == nil)
    }
}

@Suite struct TrajectoryTests {
    /// The covariance of a moved trajectory is that of moved samples, to first order.
    @Test(arguments: 0..<10) func covariancesFollowTheirFrames(number: Int) throws {
        var random = TestRandom(case: number)
        let pose = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let newFromOld = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let bodyFromOther = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        // The covariance of one direction: e eᵀ with a small error e.
        let (δp, δθ) = (random.vector3(), random.vector3())
        let outer = Matrix6x6(
            translationByTranslation: .outerProduct(δp, δp), translationByRotation: .outerProduct(δp, δθ),
            rotationByTranslation: .outerProduct(δθ, δp), rotationByRotation: .outerProduct(δθ, δθ))
        let size = 1e-6
        let truth = RigidTransform(
            rotation: Rotation(rotationVector: size * δθ) * pose.rotation, translation: pose.translation + size * δp)
        func trajectory(_ pose: RigidTransform) -> Trajectory {
            Trajectory(
                [StampedPose(timestamp: Timestamp(nanoseconds: 0), worldFromBody: pose)], covariances: [0: outer])
        }
        for change in [{ $0.moved(by: newFromOld) }, { $0.asSeen(from: bodyFromOther) }] as [(Trajectory) -> Trajectory]
        {
            let (moved, movedTruth) = (change(trajectory(pose)), change(trajectory(truth)))
            let (a, b) = (moved.transforms[0], movedTruth.transforms[0])
            let p = (1 / size) * (b.translation - a.translation)
            let θ = (1 / size) * (b.rotation * a.rotation.inverse).rotationVector
            let covariance = try #require(moved.covariances[0])
            // First order: what is left is of the size of the error.
            expectClose(covariance.translationByTranslation, .outerProduct(p, p), tolerance: 1e-4)
            expectClose(covariance.translationByRotation, .outerProduct(p, θ), tolerance: 1e-4)
            expectClose(covariance.rotationByTranslation, .outerProduct(θ, p), tolerance: 1e-4)
            expectClose(covariance.rotationByRotation, .outerProduct(θ, θ), tolerance: 1e-4)
        }
    }

    @Test func anotherBodyHasTheSameErrorsOnceItIsTheSame() throws {
        var random = TestRandom()
        let truth = windingWay()
        let bodyFromCamera = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let estimate = truth.asSeen(from: bodyFromCamera)
        #expect(try Evaluation(of: estimate, against: truth).position.rmse > 1e-2)
        #expect(try Evaluation(of: estimate, against: truth.asSeen(from: bodyFromCamera)).position.rmse < 1e-12)
    }
}
