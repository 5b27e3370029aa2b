// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// A recording's device, and the body whose poses EuRoC's ground truth holds.
struct RecordedRig {
    var rig: SensorRig
    /// EuRoC's body frame to the IMU's; the identity but in unusual recordings.
    var imuFromBody: RigidTransform
}

extension RecordingLayout {
    /// The device that a recording's calibration files describe.
    func readRig(_ interfaceOrientation: InterfaceOrientation) throws(RecordingError) -> RecordedRig {
        var errors: [RecordingError] = []
        let rig = readRig(interfaceOrientation) { errors.append($0) }
        guard let rig, errors.isEmpty else { throw errors[0] }
        return rig
    }

    /// The device, or `nil` when its camera is not known; every broken rule is reported.
    ///
    func readRig(
        _ interfaceOrientation: InterfaceOrientation, report: (RecordingError) -> Void
    ) -> RecordedRig? {
        var imu: ImuCalibration?
        var imuFromBody = RigidTransform.identity
        if exists(Self.imuYaml), var yaml = readSensorYaml(Self.imuYaml, report: report) {
            imu = yaml.imu()
            imuFromBody = yaml.bodyFromSensor()?.inverse ?? .identity
            yaml.errors.forEach(report)
        } else if !exists(Self.imuYaml), exists(Self.imu) {
            report(
                RecordingError(
                    .missingFile, file: Self.imuYaml, found: "no such file beside data.csv",
                    expected: "the IMU's noise"))
        }
        return readCamera(Self.cameraYaml, imuFromBody: imuFromBody, report: report).map {
            RecordedRig(
                rig: SensorRig(camera: $0, imu: imu, interfaceOrientation: interfaceOrientation),
                imuFromBody: imuFromBody)
        }
    }

    /// The camera that took the pictures, where the recording has one beside that of its calibration.
    /// - Parameter imageSize: how large the pictures are: a true camera takes the same.
    func readTrueCamera(imuFromBody: RigidTransform, imageSize: ImageSize) throws(RecordingError) -> CameraCalibration?
    {
        guard exists(Self.trueCamera) else { return nil }
        var errors: [RecordingError] = []
        let camera = readCamera(Self.trueCamera, imuFromBody: imuFromBody) { errors.append($0) }
        guard let camera, errors.isEmpty else { throw errors[0] }
        guard camera.imageSize == imageSize else {
            throw RecordingError(
                .imageSize, file: Self.trueCamera, found: "pictures of \(camera.imageSize)", expected: "\(imageSize)")
        }
        return camera
    }

    private func readCamera(
        _ name: String, imuFromBody: RigidTransform, report: (RecordingError) -> Void
    ) -> CameraCalibration? {
        guard var yaml = readSensorYaml(name, report: report) else { return nil }
        let camera = yaml.camera(imuFromBody: imuFromBody)
        yaml.errors.forEach(report)
        return camera
    }

    private func readSensorYaml(_ name: String, report: (RecordingError) -> Void) -> SensorYaml? {
        do {
            return SensorYaml(try YamlDocument.read(url(name), name: name))
        } catch {
            report(error)
            return nil
        }
    }
}
