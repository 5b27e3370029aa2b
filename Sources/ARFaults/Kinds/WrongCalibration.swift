// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// The calibration that the session is told is not the device's. Events and truth stay as they are.
public struct WrongCalibration: Hashable, Sendable {
    /// How much too long the focal lengths are, in percent.
    public var focalPercent = 0.0
    /// What is added to the principal point, in pixels.
    public var principalPointPixels = Vector2.zero
    /// By what the camera's axes in the IMU's are turned, as a rotation vector in the camera's optical axes, in radians.
    public var rotation = Vector3.zero
    /// What is added to the camera's place in the IMU's axes, in metres.
    public var translation = Vector3.zero
    /// What is added to the coefficients of the distortion, in the order of the camera's model. A pinhole camera becomes
    /// a radial–tangential one.
    public var distortion: [Double] = []

    /// The right calibration.
    public init() {}
}

extension WrongCalibration: FaultParameters {
    static let name = "wrong_calibration"
    static let span = FaultSpan.whole
    static let decisiveKeys = ["focal_percent", "principal_point_px", "rotation_rad", "translation_m", "distortion"]
    var kind: Fault.Kind { .wrongCalibration(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("focal_percent", &focalPercent, in: -90...900)
        try fields.pair("principal_point_px", &principalPointPixels, in: -1e4...1e4)
        try fields.triple("rotation_rad", &rotation, in: -.pi ... .pi)
        try fields.triple("translation_m", &translation, in: -10...10)
        try fields.numbers("distortion", &distortion, count: 0...5, in: -10...10)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage { PassingStage() }

    func changed(_ rig: SensorRig) throws(FaultError) -> SensorRig {
        var rig = rig
        var intrinsics = rig.camera.camera.intrinsics
        let factor = 1 + focalPercent / 100
        intrinsics = PinholeIntrinsics(
            fx: intrinsics.fx * factor, fy: intrinsics.fy * factor, cx: intrinsics.cx + principalPointPixels.x,
            cy: intrinsics.cy + principalPointPixels.y)
        guard rig.camera.imageSize.contains(PixelPoint(intrinsics.cx, intrinsics.cy)) else {
            throw .impossibleCalibration(
                reason:
                    "the principal point would be \(intrinsics.cx), \(intrinsics.cy), outside the picture; move it less"
            )
        }
        rig.camera.camera = try rig.camera.camera.with(intrinsics, addingDistortion: distortion)
        rig.camera.imuFromOptical = RigidTransform(
            rotation: rig.camera.imuFromOptical.rotation * Rotation(rotationVector: rotation),
            translation: rig.camera.imuFromOptical.translation + translation)
        // Nobody vouches for a wrong calibration, but for how long the rows take, which stays what it was.
        let readout = rig.camera.uncertainty.readoutSeconds
        rig.camera.uncertainty = CameraCalibration.Uncertainty()
        rig.camera.uncertainty.readoutSeconds = readout
        return rig
    }
}

extension Camera {
    /// The same model with other intrinsics and changed coefficients.
    fileprivate func with(
        _ intrinsics: PinholeIntrinsics, addingDistortion change: [Double]
    ) throws(FaultError) -> Camera {
        if case .pinhole = self, change.allSatisfy({ $0 == 0 }) { return .pinhole(PinholeCamera(intrinsics)) }
        var numbers = distortion.isEmpty ? [0, 0, 0, 0, 0] : distortion
        guard change.count <= numbers.count else {
            throw .distortionCount(given: change.count, model: numbers.count)
        }
        for (index, value) in change.enumerated() { numbers[index] += value }
        if case .equidistant = self {
            return .equidistant(
                EquidistantCamera(intrinsics, k1: numbers[0], k2: numbers[1], k3: numbers[2], k4: numbers[3]))
        }
        return .radialTangential(
            RadialTangentialCamera(
                intrinsics, k1: numbers[0], k2: numbers[1], p1: numbers[2], p2: numbers[3], k3: numbers[4]))
    }
}
