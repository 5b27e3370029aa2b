// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Testing

/// Sessions in mode `tracked`, whatever comes from the sensors: each frame comes out once, with its own picture. How good
/// the poses are, the tracker's own tests tell.
@Suite struct TrackedSessionTests {
    private func replay(_ source: InertialSource) throws -> (session: Session, frames: [SessionFrame]) {
        var session = try Session(tracking: source)
        var frames: [SessionFrame] = []
        while let frame = try session.next() { frames.append(frame) }
        #expect(try session.next() == nil)
        return (session, frames)
    }

    /// Each of the source's frames, in the order of their stamps, has come out with its picture and without a pose that
    /// anything could be built on.
    private func expectAllFrames(of source: InertialSource, in frames: [SessionFrame]) {
        let given = source.events.compactMap { event -> CameraFrame? in
            guard case .frame(let frame) = event else { return nil }
            return frame
        }
        #expect(frames.map(\.timestamp) == given.map(\.timestamp))
        #expect(frames.map(\.image) == given.map(\.image))
        #expect(frames.map(\.index) == Array(given.indices))
        for frame in frames {
            #expect(frame.mode == .tracked)
            #expect(frame.trackingState == .limited(.initializing))
            #expect(frame.worldFromCamera.translation.isFinite)
            #expect(abs(frame.worldFromCamera.rotation.coefficients.length - 1) < 1e-9)
            #expect(frame.world.planes.isEmpty && frame.pen == nil)
        }
    }

    @Test func withoutAnInertialSensorNothingIsTracked() throws {
        var source = InertialSource(frames: 5)
        source.hasInertialSensor = false
        #expect(throws: SessionError.noInertialSensor) { try Session(tracking: source) }
        let words = SessionError.noInertialSensor.description
        #expect(words.contains("no inertial sensor") && words.contains("pinned"))
    }

    @Test func anEmptySourceHasNoFrames() throws {
        let (session, frames) = try replay(InertialSource(events: []))
        #expect(frames.isEmpty)
        #expect(session.counts.frames == 0 && session.counts.imuSamples == 0)
        #expect(session.mode == .tracked)
    }

    @Test func samplesAloneAreNoFrames() throws {
        let events = InertialSource(frames: 5).events.filter { $0.stream == .imu }
        let (session, frames) = try replay(InertialSource(events: events))
        #expect(frames.isEmpty)
        #expect(session.counts.imuSamples == events.count && session.counts.frames == 0)
    }

    /// A sensor that gives nothing, though there is one: frames wait in vain and come out nevertheless.
    @Test func framesWithoutSamplesComeOut() throws {
        let source = InertialSource(events: InertialSource(frames: 12).events.filter { $0.stream == .camera })
        let (session, frames) = try replay(source)
        expectAllFrames(of: source, in: frames)
        #expect(session.counts.frames == 12 && session.counts.imuSamples == 0)
        #expect(session.counts.framesWithPose == 0)
    }

    @Test func everyFrameComesOutWithItsPicture() throws {
        let source = InertialSource(frames: 12)
        let (session, frames) = try replay(source)
        expectAllFrames(of: source, in: frames)
        #expect(session.counts.frames == 12)
        #expect(session.counts.imuSamples == source.events.count { $0.stream == .imu })
    }

    /// The camera starts before the inertial sensor: by less, and by much more, than a frame waits for its samples.
    @Test(arguments: [Int64(100), 1000]) func picturesMayComeBeforeTheFirstSamples(milliseconds: Int64) throws {
        let first = Timestamp(nanoseconds: milliseconds * 1_000_000)
        let events = InertialSource(frames: 45).events.filter { $0.stream == .camera || $0.timestamp >= first }
        let source = InertialSource(events: events)
        expectAllFrames(of: source, in: try replay(source).frames)
    }

    /// The camera goes on after the inertial sensor has stopped.
    @Test func picturesMayComeAfterTheLastSamples() throws {
        let last = Timestamp(nanoseconds: 200_000_000)
        let events = InertialSource(frames: 30).events.filter { $0.stream == .camera || $0.timestamp <= last }
        let source = InertialSource(events: events)
        expectAllFrames(of: source, in: try replay(source).frames)
    }

    /// What the user did before a frame is done when that frame comes out, and not when it went in.
    @Test func whatTheUserDidWaitsForTheFrameThatShowsIt() throws {
        var source = InertialSource(frames: 12)
        let turned = InertialSource.stamp(ofFrame: 6)
        let place = try #require(source.events.firstIndex { $0.timestamp > turned })
        source.events.insert(
            .user(UserEvent(timestamp: turned.advanced(byNanoseconds: 1), action: .orientation(.portrait))), at: place)
        let (session, frames) = try replay(source)
        #expect(session.counts.userEvents == 1)
        #expect(frames.map(\.viewport.orientation) == (0..<12).map { $0 <= 6 ? .landscapeRight : .portrait })
    }

    /// Where the source says that events may be late, late frames are left out, and late samples are counted and used.
    @Test func whatComesLateIsCounted() throws {
        var source = InertialSource(frames: 12)
        let frame = try #require(
            source.events.firstIndex { $0.timestamp == InertialSource.stamp(ofFrame: 4) && $0.stream == .camera })
        source.events.insert(source.events[frame], at: frame + 3)
        let sample = try #require(
            source.events.indices.dropLast().first {
                source.events[$0].stream == .imu && source.events[$0 + 1].stream == .imu
            })
        source.events.swapAt(sample, sample + 1)
        source.longestDelayNanoseconds = 20_000_000
        let (session, frames) = try replay(source)
        #expect(session.counts.lateFrames == 1)
        #expect(session.counts.lateImuSamples == 1)
        #expect(frames.map(\.timestamp) == (0..<12).map(InertialSource.stamp))
        source.longestDelayNanoseconds = nil
        #expect(throws: SessionError.self) { try replay(source) }
    }

    @Test func theSameEventsGiveTheSameFrames() throws {
        let source = InertialSource(frames: 40)
        let (first, second) = (try replay(source).frames, try replay(source).frames)
        #expect(first.map(\.worldFromCamera) == second.map(\.worldFromCamera))
        #expect(first.map(\.motion) == second.map(\.motion))
    }
}

/// A phone that lies still in front of nothing: pictures without anything to see, each of another grey, and samples at rest.
/// It is no source of truth.
struct InertialSource: SensorSource {
    var events: [SensorEvent]
    var hasInertialSensor = true
    var longestDelayNanoseconds: Int64?

    static let imageSize = ImageSize(width: 64, height: 48)

    init(events: [SensorEvent]) { self.events = events }

    /// So many frames, thirty a second, and two hundred samples a second up to a while after the last.
    init(frames count: Int) {
        let frames = (0..<count).map { number in
            SensorEvent.frame(
                CameraFrame(
                    timestamp: Self.stamp(ofFrame: number),
                    image: ImageBuffer(size: Self.imageSize, format: .gray8, filledWith: UInt8(60 + number % 100))))
        }
        let end = Self.stamp(ofFrame: count).nanoseconds
        let samples = stride(from: 0, through: end, by: 5_000_000).map { nanoseconds in
            SensorEvent.imu(
                ImuSample(
                    timestamp: Timestamp(nanoseconds: nanoseconds), angularVelocity: .zero,
                    specificForce: Vector3(0, 9.81, 0)))
        }
        self.init(events: (frames + samples).sorted { ($0.timestamp, $0.stream) < ($1.timestamp, $1.stream) })
    }

    static func stamp(ofFrame number: Int) -> Timestamp { Timestamp(nanoseconds: Int64(number) * 33_333_333) }

    var rig: SensorRig {
        SensorRig(
            camera: CameraCalibration(
                camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 60, fy: 60, cx: 31.5, cy: 23.5))),
                imageSize: Self.imageSize, rateInHertz: 30),
            imu: hasInertialSensor
                ? ImuCalibration(
                    rateInHertz: 200, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-6,
                    accelerometerNoiseDensity: 1e-3, accelerometerRandomWalk: 1e-4) : nil)
    }

    var expectedFrameCount: Int? { nil }

    func makeStream() -> any SensorStream { Stream(events: events[...]) }

    private struct Stream: SensorStream {
        var events: ArraySlice<SensorEvent>
        mutating func next() -> SensorEvent? { events.popFirst() }
    }
}
