// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Two places in a list of poses between which a relative error is taken.
public struct PosePair: Hashable, Sendable {
    /// The place where the way begins.
    public var first: Int
    /// The place where it ends.
    public var second: Int

    /// Two places.
    public init(_ first: Int, _ second: Int) { (self.first, self.second) = (first, second) }
}

/// How far apart the two poses of a pair are.
public enum PairSpan: Hashable, Sendable {
    /// By that many poses.
    case frames(Int)
    /// By that many metres of way.
    case metres(Double)
    /// By a turn of that many radians: with all pairs the angle between the two, else the turns from pose to pose added up.
    case radians(Double)
    /// By that many seconds. (evo has no such span.)
    case seconds(Double)
}

extension PairSpan {
    /// The pairs of a list of poses that are this far apart.
    ///
    /// One after the other, each pair begins where the last one ended, at the first pose, and ends at the first pose that is
    /// at least as far away. With all pairs every pose begins one: it ends at the pose whose distance is nearest to the
    /// span (all whose angle is near enough, for `radians`: that takes time that grows with the square of the number of
    /// poses), and is left out where that differs by more than the tolerance.
    /// - Parameter tolerance: the part of the span by which pairs may differ from it; only with all pairs.
    /// - Reference: evo 1.38, by experiment. Laws: `EvoTests.digits`, `PosePairTests`.
    public func pairs(
        of poses: [RigidTransform], at instants: [Timestamp], all: Bool = false, tolerance: Double = 0.1
    ) -> [PosePair] {
        switch self {
        case .frames(let count): return Self.pairs(count: poses.count, apart: count, all: all)
        case .metres(let length):
            if all { return Self.nearestPairs(poses.pathLengths, apart: length, tolerance: tolerance * length) }
            return Self.chain(count: poses.count, apart: length) {
                (poses[$0 + 1].translation - poses[$0].translation).length
            }
        case .radians(let angle):
            if all { return Self.pairs(of: poses, turned: angle, tolerance: tolerance * angle) }
            return Self.chain(count: poses.count, apart: angle) { poses[$0].rotation.angle(to: poses[$0 + 1].rotation) }
        case .seconds(let duration):
            // In whole nanoseconds, whose sums are exact.
            guard let start = instants.first else { return [] }
            let (times, apart) = (instants.map { Double($0.nanoseconds(since: start)) }, duration * 1e9)
            if all { return Self.nearestPairs(times, apart: apart, tolerance: tolerance * apart) }
            return Self.chain(count: poses.count, apart: apart) { times[$0 + 1] - times[$0] }
        }
    }

    private static func pairs(count: Int, apart: Int, all: Bool) -> [PosePair] {
        precondition(apart > 0, "poses of a pair are at least one frame apart, not \(apart)")
        return stride(from: 0, to: count - apart, by: all ? 1 : apart).map { PosePair($0, $0 + apart) }
    }

    /// Pairs one after the other; `step` says how far the next pose is.
    private static func chain(count: Int, apart: Double, step: (Int) -> Double) -> [PosePair] {
        var pairs: [PosePair] = []
        var start = 0
        var distance = 0.0
        for index in 0..<max(count - 1, 0) {
            distance += step(index)
            guard distance >= apart else { continue }
            pairs.append(PosePair(start, index + 1))
            start = index + 1
            distance = 0
        }
        return pairs
    }

    /// For each place the first of the later ones whose distance is nearest to `apart`.
    private static func nearestPairs(_ distances: [Double], apart: Double, tolerance: Double) -> [PosePair] {
        var pairs: [PosePair] = []
        var beyond = 1
        for first in distances.indices.dropLast() {
            let error = { (place: Int) in abs(distances[place] - distances[first] - apart) }
            beyond = max(beyond, first + 1)
            while beyond < distances.count, distances[beyond] - distances[first] < apart { beyond += 1 }
            var nearest = beyond
            if beyond > first + 1, beyond == distances.count || error(beyond - 1) <= error(beyond) {
                nearest = beyond - 1
                while nearest > first + 1, distances[nearest - 1] == distances[nearest] { nearest -= 1 }
            }
            if error(nearest) <= tolerance { pairs.append(PosePair(first, nearest)) }
        }
        return pairs
    }

    private static func pairs(of poses: [RigidTransform], turned angle: Double, tolerance: Double) -> [PosePair] {
        // |q₁·q₂| = cos(θ/2) falls with the angle: one inner product decides.
        let bounds = cos(min(angle + tolerance, .pi) / 2)...cos(max(angle - tolerance, 0) / 2)
        let quaternions = poses.map(\.rotation.coefficients)
        var pairs: [PosePair] = []
        for first in quaternions.indices {
            for second in quaternions.indices[(first + 1)...]
            where bounds.contains(abs(quaternions[first].dot(quaternions[second]))) {
                pairs.append(PosePair(first, second))
            }
        }
        return pairs
    }
}
