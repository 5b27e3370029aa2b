// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene.ImuSettings {
    /// Sensors whose numbers are known.
    public enum Preset: String, Hashable, Sendable, CaseIterable {
        /// A phone's: Bosch's BMI160, a sensor made for phones, at 100 Hz.
        ///
        /// Noise and random walk as measured on the BMI160 of the TUM VI dataset (Schubert, Goll, Demmel, Usenko,
        /// Stückler, Cremers 2018, section III: accelerometer 1.4e-3 m/s²/√Hz and 8.6e-5 m/s³/√Hz, gyroscope
        /// 8.0e-5 rad/s/√Hz and 2.2e-6 rad/s²/√Hz; the data sheet BST-BMI160-DS000 says 180 µg/√Hz and 0.007 °/s/√Hz).
        /// Ranges ±8 g and ±2000 °/s with 16 bits: 4096 and 16.4 steps per unit, as the data sheet has them. Biases,
        /// scale factors and misalignments are drawn: after the phone's own calibration some 5 mrad/s and 0.05 m/s²
        /// (Kos, Tomažič, Umek 2016, "Evaluation of smartphone inertial sensor performance", Sensors 16(4):477, measured
        /// them on 116 phones), 0.3 % and 2 mrad. Samples are means over their interval, a low-pass filter that ends at 44 Hz at
        /// this rate (−3 dB); the data sheet's own ends at 40.5 Hz. The stamps' jitter is that of an iPhone in the recording of Ham,
        /// Lucey, Singh 2014 ("Hand Waving Away Scale"): its 358 stamps at 100 Hz come in ticks of 1/32768 s and scatter by 9 µs about two
        /// straight lines, between which they jump once. The camera sits 8 mm from the sensor; see `SceneFormat.md` for the axes.
        case phone
        /// EuRoC's: Analog Devices' ADIS16448 at 200 Hz.
        ///
        /// Noise, random walk and rate as `imu0/sensor.yaml` of the dataset has them, the camera as `cam0/sensor.yaml`
        /// (Burri et al. 2016, "The EuRoC micro aerial vehicle datasets"). Range and steps by the data sheet: ±1000 °/s
        /// in 0.04 °/s, ±18 g in 1/1200 g, which the dataset's numbers show too. The biases are those of V1_01's ground truth.
        /// Scale factors and misalignments are drawn: the gyroscopes' axes by a third of the 0.05° within which the data sheet has them
        /// aligned; the accelerometers' by four times as much, and scale factors by a third of a percent, which is assumed.
        /// Samples are means over their interval: the sensor reads 819 times a second and averages (its data sheet).
        case euroc
        /// A sensor without any error, at 200 Hz, mounted as that of ``phone``.
        case ideal
    }

    /// The settings of a preset.
    public init(_ preset: Preset) {
        self.init(preset: preset)
        switch preset {
        case .phone: becomePhone()
        case .euroc: becomeEuroc()
        case .ideal:
            rateInHertz = 200
            imuFromOpticalMatrix = Self.phoneFromOptical
        }
    }

    private static let degree = Double.pi / 180
    /// Standard gravity, the unit of data sheets.
    private static let standardGravity = 9.80665

    /// A phone held upright is the frame: +X to the right of the screen, +Y to its top, +Z out of the screen, as Core
    /// Motion and Android have them. The back camera's rows run along the phone's long side: the picture's right is −Y,
    /// its bottom is −X, and it looks along −Z.
    private static let phoneFromOptical = Matrix4x4(
        linear: Matrix3x3(rows: Vector3(0, -1, 0), Vector3(-1, 0, 0), Vector3(0, 0, -1)),
        translation: Vector3(0.005, 0.006, -0.002))

    private mutating func becomePhone() {
        rateInHertz = 100
        sampling = .mean
        gyroscope.noiseDensity = 8.0e-5
        gyroscope.randomWalk = 2.2e-6
        gyroscope.biasDeviation = 5e-3
        gyroscope.scaleDeviation = 3e-3
        gyroscope.misalignmentDeviationRadians = 2e-3
        gyroscope.range = 2000 * Self.degree
        gyroscope.step = Self.degree / 16.4
        accelerometer.noiseDensity = 1.4e-3
        accelerometer.randomWalk = 8.6e-5
        accelerometer.biasDeviation = 0.05
        accelerometer.scaleDeviation = 3e-3
        accelerometer.misalignmentDeviationRadians = 2e-3
        accelerometer.range = 8 * Self.standardGravity
        accelerometer.step = Self.standardGravity / 4096
        stampJitterSeconds = 9e-6
        imuFromOpticalMatrix = Self.phoneFromOptical
    }

    private mutating func becomeEuroc() {
        rateInHertz = 200
        sampling = .mean
        gyroscope.noiseDensity = 1.6968e-4
        gyroscope.randomWalk = 1.9393e-5
        gyroscope.bias = Vector3(-0.0022, 0.0215, 0.0770)
        gyroscope.scaleDeviation = 3.3e-3
        gyroscope.misalignmentDeviationRadians = 0.3e-3
        gyroscope.range = 1000 * Self.degree
        gyroscope.step = 0.04 * Self.degree
        accelerometer.noiseDensity = 2.0e-3
        accelerometer.randomWalk = 3.0e-3
        accelerometer.bias = Vector3(-0.018, 0.066, 0.031)
        accelerometer.scaleDeviation = 3.3e-3
        accelerometer.misalignmentDeviationRadians = 1.2e-3
        accelerometer.range = 18 * Self.standardGravity
        accelerometer.step = Self.standardGravity / 1200
        statesDeviations = true
        imuFromOpticalMatrix = Matrix4x4(
            linear: Matrix3x3(
                rows: Vector3(0.0148655429818, -0.999880929698, 0.00414029679422),
                Vector3(0.999557249008, 0.0149672133247, 0.025715529948),
                Vector3(-0.0257744366974, 0.00375618835797, 0.999660727178)),
            translation: Vector3(-0.0216401454975, -0.064676986768, 0.00981073058949))
    }
}
