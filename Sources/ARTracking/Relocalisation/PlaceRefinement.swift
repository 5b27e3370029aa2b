// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve
import Foundation

/// The pose that sights and gravity allow best: Gauss-Newton over all six unknowns.
///
/// With p and R of worldFromOptical and errors p + δp, Exp(δθ) R, a point X is seen at π(q), q = Rᵀ (X − p), so that
/// ∂q/∂p = −Rᵀ and ∂q/∂θ = Rᵀ [X − p]×. What is up in the camera, u, should be up in the world: the horizontal part of
/// R u is zero, and ∂(R u)/∂θ = −[R u]×.
///
/// A sight's error has the covariance σ² I + j jᵀ, where j is what the deviation of the point's place amounts to in the picture.
/// Errors are whitened by it, and weighted robustly (Cauchy).
///
/// Law: `PlaceRefinementTests.findsThePose`.
struct PlaceRefinement {
    let camera: Camera
    /// The direction against gravity, in optical axes, and how well it is known, in radians.
    let upInOptical: Vector3
    let gravityDeviation: Double
    /// The standard deviation of a pixel.
    var pixelDeviation: Double

    private static let size = 6
    private static let iterations = 5

    /// A pose that was found.
    struct Result {
        var worldFromOptical: RigidTransform
        /// The inverse of the normal matrix: its covariance if all sights are true.
        var covariance: Matrix6x6
        /// The same without the sights that tell the most; `nil` where the rest leaves the pose open. A few false ones that
        /// nothing contradicts tell the most: near ones among many that are far away.
        var covarianceOfTheRest: Matrix6x6?

        /// Whether both position and attitude are less uncertain than another result's, over all directions together, even
        /// without what tells the most.
        func isBetterKnown(than other: Result) -> Bool {
            guard let own = covarianceOfTheRest, let others = other.covarianceOfTheRest else {
                return covarianceOfTheRest != nil
            }
            return own.translationByTranslation.trace < others.translationByTranslation.trace
                && own.rotationByRotation.trace < others.rotationByRotation.trace
        }
    }

    /// So many of the sights may be false that tell the most: a share of all, and two at least.
    private static let doubtedShare = 0.1
    private static let fewestDoubted = 2

    /// Where a camera is expected to see a point.
    struct Expectation {
        var pixel: PixelPoint
        fileprivate var whitening: Whitening

        /// How far from there something is seen, in pixels, less what the point's place may err by.
        func error(of seen: PixelPoint) -> Double { whitening.apply(seen.vector - pixel.vector).length }
    }

    /// Where the camera is expected to see a point whose place has a deviation; `nil` where it does not see it.
    func expectation(of pointInWorld: Point3, _ deviationInWorld: Vector3, _ opticalFromWorld: RigidTransform)
        -> Expectation?
    {
        camera.projectWithJacobians(opticalFromWorld * pointInWorld).map { projection in
            let deviation = projection.pixelByPoint * (opticalFromWorld.rotation * deviationInWorld)
            return Expectation(
                pixel: projection.pixel, whitening: Whitening(pixelDeviation: pixelDeviation, along: deviation))
        }
    }

    /// How far from its pixel a sight is expected, as an ``Expectation`` has it; infinite where the camera does not see it.
    func error(of sight: PlaceSight, from worldFromOptical: RigidTransform) -> Double {
        expectation(of: sight.pointInWorld, sight.deviationInWorld, worldFromOptical.inverse)?.error(of: sight.pixel)
            ?? .infinity
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
        guard pose.translation.isFinite, let all = inverse(normalEquations(pose, sights).information) else {
            return nil
        }
        let rest = inverse(normalEquations(pose, withoutTheMostTelling(of: sights, pose, all)).information)
        return Result(
            worldFromOptical: pose, covariance: Matrix6x6(all), covarianceOfTheRest: rest.map(Matrix6x6.init))
    }

    /// The sights but for those whose share of what is known of the pose is largest: tr(C Aᵢ), Aᵢ being a sight's part of the
    /// normal matrix and C the inverse of the whole (Belsley, Kuh, Welsch 1980, "Regression Diagnostics", on leverage).
    private func withoutTheMostTelling(
        of sights: [PlaceSight], _ pose: RigidTransform, _ inverse: [Double]
    ) -> [PlaceSight] {
        let doubted = max(Int(Self.doubtedShare * Double(sights.count)), Self.fewestDoubted)
        let shares = sights.map { sight in
            var part = NormalEquations()
            add(sight, pose, to: &part)
            return zip(inverse, part.information).reduce(0) { $0 + $1.0 * $1.1 }
        }
        return sights.indices.sorted { (shares[$0], $0) < (shares[$1], $1) }.dropLast(doubted).map { sights[$0] }
    }

    private func normalEquations(_ pose: RigidTransform, _ sights: [PlaceSight]) -> NormalEquations {
        var normal = NormalEquations()
        for sight in sights { add(sight, pose, to: &normal) }
        let up = pose.rotation * upInOptical
        let byRotation = Matrix3x3.crossProduct(up)
        for axis in [0, 2] {
            let row = -Vector3(byRotation.columns.0[axis], byRotation.columns.1[axis], byRotation.columns.2[axis])
            normal.add(
                byPosition: .zero, byRotation: row, error: -up[axis],
                weight: 1 / (gravityDeviation * gravityDeviation))
        }
        return normal
    }

    private func add(_ sight: PlaceSight, _ pose: RigidTransform, to normal: inout NormalEquations) {
        let opticalFromWorld = pose.rotation.matrix.transpose
        let fromCamera = sight.pointInWorld - pose.translation
        guard let projection = camera.projectWithJacobians(opticalFromWorld * fromCamera) else { return }
        let byWorld = projection.pixelByPoint * opticalFromWorld
        let whitening = Whitening(pixelDeviation: pixelDeviation, along: byWorld * sight.deviationInWorld)
        let error = whitening.apply(sight.pixel.vector - projection.pixel.vector)
        let byPosition = whitening.apply(byWorld)
        let byRotation = byPosition * Matrix3x3.crossProduct(fromCamera)
        let weight = 1 / (pixelDeviation * pixelDeviation + error.squaredLength / 4)
        for axis in 0..<2 {
            normal.add(
                byPosition: -Vector3(byPosition.x[axis], byPosition.y[axis], byPosition.z[axis]),
                byRotation: Vector3(byRotation.x[axis], byRotation.y[axis], byRotation.z[axis]),
                error: error[axis], weight: weight)
        }
    }

    /// The inverse of a symmetric matrix, or `nil` unless it is positive definite.
    private func inverse(_ information: [Double]) -> [Double]? {
        var inverse = (0..<Self.size * Self.size).map { $0 / Self.size == $0 % Self.size ? 1.0 : 0 }
        return csolve_solve_positive_definite(information, Int32(Self.size), &inverse, Int32(Self.size)) == CSOLVE_OK
            ? inverse : nil
    }
}

extension Matrix6x6 {
    /// Columns of six, position before rotation.
    fileprivate init(_ columns: [Double]) {
        func block(_ column: Int, _ row: Int) -> Matrix3x3 {
            func part(_ offset: Int) -> Vector3 {
                let first = (column + offset) * 6 + row
                return Vector3(columns[first], columns[first + 1], columns[first + 2])
            }
            return Matrix3x3(part(0), part(1), part(2))
        }
        self.init(
            translationByTranslation: block(0, 0), translationByRotation: block(3, 0),
            rotationByTranslation: block(0, 3), rotationByRotation: block(3, 3))
    }
}

/// What makes an error with the covariance σ² I + j jᵀ one with σ² I: I − (1 − σ/√(σ² + |j|²)) j jᵀ/|j|².
private struct Whitening {
    private let along: Vector2
    private let taken: Double

    init(pixelDeviation: Double, along deviation: Vector2) {
        along = deviation.normalized() ?? .zero
        taken = 1 - pixelDeviation / (pixelDeviation * pixelDeviation + deviation.squaredLength).squareRoot()
    }

    func apply(_ error: Vector2) -> Vector2 { error - along * (taken * along.dot(error)) }

    func apply(_ byPoint: PixelByPoint) -> PixelByPoint {
        PixelByPoint(x: apply(byPoint.x), y: apply(byPoint.y), z: apply(byPoint.z))
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
