// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import ARTracking
import ARTruth
import Foundation
import TestSupport
import Testing

/// A real flight that begins in mid-air: 1.4 s with motion capture, too little to find out how it moves and go on.
@Suite(
    .enabled(
        if: RealData.has("euroc_mh01_clip/sample_video/img.avi"),
        "the public flight clip is not here: set ARSIM_DATA to the folder that holds euroc_mh01_clip"))
struct KnownMotionTests {
    /// Started from where motion capture saw it, the flight ends where motion capture saw it.
    @Test func aFlightGoesOnFromAKnownState() throws {
        let folder = try TemporaryFolder()
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        try Recipe(reading: package.appendingPathComponent("Tools/recipes/euroc-mh01.yaml"))
            .makeRecording(from: RealData.folder, to: folder("mh01"))
        let recording = try Recording(opening: folder("mh01"))
        var stream = try recording.makeStream()
        var events: [SensorEvent] = []
        while let event = try stream.next() { events.append(event) }
        var truths = try recording.makeTruthStream()
        var truth: [(timestamp: Timestamp, worldFromImu: RigidTransform)] = []
        let cameraFromImu = recording.rig.camera.imuFromCamera.inverse
        for case .frame(let frame) in events {
            if let known = try truths.truth(at: frame.timestamp) {
                truth.append((frame.timestamp, known.worldFromCamera * cameraFromImu))
            }
        }
        #expect(truth.count == 29)

        let start = KnownMotion(
            timestamp: truth[1].timestamp, worldFromImu: truth[1].worldFromImu,
            velocity: (truth[2].worldFromImu.translation - truth[0].worldFromImu.translation)
                / truth[2].timestamp.seconds(since: truth[0].timestamp),
            gyroscopeBias: Self.gyroscopeBias, accelerometerBias: Self.accelerometerBias)
        var tracker = VisualInertialTracker(rig: recording.rig, knownMotion: start)
        var frames = events.flatMap { tracker.process($0) }
        frames += tracker.finish()
        #expect(frames.count == 51)
        for frame in frames where frame.timestamp >= start.timestamp {
            let known = try #require(truth.first { $0.timestamp == frame.timestamp })
            let found = frame.worldFromCamera * cameraFromImu
            let isAtEnd = frame.timestamp >= truth[truth.count - 3].timestamp
            #expect(frame.trackingState == .normal)
            // In between, what is known of the camera's place and turn on the device still settles.
            #expect(
                (found.translation - known.worldFromImu.translation).length < (isAtEnd ? 0.02 : 0.05))
            #expect(
                found.rotation.angle(to: known.worldFromImu.rotation) < (isAtEnd ? 0.5 : 1) * Double.pi / 180)
        }
    }

    /// What the sensor shows too much, from the motion capture of another flight with it (V1_01_easy).
    private static let gyroscopeBias = Vector3(-0.0022, 0.0215, 0.0770)
    private static let accelerometerBias = Vector3(-0.018, 0.066, 0.031)
}
