// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARVision
import Foundation

extension RectangleTrack {
    /// Where a frame should show it; `nil` where its place is unknown, and behind the camera.
    func expectedQuad(in frame: TrackedFrame) -> PixelQuad? {
        guard let shape = outcome?.shape else { return nil }
        let pixels = shape.corners.compactMap { frame.project($0) }
        guard pixels.count == 4 else { return nil }
        let quad = PixelQuad(corners: pixels)
        return quad.isConvex ? quad : nil
    }

    /// Where a picture showed it a moment ago.
    func recentQuad(before now: Timestamp) -> PixelQuad? {
        nanoseconds(since: now) <= settings.patienceNanoseconds ? lastQuad : nil
    }

    /// What is worth more is remembered for longer.
    var worth: (Int, Int, Timestamp) {
        (isConfirmed && (isSeenOften || code != nil) ? 1 : 0, code == nil ? 0 : 1, lastSeen)
    }

    /// Whether codes do not speak against it.
    func mayBe(_ sighting: RectangleSighting) -> Bool {
        guard code != nil, let read = sighting.code else { return true }
        return isKnown(by: read)
    }

    /// Whether its code is this one.
    func isKnown(by read: DetectedCode) -> Bool {
        code == TrackedRectangle.Code(payload: read.payload, symbology: read.symbology)
    }

    /// How much speaks for it among all that are around one code: that it leaves room around the code, whose own outline is a rectangle,
    /// too, then that searches keep showing it, and then how often it was seen.
    var claim: (Int, Int, Int) { (leavesRoomAroundCode ? 1 : 0, isSeenOften ? 1 : 0, sightingCount) }

    private var leavesRoomAroundCode: Bool {
        codeCorners.map { Polygon2($0).area < Self.largestCodeShare } ?? false
    }

    /// A code takes less of what it is printed on than this share.
    private static let largestCodeShare = 0.8

    /// Whether it and another one have the same code in the same place, or had it in one picture: two things with one code lie apart.
    func isAroundCode(of other: RectangleTrack) -> Bool {
        guard code == other.code else { return false }
        if sharesCode(with: other) { return true }
        guard let mine = codePlace, let others = other.codePlace else { return false }
        return (mine.center - others.center).length < max(mine.reach, others.reach)
    }

    /// Where its code is, and how close another one cannot be, which would overlap it: the length of its sides. Where nothing tells where
    /// on the rectangle the code is, it is taken to fill it.
    private var codePlace: (center: Point3, reach: Double)? {
        guard let rectangle else { return nil }
        guard let anchor = codeAnchor(on: rectangle) else {
            return (rectangle.center, max(rectangle.size.width, rectangle.size.height))
        }
        return (anchor.worldFromAnchor.translation, max(anchor.size.width, anchor.size.height))
    }

    /// Whether a rectangle of its size, anywhere, can look like that; and, where a plane tells its size, whether that is it.
    func hasSize(of sighting: RectangleSighting, turn: Int) -> Bool {
        guard let size = outcome?.shape.size ?? rectangle?.size else { return true }
        let quad = sighting.view.quad.turned(by: turn)
        if let hit = sighting.sizeOnPlane {
            let found = turn % 2 == 0 ? hit : RectangleSize(width: hit.height, height: hit.width)
            guard max(abs(log(found.width / size.width)), abs(log(found.height / size.height))) < 0.07 else {
                return false
            }
        }
        let directions = quad.corners.compactMap { sighting.view.camera.unproject($0) }
        let limit = 1.5 + 0.02 * quad.topLeft.distance(to: quad.bottomRight)
        var view = sighting.view
        view.quad = quad
        view.worldFromOptical = .identity
        return PlanarPose.candidates(size: size, directions: directions).contains { pose in
            let shape = RectangleShape(worldFromRectangle: pose.opticalFromRectangle, size: size)
            return view.error(of: shape).map { $0 < limit } ?? false
        }
    }

    /// Whether two are the same thing, found twice.
    func isTwin(of other: RectangleTrack) -> Bool {
        guard let mine = outcome?.shape, let others = other.outcome?.shape,
            code == nil || other.code == nil || code == other.code
        else { return false }
        // Rectangles in a picture that are closer than this are one to the detector, too.
        let limit = min(mine.size.width, mine.size.height, others.size.width, others.size.height) / 12
        let apart = mine.worldFromRectangle.translation - others.worldFromRectangle.translation
        return apart.length < limit
            && (0..<4).contains { turn in
                zip(mine.turned(by: turn).corners, others.corners).allSatisfy { ($0 - $1).length < limit }
            }
    }
}
