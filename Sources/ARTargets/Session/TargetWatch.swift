// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Something in front of the camera that wears a target's picture, followed from frame to frame.
public struct WatchedTarget: Sendable {
    /// The same for as long as the thing is known: one that is lost and found again keeps it. Two things with the same
    /// picture have two. No other thing ever gets it.
    public let identifier: Int
    /// How it is known at this frame.
    public internal(set) var status: TargetStatus
    /// How it was seen last: at this frame, where it is tracked.
    public internal(set) var sighting: TargetSighting
    /// How many frames ago that was.
    public internal(set) var age: Int
}

/// Tells things apart by what they wear and where they are, and says how each is known.
///
/// A sighting belongs to the thing of that name that was nearest when it was seen last. A thing that is out of sight, and one
/// that was seen elsewhere a frame ago, is taken for found again when its name is seen where no other thing of that name is.
/// A thing that stays out of sight for ``patience`` frames is forgotten. Law: `TargetWatchTests`.
public struct TargetWatch: Sendable {
    /// How many things are shown at most at one time: Vuforia's hint on simultaneous image targets, ARKit's
    /// `maximumNumberOfTrackedImages`.
    public var maximumCount: Int

    /// The things that are known, in the order in which they were first seen.
    public private(set) var targets: [WatchedTarget] = []

    /// After so many frames without it, a minute at thirty a second, a thing whose place is not known is forgotten.
    public static let patience = 1800

    private var nextIdentifier = 0

    /// Nothing was seen yet.
    public init(maximumCount: Int = 20) {
        precondition(maximumCount >= 1, "at least one target is watched, not \(maximumCount)")
        self.maximumCount = maximumCount
    }

    /// Takes in what a frame shows.
    ///
    /// Beyond ``maximumCount``, things that are shown already are kept before new ones, and surer sightings before others.
    /// - Parameter placed: the identifiers of things whose place in the world is known: these are never forgotten.
    /// - Returns: the things that the frame shows, in the order in which they were first seen.
    @discardableResult
    public mutating func update(with sightings: [TargetSighting], keeping placed: Set<Int> = []) -> [WatchedTarget] {
        let owners = owners(of: sightings)
        let order = sightings.indices.sorted { first, second in
            let (a, b) = (isShown(owners[first]), isShown(owners[second]))
            return a != b ? a : (sightings[second].confidence, first) < (sightings[first].confidence, second)
        }
        var isSeen = [Bool](repeating: false, count: targets.count)
        for index in order.prefix(maximumCount) {
            if let owner = owners[index] {
                targets[owner].status = targets[owner].status.isTracked ? .tracked : .detected
                targets[owner].sighting = sightings[index]
                targets[owner].age = 0
                isSeen[owner] = true
            } else {
                targets.append(
                    WatchedTarget(identifier: nextIdentifier, status: .detected, sighting: sightings[index], age: 0))
                nextIdentifier += 1
                isSeen.append(true)
            }
        }
        for index in targets.indices where !isSeen[index] {
            targets[index].status = placed.contains(targets[index].identifier) ? .extendedTracked : .lost
            targets[index].age += 1
        }
        targets.removeAll { $0.status == .lost && $0.age >= Self.patience }
        return targets.filter(\.status.isTracked)
    }

    /// Loses sight of the things of a database: it is no longer looked for.
    public mutating func loseSight(of database: String) {
        for index in targets.indices where targets[index].sighting.target.database == database {
            targets[index].status = .lost
        }
    }

    private func isShown(_ owner: Int?) -> Bool { owner.map { targets[$0].status.isTracked } ?? false }

    /// The thing that each sighting is of; `nil` for one that is new.
    private func owners(of sightings: [TargetSighting]) -> [Int?] {
        var owners = [Int?](repeating: nil, count: sightings.count)
        // Nearest pairs first. What the last frame showed seldom jumps by more than its own size: a thing that would have to,
        // and one that is out of sight, stands back behind those that are where they were.
        let pairs = sightings.indices.flatMap { sighting in
            targets.indices.compactMap { thing -> (sighting: Int, thing: Int, distance: Double)? in
                guard targets[thing].sighting.target == sightings[sighting].target else { return nil }
                let distance = sightings[sighting].corners.distance(to: targets[thing].sighting.corners)
                let isInPlace = targets[thing].status.isTracked && distance < 1
                return (sighting, thing, distance + (isInPlace ? 0 : 1))
            }
        }
        var isTaken = [Bool](repeating: false, count: targets.count)
        for pair in pairs.sorted(by: { ($0.distance, $0.sighting, $0.thing) < ($1.distance, $1.sighting, $1.thing) })
        where owners[pair.sighting] == nil && !isTaken[pair.thing] {
            owners[pair.sighting] = pair.thing
            isTaken[pair.thing] = true
        }
        return owners
    }
}

extension PixelQuad {
    /// How far the middles are apart, in parts of the larger one's side.
    fileprivate func distance(to other: PixelQuad) -> Double {
        let side = max(abs(signedArea), abs(other.signedArea), 1).squareRoot()
        return middle.distance(to: other.middle) / side
    }

    private var middle: PixelPoint {
        PixelPoint(corners.reduce(.zero) { $0 + $1.vector } / 4)
    }
}
