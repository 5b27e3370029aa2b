// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

/// The pose with which most sights agree, by random pairs (Fischler, Bolles 1981, "Random sample consensus"; scores after
/// Torr, Zisserman 2000, "MLESAC").
///
/// The attitude is trusted here; what it is wrong by bends the picture, so that sights may be several pixels off.
struct PlaceConsensus {
    private let sights: [LevelPose.Sight]
    /// The angle within which a sight agrees, as a squared sine.
    private let squaredLimit: Double

    /// With this probability a pair of true sights is drawn.
    private static let confidence = 0.9999
    private static let mostDraws = 600

    init(_ sights: [PlaceSight], levelFromOptical: Rotation, limitRadians: Double) {
        self.sights = sights.map {
            LevelPose.Sight(directionInLevel: levelFromOptical * $0.direction, pointInWorld: $0.pointInWorld)
        }
        squaredLimit = limitRadians * limitRadians
    }

    /// worldFromLevel, or `nil` where no pair gives a pose.
    func bestPose(random: inout SeededRandom) -> RigidTransform? {
        guard sights.count >= 2 else { return nil }
        var best: (cost: Double, worldFromLevel: RigidTransform)?
        var draws = 0
        var enough = Double(Self.mostDraws)
        while Double(draws) < enough {
            draws += 1
            let first = draw(sights.count, &random)
            var second = draw(sights.count - 1, &random)
            if second >= first { second += 1 }
            let poses = LevelPose.worldFromLevel(sights[first], sights[second])
            for case let pose? in [poses.0, poses.1] {
                let (cost, agreeing) = score(pose, below: best?.cost ?? .infinity)
                guard cost < best?.cost ?? .infinity else { continue }
                best = (cost, pose)
                let share = Double(agreeing) / Double(sights.count)
                enough = min(enough, log(1 - Self.confidence) / log(max(1 - share * share, 1e-12)))
            }
        }
        return best?.worldFromLevel
    }

    /// How many sights agree with a pose.
    func support(of worldFromLevel: RigidTransform) -> Int { score(worldFromLevel, below: .infinity).agreeing }

    private func draw(_ count: Int, _ random: inout SeededRandom) -> Int { Int(random.next() % UInt64(count)) }

    /// The sum of the squared errors, those of sights that do not agree cut off; no further than it matters.
    private func score(_ worldFromLevel: RigidTransform, below limit: Double) -> (cost: Double, agreeing: Int) {
        let levelFromWorld = worldFromLevel.inverse
        var (cost, agreeing) = (0.0, 0)
        for sight in sights {
            let point = levelFromWorld * sight.pointInWorld
            let error = sight.directionInLevel.cross(point).squaredLength / max(point.squaredLength, 1e-12)
            if error < squaredLimit, sight.directionInLevel.dot(point) > 0 {
                agreeing += 1
                cost += error
            } else {
                cost += squaredLimit
            }
            if cost >= limit { break }
        }
        return (cost, agreeing)
    }
}
