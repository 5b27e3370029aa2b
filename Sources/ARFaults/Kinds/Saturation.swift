// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// Inertial samples do not exceed a limit on any axis.
public struct Saturation: Hashable, Sendable {
    /// The largest angular velocity about an axis, in rad/s.
    public var angularVelocity = 1e3
    /// The largest specific force along an axis, in m/s².
    public var specificForce = 1e4

    /// Limits that nothing reaches.
    public init() {}
}

extension Saturation: FaultParameters {
    static let name = "saturation"
    static let decisiveKeys = ["angular_velocity_rad_per_s", "specific_force_m_per_s2"]
    var kind: Fault.Kind { .saturation(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("angular_velocity_rad_per_s", &angularVelocity, in: 0...1e3)
        try fields.number("specific_force_m_per_s2", &specificForce, in: 0...1e4)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        SampleStage(setting: setting) { sample, _ in
            sample.angularVelocity.clamp(
                lowerBound: Vector3(repeating: -angularVelocity), upperBound: Vector3(repeating: angularVelocity))
            sample.specificForce.clamp(
                lowerBound: Vector3(repeating: -specificForce), upperBound: Vector3(repeating: specificForce))
        }
    }
}
