// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Whose events a fault befalls.
public enum SensorChoice: String, Hashable, Sendable, CaseIterable {
    /// The camera's frames.
    case camera
    /// The inertial samples.
    case imu
    /// Both, each for itself.
    case both

    func includes(_ stream: SensorEvent.Stream) -> Bool {
        switch stream {
        case .camera: self != .imu
        case .imu: self != .camera
        case .user: false
        }
    }
}
