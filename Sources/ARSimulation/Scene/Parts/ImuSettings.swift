// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension Scene {
    /// The inertial sensor of a scene: Kalibr's noise model, errors of a real sensor, and its own clock.
    public struct ImuSettings: Hashable, Sendable {
        /// Whose numbers the other properties start with.
        public private(set) var preset = Preset.phone
        /// Samples a second of the sensor's clock.
        public var rateInHertz = 100.0
        /// What a sample stands for.
        public var sampling = Sampling.instant
        /// The gyroscopes, in rad/s.
        public var gyroscope = Triad()
        /// The accelerometers, in m/s².
        public var accelerometer = Triad()
        /// What a specific force adds to the gyroscopes' readings, in rad/s per m/s².
        public var gSensitivity = Matrix3x3.zero
        /// Whether the sensor's maker says how far scale factors and axes may be wrong: by the deviations that ``Triad`` draws them with.
        public var statesDeviations = false
        /// By how much the sensor's clock is ahead of the session's at the start.
        public var clockOffsetSeconds = 0.0
        /// By how much the sensor's clock is too fast, in millionths.
        public var clockDriftPartsPerMillion = 0.0
        /// The standard deviation of the stamps' error.
        public var stampJitterSeconds = 0.0
        /// The acceleration of free fall, in m/s².
        public var gravity = 9.81
        /// Where the camera sits: optical axes to the sensor's, as EuRoC's `T_BS`.
        public var imuFromOpticalMatrix = Matrix4x4.identity

        /// What a sample stands for.
        public enum Sampling: String, Hashable, Sendable, CaseIterable {
            /// What the body does at the sample's instant.
            case instant
            /// The mean of that over the sampling interval, the sample's instant in its middle: what a sensor gives that
            /// adds up much faster readings, and whose stamps make up for the delay.
            case mean
        }

        /// Three sensors at right angles to each other. Their unit is rad/s or m/s².
        public struct Triad: Hashable, Sendable {
            /// White noise, in the unit per √Hz.
            public var noiseDensity = 0.0
            /// Random walk of the bias, in the unit per second per √Hz.
            public var randomWalk = 0.0
            /// The bias at the start.
            public var bias = Vector3.zero
            /// The standard deviation of what the seed adds to the bias at the start.
            public var biasDeviation = 0.0
            /// Scale factors on the diagonal, misalignments beside it.
            public var matrix = Matrix3x3.identity
            /// The standard deviation of what the seed adds to the scale factors.
            public var scaleDeviation = 0.0
            /// The standard deviation of what the seed adds to the misalignments.
            public var misalignmentDeviationRadians = 0.0
            /// The largest magnitude that can be read; zero for no limit.
            public var range = 0.0
            /// The difference between neighbouring readings; zero for none.
            public var step = 0.0

            /// A perfect triad.
            public init() {}
        }

        /// The numbers of the preset `phone`.
        public init() { self.init(.phone) }

        /// A perfect sensor that will be given a preset's numbers.
        init(preset: Preset) { self.preset = preset }
    }
}

extension Scene.ImuSettings {
    /// The calibration that is known of the sensor: its noise, not its errors, but how large they may be where
    /// ``statesDeviations`` says so.
    public var calibration: ImuCalibration {
        var calibration = ImuCalibration(
            rateInHertz: rateInHertz, gyroscopeNoiseDensity: gyroscope.noiseDensity,
            gyroscopeRandomWalk: gyroscope.randomWalk, accelerometerNoiseDensity: accelerometer.noiseDensity,
            accelerometerRandomWalk: accelerometer.randomWalk)
        if statesDeviations {
            // A deviation of zero is not one: nobody can say it.
            func stated(_ deviation: Double) -> Double? { deviation > 0 ? deviation : nil }
            var stating = ImuCalibration.Uncertainty()
            stating.gyroscopeScale = stated(gyroscope.scaleDeviation)
            stating.gyroscopeMisalignmentRadians = stated(gyroscope.misalignmentDeviationRadians)
            stating.accelerometerScale = stated(accelerometer.scaleDeviation)
            stating.accelerometerMisalignmentRadians = stated(accelerometer.misalignmentDeviationRadians)
            calibration.uncertainty = stating
        }
        return calibration
    }

    /// Where the camera sits, or `nil` when ``imuFromOpticalMatrix`` is no rigid motion.
    public var imuFromOptical: RigidTransform? { try? RigidTransform(imuFromOpticalMatrix) }

    /// The true time from one sample to the next.
    var trueSampleSeconds: Double { 1 / (rateInHertz * (1 + clockDriftPartsPerMillion * 1e-6)) }
}

extension Scene.ImuSettings: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        var chosen = preset
        try fields.choice("preset", &chosen, isRequired: false)
        if chosen != preset { self = Scene.ImuSettings(chosen) }
        try fields.number("rate_hz", &rateInHertz, in: 1...10_000, isRequired: false)
        try fields.choice("sampling", &sampling, isRequired: false)
        try gyroscope.visit(fields, name: "gyroscope", unit: "rad_per_s", unitPerSecond: "rad_per_s2")
        try fields.matrix("gyroscope_g_sensitivity_rad_s_per_m", &gSensitivity, in: -1...1)
        try accelerometer.visit(fields, name: "accelerometer", unit: "m_per_s2", unitPerSecond: "m_per_s3")
        try fields.flag("states_deviations", &statesDeviations)
        try fields.number("clock_offset_s", &clockOffsetSeconds, in: -0.9...10, isRequired: false)
        try fields.number("clock_drift_ppm", &clockDriftPartsPerMillion, in: -1e5...1e5, isRequired: false)
        try fields.number("stamp_jitter_s", &stampJitterSeconds, in: 0...1, isRequired: false)
        try fields.number("gravity_m_per_s2", &gravity, in: 0...30, isRequired: false)
        try fields.matrix("imu_from_optical", &imuFromOpticalMatrix, in: SceneRange.anywhere)
        if imuFromOptical == nil {
            throw fields.outOfRange(
                "imu_from_optical", found: "no rigid motion",
                expected: "16 numbers, row after row: a rotation, a translation, and 0, 0, 0, 1")
        }
    }
}

extension Scene.ImuSettings.Triad {
    fileprivate mutating func visit(
        _ fields: SceneFields, name: String, unit: String, unitPerSecond: String
    ) throws(SceneError) {
        let deviations = 0.0...100
        try fields.number("\(name)_noise_density_\(unit)_per_sqrt_hz", &noiseDensity, in: deviations, isRequired: false)
        try fields.number(
            "\(name)_random_walk_\(unitPerSecond)_per_sqrt_hz", &randomWalk, in: deviations, isRequired: false)
        try fields.triple("\(name)_bias_\(unit)", &bias, in: -100...100, isRequired: false)
        try fields.number("\(name)_bias_deviation_\(unit)", &biasDeviation, in: deviations, isRequired: false)
        try fields.matrix("\(name)_matrix", &matrix, in: -10...10)
        try fields.number("\(name)_scale_deviation", &scaleDeviation, in: 0...1, isRequired: false)
        try fields.number(
            "\(name)_misalignment_deviation_rad", &misalignmentDeviationRadians, in: 0...1, isRequired: false)
        try fields.number("\(name)_range_\(unit)", &range, in: 0...1e5, isRequired: false)
        try fields.number("\(name)_step_\(unit)", &step, in: 0...100, isRequired: false)
    }
}
