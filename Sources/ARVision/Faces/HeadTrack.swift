// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision
import Foundation

/// One head followed from picture to picture: points on its surface say how it moves, readings of its face say how it is
/// turned.
struct HeadTrack: Sendable {
    /// Where the head is, in the upright picture.
    private(set) var pose: HeadPose
    /// What its face looks like.
    private(set) var appearance: FaceAppearance
    /// How alike it looked last, −1 … 1.
    private(set) var likeness = 1.0
    /// How far it moved between the last two pictures.
    private(set) var velocity = Vector2.zero
    /// Whether nodding was measured: points were followed since the face was last read without knowing it.
    private(set) var hasPitch = false
    private var points: [HeadPoint] = []
    /// How uncertain roll, yaw and pitch are, as variances in rad².
    private var variance = Vector3(repeating: radians(8) * radians(8))

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    /// The points that are followed at most, and those that are enough.
    private static let pointLimit = 60
    private static let leastPoints = 6
    private static let leastCorrelation: Float = 0.7
    /// The cosine between surface and line of sight at which points are taken, and at which they are let go.
    private static let facingToTake = 0.5
    private static let facingToKeep = 0.3
    /// How far from where the head carries it a point may be seen, in parts of the face's side, and in pixels beside.
    private static let tolerance = (ofSide: 0.012, pixels: 0.35)
    /// By how much roll, yaw and pitch become less certain from picture to picture.
    private static let drift = Vector3(radians(0.15), radians(0.35), radians(0.35))

    /// A head whose face was read; `nil` where it lies beside the picture.
    init?(_ reading: FaceReading, in image: ImageBuffer, pyramid: ImagePyramid) {
        guard let appearance = FaceAppearance(of: reading.pose, in: image) else { return nil }
        pose = reading.pose
        self.appearance = appearance
        takePoints(in: pyramid)
    }

    /// Carries the head from one picture to the next; false, and nothing changed, where too few of its points are found
    /// again, or where what is there no longer looks like it.
    mutating func follow(from: ImagePyramid, to: ImagePyramid, image: ImageBuffer) -> Bool {
        let before = pose.center
        let starts = points.map { PixelPoint($0.pixel.vector + velocity) }
        let flows = from.flow(of: points.map(\.pixel), to: to, startingAt: starts, levels: 0...coarsestLevel(in: to))
        let found = zip(points, flows).filter {
            $1.outcome == CVISION_FLOW_FOLLOWED && $1.correlation >= Self.leastCorrelation
        }.map { HeadPoint(onHead: $0.onHead, pixel: PixelPoint($1.x_px, $1.y_px)) }
        let tolerance = Self.tolerance.ofSide * pose.side + Self.tolerance.pixels
        guard found.count >= Self.leastPoints else { return false }
        // The median shift first: the steps that follow then begin close by.
        let shifts = found.map { $0.pixel.vector - pose.pixel(of: $0.onHead).vector }
        var start = pose
        start.center += Vector2(Self.median(shifts.map(\.x)), Self.median(shifts.map(\.y)))
        guard let moved = start.fitted(to: found, tolerance: tolerance) else { return false }
        let kept = found.filter { moved.pixel(of: $0.onHead).distance(to: $0.pixel) < 3 * tolerance }
        guard kept.count >= Self.leastPoints, 2 * kept.count >= found.count, abs(log(moved.side / pose.side)) < 0.15,
            moved.cameraFromHead.angle(to: pose.cameraFromHead) < 0.35,
            let look = FaceAppearance(of: moved, in: image)
        else { return false }
        let alike = look.correlation(with: appearance)
        guard alike > Self.leastLikeness else { return false }
        pose = moved
        velocity = moved.center - before
        variance += Self.drift * Self.drift
        likeness = alike
        hasPitch = true
        points = kept.filter { (moved.surfacePoint(at: $0.pixel)?.facing ?? 0) > Self.facingToKeep }
        if points.count < Self.pointLimit * 2 / 3 { takePoints(in: to) }
        return true
    }
    private static let leastLikeness = 0.45

    /// The level on which a patch of 15 pixels still lies on the face: beyond its edge lies what does not move with it.
    private func coarsestLevel(in pyramid: ImagePyramid) -> Int {
        min(max(0, Int(log2(pose.side / Self.sidePerPatch))), pyramid.levelCount - 1)
    }
    private static let sidePerPatch = 45.0

    /// Lets the head go on as it moved, ever slower, while it is not seen, for so many seconds.
    mutating func coast(for seconds: Double) {
        pose.center += velocity
        velocity *= exp(-seconds / Self.coastingTime)
        points = []
    }
    /// The seconds in which a hidden head's speed sinks to 1/e.
    private static let coastingTime = 0.2

    /// Takes in a reading of the face: as much of it as is surer than what is known.
    mutating func correct(with reading: FaceReading, in image: ImageBuffer, pyramid: ImagePyramid) {
        var known = pose.cameraFromHead.eulerAngles
        let read = reading.pose.cameraFromHead.eulerAngles
        let doubt = exp(-min(max(reading.evidence, -1), 1))
        func deviation(_ degrees: Double) -> Double { Self.radians(degrees) * doubt }
        let yawDoubt = 1 + (read.yaw / Self.radians(25)) * (read.yaw / Self.radians(25))
        let noise = Vector3(deviation(3), deviation(6) * yawDoubt, Self.radians(15))
        let gain = variance / (variance + noise * noise)
        known.roll += gain.x * remainder(read.roll - known.roll, 2 * .pi)
        known.yaw += gain.y * (read.yaw - known.yaw)
        // Readings do not tell it; but heads are level more often than not.
        known.pitch -= gain.z * known.pitch
        variance *= Vector3(repeating: 1) - gain
        pose.cameraFromHead = Rotation(known)
        let share = 0.3
        pose.center += share * (reading.pose.center - pose.center)
        pose.side *= exp(share * log(reading.pose.side / pose.side))
        // The points keep their places in the picture and get new ones on the head.
        points = points.compactMap { point in
            pose.surfacePoint(at: point.pixel).map { HeadPoint(onHead: $0.point, pixel: point.pixel) }
        }
        if let look = FaceAppearance(of: pose, in: image) { appearance.blend(look, weight: 0.2) }
        if points.count < Self.pointLimit * 2 / 3 { takePoints(in: pyramid) }
    }

    /// Finds the head again where a reading saw it.
    mutating func resume(at reading: FaceReading, in image: ImageBuffer, pyramid: ImagePyramid) {
        pose = reading.pose
        velocity = .zero
        hasPitch = false
        variance = Vector3(repeating: Self.radians(8) * Self.radians(8))
        points = []
        if let look = FaceAppearance(of: pose, in: image) {
            likeness = look.correlation(with: appearance)
            appearance.blend(look, weight: 0.2)
        }
        takePoints(in: pyramid)
    }

    /// New points where the face has none: corners in the cells of a grid, with their places on the head's surface.
    private mutating func takePoints(in pyramid: ImagePyramid) {
        let box = pose.box
        let divisions = 7
        let cell = Vector2(box.size.x * 1.1, box.size.y * 1.2) / Double(divisions)
        let corner = box.center.vector - cell * Double(divisions) / 2
        var cells: [CVisionCell] = []
        for row in 0..<divisions {
            for column in 0..<divisions {
                let start = corner + cell * Vector2(Double(column), Double(row))
                let (left, top) = (max(1, Int(start.x)), max(1, Int(start.y)))
                let right = min(pyramid.size.width - 1, Int(start.x + cell.x))
                let bottom = min(pyramid.size.height - 1, Int(start.y + cell.y))
                guard right - left >= 2, bottom - top >= 2 else { continue }
                cells.append(
                    CVisionCell(
                        left_px: Int32(left), top_px: Int32(top), width_px: Int32(right - left),
                        height_px: Int32(bottom - top)))
            }
        }
        guard !cells.isEmpty else { return }
        let corners = pyramid.corners(
            in: cells, awayFrom: points.map(\.pixel), spacing: max(3, 0.5 * cell.x), leastStrength: 2)
        for corner in corners where corner.strength > 0 && points.count < Self.pointLimit {
            let pixel = PixelPoint(corner.x_px, corner.y_px)
            guard let surface = pose.surfacePoint(at: pixel), surface.facing > Self.facingToTake else { continue }
            points.append(HeadPoint(onHead: surface.point, pixel: pixel))
        }
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
