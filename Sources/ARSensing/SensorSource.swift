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

    /// How much later than its stamp an event may come, in nanoseconds, or `nil` where the order of arrival is that of
    /// the stamps and each event comes once. `nil` unless a source says otherwise.
    ///
    /// Where it is a number, even zero, frames and inertial samples may also come twice.
    var longestDelayNanoseconds: Int64? { get }

    /// A stream of all events from the beginning, in the order in which they arrive.
    ///
    /// That is the order of their stamps, unless ``longestDelayNanoseconds`` says that it need not be. At equal stamps
    /// inertial samples come first, then user events, then frames: whoever gets a frame has everything that happened up
    /// to it. An event is *late* when one with a later stamp, or one that comes after it at the same stamp, came before.
    func makeStream() throws -> any SensorStream

    /// The stamps of a stream's frames in the order in which they arrive: what can be known of a session without
    /// looking at its pictures.
    func makeFrameStamps() throws -> any FrameStamps
}

extension SensorSource {
    public var longestDelayNanoseconds: Int64? { nil }

    /// Goes through a stream and leaves the pictures aside.
    public func makeFrameStamps() throws -> any FrameStamps { StampsOfStream(stream: try makeStream()) }
}

/// A reading of a source from its beginning.
public protocol SensorStream {
    /// The next event, or `nil` at the end.
    mutating func next() throws -> SensorEvent?
}

/// A reading of the stamps of a source's frames from the first on.
public protocol FrameStamps {
    /// The next frame's stamp, or `nil` at the end.
    mutating func next() throws -> Timestamp?
}

/// The stamps of a stream's frames.
private struct StampsOfStream: FrameStamps {
    var stream: any SensorStream

    mutating func next() throws -> Timestamp? {
        while let event = try stream.next() {
            if case .frame(let frame) = event { return frame.timestamp }
        }
        return nil
    }
}
