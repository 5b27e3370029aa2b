// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@Suite struct ErrorStatisticsTests {
    @Test func figuresOfFour() throws {
        let s = try #require(ErrorStatistics([4, 1, 3, 2]))
        #expect(s.count == 4 && s.mean == 2.5 && s.median == 2.5 && s.minimum == 1 && s.maximum == 4)
        #expect(s.sumOfSquares == 30 && s.rmse == 7.5.squareRoot() && s.standardDeviation == 1.25.squareRoot())
        #expect(ErrorStatistics([3, 1, 2])?.median == 2)
        #expect(ErrorStatistics([]) == nil)
    }

    @Test func unitsOfSquaresAreSquared() throws {
        var random = TestRandom()
        let errors = (0..<50).map { _ in random.uniform(0...1) }
        let scaled = try #require(ErrorStatistics(errors)).scaled(by: 3)
        let expected = try #require(ErrorStatistics(errors.map { $0 * 3 }))
        expectClose(scaled.sumOfSquares, expected.sumOfSquares, tolerance: 1e-12)
        expectClose(scaled.standardDeviation, expected.standardDeviation, tolerance: 1e-12)
        expectClose(scaled.rmse, expected.rmse, tolerance: 1e-12)
    }
}

@Suite struct PoseErrorTests {
    @Test(arguments: 0..<20) func normsAreThoseOfMatrices(number: Int) {
        var random = TestRandom(case: number)
        let (truth, error) = (random.rigidTransform(), random.rigidTransform())
        let r = error.rotation.matrix
        let squares = (0..<3).reduce(0.0) {
            $0 + (r[$1] - Matrix3x3.identity[$1]).squaredLength
        }
        func size(_ part: PoseErrorPart) -> Double { absoluteErrors(of: [truth * error], against: [truth], part)[0] }
        // The translation goes there and back through the truth's, of up to 1 km.
        expectClose(size(.translation), error.translation.length, tolerance: 1e-12, scale: 1000)
        expectClose(size(.angle), error.rotation.angle, tolerance: 1e-12)
        expectClose(size(.rotation), squares.squareRoot(), tolerance: 1e-12)
        expectClose(
            size(.full), (squares + error.translation.squaredLength).squareRoot(), tolerance: 1e-12, scale: 1000)
    }

    @Test func relativeErrorsForgetWhatWasBefore() throws {
        var random = TestRandom()
        let truth = windingWay().transforms
        let jump = random.rigidTransform()
        let estimate = truth.enumerated().map { $0 < 100 ? $1 : jump * $1 }
        let pairs = PairSpan.frames(1).pairs(of: truth, at: windingWay().poses.map(\.timestamp))
        let errors = relativeErrors(of: estimate, against: truth, over: pairs, .translation)
        #expect(errors.count { $0 > 1e-9 } == 1)
        #expect(errors[99] > 1e-9)
    }
}

@Suite struct PosePairTests {
    private let instants = windingWay().poses.map(\.timestamp)

    /// Every pose with every later one, compared one by one.
    private func nearest(_ distances: [Double], _ span: Double, _ tolerance: Double) -> [PosePair] {
        distances.indices.dropLast().compactMap { first in
            let best = distances.indices[(first + 1)...].min {
                abs(distances[$0] - distances[first] - span) < abs(distances[$1] - distances[first] - span)
            }!
            return abs(distances[best] - distances[first] - span) <= tolerance ? PosePair(first, best) : nil
        }
    }

    @Test(arguments: 0..<20) func allPairsAreTheNearestOnes(number: Int) {
        var random = TestRandom(case: number)
        // Steps of zero among them: several poses are then as near.
        let steps = (0..<60).map { _ in max(0, random.uniform(-0.3...1)) }
        var distances = [0.0]
        for step in steps { distances.append(distances.last! + step) }
        let poses = distances.map { RigidTransform(translation: Vector3($0, 0, 0)) }
        let stamps = poses.indices.map { Timestamp(nanoseconds: Int64($0)) }
        for span in [0.1, 1, 2.5, 100] {
            #expect(
                PairSpan.metres(span).pairs(of: poses, at: stamps, all: true, tolerance: 0.2)
                    == nearest(distances, span, 0.2 * span))
        }
    }

    @Test func chainsGoOnWhereTheyEnded() {
        let poses = windingWay().transforms
        let lengths = zip(poses, poses.dropFirst()).map { ($1.translation - $0.translation).length }
        let pairs = PairSpan.metres(0.5).pairs(of: poses, at: instants)
        #expect(pairs.first?.first == 0)
        for (a, b) in zip(pairs, pairs.dropFirst()) { #expect(a.second == b.first) }
        for pair in pairs {
            #expect(lengths[pair.first..<pair.second].reduce(0, +) >= 0.5)
            #expect(lengths[pair.first..<(pair.second - 1)].reduce(0, +) < 0.5)
        }
    }

    @Test func secondsAreExact() {
        let poses = windingWay().transforms
        for all in [false, true] {
            let pairs = PairSpan.seconds(0.7).pairs(of: poses, at: instants, all: all, tolerance: 0.01)
            #expect(pairs == PairSpan.frames(14).pairs(of: poses, at: instants, all: all))
        }
    }

    @Test func tooShortTrajectoriesHaveNoPairs() {
        for span in [PairSpan.frames(5), .metres(1), .radians(1), .seconds(1)] {
            for count in 0...2 {
                for all in [false, true] {
                    let poses = [RigidTransform](repeating: .identity, count: count)
                    #expect(span.pairs(of: poses, at: Array(instants.prefix(count)), all: all) == [])
                }
            }
        }
    }
}

@Suite struct DriftTests {
    @Test func aWrongScaleDriftsByItsError() throws {
        // On a straight way a piece of length L is 2 % too long.
        let truth = windingWay().mapPoses { index, _ in RigidTransform(translation: Vector3(0.1 * Double(index), 0, 0))
        }
        let estimate = truth.moved(by: Similarity(scale: 1.02))
        let drift = try #require(
            Drift(of: estimate.transforms, against: truth.transforms, at: truth.poses.map(\.timestamp)))
        expectClose(drift.metresPerMetre, 0.02, tolerance: 1e-9)
        expectClose(drift.metresPerSecond, 0.04, tolerance: 1e-9)
        expectClose(drift.radiansPerMetre, 0, tolerance: 1e-9)
    }

    @Test func aTurningHeadingDriftsByItsRate() throws {
        let truth = windingWay()
        let estimate = truth.mapPoses {
            RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0, 1e-4 * Double($0), 0)) * $1.rotation,
                translation: $1.translation)
        }
        let drift = try #require(
            Drift(of: estimate.transforms, against: truth.transforms, at: truth.poses.map(\.timestamp)))
        expectClose(drift.radiansPerSecond, 2e-3, tolerance: 1e-12)
        let still = truth.mapPoses { _, _ in .identity }
        #expect(Drift(of: estimate.transforms, against: still.transforms, at: truth.poses.map(\.timestamp)) == nil)
    }
}
