// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// The whole tracker on rendered pictures.
@Suite struct VisualInertialTrackerTests {
    private static func session(
        _ scene: String, seconds: Double? = nil, settings: [String] = []
    ) throws -> SceneSession {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Scenes/\(scene).yaml")
        var scene = try Scene(contentsOf: file, settings: settings.map { try SceneSetting($0) })
        scene.durationSeconds = seconds ?? scene.durationSeconds
        return try SceneSession(scene: scene)
    }

    /// Five seconds of a walk through a room, rendered once for all who look at it, and what a phone senses meanwhile.
    private static let walk = Result {
        let session = try Self.session("room-walk", seconds: 5)
        return (session: session, events: try events(of: session))
    }

    private static func events(of source: some SensorSource, seconds: Double = .infinity) throws -> [SensorEvent] {
        var stream = try source.makeStream()
        var events: [SensorEvent] = []
        while let event = try stream.next(), event.timestamp.seconds(since: SceneSession.start) < seconds {
            events.append(event)
        }
        return events
    }

    private static func track(_ events: [SensorEvent], by rig: SensorRig) -> [TrackedFrame] {
        var tracker = VisualInertialTracker(rig: rig)
        return events.flatMap { tracker.process($0) } + tracker.finish()
    }

    private static func track(_ source: some SensorSource, seconds: Double = .infinity) throws -> [TrackedFrame] {
        try track(events(of: source, seconds: seconds), by: source.rig)
    }

    /// A walk of five seconds, seen through a phone's camera: the pose is known within three seconds, and then, seen from where the
    /// camera was at that time, no place is wrong by more than 5 cm in the 3 m walked and no turn by more than 2°: how the camera
    /// sits on the device is known to about a degree at first, and a walk straight on tells little of it.
    @Test(.tags(.slow), .whenSlowTestsRun) func followsAWalk() throws {
        let (session, events) = try Self.walk.get()
        let frames = Self.track(events, by: session.rig)
        #expect(frames.count == session.expectedFrameCount)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
        let normal = frames.filter { $0.trackingState == .normal }
        let first = try #require(normal.first)
        #expect(first.timestamp.seconds(since: frames[0].timestamp) < 3)
        #expect(normal.count > 50)
        func truth(_ frame: TrackedFrame) -> RigidTransform {
            session.worldFromCamera(at: frame.timestamp.seconds(since: SceneSession.start))
        }
        for frame in normal {
            let found = first.worldFromCamera.inverse * frame.worldFromCamera
            let expected = truth(first).inverse * truth(frame)
            #expect((found.translation - expected.translation).length < 0.05)
            #expect(found.rotation.angle(to: expected.rotation) < 0.035)
        }
        #expect(frames.allSatisfy { $0.motion.map { !$0.isProvisional } ?? false || $0.featurePoints.isEmpty })
        #expect(normal.reduce(0) { $0 + $1.featurePoints.count } > 50 * normal.count)
    }

    private static let flight = "motion/MH_03_medium.txt"

    /// A drone takes off in a hall: before its motion is known, its pictures tell how far it came by a guess of how far things are, and show
    /// turns and shifts much alike. It is lost by no more than 15 cm.
    @Test(
        .tags(.slow), .whenSlowTestsRun,
        .enabled(
            if: RealData.has(flight),
            "the recorded motions are not here: set ARSIM_DATA to the folder that holds motion"))
    func takesOffInAHall() throws {
        let session = try Self.session(
            "replayed-flight", seconds: 2,
            settings: ["camera_path.file='\(RealData.url(Self.flight).path)'", "sensor_seed=1"])
        let frames = try Self.track(session)
        let provisional = frames.filter { $0.motion?.isProvisional ?? false }
        let first = try #require(provisional.first)
        func truth(_ frame: TrackedFrame) -> RigidTransform {
            session.worldFromCamera(at: frame.timestamp.seconds(since: SceneSession.start))
        }
        let errors = provisional.map { frame in
            let found = first.worldFromCamera.inverse * frame.worldFromCamera
            let expected = truth(first).inverse * truth(frame)
            return (found.translation - expected.translation).length
        }
        #expect(provisional.count >= 15)
        #expect(try #require(errors.max()) < 0.15)
    }

    /// Half a second of a walk in which the camera shows one picture, and a walk in which it shows each picture twice: these frames are told to be
    /// old pictures, all others not; none shows a point, and what is called normal is right, the old ones among them.
    @Test(.tags(.slow), .whenSlowTestsRun) func oldPicturesTellNothing() throws {
        let (session, events) = try Self.walk.get()
        func seconds(_ timestamp: Timestamp) -> Double { timestamp.seconds(since: SceneSession.start) }
        func truth(_ frame: TrackedFrame) -> RigidTransform {
            session.worldFromCamera(at: seconds(frame.timestamp))
        }
        let repeats: [(name: String, showsOldPicture: (_ number: Int, _ timestamp: Timestamp) -> Bool)] = [
            ("stopped", { _, timestamp in (3.5..<4).contains(seconds(timestamp)) }),
            ("twice", { number, _ in number % 2 == 1 }),
        ]
        for (name, isRepeated) in repeats {
            var tracker = VisualInertialTracker(rig: session.rig)
            var (frames, expected): ([TrackedFrame], [Bool]) = ([], [])
            var shown: ImageBuffer?
            for event in events {
                guard case .frame(var frame) = event else {
                    frames += tracker.process(event)
                    continue
                }
                let isOld = isRepeated(expected.count, frame.timestamp)
                if isOld, let shown { frame.image = shown }
                (shown, expected) = (frame.image, expected + [isOld])
                frames += tracker.process(.frame(frame))
            }
            frames += tracker.finish()
            #expect(frames.map(\.showsOldPicture) == expected, "\(name)")
            #expect(tracker.counts.repeatedPictures == expected.count { $0 })
            let old = frames.filter(\.showsOldPicture)
            #expect(old.allSatisfy { $0.featurePoints.isEmpty && $0.sightings.isEmpty })
            let normal = frames.filter { $0.trackingState == .normal }
            #expect(old.count { $0.trackingState == .normal } >= 7, "\(name)")
            let first = try #require(normal.first)
            #expect(seconds(first.timestamp) < 3, "\(name)")
            for frame in normal {
                expectClose(
                    first.worldFromCamera.inverse * frame.worldFromCamera, truth(first).inverse * truth(frame),
                    radians: 0.035, metres: 0.05, "\(name), at \(seconds(frame.timestamp)) s")
            }
            #expect(try #require(frames.last).trackingState == .normal)
        }
    }

    /// The app goes away during a walk and comes back three seconds later and elsewhere: until the tracker has seen where that is,
    /// it says that it does not know; what it calls normal is right all the way.
    @Test(.tags(.slow), .whenSlowTestsRun) func saysWhereItIsAfterAnInterruptionOnlyWhenItKnows() throws {
        let session = try Self.session("interruption", seconds: 11)
        let frames = try Self.track(session.faulted())
        func seconds(_ frame: TrackedFrame) -> Double { frame.timestamp.seconds(since: SceneSession.start) }
        let first = try #require(frames.first { $0.trackingState == .normal })
        let start = session.worldFromCamera(at: seconds(first)).inverse
        for frame in frames where frame.trackingState == .normal {
            let found = first.worldFromCamera.inverse * frame.worldFromCamera
            let expected = start * session.worldFromCamera(at: seconds(frame))
            #expect((found.translation - expected.translation).length < 0.05, "at \(seconds(frame)) s")
            #expect(found.rotation.angle(to: expected.rotation) < 0.035, "at \(seconds(frame)) s")
        }
        // Points are in the world that the pose is in, wherever that was found to be.
        for frame in frames {
            let size = frame.imageSize
            #expect(
                frame.featurePoints.allSatisfy { point in
                    frame.project(point.position).map {
                        abs($0.x - Double(size.width) / 2) < 0.6 * Double(size.width)
                            && abs($0.y - Double(size.height) / 2) < 0.6 * Double(size.height)
                    } ?? false
                }, "at \(seconds(frame)) s")
        }
        let after = frames.filter { seconds($0) > 8 }
        #expect(after.count > 60)
        #expect(Set(after.prefix(20).map(\.trackingState)) == [.limited(.relocalizing)])
    }

    /// The app goes away for a second, and comes back to a view that it knows: half a second later tracking is normal again, and
    /// in the same world.
    @Test(.tags(.slow), .whenSlowTestsRun) func goesOnAtOnceWhereItKnowsTheView() throws {
        let session = try Self.session("draw", settings: ["faults=[{interruption: {from_s: 4, to_s: 5}}]"])
        let frames = try Self.track(session.faulted(), seconds: 6)
        func seconds(_ frame: TrackedFrame) -> Double { frame.timestamp.seconds(since: SceneSession.start) }
        func normal(_ range: Range<Double>) -> [TrackedFrame] {
            frames.filter { range.contains(seconds($0)) && $0.trackingState == .normal }
        }
        let last = try #require(normal(0..<4).last)
        let start = session.worldFromCamera(at: seconds(last)).inverse
        #expect(normal(5.5..<6).count == frames.count { seconds($0) >= 5.5 })
        for frame in normal(5..<6) {
            let found = last.worldFromCamera.inverse * frame.worldFromCamera
            let expected = start * session.worldFromCamera(at: seconds(frame))
            expectClose(found, expected, radians: 0.025, metres: 0.03, "at \(seconds(frame)) s")
        }
    }

    /// Between frames and a little after the last, the pose goes on as the truth does: within 3 mm and 0.2° of where the last
    /// frame's own error would put it.
    @Test(.tags(.slow), .whenSlowTestsRun) func tellsThePoseAtAnyInstant() throws {
        let (session, events) = try Self.walk.get()
        var tracker = VisualInertialTracker(rig: session.rig)
        #expect(tracker.worldFromCamera(at: SceneSession.start) == nil)
        var last: TrackedFrame?
        var compared = 0
        func truth(_ timestamp: Timestamp) -> RigidTransform {
            session.worldFromCamera(at: timestamp.seconds(since: SceneSession.start))
        }
        for event in events {
            for frame in tracker.process(event) where frame.trackingState == .normal {
                let exact = try #require(tracker.worldFromCamera(at: frame.timestamp))
                #expect((exact.translation - frame.worldFromCamera.translation).length < 1e-9)
                if let last {
                    for part in [0.3, 0.7] {
                        let step = Double(frame.timestamp.nanoseconds(since: last.timestamp))
                        let instant = last.timestamp.advanced(byNanoseconds: Int64(part * step))
                        let found = try #require(tracker.worldFromCamera(at: instant))
                        let moved = last.worldFromCamera.inverse * found
                        let expected = truth(last.timestamp).inverse * truth(instant)
                        #expect((moved.translation - expected.translation).length < 0.003)
                        #expect(moved.rotation.angle(to: expected.rotation) < 0.0035)
                        compared += 1
                    }
                }
                last = frame
            }
        }
        #expect(compared > 40)
    }

    @Test(.tags(.slow), .whenSlowTestsRun) func sameEventsSameFrames() throws {
        let (session, events) = try Self.walk.get()
        #expect(Self.track(events, by: session.rig) == Self.track(events, by: session.rig))
    }

    /// A frame that comes a second time is counted and left out; samples may come in any order.
    @Test func countsWhatIsLateOrDoubled() throws {
        let rig = SensorRig(
            camera: CameraCalibration(
                camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 60, fy: 60, cx: 31.5, cy: 23.5))),
                imageSize: ImageSize(width: 64, height: 48), rateInHertz: 30),
            imu: ImuCalibration(
                rateInHertz: 200, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-6,
                accelerometerNoiseDensity: 1e-3, accelerometerRandomWalk: 1e-4))
        var tracker = VisualInertialTracker(rig: rig)
        func sample(_ nanoseconds: Int64) -> SensorEvent {
            .imu(
                ImuSample(
                    timestamp: Timestamp(nanoseconds: nanoseconds), angularVelocity: .zero,
                    specificForce: Vector3(0, 9.81, 0)))
        }
        func frame(_ nanoseconds: Int64) -> SensorEvent {
            .frame(
                CameraFrame(
                    timestamp: Timestamp(nanoseconds: nanoseconds),
                    image: ImageBuffer(
                        size: rig.camera.imageSize, format: .gray8, filledWith: UInt8(nanoseconds / 1_000_000))))
        }
        var frames: [TrackedFrame] = []
        for event in [
            sample(0), sample(10_000_000), sample(5_000_000), sample(10_000_000), frame(8_000_000), frame(8_000_000),
            sample(20_000_000), frame(18_000_000), frame(30_000_000),
        ] {
            let found = tracker.process(event)
            #expect(tracker.stageTimes.count == found.count)
            #expect(tracker.stageTimes.allSatisfy { $0.total > .zero && $0.features > .zero })
            frames += found
        }
        #expect(frames.map(\.timestamp.nanoseconds) == [8_000_000, 18_000_000])
        #expect(tracker.finish().count == 1 && tracker.stageTimes.count == 1)
        #expect(tracker.counts.lateFrames == 1)
        #expect(tracker.counts.lateSamples == 1)
        #expect(tracker.counts.doubledSamples == 1)
        #expect(frames.allSatisfy { $0.trackingState == .limited(.initializing) })
    }
}
