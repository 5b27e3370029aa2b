// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Where each variable stands in the filter's error state.
///
/// | variables | count |
/// |---|---|
/// | IMU: rotation, velocity, position, biases of gyroscope and accelerometer | 15 |
/// | distortions of gyroscope and accelerometer, column after column | 18 |
/// | the accelerometer's lag | 1 |
/// | camera: rotation and translation in the IMU's frame, time offset, readout, exposure | 9 |
/// | its lens: focal lengths, principal point, radial distortion k1 | 5 |
/// | clones: rotation and position of the IMU at past frames | 6 each |
/// | landmarks: inverse-depth coordinates in their anchor's frame | 3 each |
///
/// Clones and landmarks have fixed slots, so that the covariance never changes its shape; an empty slot is all zeros.
struct StateLayout: Hashable, Sendable {
    /// The largest number of clones.
    let cloneCapacity: Int
    /// The largest number of landmarks.
    let landmarkCapacity: Int

    static let rotation = 0
    static let velocity = 3
    static let position = 6
    static let gyroscopeBias = 9
    static let accelerometerBias = 12
    /// The variables that change by themselves.
    static let movingCount = 15
    static let gyroscopeDistortion = 15
    static let accelerometerDistortion = 24
    static let accelerometerLag = 33
    /// The variables that motion depends on.
    static let inertialCount = 34
    static let extrinsicRotation = 34
    static let extrinsicTranslation = 37
    static let timeOffset = 40
    static let readout = 41
    static let exposure = 42
    static let intrinsics = 43
    static let radial = 47
    /// How many variables, from ``intrinsics`` to ``radial``, are the first parameters of a camera that distorts.
    static let lensSize = 5
    static let firstClone = 48
    static let cloneSize = 6
    static let landmarkSize = 3

    /// The first variable that a picture depends on directly.
    static let firstVisual = extrinsicRotation

    func clone(_ slot: Int) -> Int { StateLayout.firstClone + StateLayout.cloneSize * slot }
    func landmark(_ slot: Int) -> Int { clone(cloneCapacity) + StateLayout.landmarkSize * slot }

    /// The number of variables.
    var count: Int { landmark(landmarkCapacity) }
    /// The variables that the picture of a point without a place in the state depends on: camera and clones.
    var cameraAndClones: Range<Int> { StateLayout.firstVisual..<landmark(0) }
    /// The same, and the landmarks.
    var visual: Range<Int> { StateLayout.firstVisual..<count }
}
