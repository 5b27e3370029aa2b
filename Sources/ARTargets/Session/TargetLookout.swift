// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Recognises targets in a sequence of pictures, and follows those that it found through the pictures in which they are not
/// recognised: blurred ones, and those that are not searched.
public struct TargetLookout: Sendable {
    /// Every how many pictures is searched for targets.
    public let interval: Int
    /// The things that were seen so far.
    public private(set) var watch: TargetWatch

    private var recognizer = TargetRecognizer()
    private var trackers: [Int: TargetTracker] = [:]
    private var pictureCount = 0

    /// In all but every so many of the pictures that are searched, what is followed surely is not looked for. In that one the
    /// names are doubted: what is recognised as something else is no longer followed. Law: `TargetLookoutTests`.
    private static let doubtInterval = 30
    /// How sure a sighting of a thing that is followed must be.
    private static let leastSureness = 0.8

    /// After so many pictures in a row without it, a thing is no longer followed; it may be recognised again.
    private static let patience = 3

    /// A lookout without databases.
    public init(maximumCount: Int = 20, interval: Int = 1) {
        precondition(interval >= 1, "every picture is searched, or every n-th, not every \(interval)th")
        self.interval = interval
        watch = TargetWatch(maximumCount: maximumCount)
    }

    /// Looks for a database's targets from the next picture on, under a name that no active database has.
    public mutating func activate(_ database: TargetDatabase, as name: String) {
        recognizer.activate(database, as: name)
    }

    /// Looks for the targets of a database no longer.
    public mutating func deactivate(_ name: String) {
        recognizer.deactivate(name)
        trackers = trackers.filter { $0.value.target.database != name }
        watch.loseSight(of: name)
    }

    /// The things that the next picture shows, in the order in which they were first seen.
    /// - Parameters:
    ///   - camera: the camera that took the picture, for poses.
    ///   - placed: the identifiers of things whose place in the world is known.
    public mutating func look(
        at picture: ImageBuffer, camera: Camera?, keeping placed: Set<Int> = []
    ) -> [WatchedTarget] {
        let isSearched = pictureCount % interval == 0
        let isDoubted = pictureCount / interval % Self.doubtInterval == 0
        pictureCount += 1
        var followed = follow(into: picture, camera: camera)
        let sure = followed.values.filter { $0.confidence >= Self.leastSureness }
        let recognized =
            isSearched
            ? recognizer.recognize(in: picture, camera: camera, except: isDoubted ? [] : sure.map(\.corners)) : []
        if isDoubted {
            for (identifier, sighting) in followed where Self.isMistaken(sighting, by: recognized) {
                followed[identifier] = nil
                trackers[identifier] = nil
            }
        }
        let sightings = followed.sorted { $0.key < $1.key }.map(\.value) + recognized
        let seen = watch.update(with: Self.undisputed(sightings), keeping: placed)
        for thing in seen where trackers[thing.identifier] == nil {
            trackers[thing.identifier] = recognizer.database(named: thing.sighting.target.database).flatMap {
                TargetTracker(following: thing.sighting, of: $0, in: picture)
            }
        }
        let shown = Set(seen.map(\.identifier))
        trackers = trackers.filter { shown.contains($0.key) || $0.value.missedCount <= Self.patience }
        return seen
    }

    /// Where the things are now that the last pictures showed, by their identifiers.
    private mutating func follow(into picture: ImageBuffer, camera: Camera?) -> [Int: TargetSighting] {
        var sightings: [Int: TargetSighting] = [:]
        for identifier in trackers.keys {
            sightings[identifier] = trackers[identifier]?.track(picture, camera: camera)
        }
        return sightings
    }

    /// Whether what is followed was recognised as something else, and not as itself. How surely it is followed says nothing
    /// against that: a twin is followed as well.
    private static func isMistaken(_ followed: TargetSighting, by recognized: [TargetSighting]) -> Bool {
        let names = recognized.filter { $0.corners.coincides(with: followed.corners) }.map(\.target)
        return !names.isEmpty && !names.contains(followed.target)
    }

    /// Of sightings in one place the surest: one thing was followed and recognised, or is taken for two.
    private static func undisputed(_ sightings: [TargetSighting]) -> [TargetSighting] {
        var kept: [TargetSighting] = []
        let order = sightings.indices.sorted {
            (sightings[$1].confidence, $0) < (sightings[$0].confidence, $1)
        }
        for index in order where !kept.contains(where: { $0.corners.coincides(with: sightings[index].corners) }) {
            kept.append(sightings[index])
        }
        return kept
    }
}

extension PixelQuad {
    /// Whether the middle of one lies in the other, and they are about as large.
    fileprivate func coincides(with other: PixelQuad) -> Bool {
        let (area, otherArea) = (abs(signedArea), abs(other.signedArea))
        guard let center, let otherCenter = other.center, min(area, otherArea) > 0.25 * max(area, otherArea) else {
            return false
        }
        return center.distance(to: otherCenter) < 0.4 * min(area, otherArea).squareRoot()
    }
}
