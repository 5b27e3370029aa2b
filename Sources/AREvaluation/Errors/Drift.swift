// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// How fast an estimate runs away from the truth: relative errors over pieces of the way, by their lengths and durations.
///
/// The pieces begin at every pose and are 10, 20, 30, 40 and 50 % of the whole way long, as the truth has it; the figures
/// are means over all pieces. - Reference: Zhang and Scaramuzza 2018, section IV-B; Geiger et al. 2012, "Are we ready for
/// autonomous driving?", section 3.1. Law: `DriftTests`.
public struct Drift: Hashable, Sendable {
    /// Metres of displacement a metre of way.
    public var metresPerMetre: Double
    /// Metres of displacement a second.
    public var metresPerSecond: Double
    /// Radians of turn a metre of way.
    public var radiansPerMetre: Double
    /// Radians of turn a second.
    public var radiansPerSecond: Double
    /// The number of pieces.
    public var pieceCount: Int

    /// The lengths of the pieces as parts of the whole way.
    static let parts = [0.1, 0.2, 0.3, 0.4, 0.5]

    /// The drift of an estimate, or `nil` where the truth does not move.
    public init?(of estimate: [RigidTransform], against truth: [RigidTransform], at instants: [Timestamp]) {
        let way = truth.pathLengths
        guard let length = way.last, length > 0 else { return nil }
        var sums = (perMetre: 0.0, perSecond: 0.0, turnPerMetre: 0.0, turnPerSecond: 0.0)
        var count = 0
        for part in Self.parts {
            var second = 0
            for first in way.indices {
                while second < way.count, way[second] - way[first] < part * length { second += 1 }
                guard second < way.count else { break }
                let seconds = instants[second].seconds(since: instants[first])
                guard seconds > 0 else { continue }
                let moved = estimate[first].inverse * estimate[second]
                let error = (truth[first].inverse * truth[second]).inverse * moved
                let (displacement, turn) = (error.translation.length, error.rotation.angle)
                sums.perMetre += displacement / (way[second] - way[first])
                sums.perSecond += displacement / seconds
                sums.turnPerMetre += turn / (way[second] - way[first])
                sums.turnPerSecond += turn / seconds
                count += 1
            }
        }
        guard count > 0 else { return nil }
        metresPerMetre = sums.perMetre / Double(count)
        metresPerSecond = sums.perSecond / Double(count)
        radiansPerMetre = sums.turnPerMetre / Double(count)
        radiansPerSecond = sums.turnPerSecond / Double(count)
        pieceCount = count
    }
}
