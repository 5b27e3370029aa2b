// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
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
    /// Which point it is.
    let id: FeatureID
    /// The direction from which the camera looked at it in the world, of the length of the focal length in pixels.
    let view: Vector3
}

/// How far a point's patch reaches, about, in pixels.
let surroundings = 9.0

func sights(of folder: URL, exposureSeconds: Double) throws -> [FollowedSight] {
    let recording = try Recording(opening: folder)
    let truth = try TrueSights(
        Scene(contentsOf: folder.appendingPathComponent("scene.yaml")), exposureSeconds: exposureSeconds)
    let calibration = recording.rig.camera
    var tracker = FeatureTracker(camera: calibration.camera, imageSize: calibration.imageSize)
    /// The points, and where they were first and last.
    var known: [FeatureID: (place: Point3, isAlone: Bool, first: PixelPoint, last: PixelPoint)] = [:]
    var sights: [FollowedSight] = []
    var previous: Timestamp?
    var stream = try recording.makeStream()
    while let event = try stream.next() {
        guard case .frame(let frame) = event else { continue }
        let motion = previous.map { previous in
            PredictedMotion(
                opticalFromPreviousOptical: truth.opticalFromPreviousOptical(from: previous, to: frame.timestamp),
                readoutFraction: Double(calibration.readoutNanoseconds)
                    / Double(frame.timestamp.nanoseconds(since: previous)))
        }
        previous = frame.timestamp
        for point in tracker.track(frame.image, motion: motion).observations {
            if let (place, isAlone, first, last) = known[point.id] {
                guard let pixel = truth.pixel(of: place, inFrameAt: frame.timestamp) else { continue }
                known[point.id]?.last = pixel
                sights.append(
                    FollowedSight(
                        error: point.pixel.vector - pixel.vector, step: pixel.vector - last.vector,
                        way: pixel.vector - first.vector, frameCount: point.frameCount, level: point.level,
                        isAlone: isAlone, id: point.id,
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

/// Rows of a table: how far apart two sights of a point are found, by how far aside the camera went from one to the other. Those that
/// err much are not asked.
func slideRows(_ sights: [FollowedSight], _ limits: [Double]) {
    var groups = [[Double]](repeating: [], count: limits.count)
    for ofPoint in Dictionary(grouping: sights.filter { $0.error.length < 1.5 }, by: \.id).values {
        // Every fifth sight will do.
        let some = stride(from: 0, to: ofPoint.count, by: 5).map { ofPoint[$0] }
        for (index, later) in some.enumerated() {
            for earlier in some[..<index] {
                let aside = (later.view - earlier.view).length
                guard let group = limits.firstIndex(where: { aside < $0 }) else { continue }
                groups[group].append((later.error - earlier.error).squaredLength / 2)
            }
        }
    }
    for (limit, squares) in zip(limits, groups) where squares.count > 20 {
        let mean = squares.reduce(0, +) / Double(squares.count)
        print(
            String(
                format: "| px aside < %g | %d | %.3f | %.3f |", limit, squares.count,
                quantile(squares, 0.5).squareRoot(), mean.squareRoot()))
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
    print("\n| two sights of a point | count | apart along an axis: median px | root of mean square px |")
    print("|---|---|---|---|")
    slideRows(sights, [0.5, 2, 8, 16, 32, 64, 128, 256, .infinity])
}
