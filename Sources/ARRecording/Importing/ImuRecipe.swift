// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import Foundation

/// Where a recipe's inertial samples come from.
struct ImuRecipe: Sendable {
    enum AccelerationUnit: String, CaseIterable, Sendable {
        case metersPerSecondSquared = "m/s^2"
        /// Standard gravity, 9.80665 m/s² (ISO 80000-3).
        case standardGravity = "g"

        var scale: Double { self == .standardGravity ? 9.80665 : 1 }
    }

    enum AngularVelocityUnit: String, CaseIterable, Sendable {
        case radiansPerSecond = "rad/s"
        case degreesPerSecond = "deg/s"

        var scale: Double { self == .degreesPerSecond ? .pi / 180 : 1 }
    }

    let table: RecipeTable
    let calibration: ImuCalibration
    let accelerationScale: Double
    let angularVelocityScale: Double

    private static let columns = ["wx", "wy", "wz", "ax", "ay", "az"]
    private static let calibrationKeys =
        [
            "rate_hz", "gyroscope_noise_density", "gyroscope_random_walk", "accelerometer_noise_density",
            "accelerometer_random_walk",
        ] + ImuCalibration.Uncertainty.yamlKeys.map(\.key)

    init(_ node: DocumentNode) throws(RecordingError) {
        (table, accelerationScale, angularVelocityScale) = try reading { () throws(DocumentError) in
            (
                try RecipeTable(
                    node, needed: ["time"] + Self.columns,
                    extraKeys: ["acceleration_unit", "angular_velocity_unit"] + Self.calibrationKeys),
                try node.required("acceleration_unit").choice(of: AccelerationUnit.self).scale,
                try node.required("angular_velocity_unit").choice(of: AngularVelocityUnit.self).scale
            )
        }
        var yaml = SensorYaml(node)
        guard let calibration = yaml.imu() else { throw yaml.errors[0] }
        self.calibration = calibration
    }

    /// The sample of a row.
    func sample(_ row: RecipeRow) throws(RecordingError) -> ImuSample {
        let numbers = try row.numbers(Self.columns)
        return ImuSample(
            timestamp: try row.timestamp(),
            angularVelocity: Vector3(numbers[0], numbers[1], numbers[2]) * angularVelocityScale,
            specificForce: Vector3(numbers[3], numbers[4], numbers[5]) * accelerationScale)
    }
}
