// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import TestSupport
import Testing

@testable import ARTracking

@Suite struct MotionAlignmentTests {
    /// Windows of a second and a half from a walk: those that are believed have their scale right within 10 %, nearly all within
    /// 5 %, and most are believed.
    @Test(.tags(.slow), .whenSlowTestsRun) func tellsScaleAndHowWell() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 9, seed: 5)
        var frames: [MotionAlignment.Frame] = []
        var history: ImuHistory?
        session.forEachFrame { frame, samples in
            frames.append(MotionAlignment.Frame(timestamp: frame.timestamp, points: frame.points))
            history = samples
        }
        let samples = try #require(history)
        let settings = InitialisationSettings()
        var (tried, errors) = (0, [Double]())
        for start in stride(from: 15, to: frames.count - 45, by: 10) {
            let window = Array(frames[start..<(start + 45)])
            tried += 1
            guard
                let found = MotionAlignment(
                    frames: window, history: samples, calibration: CameraState(session.calibration), settings: settings),
                found.relativeScaleDeviation < settings.largestScaleDeviation(ofSeconds: 1.5), found.error < settings.largestError
            else { continue }
            let (first, last) = (found.timestamp, window[44].timestamp)
            let motion = samples.motion(from: first, to: last, errors: found.errors)
            let t = motion.seconds
            let way = found.velocity * t + found.gravity * (0.5 * t * t) + motion.position
            let truth = [first, last].map {
                session.state(at: $0.seconds(since: SceneSession.start)).worldFromBody.translation
            }
            errors.append(abs(way.length / (truth[1] - truth[0]).length - 1))
            #expect(abs(found.gravity.length - 9.81) < 0.1)
        }
        #expect(errors.count * 10 >= tried * 7)
        #expect(errors.allSatisfy { $0 < 0.1 })
        #expect(errors.count { $0 < 0.05 } * 10 >= errors.count * 9)
    }

    /// A device that stands still tells nothing of scale, and says so.
    @Test func standingStillIsNotBelieved() throws {
        let session = try OdometryTests.session(
            "{kind: standstill, position_m: [0, 1.2, 0], look_at_m: [0, 1.2, -2]}", seconds: 2, seed: 6)
        var frames: [MotionAlignment.Frame] = []
        var history: ImuHistory?
        session.forEachFrame { frame, samples in
            frames.append(MotionAlignment.Frame(timestamp: frame.timestamp, points: frame.points))
            history = samples
        }
        let found = MotionAlignment(
            frames: frames, history: try #require(history), calibration: CameraState(session.calibration),
            settings: InitialisationSettings())
        #expect((found?.relativeScaleDeviation ?? .infinity) > InitialisationSettings().largestScaleDeviation(ofSeconds: 2))
    }
}
