// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point of the world, or a direction: X/w, with w = 0 infinitely far away.
struct HomogeneousPoint: Sendable {
    var scaled: Vector3
    var weight: Double
}

/// Where a point of the world is seen in a clone's picture, and what that depends on.
///
/// With the row's pose R, p, the camera in the IMU Rc, tc and the lens π, a point X/w is seen at
/// π(q), q = Rcᵀ(Rᵀ(X − w p) − w tc), which needs no depth: π does not care for the length of q. For the errors of
/// ``VisualInertialFilter`` and B = ∂π/∂q Rcᵀ Rᵀ: ∂/∂X = B, ∂/∂w = −B (p + R tc), ∂/∂θ = B [X]×, ∂/∂ρ = −w B.
///
/// Law: `ReprojectionTests.jacobiansAreTheDerivatives`.
struct Reprojection {
    /// Where the point should be.
    let pixel: PixelPoint
    /// B.
    let byScaledPoint: PixelByPoint
    let byWeight: Vector2
    let byRotation: PixelByPoint
    let byPosition: PixelByPoint
    let byExtrinsicRotation: PixelByPoint
    let byExtrinsicTranslation: PixelByPoint
    /// By fx, fy, cx, cy and k1.
    let byLens: PixelByParameters

    /// `nil` where the camera cannot see the point.
    init?(_ point: HomogeneousPoint, rowPose worldFromImu: RigidTransform, calibration: CameraState) {
        let optical = calibration.imuFromOptical
        let opticalFromImu = optical.rotation.inverse.matrix
        let opticalFromWorld = opticalFromImu * worldFromImu.rotation.matrix.transpose
        let camera = worldFromImu * optical.translation
        let q = opticalFromWorld * (point.scaled - camera * point.weight)
        guard let projection = calibration.camera.projectWithJacobians(q) else { return nil }
        pixel = projection.pixel
        byScaledPoint = projection.pixelByPoint * opticalFromWorld
        byWeight = byScaledPoint * (-1 * camera)
        byRotation = byScaledPoint * Matrix3x3.crossProduct(point.scaled)
        byPosition = byScaledPoint * Matrix3x3(diagonal: Vector3(repeating: -point.weight))
        byExtrinsicRotation = projection.pixelByPoint * Matrix3x3.crossProduct(q)
        byExtrinsicTranslation = projection.pixelByPoint * (-point.weight * opticalFromImu)
        byLens = projection.pixelByParameters
    }

    /// How fast the point goes through the picture where the IMU moves so: with θ = R ω δt and ρ = (v + p × R ω) δt.
    /// Law: `ReprojectionTests.readoutMovesPoints`.
    func perSecond(of row: RowMotion) -> Vector2 {
        byRotation * row.angularVelocity
            + byPosition * (row.velocity + row.worldFromImu.translation.cross(row.angularVelocity))
    }
}

extension Measurements {
    /// Adds the two rows of an observation of a landmark, divided by the observation's standard deviation: residual, and
    /// derivatives by camera, clone, anchor and, from `landmarkVariable` on, the landmark's coordinates. With the readout
    /// the point's picture moves by `byReadout`, in pixels per second of it.
    mutating func append(
        _ reprojection: Reprojection, _ observation: FeatureTrack.Observation, clone: Int, anchor: Int,
        anchored: AnchoredPoint, landmarkVariable: Int, byReadout: Vector2
    ) {
        let row = appendRows(2)
        let weight = 1 / observation.deviationPixels
        let error = observation.pixel.vector - reprojection.pixel.vector
        self[residual: row] = error.x * weight
        self[residual: row + 1] = error.y * weight
        add(reprojection.byExtrinsicRotation, row, StateLayout.extrinsicRotation, weight)
        add(reprojection.byExtrinsicTranslation, row, StateLayout.extrinsicTranslation, weight)
        add(byReadout, row, StateLayout.readout, weight)
        for parameter in 0..<StateLayout.lensSize {
            add(reprojection.byLens[parameter], row, StateLayout.intrinsics + parameter, weight)
        }
        // What turns and shifts clone and anchor alike changes nothing.
        add(reprojection.byRotation, row, clone, weight)
        add(reprojection.byPosition, row, clone + 3, weight)
        add(reprojection.byRotation, row, anchor, -weight)
        add(reprojection.byPosition, row, anchor + 3, -weight)
        add(reprojection.byScaledPoint * anchored.columnAxis, row, landmarkVariable, weight)
        add(reprojection.byScaledPoint * anchored.rowAxis, row, landmarkVariable + 1, weight)
        add(
            reprojection.byScaledPoint * anchored.origin + reprojection.byWeight, row, landmarkVariable + 2, weight)
    }

    /// Adds a 2×3 block, times a weight.
    private mutating func add(_ block: PixelByPoint, _ row: Int, _ variable: Int, _ weight: Double) {
        add(block.x, row, variable, weight)
        add(block.y, row, variable + 1, weight)
        add(block.z, row, variable + 2, weight)
    }

    /// Adds a 2×1 block, times a weight.
    private mutating func add(_ column: Vector2, _ row: Int, _ variable: Int, _ weight: Double) {
        self[row, variable] += column.x * weight
        self[row + 1, variable] += column.y * weight
    }
}
