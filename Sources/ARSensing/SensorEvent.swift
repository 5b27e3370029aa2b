// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// One reading of the inertial sensor, in the IMU's axes.
public struct ImuSample: Hashable, Sendable {
    /// When it was taken.
    public var timestamp: Timestamp
    /// The angular velocity, in rad/s.
    public var angularVelocity: Vector3
    /// The specific force, in m/s²: at rest it is +g along up.
    public var specificForce: Vector3

    /// A reading with these values.
    public init(timestamp: Timestamp, angularVelocity: Vector3, specificForce: Vector3) {
        self.timestamp = timestamp
        self.angularVelocity = angularVelocity
        self.specificForce = specificForce
    }
}

/// One picture of the camera.
public struct CameraFrame: Hashable, Sendable {
    /// The frame's instant: the middle of the exposure of the middle row.
    public var timestamp: Timestamp
    /// The picture, in the sensor's own (landscape) orientation.
    public var image: ImageBuffer

    /// A frame with this picture.
    public init(timestamp: Timestamp, image: ImageBuffer) {
        self.timestamp = timestamp
        self.image = image
    }
}

/// Something that the user or the app did.
public struct UserEvent: Hashable, Sendable {
    /// What was done.
    public enum Action: Hashable, Sendable {
        /// A tap on the view.
        case tap(NormalizedImagePoint)
        /// The pen touches down: drawing starts.
        case penDown
        /// The pen lifts: drawing stops.
        case penUp
        /// The interface turned.
        case orientation(InterfaceOrientation)
        /// The app goes to the background: until it comes back there are no frames and no inertial samples.
        case interruptionBegan
        /// The app is back, perhaps elsewhere.
        case interruptionEnded
        /// The app's own data, under a name.
        case named(String, value: String)
    }

    /// When it was done.
    public var timestamp: Timestamp
    /// What was done.
    public var action: Action

    /// An action at an instant.
    public init(timestamp: Timestamp, action: Action) {
        self.timestamp = timestamp
        self.action = action
    }
}

/// What a session is made of.
public enum SensorEvent: Hashable, Sendable {
    /// A picture.
    case frame(CameraFrame)
    /// An inertial reading.
    case imu(ImuSample)
    /// A user's or the app's doing.
    case user(UserEvent)

    /// When it happened.
    public var timestamp: Timestamp {
        get {
            switch self {
            case .frame(let frame): frame.timestamp
            case .imu(let sample): sample.timestamp
            case .user(let event): event.timestamp
            }
        }
        set {
            switch self {
            case .frame(var frame):
                frame.timestamp = newValue
                self = .frame(frame)
            case .imu(var sample):
                sample.timestamp = newValue
                self = .imu(sample)
            case .user(var event):
                event.timestamp = newValue
                self = .user(event)
            }
        }
    }

    /// What an event comes from.
    public enum Stream: Int, Hashable, Comparable, Sendable, CaseIterable {
        /// The inertial sensor.
        case imu
        /// The user, or the app.
        case user
        /// The camera.
        case camera

        /// The order of events with equal stamps.
        public static func < (a: Stream, b: Stream) -> Bool { a.rawValue < b.rawValue }
    }

    /// What the event comes from.
    public var stream: Stream {
        switch self {
        case .frame: .camera
        case .imu: .imu
        case .user: .user
        }
    }
}
