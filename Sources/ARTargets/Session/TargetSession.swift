// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// A program that points a camera at things and is told what they are: from the first step to the last.
///
/// ```swift
/// var session = TargetSession(camera: SourceCamera(recording))
/// try session.initialize { percent in show(percent) }
/// try session.load(contentsOf: file, as: "clubs")
/// try session.activate("clubs")
/// session.onRecognition = { names in print(names) }
/// try session.start()
/// while let frame = try session.next() { draw(frame.targets) }
/// try session.stop()
/// ```
///
/// A step at the wrong time, and one that fails, is refused with the code of its own kind, and leaves the session as it was.
public struct TargetSession<Device: TargetCamera> {
    /// Where a session is between its first step and its last.
    public enum State: String, Hashable, Sendable {
        /// Nothing was done yet, or everything was undone.
        case idle
        /// The recogniser is there; databases can be loaded.
        case ready
        /// The camera gives pictures, and they are looked at.
        case running
        /// The camera rests; what was loaded and seen is kept.
        case paused
    }

    /// A step that was done: they are told in the order in which they were.
    public enum Step: String, Hashable, Sendable {
        case initialize, initializeTracker, load, activate, openCamera, startCamera, startTracker, stopCamera,
            closeCamera,
            stopTracker, deactivate, unload, deinitializeTracker
    }

    /// Where the session is.
    public private(set) var state = State.idle
    /// What was done so far.
    public private(set) var steps: [Step] = []
    /// Is told the names that a frame shows, at each frame that shows any.
    public var onRecognition: (@Sendable ([String]) -> Void)?

    private var camera: Device
    private var model: Camera?
    private var lookout: TargetLookout?
    private var loaded: [(name: String, database: TargetDatabase)] = []
    private var active: [String] = []
    private let maximumCount: Int

    /// A session with that camera; nothing happens yet.
    /// - Parameter maximumCount: how many targets are shown at most at one time.
    public init(camera: Device, maximumCount: Int = 1) {
        self.camera = camera
        self.maximumCount = maximumCount
    }

    /// The databases that are loaded, in the order in which they were.
    public var loadedDatabases: [String] { loaded.map(\.name) }
    /// The databases whose targets are looked for.
    public var activeDatabases: [String] { active }

    // MARK: The first steps

    /// Makes the session ready.
    /// - Parameter progress: is told how much is done, from 0 to 100, never less than before.
    public mutating func initialize(progress: (Int) -> Void = { _ in }) throws(TargetSessionError) {
        try require(.idle, for: .initialization, "initialise a session once, or again after it was stopped")
        progress(0)
        steps.append(.initialize)
        progress(50)
        lookout = TargetLookout(maximumCount: maximumCount)
        steps.append(.initializeTracker)
        state = .ready
        progress(100)
    }

    /// Opens a database file and keeps it under a name.
    public mutating func load(contentsOf file: URL, as name: String) throws(TargetSessionError) {
        try requireTracker(for: .trackerLoading)
        let database = try attempt(.trackerLoading) { try TargetDatabase(opening: file) }
        try load(database, as: name)
    }

    /// Keeps a database under a name that no other has.
    public mutating func load(_ database: TargetDatabase, as name: String) throws(TargetSessionError) {
        try requireTracker(for: .trackerLoading)
        guard !loadedDatabases.contains(name) else {
            throw TargetSessionError(.trackerLoading, "a database '\(name)' is loaded already; give it another name")
        }
        loaded.append((name, database))
        steps.append(.load)
    }

    /// Looks for the targets of a database from the next frame on.
    public mutating func activate(_ name: String) throws(TargetSessionError) {
        let database = try database(name, for: .trackerLoading)
        guard !active.contains(name) else {
            throw TargetSessionError(.trackerLoading, "'\(name)' is active already")
        }
        lookout?.activate(database, as: name)
        active.append(name)
        steps.append(.activate)
    }

    /// Looks for the targets of a database no longer; it stays loaded.
    public mutating func deactivate(_ name: String) throws(TargetSessionError) {
        _ = try database(name, for: .trackerUnloading)
        guard let index = active.firstIndex(of: name) else {
            throw TargetSessionError(.trackerUnloading, "'\(name)' is not active")
        }
        lookout?.deactivate(name)
        active.remove(at: index)
        steps.append(.deactivate)
    }

    /// Gives a database back, after it was deactivated.
    public mutating func unload(_ name: String) throws(TargetSessionError) {
        _ = try database(name, for: .trackerUnloading)
        guard !active.contains(name) else {
            throw TargetSessionError(.trackerUnloading, "'\(name)' is active; deactivate it first")
        }
        loaded.removeAll { $0.name == name }
        steps.append(.unload)
    }

    // MARK: Running

    /// Opens and starts the camera, then the recogniser.
    public mutating func start() throws(TargetSessionError) {
        try require(.ready, for: .trackerStart, "initialise the session and start it once")
        model = try attempt(.cameraInitialization) { try camera.open() }
        steps.append(.openCamera)
        do {
            try attempt(.cameraStart) { try camera.start() }
        } catch {
            // Nobody else closes what is open now; why it does not start is what counts.
            try? camera.close()
            steps.append(.closeCamera)
            throw error
        }
        steps += [.startCamera, .startTracker]
        state = .running
    }

    /// The next frame with what it shows, or `nil` at the camera's end.
    public mutating func next() throws(TargetSessionError) -> TargetSessionFrame? {
        guard state == .running else {
            throw TargetSessionError(.cameraNotStarted, "the session is \(state); start or resume it first")
        }
        guard let frame = try attempt(.internal, { try camera.nextFrame() }) else { return nil }
        let targets = lookout?.look(at: frame.image, camera: model) ?? []
        if !targets.isEmpty { onRecognition?(targets.map(\.sighting.target.name)) }
        return TargetSessionFrame(frame: frame, targets: targets)
    }

    /// Lets the camera rest.
    public mutating func pause() throws(TargetSessionError) {
        try require(.running, for: .cameraNotStarted, "only a running session pauses")
        try attempt(.cameraStop) { try camera.stop() }
        steps.append(.stopCamera)
        state = .paused
    }

    /// Goes on after a pause. What was seen before is known as the same.
    public mutating func resume() throws(TargetSessionError) {
        try require(.paused, for: .cameraStart, "only a paused session resumes")
        try attempt(.cameraStart) { try camera.start() }
        steps.append(.startCamera)
        state = .running
    }

    /// Undoes everything, in this order: the camera stops and is closed, the recogniser stops, databases are deactivated and
    /// unloaded, the recogniser is taken apart. A session that is idle stays so.
    ///
    /// Whatever fails, the rest is done too; the first failure is thrown then.
    public mutating func stop() throws(TargetSessionError) {
        guard state != .idle else { return }
        var failure: TargetSessionError?
        func keep(_ error: TargetSessionError) { failure = failure ?? error }
        if state == .running {
            do { try attempt(.cameraStop) { try camera.stop() } } catch { keep(error) }
            steps.append(.stopCamera)
        }
        if state != .ready {
            do { try attempt(.cameraDeinitialization) { try camera.close() } } catch { keep(error) }
            steps += [.closeCamera, .stopTracker]
        }
        for name in active {
            do throws(TargetSessionError) { try deactivate(name) } catch { keep(error) }
        }
        for name in loadedDatabases {
            do throws(TargetSessionError) { try unload(name) } catch { keep(error) }
        }
        lookout = nil
        model = nil
        steps.append(.deinitializeTracker)
        state = .idle
        if let failure { throw failure }
    }

    // MARK: Rules

    private func require(
        _ expected: State, for code: TargetSessionError.Code, _ rule: String
    ) throws(TargetSessionError) {
        guard state == expected else {
            throw TargetSessionError(code, "the session is \(state), not \(expected): \(rule)")
        }
    }

    private func requireTracker(for code: TargetSessionError.Code) throws(TargetSessionError) {
        guard lookout != nil else {
            throw TargetSessionError(code, "the session is \(state): initialise it first")
        }
    }

    private func database(
        _ name: String, for code: TargetSessionError.Code
    ) throws(TargetSessionError) -> TargetDatabase {
        guard let entry = loaded.first(where: { $0.name == name }) else {
            throw TargetSessionError(code, "no database '\(name)' is loaded: load it first")
        }
        return entry.database
    }

    /// Does something; what it throws becomes the reason of an error with that code.
    private func attempt<Result>(
        _ code: TargetSessionError.Code, _ body: () throws -> Result
    ) throws(TargetSessionError) -> Result {
        do { return try body() } catch { throw TargetSessionError(code, "\(error)") }
    }
}

/// A frame of a target session.
public struct TargetSessionFrame: Sendable {
    /// The picture and its instant.
    public let frame: CameraFrame
    /// The things that it shows, in the order in which they were first seen.
    public let targets: [WatchedTarget]
}
