// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation
import TestSupport
import Testing

@testable import ARVision

@Suite struct MotionConsensusTests {
    private static let pixelAngle = 1.0 / 480

    /// Directions to points of a cloud before and after a camera's motion, with noise of that many of their levels' pixels.
    private struct Views {
        var old: [Vector3] = []
        var new: [Vector3] = []
        /// On which level of a picture's pyramid each point is seen.
        let levels: [Int]

        init(
            count: Int, turn: Rotation, translation: Vector3, noisePixels: Double = 0.1, levels: [Int]? = nil,
            _ random: inout TestRandom
        ) {
            self.levels = levels ?? [Int](repeating: 0, count: count)
            while old.count < count {
                let depth = random.uniform(0.5...6)
                let point = Vector3(random.uniform(-0.6...0.6) * depth, random.uniform(-0.45...0.45) * depth, depth)
                let levelPixel = MotionConsensusTests.pixelAngle * Double(1 << self.levels[old.count])
                let noise = random.vector3() * (noisePixels * levelPixel)
                guard let u = point.normalized(), let v = (turn * (point - translation)).normalized(),
                    let noisy = (v + noise).normalized()
                else { continue }
                old.append(u)
                new.append(noisy)
            }
        }

        /// Moves the first points by that many pixels, across the way that they went.
        mutating func moveFirst(_ count: Int, byPixels pixels: Double, _ random: inout TestRandom) {
            for index in 0..<count {
                let push = random.direction() * (pixels * MotionConsensusTests.pixelAngle)
                new[index] = (new[index] + push - new[index] * push.dot(new[index])).normalized() ?? new[index]
            }
        }

        func inliers(turn: Rotation?) -> [Bool] {
            var random = SeededRandom(seed: 1, purpose: "test")
            return MotionConsensus(
                from: old.map { (turn ?? .identity) * $0 }, to: new,
                pixelAngles: levels.map { MotionConsensusTests.pixelAngle * Double(1 << $0).squareRoot() },
                limitPixels: 1
            ).inliers(isTurnKnown: turn != nil, random: &random)
        }
    }

    private static let turn = Rotation(rotationVector: Vector3(0.02, -0.05, 0.03))

    @Test(arguments: [true, false], [Vector3(0.05, 0, 0), Vector3(0.01, -0.02, 0.08), Vector3(-0.03, 0.04, -0.02)])
    func allPointsOfARigidSceneAreKept(isTurnKnown: Bool, translation: Vector3) {
        var random = TestRandom()
        let views = Views(count: 150, turn: Self.turn, translation: translation, &random)
        let inliers = views.inliers(turn: isTurnKnown ? Self.turn : nil)
        #expect(inliers.count { $0 } >= 148)
    }

    @Test(arguments: [true, false]) func pointsThatMoveOtherwiseAreFound(isTurnKnown: Bool) {
        var random = TestRandom()
        var views = Views(count: 150, turn: Self.turn, translation: Vector3(0.05, 0.01, 0), &random)
        views.moveFirst(40, byPixels: 12, &random)
        let inliers = views.inliers(turn: isTurnKnown ? Self.turn : nil)
        // One in five is pushed so nearly along its epipolar line that nobody could tell.
        #expect(inliers.prefix(40).count { !$0 } >= 30)
        #expect(inliers.dropFirst(40).count { $0 } >= 103)
    }

    /// Beside points of the picture's own level such as are seen on the third coarser one: each is judged by what it is seen
    /// with.
    @Test(arguments: [true, false]) func pointsOfCoarseLevelsAreJudgedByTheirOwnPixels(isTurnKnown: Bool) {
        var random = TestRandom()
        let levels = (0..<120).map { $0 < 90 ? 0 : 3 }
        var views = Views(
            count: 120, turn: Self.turn, translation: Vector3(0.05, 0.01, 0), noisePixels: 0.2, levels: levels, &random)
        views.moveFirst(20, byPixels: 12, &random)
        let inliers = views.inliers(turn: isTurnKnown ? Self.turn : nil)
        #expect(inliers.prefix(20).count { !$0 } >= 15)
        #expect(inliers[20..<90].count { $0 } >= 68)
        #expect(inliers[90...].count { $0 } >= 30)
    }

    @Test(arguments: [true, false]) func nothingIsLostAtRestNorInAPureTurn(isTurnKnown: Bool) {
        var random = TestRandom()
        for turn in [Rotation.identity, Self.turn] {
            let views = Views(count: 120, turn: turn, translation: .zero, noisePixels: 0.3, &random)
            #expect(views.inliers(turn: isTurnKnown ? turn : nil).allSatisfy { $0 })
        }
    }

    /// A gyroscope's bias of 0.1 rad/s at 30 Hz, or a mounting that is crooked by 3° in a fast turn: 3 mrad, 1.6 px.
    @Test func aTurnThatIsSlightlyWrongMakesNoOutliers() {
        var random = TestRandom()
        for _ in 0..<10 {
            let error = Rotation(rotationVector: random.direction() * 0.0033)
            let views = Views(count: 150, turn: Self.turn, translation: Vector3(0.03, 0.02, 0.01), &random)
            #expect(views.inliers(turn: error * Self.turn).count { $0 } >= 143)
        }
    }

    @Test func fewPointsSayNothing() {
        var random = TestRandom()
        for count in 0..<10 {
            var views = Views(count: count, turn: Self.turn, translation: Vector3(0.05, 0, 0), &random)
            views.moveFirst(count / 2, byPixels: 30, &random)
            #expect(views.inliers(turn: Self.turn) == [Bool](repeating: true, count: count))
        }
    }

    @Test func whereNothingAgreesNothingIsLost() {
        var random = TestRandom()
        let old = (0..<100).map { _ in random.direction() }
        let new = (0..<100).map { _ in random.direction() }
        var seeded = SeededRandom(seed: 1, purpose: "test")
        let consensus = MotionConsensus(
            from: old, to: new, pixelAngles: old.map { _ in Self.pixelAngle }, limitPixels: 1)
        #expect(consensus.inliers(isTurnKnown: false, random: &seeded).allSatisfy { $0 })
    }
}
