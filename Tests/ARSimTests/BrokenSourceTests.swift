// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Testing

/// What a session does with sources that break the rules: it says which one, and loses nothing without a word.
@Suite struct BrokenSourceTests {
    @Test func framesMustNotGoBackInTime() {
        expect(
            .eventOutOfOrder(found: .at(20), previous: .at(30)),
            from: .init(events: [.frame(10), .frame(30), .frame(20)]))
        expect(.frameStampTwice(.at(30)), from: .init(events: [.frame(30), .frame(30)]))
        let late = SensorEvent.user(UserEvent(timestamp: .at(5), action: .penUp))
        expect(.eventOutOfOrder(found: .at(5), previous: .at(10)), from: .init(events: [.frame(10), late, .frame(20)]))
    }

    @Test func whatComesLateIsCountedWhereTheSourceSaysSo() throws {
        func sample(_ milliseconds: Int64) -> SensorEvent {
            .imu(ImuSample(timestamp: .at(milliseconds), angularVelocity: .zero, specificForce: .zero))
        }
        var source = ListedSource(events: [
            sample(5), .frame(10), sample(15), .frame(30), .frame(20), sample(12), .frame(30), sample(40), sample(40),
            .frame(50),
        ])
        source.longestDelayNanoseconds = 18_000_000
        var session = try Session(pinned: source)
        var stamps: [Timestamp] = []
        while let frame = try session.next() { stamps.append(frame.timestamp) }
        #expect(stamps == [.at(10), .at(30), .at(50)])
        #expect(session.counts.lateFrames == 2 && session.counts.lateImuSamples == 2)
        #expect(session.counts.imuSamples == 5)
        source.longestDelayNanoseconds = 17_999_999
        expect(.eventOutOfOrder(found: .at(12), previous: .at(30)), from: source)
    }

    @Test func anInterruptionEndsTheStroke() throws {
        func events(_ between: UserEvent.Action?) -> [SensorEvent] {
            let user = between.map { [SensorEvent.user(UserEvent(timestamp: .at(25), action: $0))] } ?? []
            return [.frame(10), .frame(20)] + user + [.frame(30), .frame(40)]
        }
        for (action, strokes) in [(nil, 1), (UserEvent.Action.interruptionEnded, 1), (.interruptionBegan, 2)] {
            var source = ListedSource(events: events(action))
            source.isMoving = true
            var session = try Session(pinned: source)
            while try session.next() != nil {}
            #expect(session.drawing.strokes.count == strokes, "\(String(describing: action))")
        }
    }

    @Test func eventsAtAFramesStampComeBeforeOrAfterIt() throws {
        let up = SensorEvent.user(UserEvent(timestamp: .at(10), action: .penUp))
        for events in [[up, .frame(10)], [.frame(10), up]] {
            var session = try Session(pinned: ListedSource(events: events))
            let frame = try #require(try session.next())
            #expect(frame.pen?.isDown == (events.first != up))
            #expect(try session.next() == nil)
        }
    }

    @Test func framesMustFitTheCalibration() {
        let size = ImageSize(width: 8, height: 6)
        let small = CameraFrame(
            timestamp: .at(20), image: ImageBuffer(size: size, format: .gray8, filledWith: 0))
        expect(
            .frameSize(timestamp: .at(20), found: size, expected: ListedSource.imageSize),
            from: .init(events: [.frame(10), .frame(small)]))
    }

    @Test func truthMustBeNumbers() {
        var source = ListedSource(events: [.frame(10), .frame(20)])
        source.worldFromCamera.translation.y = .nan
        expect(.truthIsNoNumber(timestamp: .at(10)), from: source)
        source = ListedSource(events: [.frame(10)])
        source.fingertip = Point3(0, .infinity, 0)
        expect(.truthIsNoNumber(timestamp: .at(10)), from: source)
    }

    @Test func planesMustHaveShapesAndNamesOfTheirOwn() {
        var source = ListedSource(events: [.frame(10)])
        source.declaredPlanes = [ScriptedSource.table, ScriptedSource.table]
        #expect(throws: SessionError.planeDeclaredTwice(name: "table")) { try Session(pinned: source) }
        source.declaredPlanes[1].name = "line"
        source.declaredPlanes[1].boundary.removeLast(2)
        #expect(throws: SessionError.planeWithoutShape(name: "line")) { try Session(pinned: source) }
        source.declaredPlanes[1].boundary += [Point2(.nan, 0)]
        #expect(throws: SessionError.planeWithoutShape(name: "line")) { try Session(pinned: source) }
    }

    @Test func anEmptySourceHasNoFrames() throws {
        var session = try Session(pinned: ListedSource(events: []))
        #expect(try session.next() == nil)
        #expect(session.counts.frames == 0)
        #expect(session.drawing.strokes.isEmpty)
    }

    private func expect(
        _ error: SessionError, from source: ListedSource, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: error, sourceLocation: sourceLocation) {
            var session = try Session(pinned: source)
            while try session.next() != nil {}
        }
    }
}

/// A source that gives the events it is told to, right or wrong, and one pose for all frames.
struct ListedSource: SensorSource, TruthSource {
    var events: [SensorEvent]
    var declaredPlanes = [ScriptedSource.table]
    var worldFromCamera = ScriptedSource.lookingDown(on: .zero)
    var fingertip: Point3?
    var isMoving = false
    var longestDelayNanoseconds: Int64?

    static let imageSize = ImageSize(width: 160, height: 120)

    init(events: [SensorEvent]) { self.events = events }

    var rig: SensorRig { ScriptedSource(moments: []).rig }
    var expectedFrameCount: Int? { nil }

    func makeStream() -> any SensorStream { Stream(events: events[...]) }

    func makeTruthStream() -> any TruthStream { Truths(source: self) }

    private struct Stream: SensorStream {
        var events: ArraySlice<SensorEvent>
        mutating func next() -> SensorEvent? { events.popFirst() }
    }

    private struct Truths: TruthStream {
        let source: ListedSource
        func truth(at timestamp: Timestamp) -> FrameTruth? {
            let tip = source.fingertip.map {
                FingertipTruth(positionInWorld: $0, pixel: nil, isVisible: true, isPenDown: true)
            }
            var worldFromCamera = source.worldFromCamera
            if source.isMoving { worldFromCamera.translation.x += 0.002 * Double(timestamp.nanoseconds / 10_000_000) }
            return FrameTruth(timestamp: timestamp, worldFromCamera: worldFromCamera, fingertip: tip)
        }
    }
}

extension Timestamp {
    fileprivate static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
}

extension SensorEvent {
    /// A grey frame at that time.
    fileprivate static func frame(_ milliseconds: Int64) -> SensorEvent {
        let image = ImageBuffer(size: ListedSource.imageSize, format: .gray8, filledWith: 128)
        return .frame(CameraFrame(timestamp: .at(milliseconds), image: image))
    }
}
