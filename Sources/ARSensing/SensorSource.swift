// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What the session knows of its device before the first event.
public struct SensorRig: Hashable, Sendable {
    /// The camera.
    public var camera: CameraCalibration
    /// The inertial sensor, where there is one.
    public var imu: ImuCalibration?
    /// How the interface is turned at the start.
    public var interfaceOrientation: InterfaceOrientation

    /// A rig with these sensors.
    public init(
        camera: CameraCalibration, imu: ImuCalibration? = nil,
        interfaceOrientation: InterfaceOrientation = .landscapeRight
    ) {
        self.camera = camera
        self.imu = imu
        self.interfaceOrientation = interfaceOrientation
    }
}

/// Where sensor events come from: a recording, or a scene that is rendered while it is watched.
///
/// A source can be read any number of times; each stream starts at the beginning and gives the same events.
public protocol SensorSource: Sendable {
    /// The device.
    var rig: SensorRig { get }

    /// The number of frames that a stream will give, where it is known beforehand: for progress bars.
    var expectedFrameCount: Int? { get }

    /// A stream of all events from the beginning, in the order of their stamps.
    ///
    /// At equal stamps inertial samples come first, then user events, then frames: whoever gets a frame has everything
    /// that happened up to it.
    func makeStream() throws -> any SensorStream
}

/// A reading of a source from its beginning.
public protocol SensorStream {
    /// The next event, or `nil` at the end.
    mutating func next() throws -> SensorEvent?
}
