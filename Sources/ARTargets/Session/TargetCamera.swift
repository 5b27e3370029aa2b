// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What gives a target session its pictures: opened, started, stopped and closed, in that order; between start and stop it
/// may be started and stopped any number of times.
public protocol TargetCamera {
    /// Makes the camera ready.
    /// - Returns: how it projects, where that is known: without it, targets have no pose.
    mutating func open() throws -> Camera?
    /// Begins to give pictures.
    mutating func start() throws
    /// The next picture, or `nil` at the end. Called only while the camera is started.
    mutating func nextFrame() throws -> CameraFrame?
    /// Stops giving pictures.
    mutating func stop() throws
    /// Gives back what ``open()`` took.
    mutating func close() throws
}

/// A recording or a scene as a camera. Pictures that pass while it is stopped are not waited for: it goes on where it
/// stopped.
public struct SourceCamera: TargetCamera {
    private let source: any SensorSource
    private var stream: (any SensorStream)?

    /// The camera of a source's device.
    public init(_ source: some SensorSource) { self.source = source }

    public mutating func open() throws -> Camera? {
        stream = try source.makeStream()
        return source.rig.camera.camera
    }

    public mutating func start() throws {}

    public mutating func nextFrame() throws -> CameraFrame? {
        while let event = try stream?.next() {
            if case .frame(let frame) = event { return frame }
        }
        return nil
    }

    public mutating func stop() throws {}

    public mutating func close() throws { stream = nil }
}
