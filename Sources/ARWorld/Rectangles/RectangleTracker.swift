// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARVision
import Foundation

/// Makes rectangles that pictures show into things in the world that keep their identity.
///
/// ```swift
/// var tracker = RectangleTracker()
/// let snapshot = world.update(with: frame)
/// for card in tracker.update(with: detections.next(image), in: snapshot) { print(card.rectangle.size, card.code?.payload ?? "?") }
/// ```
///
/// What a rectangle's place and size follow from are the corners in up to ``Settings/viewLimit`` pictures, by least squares over
/// all of them at once, with right angles: from several stands they fix its distance, so that it does not inherit the error of
/// the plane that it lies on. A plane under it is evidence too, as good as ``Settings/planeOffsetShare`` says, and makes one
/// picture enough. A rectangle that is not where it was, or that lies in a world that was corrected meanwhile, is followed with
/// the size that is known of it.
///
/// Detections belong to the rectangle that they are seen at the place of; where none is, to the one whose code they hold. While
/// tracking is not normal nothing is detected: rectangles keep their identities, places and sizes and have no
/// ``TrackedRectangle/quad``, and after ``Settings/patienceNanoseconds`` they are only remembered. The same input gives the
/// same rectangles.
public struct RectangleTracker: Sendable {
    /// What is taken for certain, and how much is remembered.
    public struct Settings: Hashable, Sendable {
        /// How far planes that rectangles lie on are off along their normals, as a share of the distance from which the rectangle is
        /// seen: what is nearer is known better. Half of the hits on the desk of `card` err by 3 to 8 mm a metre, by session.
        /// Law: `RectangleTrackerTests.whatAPlaneTellsOfASizeIsAsGoodFromAnywhere`.
        public var planeOffsetShare = 0.008
        /// How far these planes are turned about each axis in them, in radians.
        public var planeTilt = 0.01
        /// What the corners' own deviations leave out, in pixels: blur, bent edges, the lens. It is alike in all pictures, so that
        /// more of them do not make it less.
        public var commonCornerDeviation = 0.2
        /// How far estimated poses of several pictures are off against that of the newest, in metres, as if each erred by
        /// itself. Errors of pictures that follow each other are alike, so that it is more than each of them is off; it grows
        /// with the root of their age, by √2 in the first second. Poses that are not estimated are exact.
        public var poseDeviation = 0.01
        /// From stands that differ by less than this, estimates of the size err alike, and count as one: the angle between them
        /// in radians, and the difference of the distances' logarithms.
        public var sizeMemoryTurn = 0.1
        /// How many pictures of a rectangle are kept.
        public var viewLimit = 24
        /// In how many pictures something must have been seen before it is reported.
        public var leastSightings = 3
        /// Which share of about the last fifty searched pictures (``Detections/searched``) that should have shown something must have
        /// shown it, for it to be reported, 0 … 1: edges that close by chance do so seldom, and what was taken away is not there any
        /// more. What bears a code that was read, and has it alone, is reported all the same; what three in a row show again is back.
        /// Laws: `RectangleTrackerTests.whatIsSeldomSeenIsNotReported`, `RectangleTrackerTests.whatWasTakenAwayIsGone`,
        /// `RectangleTrackerTests.whatMayBeLeftOutIsNotMissed`.
        public var leastSightingShare = 0.5
        /// How well the size must be known before a rectangle is reported: its deviation over the size.
        public var largestSizeDeviation = 0.05
        /// How long something counts as tracked that is not detected, in nanoseconds.
        public var patienceNanoseconds: Int64 = 300_000_000
        /// How many rectangles are known at the same time; of more, those that were not seen for longest are forgotten: first
        /// those that are not reported, then those without a code.
        public var trackLimit = 64
        /// Of how many rectangles that are not known yet a picture may tell at once: the largest count.
        public var newcomerLimit = 16

        /// The defaults.
        public init() {}
    }

    /// What is taken for certain, and how much is remembered.
    public let settings: Settings
    private(set) var tracks: [RectangleTrack] = []
    private var trackCount = 0

    /// A tracker that knows of no rectangle.
    public init(settings: Settings = Settings()) {
        precondition(settings.viewLimit >= 2, "a rectangle's place follows from 2 views and more")
        self.settings = settings
    }

    /// What is known of the rectangles after a picture, in the order in which they were first seen: of those that are seen often.
    ///
    /// - Parameters:
    ///   - detections: what was found in the picture of the snapshot's frame.
    ///   - snapshot: the camera's pose, and the planes.
    public mutating func update(with detections: Detections, in snapshot: WorldSnapshot) -> [TrackedRectangle] {
        if let correction = snapshot.correction {
            for index in tracks.indices { tracks[index].correct(by: correction) }
        }
        for index in tracks.indices { tracks[index].beginFrame() }
        if snapshot.frame.trackingState == .normal {
            let sightings = detections.rectangles.filter(\.quad.isConvex).map { detected in
                RectangleSighting(detected, codes: detections.codes, snapshot: snapshot, settings: settings)
            }
            take(sightings, in: snapshot)
            if let searched = detections.searched { countSearch(for: searched, detections, in: snapshot.frame) }
            forget(at: snapshot.frame.timestamp)
        }
        let owners = codeOwners
        return tracks.indices.compactMap {
            tracks[$0].report(at: snapshot.frame.timestamp, ownsCode: owners.contains($0))
        }
    }

    /// Counts which things a picture shows of those that it should. Where as many were found as are reported, others may be left out.
    private mutating func countSearch(
        for searched: RectangleDetector.Configuration, _ detections: Detections, in frame: TrackedFrame
    ) {
        let limit = searched.maximumObservations
        let mayBeLeftOut = limit > 0 && detections.rectangles.count >= limit
        for index in tracks.indices {
            tracks[index].countSearch(for: searched, mayBeLeftOut: mayBeLeftOut, in: frame)
        }
    }

    /// Of the tracks around each code the one whose it is.
    private var codeOwners: Set<Int> {
        var owners: Set<Int> = []
        let identified = tracks.indices.filter { tracks[$0].isConfirmed && tracks[$0].code != nil }
        let likeliestFirst = identified.sorted { first, second in
            let (mine, others) = (tracks[first].claim, tracks[second].claim)
            return mine == others ? first < second : mine > others
        }
        for index in likeliestFirst where !owners.contains(where: { tracks[$0].isAroundCode(of: tracks[index]) }) {
            owners.insert(index)
        }
        return owners
    }

    private mutating func take(_ sightings: [RectangleSighting], in snapshot: WorldSnapshot) {
        let matches = RectangleMatching(tracks: tracks, sightings: sightings, frame: snapshot.frame).matches()
        var isTaken = [Bool](repeating: false, count: sightings.count)
        for match in matches {
            isTaken[match.sighting] = true
            tracks[match.track].see(
                sightings[match.sighting], turn: match.turn, in: snapshot, isElsewhere: match.isElsewhere)
        }
        let inPlace = matches.filter { !$0.isElsewhere }
        for first in inPlace {
            guard let code = sightings[first.sighting].code else { continue }
            for second in inPlace where second.track != first.track && sightings[second.sighting].code == code {
                tracks[first.track].shareCode(with: tracks[second.track])
            }
        }
        let newcomers = sightings.indices.filter { !isTaken[$0] }.sorted {
            (sightings[$1].view.quad.signedArea, $0) < (sightings[$0].view.quad.signedArea, $1)
        }
        for sighting in newcomers.prefix(settings.newcomerLimit).sorted().map({ sightings[$0] }) {
            trackCount += 1
            var track = RectangleTrack(
                identifier: UUID(name: "rectangle \(trackCount)"), settings: settings)
            track.see(sighting, turn: 0, in: snapshot, isElsewhere: false)
            tracks.append(track)
        }
    }

    /// What was only a guess and is not seen any more is forgotten; so is what is there twice, and what is too much.
    private mutating func forget(at now: Timestamp) {
        tracks.removeAll { !$0.isConfirmed && $0.nanoseconds(since: now) > settings.patienceNanoseconds }
        var kept: [RectangleTrack] = []
        for track in tracks where !kept.contains(where: { track.isTwin(of: $0) }) { kept.append(track) }
        while kept.count > settings.trackLimit,
            let oldest = kept.indices.min(by: { kept[$0].worth < kept[$1].worth })
        {
            kept.remove(at: oldest)
        }
        tracks = kept
        let identifiers = Set(tracks.map(\.identifier))
        for index in tracks.indices { tracks[index].keepSharers(among: identifiers) }
    }
}
