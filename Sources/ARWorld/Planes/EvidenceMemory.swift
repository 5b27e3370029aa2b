// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking

/// A point of the world as it was last estimated, and the surface that it speaks for.
struct Evidence: Sendable {
    var id: UInt64
    var position: Point3
    var covariance: Matrix3x3
    /// Which part of it the points share that were seen with it.
    var sharedPart = 0.0
    /// The number of the surface that the point lies on; `nil` as long as it lies on none.
    var owner: Int?
    /// When it was seen last.
    var lastSeen: Timestamp
    /// The span of ``WorldErrors`` in which that was.
    var span = 0
    /// How far the point may lie aside because the tracker has learnt since how its world hangs: a covariance that it shares
    /// with all points of its span.
    var shared = Matrix3x3.zero
    /// Whether it was seen since the memory last looked for a point to forget.
    var isFresh = true
    /// The number of the key picture that shows it; `nil` for a tracker's point.
    var picture: Int?
    /// How many places the same picture shows on the same surface, this one and forgotten ones included: told when it is forgotten.
    var companions: Int?

    /// How well the point is known along a unit direction in the world of today, as a variance.
    func variance(along direction: Vector3) -> Double {
        ownVariance(along: direction) + sharedVariance(along: direction)
    }

    /// How well it was known in the world of its span.
    func ownVariance(along direction: Vector3) -> Double { direction.dot(covariance * direction) }

    /// How much of that is the point's alone, and how much it shares with the points that were seen with it.
    func parts(ofOwnVarianceAlong direction: Vector3) -> (alone: Double, together: Double) {
        let variance = ownVariance(along: direction)
        return ((1 - sharedPart) * variance, sharedPart * variance)
    }

    /// The instant and the span in which it was seen last.
    var moment: Moment { Moment(span: span, instant: lastSeen) }

    /// How well that world is known in today's.
    func sharedVariance(along direction: Vector3) -> Double { max(0, direction.dot(shared * direction)) }
}

/// Where a point was seen through a surface that it lies behind.
struct Passage: Sendable {
    /// The surface's number.
    var surface: Int
    /// The place on the surface where this was counted last.
    var place: Point2
}

/// The latest estimate of each point, in bounded memory: the errors of one point over frames are the same error, so that
/// a new estimate takes the place of the old one and never adds to it.
///
/// When the memory is full, a point goes that was not seen for long (the clock algorithm: Corbató 1968, "A paging
/// experiment with the Multics system"). What it said of its surface stays counted there: of the
/// outline in the grid, of the plane in ``Surface/former``. Places that pictures show have a memory of their own beside the
/// tracker's points; those of one picture err together, and go one soon after the other.
struct EvidenceMemory: Sendable {
    private(set) var points: [Evidence] = []
    /// The number of the surface that each of the points lies on, zero for none, and when it was seen last: all of them are asked
    /// that again and again, and few what else is known of them.
    private var owners: [Int32] = []
    private var instants: [Timestamp] = []
    /// The surfaces that each of the points was seen through, one passage of each.
    var passages: [[Passage]] = []
    private var slotOfID: [UInt64: Int] = [:]
    private let capacity: Int
    private var hand = 0
    /// Where the places are kept that pictures show, and which of them came first.
    private var pictureSlots: [Int] = []
    private var oldestPicturePoint = 0
    /// The picture whose places go at present, and how many of them spoke for each surface.
    private var fadingPicture = 0
    private var fadedBySurface: [Int: Int] = [:]

    init(capacity: Int) {
        precondition(capacity > 0, "a memory holds at least one point, not \(capacity)")
        self.capacity = capacity
    }

    /// The points' slots.
    var slots: Range<Int> { points.indices }

    subscript(slot: Int) -> Evidence {
        _read { yield points[slot] }
        _modify {
            yield &points[slot]
            (owners[slot], instants[slot]) = (Int32(points[slot].owner ?? 0), points[slot].lastSeen)
        }
    }

    /// The slots of the points that lie on the surface with that number, or of those that lie on none, in order. Law:
    /// `DepthSweepTests.theMemoryKnowsWhoseItsPointsAre`.
    func slots(of owner: Int?) -> [Int] {
        let owner = Int32(owner ?? 0)
        return owners.withUnsafeBufferPointer { owners in owners.indices.filter { owners[$0] == owner } }
    }

    /// The slots of the points that were seen in the last seconds before an instant, in order.
    func slots(seenWithin seconds: Double, before instant: Timestamp) -> [Int] {
        instants.withUnsafeBufferPointer { instants in
            instants.indices.filter { instant.seconds(since: instants[$0]) <= seconds }
        }
    }

    /// Where the point with that id is kept.
    func slot(of id: UInt64) -> Int? { slotOfID[id] }

    /// Takes the newest estimate of a point and says where it is kept, and which point had to go for it.
    mutating func remember(
        _ landmark: EstimatedLandmark, at moment: Moment
    ) -> (slot: Int, forgotten: Evidence?) {
        if let slot = slotOfID[landmark.id] {
            self[slot].position = landmark.position
            self[slot].covariance = landmark.covariance
            self[slot].sharedPart = landmark.sharedPart
            (self[slot].span, self[slot].lastSeen) = (moment.span, moment.instant)
            self[slot].shared = .zero
            self[slot].isFresh = true
            return (slot, nil)
        }
        return keep(
            Evidence(
                id: landmark.id, position: landmark.position, covariance: landmark.covariance,
                sharedPart: landmark.sharedPart, lastSeen: moment.instant, span: moment.span))
    }

    /// Takes a place that a picture shows and says where it is kept, and which one had to go for it: of so many the oldest.
    mutating func remember(
        _ point: PicturePoint, of picture: Int, at moment: Moment
    ) -> (slot: Int, forgotten: Evidence?) {
        let isFull = pictureSlots.count == Self.picturePointCapacity
        let place = isFull ? oldestPicturePoint : pictureSlots.count
        let evidence = Evidence(
            id: Self.firstPictureID + UInt64(place), position: point.position, covariance: point.covariance,
            sharedPart: PicturePoint.sharedPart, lastSeen: moment.instant, span: moment.span, picture: picture)
        guard isFull else {
            pictureSlots.append(points.count)
            append(evidence)
            return (pictureSlots[place], nil)
        }
        let slot = pictureSlots[place]
        points[slot].companions = countOldestWithCompanions()
        oldestPicturePoint = (place + 1) % Self.picturePointCapacity
        return (slot, replace(slot, by: evidence))
    }

    /// Whether a place is remembered that a picture shows within a distance of a point, in metres. Law:
    /// `DepthSweepTests.theMemoryKnowsWhoseItsPointsAre`.
    func hasPicturePoint(within distance: Double, of position: Point3) -> Bool {
        pictureSlots.contains { (points[$0].position - position).squaredLength <= distance * distance }
    }

    /// Counts the oldest place with those of its picture that speak for the same surface today, or did so when they were forgotten;
    /// `nil` where it speaks for none. Surfaces may have been merged since the first of them went.
    private mutating func countOldestWithCompanions() -> Int? {
        let oldest = points[pictureSlots[oldestPicturePoint]]
        guard let picture = oldest.picture, let surface = oldest.owner else { return nil }
        if picture != fadingPicture { (fadingPicture, fadedBySurface) = (picture, [:]) }
        var count = fadedBySurface[surface, default: 0]
        fadedBySurface[surface] = count + 1
        for place in pictureSlots.indices {
            let slot = pictureSlots[(oldestPicturePoint + place) % pictureSlots.count]
            guard points[slot].picture == picture else { break }
            if points[slot].owner == surface { count += 1 }
        }
        return count
    }

    /// How many places that pictures show are remembered, and their first number: no point of a tracker has such a one.
    private static let picturePointCapacity = 512
    private static let firstPictureID: UInt64 = 1 << 63

    private mutating func keep(_ evidence: Evidence) -> (slot: Int, forgotten: Evidence?) {
        let slot = freeSlot()
        slotOfID[evidence.id] = slot
        guard slot < points.count else {
            append(evidence)
            return (slot, nil)
        }
        let forgotten = replace(slot, by: evidence)
        slotOfID[forgotten.id] = nil
        return (slot, forgotten)
    }

    private mutating func append(_ evidence: Evidence) {
        points.append(evidence)
        owners.append(Int32(evidence.owner ?? 0))
        instants.append(evidence.lastSeen)
        passages.append([])
    }

    private mutating func replace(_ slot: Int, by evidence: Evidence) -> Evidence {
        defer { (self[slot], passages[slot]) = (evidence, []) }
        return points[slot]
    }

    private mutating func freeSlot() -> Int {
        guard points.count - pictureSlots.count >= capacity else { return points.count }
        while points[hand].isFresh || points[hand].picture != nil {
            points[hand].isFresh = false
            hand = (hand + 1) % points.count
        }
        defer { hand = (hand + 1) % points.count }
        return hand
    }
}
