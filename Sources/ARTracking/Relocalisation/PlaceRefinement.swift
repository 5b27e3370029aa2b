// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve
import Foundation

/// The pose that sights and gravity allow best: Gauss-Newton over all six unknowns.
///
/// With p and R of worldFromOptical and errors p + δp, Exp(δθ) R, a point X is seen at π(q), q = Rᵀ (X − p), so that
/// ∂q/∂p = −Rᵀ and ∂q/∂θ = Rᵀ [X − p]×. What is up in the camera, u, should be up in the world: the horizontal part of
/// R u is zero, and ∂(R u)/∂θ = −[R u]×. Errors are weighted robustly (Cauchy).
///
/// Law: `PlaceRefinementTests.findsThePose`.
struct PlaceRefinement {
    let camera: Camera
    /// The direction against gravity, in optical axes, and how well it is known, in radians.
    let upInOptical: Vector3
    let gravityDeviation: Double
    /// The standard deviation of a pixel.
    let pixelDeviation: Double

    private static let size = 6
    private static let iterations = 5

    /// A pose that was found, and the inverse of the normal matrix.
    struct Result {
        var worldFromOptical: RigidTransform
        var covariance: Matrix6x6

        /// Whether both position and attitude are less uncertain than another result's, over all directions together.
        func isBetterKnown(than other: Result) -> Bool {
            covariance.translationByTranslation.trace < other.covariance.translationByTranslation.trace
                && covariance.rotationByRotation.trace < other.covariance.rotationByRotation.trace
        }
    }

    /// How far from its pixel a sight is expected; infinite where the camera does not see it.
    func error(of sight: PlaceSight, from worldFromOptical: RigidTransform) -> Double {
        camera.project(worldFromOptical.inverse * sight.pointInWorld)?.distance(to: sight.pixel) ?? .infinity
    }

    /// The best pose near `start`, or `nil` where the sights leave it open.
    func refined(_ start: RigidTransform, with sights: [PlaceSight]) -> Result? {
        var pose = start
        for _ in 0..<Self.iterations {
            let system = normalEquations(pose, sights)
            var step = system.right
            guard csolve_solve_positive_definite(system.information, Int32(Self.size), &step, 1) == CSOLVE_OK else {
                return nil
            }
            pose.translation += Vector3(step[0], step[1], step[2])
            pose.rotation = (Rotation(rotationVector: Vector3(step[3], step[4], step[5])) * pose.rotation).normalized
        }
        guard pose.translation.isFinite, let covariance = inverse(normalEquations(pose, sights).information) else {
            return nil
        }
        return Result(worldFromOptical: pose, covariance: covariance)
    }

    private func normalEquations(
        _ pose: RigidTransform, _ sights: [PlaceSight]
    ) -> (information: [Double], right: [Double]) {
        var normal = NormalEquations()
        let opticalFromWorld = pose.rotation.matrix.transpose
        for sight in sights {
            let fromCamera = sight.pointInWorld - pose.translation
            guard let projection = camera.projectWithJacobians(opticalFromWorld * fromCamera) else { continue }
            let error = sight.pixel.vector - projection.pixel.vector
            let byWorld = projection.pixelByPoint * opticalFromWorld
            let byRotation = byWorld * Matrix3x3.crossProduct(fromCamera)
            let weight = 1 / (pixelDeviation * pixelDeviation + error.squaredLength / 4)
            for axis in 0..<2 {
                normal.add(
                    byPosition: -Vector3(byWorld.x[axis], byWorld.y[axis], byWorld.z[axis]),
                    byRotation: Vector3(byRotation.x[axis], byRotation.y[axis], byRotation.z[axis]),
                    error: error[axis], weight: weight)
            }
        }
        let up = pose.rotation * upInOptical
        let byRotation = Matrix3x3.crossProduct(up)
        for axis in [0, 2] {
            let row = -Vector3(byRotation.columns.0[axis], byRotation.columns.1[axis], byRotation.columns.2[axis])
            normal.add(
                byPosition: .zero, byRotation: row, error: -up[axis],
                weight: 1 / (gravityDeviation * gravityDeviation))
        }
        return (normal.information, normal.right)
    }

    private func inverse(_ information: [Double]) -> Matrix6x6? {
        var inverse = (0..<Self.size * Self.size).map { $0 / Self.size == $0 % Self.size ? 1.0 : 0 }
        guard
            csolve_solve_positive_definite(information, Int32(Self.size), &inverse, Int32(Self.size)) == CSOLVE_OK
        else { return nil }
        func block(_ column: Int, _ row: Int) -> Matrix3x3 {
            func part(_ offset: Int) -> Vector3 {
                let first = (column + offset) * Self.size + row
                return Vector3(inverse[first], inverse[first + 1], inverse[first + 2])
            }
            return Matrix3x3(part(0), part(1), part(2))
        }
        return Matrix6x6(
            translationByTranslation: block(0, 0), translationByRotation: block(3, 0),
            rotationByTranslation: block(0, 3), rotationByRotation: block(3, 3))
    }
}

/// JᵀWJ and JᵀWe of errors that depend on six unknowns: position, then rotation.
private struct NormalEquations {
    var information = [Double](repeating: 0, count: 36)
    var right = [Double](repeating: 0, count: 6)

    mutating func add(byPosition: Vector3, byRotation: Vector3, error: Double, weight: Double) {
        func derivative(_ index: Int) -> Double { index < 3 ? byPosition[index] : byRotation[index - 3] }
        for column in 0..<6 {
            let weighted = weight * derivative(column)
            right[column] += weighted * error
            for row in 0..<6 { information[column * 6 + row] += weighted * derivative(row) }
        }
    }
}
