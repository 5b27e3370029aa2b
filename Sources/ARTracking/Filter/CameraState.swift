// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The camera as the filter knows it so far.
struct CameraState: Hashable, Sendable {
    /// The lens, never a pinhole; focal lengths, principal point and k1 are estimated, the rest of the distortion is taken as calibrated.
    private(set) var camera: Camera
    /// Columns and rows of each frame.
    let imageSize: ImageSize
    /// Where the camera sits in the IMU's frame.
    var imuFromOptical: RigidTransform
    /// To be added to a frame's stamp to get the IMU clock's time, in seconds.
    var timeOffsetSeconds: Double
    /// The variance of the times at which a pixel collects light, in s²: a twelfth of the squared exposure. Below zero where a picture
    /// shows the motion sharper than the samples tell it. At first it is the mean for exposures up to ``longestExposureSeconds``, all
    /// of them as likely. Law: `OdometryTests.anyExposureUpToTheLongestIsAsLikely`.
    var exposureVariance = longestExposureSeconds * longestExposureSeconds / 36
    /// For which an exposure is taken at most before pictures tell it: that of a video in a dim room.
    static let longestExposureSeconds = 1.0 / 30
    /// From the first row's exposure to the last row's, in seconds; below zero where the last row comes first.
    private(set) var readoutSeconds: Double
    /// No camera's rows take longer.
    static let longestReadoutSeconds = 0.1

    init(_ calibration: CameraCalibration) {
        camera = calibration.camera.distorting
        imageSize = calibration.imageSize
        imuFromOptical = calibration.imuFromOptical
        timeOffsetSeconds = Double(calibration.imuFromCameraTimeOffsetNanoseconds) * 1e-9
        readoutSeconds = Double(calibration.readoutNanoseconds) * 1e-9
    }

    /// The calibration that was stated, with what is estimated of it.
    func calibration(like stated: CameraCalibration) -> CameraCalibration {
        var calibration = stated
        calibration.camera = camera
        calibration.imuFromOptical = imuFromOptical
        calibration.imuFromCameraTimeOffsetNanoseconds = Int64((timeOffsetSeconds * 1e9).rounded())
        calibration.readoutNanoseconds = Int64((readoutSeconds * 1e9).rounded())
        return calibration
    }

    /// When a frame with this stamp was taken, on the IMU's clock.
    func instant(ofFrameAt timestamp: Timestamp) -> Timestamp {
        timestamp.advanced(byNanoseconds: Int64((timeOffsetSeconds * 1e9).rounded()))
    }

    /// How much of the readout lies between a frame's instant, when the row in the middle was exposed, and a pixel's row: from −½ for
    /// the first to ½ for the last.
    func readoutShare(of pixel: PixelPoint) -> Double {
        guard imageSize.height > 1 else { return 0 }
        return pixel.y / Double(imageSize.height - 1) - 0.5
    }

    /// When a pixel was exposed, in seconds after its frame's instant.
    func secondsAfterInstant(of pixel: PixelPoint) -> Double { readoutShare(of: pixel) * readoutSeconds }

    /// Puts errors right: imuFromOptical ← imuFromOptical Exp(turn), the rest by addition.
    mutating func correct(
        turn: Vector3 = .zero, shift: Vector3 = .zero, timeOffset: Double = 0, readout: Double = 0,
        exposureVariance: Double = 0, focal: Vector2 = .zero, principal: Vector2 = .zero, radial: Double = 0
    ) {
        imuFromOptical.rotation = (imuFromOptical.rotation * Rotation(rotationVector: turn)).normalized
        imuFromOptical.translation += shift
        timeOffsetSeconds += timeOffset
        readoutSeconds = min(max(readoutSeconds + readout, -Self.longestReadoutSeconds), Self.longestReadoutSeconds)
        self.exposureVariance += exposureVariance
        var intrinsics = camera.intrinsics
        intrinsics.fx += focal.x
        intrinsics.fy += focal.y
        intrinsics.cx += principal.x
        intrinsics.cy += principal.y
        camera.intrinsics = intrinsics
        if radial != 0 { camera = camera.addingRadialDistortion(radial) }
    }
}
