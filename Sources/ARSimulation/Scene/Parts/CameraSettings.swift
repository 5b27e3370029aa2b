// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

extension Scene {
    /// The camera of a scene: the lens, the shutter, the sensor, and what controls them.
    ///
    /// Made without a preset, a camera is ideal: the picture is taken in an instant and without noise, and light 1 gives
    /// the value 255. Each effect is switched on by its own key, or by a ``Preset``.
    public struct CameraSettings: Hashable, Sendable {
        /// The camera whose numbers are the defaults.
        public var preset = Preset.ideal
        /// Columns and rows.
        public var size = ImageSize(width: 640, height: 480)
        /// Frames a second.
        public var rateInHertz = 30.0
        /// fx and fy, in pixels.
        public var focalPixels = Vector2(525, 525)
        /// The principal point, in pixels from the centre of the first pixel.
        public var principalPointPixels = Vector2(319.5, 239.5)
        /// How the lens draws.
        public var lens = Lens.pinhole
        /// The coefficients of the lens's distortion, in the order of its model.
        public var distortion: [Double] = []
        /// How much darker the lens draws off its axis.
        public var vignetting = Vignetting.none
        /// The coefficients of a polynomial vignetting: of r², r⁴ and r⁶, where r is 1 in the picture's corners.
        public var vignettingCoefficients: [Double] = []
        /// How far the calibration that a session is told may be wrong.
        public var calibrationDeviations = CalibrationDeviations()
        /// Whether the calibration says how far it may be wrong, where ``calibrationDeviations`` are not 0, and that a global
        /// shutter is one.
        public var statesDeviations = false
        /// The time from the first row's exposure to the last row's; zero for a global shutter.
        public var readoutMilliseconds = 0.0
        /// How many rows of as many samples a pixel is the mean of.
        public var samplesPerSide = 1
        /// Whether what moves during the exposure is blurred.
        public var hasMotionBlur = false
        /// How many pictures a blurred frame is the mean of, at most.
        public var maximumBlurShots = 24
        /// Who sets the exposure.
        public var exposureControl = ExposureControl.fixed
        /// How long each row collects light, where the exposure is fixed.
        public var exposureMilliseconds = 10.0
        /// The amplification between the sensor and the value, where it is fixed: 20 dB is a factor of ten.
        public var gainDecibels = 0.0
        /// What automatic exposure goes by.
        public var metering = Metering.mean
        /// The share of the picture's pixels that are darker than what is metered, in percent.
        public var meteringPercentile = 50.0
        /// What automatic exposure brings the metered light to: 1 is the brightest that fits.
        public var meteringTarget = 0.18
        /// The time in which automatic exposure covers 63 % of the way, measured in stops; zero for no lag.
        public var meteringLagSeconds = 0.25
        /// The shortest automatic exposure.
        public var minimumExposureMilliseconds = 0.05
        /// The longest automatic exposure: only beyond it the gain is raised.
        public var maximumExposureMilliseconds = 16.0
        /// The largest automatic gain.
        public var maximumGainDecibels = 24.0
        /// The exposure in which light 1 fills the pixels' wells: how bright the place is, and how sensitive the camera.
        public var saturationMilliseconds = 10.0
        /// The electrons of a pixel that is full.
        public var fullWellElectrons = 10_000.0
        /// Whether light comes in single electrons.
        public var hasShotNoise = false
        /// The standard deviation of what reading a pixel adds.
        public var readNoiseElectrons = 0.0
        /// How much the pixels' sensitivities differ: their standard deviation, a fraction of the mean (EMVA's PRNU).
        public var sensitivityVariation = 0.0
        /// How much the pixels differ in the dark: the standard deviation (EMVA's DSNU).
        public var darkVariationElectrons = 0.0
        /// What the pictures are made of.
        public var pixelFormat = PixelFormat.rgb8
        /// How light becomes a number.
        public var transfer = TransferFunction.srgb
        /// The exponent of the transfer function `power`: values are light to the power of 1/gamma.
        public var gamma = 2.2

        /// An ideal camera with every default.
        public init() {}

        /// How a lens draws.
        public enum Lens: String, Hashable, Sendable, CaseIterable {
            /// Straight lines stay straight.
            case pinhole
            /// OpenCV's standard model: k1 k2 p1 p2 k3.
            case radialTangential = "radial_tangential"
            /// The fisheye model of Kalibr and OpenCV: k1 k2 k3 k4.
            case equidistant
        }

        /// How a lens darkens towards the picture's corners.
        public enum Vignetting: String, Hashable, Sendable, CaseIterable {
            /// Not at all.
            case none
            /// With the fourth power of the cosine of the angle to the axis, as a simple lens does.
            case cosine4 = "cos4"
            /// 1 + a r² + b r⁴ + c r⁶.
            case polynomial
        }

        /// Who sets the exposure.
        public enum ExposureControl: String, Hashable, Sendable, CaseIterable {
            /// The scene file.
            case fixed
            /// The camera itself.
            case auto
        }

        /// What automatic exposure goes by.
        public enum Metering: String, Hashable, Sendable, CaseIterable {
            /// The mean of all light, where full pixels count as full.
            case mean
            /// The light that a given share of the pixels stays below.
            case percentile
        }
    }
}

extension Scene.CameraSettings: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        var preset = preset
        try fields.choice("preset", &preset, isRequired: false)
        if fields.isReading { self = preset.settings }
        let isIdeal = preset == .ideal
        try fields.size("size_px", &size, in: 16...8192, isRequired: isIdeal)
        if fields.isReading { preset.fitLens(of: &self) }
        try fields.number("rate_hz", &rateInHertz, in: 0.1...1000, isRequired: isIdeal)
        try fields.pair("focal_px", &focalPixels, in: 1...1e5, isRequired: isIdeal)
        try fields.pair("principal_point_px", &principalPointPixels, in: -1e5...1e5, isRequired: isIdeal)
        try visitLens(fields)
        try visitCalibration(fields)
        try fields.integer("samples_per_side", &samplesPerSide, in: 1...8, isRequired: false)
        try visitShutter(fields)
        try visitSensor(fields)
    }

    private mutating func visitLens(_ fields: SceneFields) throws(SceneError) {
        let presetLens = lens
        try fields.choice("lens", &lens, isRequired: false)
        let isGivenByPreset = fields.isReading && lens == presetLens && !distortion.isEmpty
        switch lens {
        case .pinhole: distortion = []
        case .radialTangential:
            try fields.numbers("distortion", &distortion, count: 5, in: -100...100, isRequired: !isGivenByPreset)
        case .equidistant:
            try fields.numbers("distortion", &distortion, count: 4, in: -100...100, isRequired: !isGivenByPreset)
        }
        try fields.choice("vignetting", &vignetting, isRequired: false)
        if vignetting == .polynomial {
            try fields.numbers("vignetting_coefficients", &vignettingCoefficients, count: 3, in: -10...10)
        } else {
            vignettingCoefficients = []
        }
    }

    private mutating func visitCalibration(_ fields: SceneFields) throws(SceneError) {
        try fields.number(
            "calibration_focal_deviation_percent", &calibrationDeviations.focalPercent, in: 0...10, isRequired: false)
        try fields.number(
            "calibration_principal_point_deviation_px", &calibrationDeviations.principalPointPixels, in: 0...100,
            isRequired: false)
        try fields.number(
            "calibration_rotation_deviation_rad", &calibrationDeviations.rotationRadians, in: 0...0.5, isRequired: false
        )
        try fields.number(
            "calibration_translation_deviation_m", &calibrationDeviations.translationMeters, in: 0...1,
            isRequired: false)
        try fields.number(
            "calibration_radial_distortion_deviation", &calibrationDeviations.radialDistortion, in: 0...0.1,
            isRequired: false)
        try fields.number(
            "calibration_readout_deviation_ms", &calibrationDeviations.readoutMilliseconds, in: 0...100,
            isRequired: false)
        try fields.flag("states_deviations", &statesDeviations)
    }

    private mutating func visitShutter(_ fields: SceneFields) throws(SceneError) {
        try fields.number("readout_ms", &readoutMilliseconds, in: 0...1000 / rateInHertz, isRequired: false)
        try fields.flag("motion_blur", &hasMotionBlur)
        try fields.integer("blur_shots_max", &maximumBlurShots, in: 1...1000, isRequired: false)
        // Who gives an exposure wants that exposure.
        if fields.has("exposure_ms") || fields.has("gain_db") { exposureControl = .fixed }
        try fields.choice("exposure_control", &exposureControl, isRequired: false)
        // A row cannot collect light for two frames at once.
        let longest = 1000 / rateInHertz
        exposureMilliseconds = min(exposureMilliseconds, longest)
        maximumExposureMilliseconds = min(maximumExposureMilliseconds, longest)
        switch exposureControl {
        case .fixed:
            try fields.number("exposure_ms", &exposureMilliseconds, in: 0.001...longest, isRequired: false)
            try fields.number("gain_db", &gainDecibels, in: 0...60, isRequired: false)
        case .auto: try visitAutomaticExposure(fields)
        }
    }

    private mutating func visitAutomaticExposure(_ fields: SceneFields) throws(SceneError) {
        try fields.choice("metering", &metering, isRequired: false)
        if metering == .percentile {
            try fields.number("metering_percentile", &meteringPercentile, in: 1...99, isRequired: false)
        }
        try fields.number("metering_target", &meteringTarget, in: 0.01...0.95, isRequired: false)
        try fields.number("metering_lag_s", &meteringLagSeconds, in: 0...60, isRequired: false)
        let longest = 1000 / rateInHertz
        try fields.number("exposure_min_ms", &minimumExposureMilliseconds, in: 0.001...longest, isRequired: false)
        try fields.number("exposure_max_ms", &maximumExposureMilliseconds, in: 0.001...longest, isRequired: false)
        guard minimumExposureMilliseconds <= maximumExposureMilliseconds else {
            throw fields.outOfRange(
                "exposure_min_ms", found: "\(minimumExposureMilliseconds)",
                expected: "at most exposure_max_ms, \(maximumExposureMilliseconds)")
        }
        try fields.number("gain_max_db", &maximumGainDecibels, in: 0...60, isRequired: false)
    }

    private mutating func visitSensor(_ fields: SceneFields) throws(SceneError) {
        try fields.number("saturation_ms", &saturationMilliseconds, in: 1e-4...1e5, isRequired: false)
        try fields.number("full_well_e", &fullWellElectrons, in: 100...1e7, isRequired: false)
        try fields.flag("shot_noise", &hasShotNoise)
        try fields.number("read_noise_e", &readNoiseElectrons, in: 0...1e4, isRequired: false)
        try fields.number("prnu", &sensitivityVariation, in: 0...0.2, isRequired: false)
        try fields.number("dsnu_e", &darkVariationElectrons, in: 0...1e4, isRequired: false)
        try fields.choice("pixel_format", &pixelFormat, isRequired: false)
        try fields.choice("transfer", &transfer, isRequired: false)
        if transfer == .power { try fields.number("gamma", &gamma, in: 1...3, isRequired: false) }
    }
}

extension Scene.CameraSettings {
    /// The time from the first row's exposure to the last row's.
    public var readoutSeconds: Double { readoutMilliseconds * 1e-3 }

    /// The exposure, where it is fixed.
    var fixedExposure: Exposure {
        Exposure(seconds: exposureMilliseconds * 1e-3, gain: pow(10, gainDecibels / 20))
    }

    /// The value that a white surface under the irradiance 1 has with an exposure, before all noise: 1 is the brightest
    /// that fits.
    func brightness(of exposure: Exposure) -> Double {
        exposure.seconds / (saturationMilliseconds * 1e-3) * exposure.gain
    }
}

/// How the light on a pixel becomes its value.
public enum TransferFunction: String, Hashable, Sendable, CaseIterable {
    /// Values proportional to light.
    case linear
    /// The curve of IEC 61966-2-1, as pictures are usually stored.
    case srgb
    /// Light to the power of 1/gamma.
    case power
}
