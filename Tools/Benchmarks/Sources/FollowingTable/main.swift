// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
@testable import ARTracking
import ARVision
import Foundation
import Timing

// How exactly points are followed: recordings that `TrackingTable --recordings FOLDER` made, each with its scene beside it, are
// gone through by the front end alone, which is told how the camera turns, and what it follows is compared with the truth.

/// A point in a frame, beside where it really is.
struct FollowedSight {
    /// Where it was found, from where it is, in pixels.
    let error: Vector2
    /// By how much it moved since the last frame, and since it was first seen, in pixels.
    let step: Vector2
    let way: Vector2
    let frameCount: Int
    let level: Int
    /// Whether its surroundings showed one surface alone when it was first seen: what several share slides.
    let isAlone: Bool
    /// The point as the estimator takes it.
    let seen: SeenPoint
    /// How its light was spread by its last step during the exposure.
    let blur: PixelCovariance
    /// The direction from which the camera looked at it in the world, of the length of the focal length in pixels.
    let view: Vector3
}

/// How far a point's patch reaches, about, in pixels.
let surroundings = 9.0

func sights(of folder: URL, exposureSeconds: Double) throws -> [FollowedSight] {
    let recording = try Recording(opening: folder)
    let truth = try TrueSights(
        Scene(contentsOf: folder.appendingPathComponent("scene.yaml")), exposureSeconds: exposureSeconds)
    let calibration = try recording.trueCamera()
    var tracker = FeatureTracker(camera: calibration.camera, imageSize: calibration.imageSize)
    /// The points, and where they were first and last.
    var known: [FeatureID: (place: Point3, isAlone: Bool, first: PixelPoint, last: PixelPoint)] = [:]
    var sights: [FollowedSight] = []
    var previous: Timestamp?
    /// The share of a frame's time in which it is exposed.
    var exposedShare = 0.0
    var stream = try recording.makeStream()
    while let event = try stream.next() {
        guard case .frame(let frame) = event else { continue }
        let motion = previous.map { previous in
            PredictedMotion(
                opticalFromPreviousOptical: truth.opticalFromPreviousOptical(from: previous, to: frame.timestamp),
                readoutFraction: Double(calibration.readoutNanoseconds)
                    / Double(frame.timestamp.nanoseconds(since: previous)))
        }
        if let previous { exposedShare = exposureSeconds / frame.timestamp.seconds(since: previous) }
        previous = frame.timestamp
        for point in tracker.track(frame.image, motion: motion).observations {
            if let (place, isAlone, first, last) = known[point.id] {
                guard let pixel = truth.pixel(of: place, inFrameAt: frame.timestamp) else { continue }
                known[point.id]?.last = pixel
                let step = pixel.vector - last.vector
                sights.append(
                    FollowedSight(
                        error: point.pixel.vector - pixel.vector, step: step,
                        way: pixel.vector - first.vector, frameCount: point.frameCount, level: point.level,
                        isAlone: isAlone, seen: SeenPoint(point, by: TrackerConfiguration()),
                        blur: PixelCovariance(
                            along: exposedShare * exposedShare * step.squaredLength / 12,
                            of: step.normalized() ?? Vector2(1, 0), across: 0),
                        view: calibration.camera.intrinsics.fx
                            * truth.direction(to: place, inFrameAt: frame.timestamp)))
            } else if let (place, isAlone) = truth.pointInWorld(
                at: point.pixel, inFrameAt: frame.timestamp, surroundings: surroundings)
            {
                known[point.id] = (place, isAlone, point.pixel, point.pixel)
            }
        }
    }
    return sights
}

/// How much of the points' way is missing, in thousandths, along the picture's columns or rows, by those that err little.
func lag(_ sights: [FollowedSight], _ part: (Vector2) -> Double) -> Double {
    var (errors, ways) = (0.0, 0.0)
    for sight in sights where sight.error.length < 1 {
        errors -= part(sight.error) * part(sight.way)
        ways += part(sight.way) * part(sight.way)
    }
    return 1000 * errors / ways
}

/// Rows of a table: sights in groups of growing values, each up to a limit.
func rows(_ sights: [FollowedSight], _ limits: [Double], _ name: String, by value: (FollowedSight) -> Double) {
    var lower = -Double.infinity
    for limit in limits {
        let group = sights.filter { (lower..<limit).contains(value($0)) }
        defer { lower = limit }
        guard group.count > 20 else { continue }
        let lengths = group.map(\.error.length)
        let along = group.filter { $0.error.length < 1 }.map { $0.error.dot($0.step.normalized() ?? .zero) }
        print(
            String(
                format: "| %@ < %g | %d | %.3f | %.3f | %+.4f | %+.2f | %+.2f |", name, limit, group.count,
                quantile(lengths, 0.5), quantile(lengths, 0.9), along.reduce(0, +) / Double(along.count),
                lag(group, \.x), lag(group, \.y)))
    }
}

/// Two sights of a point.
struct SightPair {
    /// By how far aside the camera went from one to the other, in pixels.
    let asidePixels: Double
    /// By how much their blurs differ: where one is sharp, how far the point went while the other was exposed, in pixels.
    let blurredPixels: Double
    /// How far apart the point is found, squared, and what the estimator expects of that in the mean, along an axis, in px².
    let squared: Double
    let expected: Double
    /// The squared Mahalanobis distance, of two degrees of freedom.
    let distance: Double

    init(_ earlier: FollowedSight, _ later: FollowedSight, slide: PixelCovariance) {
        asidePixels = (later.view - earlier.view).length
        let slid = VisualInertialFilter.slid(asidePixels) * slide
        blurredPixels = (12 * (later.blur - earlier.blur).norm).squareRoot()
        let noise = [earlier, later].reduce(0) { $0 + $1.seen.deviationPixels * $1.seen.deviationPixels }
        let placed = slid + later.blur.placeCovariance(blurredAs: earlier.blur)
        let (xx, xy, yy) = (placed.xx + noise, placed.xy, placed.yy + noise)
        let apart = later.error - earlier.error
        squared = apart.squaredLength / 2
        expected = (xx + yy) / 2
        distance = (yy * apart.x * apart.x - 2 * xy * apart.x * apart.y + xx * apart.y * apart.y) / (xx * yy - xy * xy)
    }
}

/// Pairs of every fifth sight of each point, of those that do not err much.
func pairs(of sights: [FollowedSight]) -> [SightPair] {
    Dictionary(grouping: sights.filter { $0.error.length < 1.5 }, by: \.seen.id).values.flatMap { ofPoint in
        let slide = ofPoint.map(\.seen.slide).max { $0.trace < $1.trace } ?? .zero
        let some = stride(from: 0, to: ofPoint.count, by: 5).map { ofPoint[$0] }
        return some.indices.flatMap { later in
            some[..<later].map { SightPair($0, some[later], slide: slide) }
        }
    }
}

/// Rows of a table: how far apart two sights of a point are found, by how they differ, beside what the estimator expects: of a normal
/// distribution the last two columns would be one.
func pairRows(_ pairs: [SightPair], _ limits: [Double], _ name: String, by value: (SightPair) -> Double) {
    var lower = -Double.infinity
    for limit in limits {
        let group = pairs.filter { (lower..<limit).contains(value($0)) }
        defer { lower = limit }
        guard group.count > 20 else { continue }
        func mean(_ value: (SightPair) -> Double) -> Double { group.reduce(0) { $0 + value($1) } / Double(group.count) }
        print(
            String(
                format: "| %@ < %g | %d | %.3f | %.3f | %.3f | %.2f | %.2f |", name, limit, group.count,
                quantile(group.map(\.squared), 0.5).squareRoot(), mean(\.squared).squareRoot(),
                mean(\.expected).squareRoot(), quantile(group.map(\.distance), 0.5) / (2 * log(2)), mean(\.distance) / 2
            ))
    }
}

let folders = CommandLine.arguments.dropFirst(2)
guard !folders.isEmpty, let exposure_ms = Double(CommandLine.arguments[1]), exposure_ms >= 0 else {
    print("usage: FollowingTable EXPOSURE_MS RECORDING…, exposed so long, as TrackingTable --recordings makes them")
    exit(64)
}
for folder in folders {
    let sights = try sights(of: URL(fileURLWithPath: folder), exposureSeconds: exposure_ms / 1000)
    print("\n\(folder)\n")
    print("| sights | count | median error px | 90 % px | ahead px | lag of columns ‰ | of rows ‰ |")
    print("|---|---|---|---|---|---|---|")
    rows(sights, [.infinity], "all") { _ in 0 }
    let alone = sights.filter(\.isAlone)
    rows(alone, [.infinity], "alone") { _ in 0 }
    rows(alone, [1, 2, 5, 10, 20, .infinity], "px a frame") { $0.step.length }
    rows(alone, [3, 5, 10, 20, 50, .infinity], "frames") { Double($0.frameCount) }
    rows(alone, [20, 50, 100, 200, .infinity], "px way") { $0.way.length }
    rows(alone, [1, 2, 3, 4], "level") { Double($0.level) }
    print(
        "\n| two sights of a point | count | apart along an axis: median px | root of mean square px | expected px "
            + "| squared distance, of what is expected: median | mean |\n|---|---|---|---|---|---|---|")
    let pairs = pairs(of: sights)
    pairRows(pairs, [0.5, 2, 8, 16, 32, 64, 128, 256, .infinity], "px aside", by: \.asidePixels)
    pairRows(pairs, [1, 2, 3, 5, 7, 10, 15, .infinity], "px of blur", by: \.blurredPixels)
}
