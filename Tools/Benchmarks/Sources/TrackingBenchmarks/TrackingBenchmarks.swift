// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSim
import ARVision
import ArgumentParser
import Foundation
import OpenCVFrontEnd
import Timing

/// Measures the feature tracker, and the whole tracker with its estimator, against OpenCV's own work on the same frames.
@main
struct TrackingBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what tracking costs, beside OpenCV's pyramid, flow and corners on the same rendered frames.",
        discussion: """
            The yardstick is OpenCV's pyramid, its flow of 150 points, and its corners on a grid with sub-pixel \
            refinement, frame by frame in turn. All is processor time of one thread. Run it from the repository's root.
            """)

    @Argument(help: "The names of scenes in Scenes.") var scenes = ["table-top", "room-walk", "replayed-motion"]
    @Option(help: "How many frames of each scene are tracked at most; the first two hundred are mostly a beginning.")
    var frames = 900

    func validate() throws {
        guard frames > 1 else { throw ValidationError("--frames is \(frames), expected at least 2.") }
        for scene in scenes where !FileManager.default.fileExists(atPath: scenePath(scene)) {
            throw ValidationError("There is no scene \(scenePath(scene)); run this from the repository's root.")
        }
    }

    func run() throws {
        print("Milliseconds of processor time a frame, medians and 99th percentiles of up to \(frames).")
        print(
            "scene                ours  ours 99  pyramid     flow  corners      all   all 99    ratio"
                + "  tracker tracker99  ratio")
        for scene in scenes { try measure(scene: scene, frames: frames) }
    }
}

private func scenePath(_ name: String) -> String { "Scenes/\(name).yaml" }

let yardstickPointCount = 150

/// The turn of the camera between two frames, by the gyroscope's samples between them.
func turn(by samples: [ImuSample], seconds: Double, calibration: CameraCalibration) -> Rotation {
    guard !samples.isEmpty else { return .identity }
    let rate = samples.reduce(Vector3.zero) { $0 + $1.angularVelocity } / Double(samples.count)
    let imuFromOptical = calibration.imuFromOptical.rotation
    return imuFromOptical.inverse * Rotation(rotationVector: -rate * seconds) * imuFromOptical
}

/// As many points as the yardstick follows: the tracker's, repeated where it has fewer.
func yardstickPoints(_ points: [FeaturePoint]) -> [Float] {
    guard !points.isEmpty else { return [] }
    return (0..<yardstickPointCount).flatMap { index in
        let pixel = points[index % points.count].pixel
        return [Float(pixel.x), Float(pixel.y)]
    }
}

func measure(scene name: String, frames frameCount: Int) throws {
    let scene = try Scene(contentsOf: URL(fileURLWithPath: scenePath(name)))
    let session = try SceneSession(scene: scene)
    let calibration = session.rig.camera
    let readoutFraction = Double(calibration.readoutNanoseconds) * 1e-9 * calibration.rateInHertz
    var tracker = FeatureTracker(camera: calibration.camera, imageSize: calibration.imageSize)
    var whole = VisualInertialTracker(rig: session.rig)
    var (wholeTimes, wholeRatios, sinceLastFrame) = ([Double](), [Double](), 0.0)
    var lastYardstick = 0.0
    var stream = session.makeStream()
    var (samples, previous) = ([ImuSample](), Timestamp?.none)
    var (ours, pyramids, flows, corners, ratios) = ([Double](), [Double](), [Double](), [Double](), [Double]())
    while ours.count < frameCount, let event = try stream.next() {
        // Samples are taken in at once; a frame is tracked when those up to its last row are there.
        var trackedFrames = 0
        sinceLastFrame += milliseconds { trackedFrames = whole.process(event).count }
        if trackedFrames > 0, !ratios.isEmpty {
            wholeTimes.append(sinceLastFrame)
            wholeRatios.append(sinceLastFrame / lastYardstick)
        }
        if trackedFrames > 0 { sinceLastFrame = 0 }
        if case .imu(let sample) = event { samples.append(sample) }
        guard case .frame(let frame) = event else { continue }
        let image = frame.image.gray
        let motion = previous.map {
            PredictedMotion(
                opticalFromPreviousOptical: turn(
                    by: samples, seconds: frame.timestamp.seconds(since: $0), calibration: calibration),
                readoutFraction: readoutFraction)
        }
        let points = yardstickPoints(tracker.points)
        let theirs = opencv_front_end(
            image.bytes, Int32(image.size.width), Int32(image.size.height), points, Int32(points.count / 2))
        let time = milliseconds { _ = tracker.track(image, motion: motion) }
        (samples, previous) = ([], frame.timestamp)
        guard motion != nil else { continue }
        ours.append(time)
        pyramids.append(theirs.pyramid_ms)
        flows.append(theirs.flow_ms)
        corners.append(theirs.corners_ms)
        lastYardstick = theirs.pyramid_ms + theirs.flow_ms + theirs.corners_ms
        ratios.append(time / lastYardstick)
    }
    let theirs = zip(zip(pyramids, flows), corners).map { $0.0 + $0.1 + $1 }
    let columns = [
        quantile(ours, 0.5), quantile(ours, 0.99), quantile(pyramids, 0.5), quantile(flows, 0.5),
        quantile(corners, 0.5), quantile(theirs, 0.5), quantile(theirs, 0.99), quantile(ratios, 0.5),
        quantile(wholeTimes, 0.5), quantile(wholeTimes, 0.99), quantile(wholeRatios, 0.5),
    ]
    print(
        name.padding(toLength: 16, withPad: " ", startingAt: 0)
            + columns.map { String(format: "%9.2f", $0) }.joined())
}
