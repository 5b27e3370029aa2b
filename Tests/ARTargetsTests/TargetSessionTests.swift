// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTargets
import Foundation
import Testing

/// A camera that gives black pictures, counts what is done to it, and fails where it is told to.
private struct SampleCamera: TargetCamera {
    struct Broken: Error {}

    enum Part: Hashable { case open, start, frame, stop, close }

    var frameCount = 3
    var broken: Set<Part> = []
    private var isOpen = false
    private var isStarted = false

    init(frameCount: Int = 3, broken: Set<Part> = []) { (self.frameCount, self.broken) = (frameCount, broken) }

    private func work(_ part: Part) throws { if broken.contains(part) { throw Broken() } }

    mutating func open() throws -> Camera? {
        #expect(!isOpen)
        try work(.open)
        isOpen = true
        return nil
    }

    mutating func start() throws {
        #expect(isOpen && !isStarted)
        try work(.start)
        isStarted = true
    }

    mutating func nextFrame() throws -> CameraFrame? {
        #expect(isStarted)
        try work(.frame)
        guard frameCount > 0 else { return nil }
        frameCount -= 1
        return CameraFrame(
            timestamp: Timestamp(nanoseconds: Int64(-frameCount)),
            image: ImageBuffer(size: ImageSize(width: 64, height: 48), format: .gray8))
    }

    mutating func stop() throws {
        #expect(isStarted)
        isStarted = false
        try work(.stop)
    }

    mutating func close() throws {
        #expect(isOpen && !isStarted)
        isOpen = false
        try work(.close)
    }
}

struct TargetSessionTests {
    private typealias Session = TargetSession<SampleCamera>

    private static func database() throws -> TargetDatabase { try TargetDatabase(building: []) }

    /// The code with which something is refused.
    private func code(_ body: () throws -> Void) -> TargetSessionError.Code? {
        do {
            try body()
            return nil
        } catch let error as TargetSessionError {
            #expect(error.description.contains("(\(error.code.rawValue))"))
            return error.code
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    @Test func fromTheFirstStepToTheLast() throws {
        var session = Session(camera: SampleCamera())
        var progress: [Int] = []
        try session.initialize { progress.append($0) }
        #expect(progress.first == 0 && progress.last == 100 && progress == progress.sorted())
        for name in ["first", "second"] {
            try session.load(Self.database(), as: name)
            try session.activate(name)
        }
        #expect(session.activeDatabases == ["first", "second"])
        try session.start()
        #expect(try session.next() != nil)
        try session.pause()
        try session.resume()
        #expect(try session.next() != nil && session.next() != nil && session.next() == nil)
        #expect(session.state == .running)
        try session.stop()
        #expect(
            session.steps == [
                .initialize, .initializeTracker, .load, .activate, .load, .activate, .openCamera, .startCamera,
                .startTracker, .stopCamera, .startCamera, .stopCamera, .closeCamera, .stopTracker, .deactivate,
                .deactivate, .unload, .unload, .deinitializeTracker,
            ])
        #expect(session.state == .idle && session.loadedDatabases.isEmpty && session.activeDatabases.isEmpty)
        try session.stop()
        try session.initialize()
        #expect(session.state == .ready)
    }

    @Test func stepsAtTheWrongTime() throws {
        var session = Session(camera: SampleCamera())
        #expect(code { try session.load(Self.database(), as: "a") } == .trackerLoading)
        #expect(code { try session.activate("a") } == .trackerLoading)
        #expect(code { try session.start() } == .trackerStart)
        #expect(code { _ = try session.next() } == .cameraNotStarted)
        #expect(code { try session.pause() } == .cameraNotStarted)
        #expect(session.state == .idle && session.steps.isEmpty)

        try session.initialize()
        #expect(code { try session.initialize() } == .initialization)
        #expect(code { try session.activate("a") } == .trackerLoading)
        #expect(code { try session.deactivate("a") } == .trackerUnloading)
        #expect(code { try session.resume() } == .cameraStart)
        #expect(code { try session.load(contentsOf: URL(fileURLWithPath: "/no/such"), as: "a") } == .trackerLoading)
        try session.load(Self.database(), as: "a")
        #expect(code { try session.load(Self.database(), as: "a") } == .trackerLoading)
        #expect(code { try session.deactivate("a") } == .trackerUnloading)
        try session.activate("a")
        #expect(code { try session.activate("a") } == .trackerLoading)
        #expect(code { try session.unload("a") } == .trackerUnloading)

        try session.start()
        #expect(code { try session.start() } == .trackerStart)
        #expect(code { try session.resume() } == .cameraStart)
        try session.pause()
        #expect(code { _ = try session.next() } == .cameraNotStarted)
        #expect(code { try session.pause() } == .cameraNotStarted)
        // Databases come and go while the session lives.
        try session.deactivate("a")
        try session.unload("a")
        #expect(code { try session.unload("a") } == .trackerUnloading)
        try session.stop()
    }

    @Test(arguments: [
        (SampleCamera.Part.open, TargetSessionError.Code.cameraInitialization), (.start, .cameraStart),
    ])
    fileprivate func cameraThatDoesNotStart(part: SampleCamera.Part, expected: TargetSessionError.Code) throws {
        var session = Session(camera: SampleCamera(broken: [part]))
        try session.initialize()
        #expect(code { try session.start() } == expected)
        #expect(session.state == .ready)
        try session.stop()
        #expect(session.state == .idle)
    }

    @Test(arguments: [
        ([SampleCamera.Part.stop], TargetSessionError.Code.cameraStop),
        ([SampleCamera.Part.close], TargetSessionError.Code.cameraDeinitialization),
        ([SampleCamera.Part.stop, .close], TargetSessionError.Code.cameraStop),
    ])
    fileprivate func everythingIsUndoneWhateverFails(
        parts: [SampleCamera.Part], expected: TargetSessionError.Code
    ) throws {
        var session = Session(camera: SampleCamera(broken: Set(parts)))
        try session.initialize()
        try session.load(Self.database(), as: "a")
        try session.activate("a")
        try session.start()
        #expect(code { try session.stop() } == expected)
        #expect(
            Array(session.steps.suffix(6)) == [
                .stopCamera, .closeCamera, .stopTracker, .deactivate, .unload, .deinitializeTracker,
            ])
        #expect(session.state == .idle && session.loadedDatabases.isEmpty)
    }

    @Test func brokenPictures() throws {
        var session = Session(camera: SampleCamera(broken: [.frame]))
        try session.initialize()
        try session.start()
        #expect(code { _ = try session.next() } == .internal)
        #expect(session.state == .running)
        try session.stop()
    }

    @Test func codesAreTheOriginalsOwn() {
        #expect(
            TargetSessionError.Code.allCases.map(\.rawValue) == [
                -1, 100, 110, 111, 112, 113, 120, 121, 122, 123, 124, 125, 150,
            ])
    }
}
