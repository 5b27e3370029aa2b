// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// Finds out which of the rectangles that are known a picture shows.
struct RectangleMatching {
    let tracks: [RectangleTrack]
    let sightings: [RectangleSighting]
    let frame: TrackedFrame

    /// A sighting of a known rectangle.
    struct Match {
        let track, sighting: Int
        /// By how many corners the sighting is to be turned, to be named as the rectangle.
        let turn: Int
        /// Whether it is known by its code or its path through the pictures, not by its place in the world.
        let isElsewhere: Bool
    }

    /// How far a corner may be from where it is expected, as a share of the shorter side: what the detector takes for one
    /// rectangle; after a while in which the pose may have drifted; and of a thing that is moved from picture to picture.
    private static let placeTolerance = 1.0 / 12
    private static let returnTolerance = 0.5
    private static let pathTolerance = 0.6

    /// Each track and each sighting at most once, the closest first.
    func matches() -> [Match] {
        var matches: [Match] = []
        var (isTracked, isSeen) = (
            [Bool](repeating: false, count: tracks.count),
            [Bool](
                repeating: false, count: sightings.count)
        )
        func take(_ candidates: [(cost: Double, match: Match)]) {
            let sorted = candidates.sorted {
                ($0.cost, $0.match.track, $0.match.sighting) < ($1.cost, $1.match.track, $1.match.sighting)
            }
            for (_, match) in sorted where !isTracked[match.track] && !isSeen[match.sighting] {
                isTracked[match.track] = true
                isSeen[match.sighting] = true
                matches.append(match)
            }
        }
        take(candidates(tolerance: Self.placeTolerance, isElsewhere: false) { $0.expectedQuad(in: frame) })
        // What has no place yet is followed through the pictures.
        take(
            candidates(tolerance: Self.pathTolerance, isElsewhere: false) { track in
                track.outcome == nil ? track.recentQuad(before: frame.timestamp) : nil
            })
        take(
            candidates(tolerance: Self.returnTolerance, isElsewhere: true) { track in
                track.recentQuad(before: frame.timestamp) == nil ? track.expectedQuad(in: frame) : nil
            })
        take(candidates(tolerance: Self.pathTolerance, isElsewhere: true) { $0.recentQuad(before: frame.timestamp) })
        take(candidatesByCode())
        return matches
    }

    /// Sightings close to where tracks are expected, whichever way they are named.
    private func candidates(
        tolerance: Double, isElsewhere: Bool, expected: (RectangleTrack) -> PixelQuad?
    ) -> [(cost: Double, match: Match)] {
        var candidates: [(cost: Double, match: Match)] = []
        for (number, track) in tracks.enumerated() {
            guard let quad = expected(track) else { continue }
            let limit = tolerance * min(quad.width, quad.height) + 2
            // The mean corner is no farther away than the farthest.
            for (seen, sighting) in sightings.enumerated()
            where (quad.meanCorner - sighting.view.quad.meanCorner).length < limit && track.mayBe(sighting) {
                let distances = (0..<4).map { quad.largestDistance(to: sighting.view.quad.turned(by: $0)) }
                guard let turn = (0..<4).min(by: { distances[$0] < distances[$1] }), distances[turn] < limit,
                    !isElsewhere || track.hasSize(of: sighting, turn: turn)
                else { continue }
                candidates.append(
                    (
                        distances[turn] / limit,
                        Match(track: number, sighting: seen, turn: turn, isElsewhere: isElsewhere)
                    ))
            }
        }
        return candidates
    }

    /// Sightings with a code that a track is known by: of several tracks, the one that was seen last.
    private func candidatesByCode() -> [(cost: Double, match: Match)] {
        var candidates: [(cost: Double, match: Match)] = []
        for (seen, sighting) in sightings.enumerated() {
            guard let code = sighting.code else { continue }
            for (number, track) in tracks.enumerated()
            where track.isKnown(by: code) && track.hasSize(of: sighting, turn: 0) {
                let age = Double(track.nanoseconds(since: frame.timestamp))
                candidates.append((age, Match(track: number, sighting: seen, turn: 0, isElsewhere: true)))
            }
        }
        return candidates
    }
}

extension PixelQuad {
    fileprivate var meanCorner: Vector2 {
        (topLeft.vector + topRight.vector + bottomRight.vector + bottomLeft.vector) / 4
    }

    /// The largest distance between corners of the same name.
    fileprivate func largestDistance(to other: PixelQuad) -> Double {
        zip(corners, other.corners).map { $0.distance(to: $1) }.max() ?? .infinity
    }
}
