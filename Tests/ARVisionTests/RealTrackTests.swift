// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

/// Tracks in real pictures.
@Suite struct RealTrackTests {
    /// A drone that stands on the floor: points neither jitter nor drift. Somebody shakes the floor, by up to a pixel and
    /// a half in the end; what all points do is therefore taken away, and drift is measured while the drone rests where
    /// it was at first.
    @Test(.enabled(if: RealData.has("euroc_micro_v101/mav0"), "euroc_micro_v101 is absent"))
    func pointsOfAStandingCameraDoNotDrift() throws {
        let recording = try Recording(opening: RealData.url("euroc_micro_v101"))
        let calibration = recording.rig.camera
        var tracker = FeatureTracker(camera: calibration.camera, imageSize: calibration.imageSize)
        var tracks: [FeatureID: [Vector2]] = [:]
        var stream = try recording.makeStream()
        while let event = try stream.next() {
            guard case .frame(let frame) = event else { continue }
            for point in tracker.track(frame.image).observations {
                tracks[point.id, default: []].append(point.pixel.vector)
            }
        }
        let long = tracks.values.filter { $0.count == 95 }
        #expect(long.count >= 120, "\(long.count) of \(tracks.count) points were followed throughout")
        let steps = (1..<95).flatMap { frame in Self.withoutMedian(long.map { $0[frame] - $0[frame - 1] }) }
        // Each step is the difference of two errors.
        #expect(Self.rootMeanSquare(steps) / 2.squareRoot() < 0.05)
        func mean(_ places: ArraySlice<Vector2>) -> Vector2 { places.reduce(.zero, +) / Double(places.count) }
        let drifts = Self.withoutMedian(long.map { mean($0[38...50]) - mean($0[0...2]) })
        #expect(Self.rootMeanSquare(drifts) < 0.05)
    }

    private static func withoutMedian(_ vectors: [Vector2]) -> [Vector2] {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        let common = Vector2(median(vectors.map(\.x)), median(vectors.map(\.y)))
        return vectors.map { $0 - common }
    }

    /// Along one axis.
    private static func rootMeanSquare(_ vectors: [Vector2]) -> Double {
        (vectors.reduce(0) { $0 + $1.squaredLength } / Double(2 * vectors.count)).squareRoot()
    }

    /// A camera that flies, fast enough to smear its pictures: points, triangulated with the motion capture's poses, project to where they were seen.
    @Test(
        .enabled(if: RealData.has("euroc_mh01_clip/sample_video/img.avi"), "euroc_mh01_clip is absent"))
    func pointsOfAFlightAreRigid() throws {
        let folder = try TemporaryFolder()
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        try Recipe(reading: package.appendingPathComponent("Tools/recipes/euroc-mh01.yaml"))
            .makeRecording(from: RealData.folder, to: folder("mh01"))
        let recording = try Recording(opening: folder("mh01"))
        let calibration = recording.rig.camera
        var stream = try recording.makeStream()
        var events: [SensorEvent] = []
        while let event = try stream.next() { events.append(event) }
        let turns = GyroscopeTurns(
            events.compactMap { if case .imu(let sample) = $0 { sample } else { nil } }, calibration: calibration)
        var truths = try recording.makeTruthStream()
        var tracker = FeatureTracker(camera: calibration.camera, imageSize: calibration.imageSize)
        var sights: [FeatureID: [(worldFromOptical: RigidTransform, point: FeaturePoint)]] = [:]
        var previous: Timestamp?
        var shares: [Double] = []
        for case .frame(let frame) in events {
            let motion = previous.map {
                PredictedMotion(
                    opticalFromPreviousOptical: turns.opticalFromPreviousOptical(from: $0, to: frame.timestamp))
            }
            let before = tracker.points.count
            let tracked = tracker.track(frame.image, motion: motion)
            if previous != nil { shares.append(Double(tracked.counts.followed) / Double(before)) }
            previous = frame.timestamp
            guard let truth = try truths.truth(at: frame.timestamp) else { continue }
            let worldFromOptical = truth.worldFromCamera * RigidTransform.opticalFromCamera.inverse
            for point in tracked.observations { sights[point.id, default: []].append((worldFromOptical, point)) }
        }
        #expect(shares.allSatisfy { $0 > 0.3 })
        #expect(shares.sorted()[shares.count / 2] > 0.65)
        let errors = sights.values.filter { $0.count >= 15 }.flatMap { sights -> [Double] in
            guard let place = Self.triangulated(sights.map { ($0.worldFromOptical, $0.point.direction) }) else {
                return []
            }
            return sights.map { sight in
                calibration.camera.project(sight.worldFromOptical.inverse * place)?.distance(to: sight.point.pixel)
                    ?? .infinity
            }
        }.sorted()
        #expect(errors.count > 1000)
        // The poses' own errors are in it.
        #expect(errors[errors.count / 2] < 0.5)
        #expect(errors[errors.count * 9 / 10] < 1.5)
    }

    /// The point nearest to all rays, by least squares.
    private static func triangulated(_ rays: [(RigidTransform, Vector3)]) -> Point3? {
        var (matrix, right) = (Matrix3x3.zero, Vector3.zero)
        for (worldFromOptical, direction) in rays {
            let along = worldFromOptical.rotation * direction
            let across = Matrix3x3.identity - Matrix3x3.outerProduct(along, along)
            matrix = matrix + across
            right += across * worldFromOptical.translation
        }
        return matrix.inverse.map { $0 * right }
    }
}
