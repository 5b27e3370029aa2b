// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

extension CameraCalibration {
    /// The text of `cam0/sensor.yaml`.
    var yaml: String {
        let intrinsics = camera.intrinsics
        let (model, distortion) = camera.yamlDistortion
        return """
            sensor_type: camera
            comment: optical axes, +X right, +Y down, +Z forward; pixel (0, 0) is the centre of the first one
            T_BS:
            \(imuFromOptical.yamlMatrix)
            rate_hz: \(NumberText.string(rateInHertz))
            resolution: [\(imageSize.width), \(imageSize.height)]
            camera_model: pinhole
            intrinsics: \(yamlList([intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy]))
            distortion_model: \(model)
            distortion_coefficients: \(yamlList(distortion))
            readout_ns: \(readoutNanoseconds)
            imu_from_camera_time_offset_ns: \(imuFromCameraTimeOffsetNanoseconds)

            """ + uncertainty.yaml
    }
}

extension StatedUncertainty {
    /// The lines of a `sensor.yaml` that say it.
    fileprivate var yaml: String {
        Self.yamlKeys.map { key, field, unit in
            self[keyPath: field].map { "\(key): \(NumberText.string($0 / unit))\n" } ?? ""
        }.joined()
    }
}

extension ImuCalibration {
    /// The text of `imu0/sensor.yaml`; noise in Kalibr's units.
    var yaml: String {
        """
        sensor_type: imu
        comment: the body frame is the IMU's
        T_BS:
        \(RigidTransform.identity.yamlMatrix)
        rate_hz: \(NumberText.string(rateInHertz))
        gyroscope_noise_density: \(NumberText.string(gyroscopeNoiseDensity))
        gyroscope_random_walk: \(NumberText.string(gyroscopeRandomWalk))
        accelerometer_noise_density: \(NumberText.string(accelerometerNoiseDensity))
        accelerometer_random_walk: \(NumberText.string(accelerometerRandomWalk))

        """ + uncertainty.yaml
    }
}

extension RigidTransform {
    /// The text of `state_groundtruth_estimate0/sensor.yaml`.
    static var groundTruthYaml: String {
        """
        sensor_type: pose
        comment: poses of the IMU in a world whose z axis is up
        T_BS:
        \(RigidTransform.identity.yamlMatrix)

        """
    }

    /// The sixteen numbers as EuRoC writes them.
    fileprivate var yamlMatrix: String { "  cols: 4\n  rows: 4\n  data: \(yamlList(rowMajor))" }

    /// The matrix's sixteen numbers, row after row.
    var rowMajor: [Double] {
        let (c0, c1, c2) = rotation.matrix.columns
        let t = translation
        return [c0.x, c1.x, c2.x, t.x, c0.y, c1.y, c2.y, t.y, c0.z, c1.z, c2.z, t.z, 0, 0, 0, 1]
    }
}

extension Camera {
    /// The name of the distortion model and its coefficients, as EuRoC writes them: four where the fifth is zero.
    fileprivate var yamlDistortion: (String, [Double]) {
        switch self {
        case .pinhole: ("none", [])
        case .radialTangential(let model):
            ("radial-tangential", model.k3 == 0 ? Array(model.distortion.prefix(4)) : model.distortion)
        case .equidistant(let model): ("equidistant", model.distortion)
        }
    }
}

private func yamlList(_ numbers: [Double]) -> String {
    "[" + numbers.map(NumberText.string).joined(separator: ", ") + "]"
}
