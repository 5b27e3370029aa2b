// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// Tracks in rendered films, with noise, blur and rolling shutter of a phone, against where the points really are.
@Suite(.tags(.slow), .whenSlowTestsRun) struct RenderedTrackTests {
    /// A shipped scene, and what the tracker does in some of its frames.
    private struct Film {
        let session: SceneSession
        private let camera: SimulatedCamera
        private let depthRenderer: Renderer
        private let turns: GyroscopeTurns
        private var previous: Timestamp?

        init(scene name: String) throws {
            let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Scenes/\(name).yaml")
            session = try SceneSession(scene: Scene(contentsOf: file.standardized))
            camera = session.makeCamera()
            depthRenderer = Renderer(
                model: session.stage.model, camera: session.scene.camera.model, size: session.scene.camera.size)
            var readings = try #require(session.inertialSensor).makeReadings()
            var samples: [ImuSample] = []
            while let reading = readings.next() { samples.append(reading.sample) }
            turns = GyroscopeTurns(samples, calibration: session.rig.camera)
        }

        /// What is seen at a pixel of a frame, or `nil` near the edge of something.
        func pointInWorld(at pixel: PixelPoint, of shot: Shot, depths: [Float]) -> Point3? {
            let (column, row) = (Int(pixel.x.rounded()), Int(pixel.y.rounded()))
            let size = session.scene.camera.size
            func depth(_ column: Int, _ row: Int) -> Double { Double(depths[row * size.width + column]) }
            let here = depth(column, row)
            let isOnOneSurface = (-4...4).allSatisfy { dy in
                (-4...4).allSatisfy { abs(depth(column + $0, row + dy) - here) < 0.03 * here }
            }
            guard isOnOneSurface, here > 0,
                let direction = session.scene.camera.model.unproject(pixel)
            else { return nil }
            return shot.worldFromCameraByRow[row] * RigidTransform.opticalFromCamera.inverse
                * (direction * (here / direction.z))
        }

        func depths(of shot: Shot) -> [Float] {
            let painter = TruthPainter(size: depthRenderer.size, kinds: [.depth])
            return painter.pictures(of: shot, by: depthRenderer).depth?.meters ?? []
        }

        /// Tracks a frame with the gyroscope's prediction.
        mutating func track(frame number: Int, with tracker: inout FeatureTracker) -> FeatureFrame {
            let now = session.timestamp(ofFrame: number)
            defer { previous = now }
            let readoutFraction = session.scene.camera.readoutSeconds * session.scene.camera.rateInHertz
            let motion = previous.map {
                PredictedMotion(
                    opticalFromPreviousOptical: turns.opticalFromPreviousOptical(from: $0, to: now),
                    readoutFraction: readoutFraction)
            }
            return tracker.track(session.image(ofFrame: number, by: camera), motion: motion)
        }
    }

    /// The distance of points from where they really are, after 30 frames. A wooden table seen along its grain leaves
    /// more open than a room.
    @Test(arguments: [("room-walk", 0.12), ("table-top", 0.2)])
    func pointsStayOnWhatTheyWereSeenOn(scene: String, medianLimit: Double) throws {
        try expectPointsToStay(in: scene, medianLimit: medianLimit)
    }

    /// The same in a hand's own motion, as it was recorded.
    @Test(.enabled(if: RealData.isBesideThePackage, "the recording that the scene replays is not beside the package"))
    func pointsStayInARecordedMotion() throws { try expectPointsToStay(in: "replayed-motion", medianLimit: 0.1) }

    private func expectPointsToStay(in scene: String, medianLimit: Double) throws {
        var film = try Film(scene: scene)
        let session = film.session
        var tracker = FeatureTracker(camera: session.rig.camera.camera, imageSize: session.rig.camera.imageSize)
        let first = 60
        let shot = session.shot(at: session.timestamp(ofFrame: first))
        let depths = film.depths(of: shot)
        var truths: [FeatureID: Point3] = [:]
        for point in film.track(frame: first, with: &tracker).observations {
            truths[point.id] = film.pointInWorld(at: point.pixel, of: shot, depths: depths)
        }
        var errors: [Double] = []
        var visible = 0
        for number in first + 1...first + 30 {
            let frame = film.track(frame: number, with: &tracker)
            guard number == first + 30 else { continue }
            let time = session.timestamp(ofFrame: number)
            visible = truths.values.count { point in
                session.project(point, inFrameAt: time).map { (12...627).contains($0.x) && (12...467).contains($0.y) }
                    ?? false
            }
            errors = frame.observations.compactMap { point in
                truths[point.id].flatMap { session.project($0, inFrameAt: time) }?.distance(to: point.pixel)
            }
        }
        errors.sort()
        // Enough for a median and for nine of ten to mean something.
        #expect(errors.count >= 20)
        #expect(errors.count >= visible / 3, "\(errors.count) of \(visible) are still followed")
        #expect(errors[errors.count / 2] < medianLimit)
        #expect(errors[errors.count * 9 / 10] < 1)
    }
}
