// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Scene {
    /// What carries the camera: the presets of the camera and of the inertial sensor that belong together.
    ///
    /// A device is a set of defaults: each key of the camera and of the inertial sensor replaces one.
    public enum Device: String, Hashable, Sendable, CaseIterable {
        /// An ideal camera alone.
        case none
        /// A phone.
        case phone
        /// The EuRoC drone.
        case euroc

        /// The device's camera.
        public var camera: CameraSettings {
            switch self {
            case .none: CameraSettings(.ideal)
            case .phone: CameraSettings(.phone)
            case .euroc: CameraSettings(.euroc)
            }
        }

        /// The device's inertial sensor, where it has one.
        public var imu: ImuSettings? {
            switch self {
            case .none: nil
            case .phone: ImuSettings(.phone)
            case .euroc: ImuSettings(.euroc)
            }
        }
    }
}
