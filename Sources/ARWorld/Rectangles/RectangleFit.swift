// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The exact rectangle that agrees best with what pictures show of its corners, and with what else is known.
///
/// Minimises Σ ρ(‖corner seen − corner projected‖ / σ) over all corners of all views, with Huber's ρ, plus the squares of what
/// the size and the plane are off, over their deviations. Gauss and Newton's steps with Levenberg's damping.
struct RectangleFit {
    var views: [RectangleView]
    /// The size where it is known, and the deviation of its logarithms.
    var knownSize: (size: RectangleSize, deviation: Double)?
    /// The plane on which the rectangle is believed to lie, and how far to trust that.
    var plane: (plane: Plane, deviation: PlaneDeviation)?

    /// What was found.
    struct Outcome {
        var shape: RectangleShape
        /// The covariance of the shape's eight numbers, as ``RectangleShape/moved(by:)`` counts them.
        var covariance: SquareMatrix
        /// The root of the mean squared distance between corners seen and projected, in pixels.
        var errorPixels: Double
        /// The sum that was minimised.
        var cost: Double
    }

    /// Beyond so many deviations, an error counts linearly.
    private static let huberLimit = 2.5

    /// The best shape near a first guess; `nil` where the views do not determine one.
    ///
    /// - Parameter precision: ends when a step lowers the sum by less than this share of it.
    func solved(from guess: RectangleShape, precision: Double = 1e-9, roundLimit: Int = 20) -> Outcome? {
        var shape = guess
        guard var system = system(at: shape) else { return nil }
        var damping = 1e-6
        for _ in 0..<roundLimit {
            guard let step = system.step(damping: damping) else { return nil }
            let moved = shape.moved(by: step)
            if let next = self.system(at: moved), next.cost <= system.cost {
                let gain = system.cost - next.cost
                (shape, system) = (moved, next)
                damping = max(damping / 10, 1e-9)
                if gain <= precision * (1e-9 + next.cost) { break }
            } else {
                damping *= 20
                if damping > 1e6 { break }
            }
        }
        guard let factor = system.matrix().choleskyFactor else { return nil }
        // What scatters more than it should is known less well than it seems.
        let excess = max(1, system.cost / Double(max(system.residualCount - RectangleShape.dimension, 1)))
        return Outcome(
            shape: shape, covariance: excess * factor.inverseByFactor,
            errorPixels: (system.squaredPixels / Double(4 * views.count)).squareRoot(), cost: system.cost)
    }

    // MARK: Normal equations

    /// The normal equations at a shape.
    private struct System {
        var information = [SIMD8<Double>](repeating: .zero, count: RectangleShape.dimension)
        var right = SIMD8<Double>.zero
        var cost = 0.0
        var squaredPixels = 0.0
        var residualCount = 0

        mutating func add(_ row: SIMD8<Double>, residual: Double, weight: Double) {
            let weighted = row * weight
            information.withUnsafeMutableBufferPointer { columns in
                for column in 0..<RectangleShape.dimension { columns[column] += weighted * row[column] }
            }
            right += weighted * residual
        }

        /// What is known beforehand: a residual over its deviation.
        mutating func add(_ row: SIMD8<Double>, residual: Double, deviation: Double) {
            let weight = 1 / max(deviation * deviation, 1e-12)
            add(row, residual: residual, weight: weight)
            cost += weight * residual * residual
            residualCount += 1
        }

        /// The symmetric matrix, its diagonal larger by a factor.
        func matrix(damping: Double = 0) -> SquareMatrix {
            var matrix = SquareMatrix(order: RectangleShape.dimension)
            for column in information.indices {
                for row in information.indices { matrix[row, column] = information[column][row] }
                matrix[column, column] *= 1 + damping
            }
            return matrix
        }

        func step(damping: Double) -> [Double]? {
            matrix(damping: damping).choleskyFactor?.solveByFactor(right.indices.map { right[$0] })
        }
    }

    private func system(at shape: RectangleShape) -> System? {
        var system = System()
        let corners = shape.corners
        let derivatives = (0..<4).map(shape.derivative)
        for view in views {
            let opticalFromWorld = view.worldFromOptical.inverse
            let variance = view.deviation * view.deviation
            for (corner, pixel) in view.quad.corners.enumerated() {
                guard let projection = view.camera.projectWithJacobians(opticalFromWorld * corners[corner]) else {
                    return nil
                }
                let residual = pixel.vector - projection.pixel.vector
                let ratio = (residual.squaredLength / variance).squareRoot()
                let robust = min(1, Self.huberLimit / max(ratio, 1e-12))
                let byWorld = projection.pixelByPoint * opticalFromWorld.rotation.matrix
                var (across, down) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
                for (place, motion) in derivatives[corner].enumerated() {
                    let pixels = byWorld * motion
                    (across[place], down[place]) = (pixels.x, pixels.y)
                }
                system.add(across, residual: residual.x, weight: robust / variance)
                system.add(down, residual: residual.y, weight: robust / variance)
                system.cost +=
                    ratio <= Self.huberLimit ? ratio * ratio : Self.huberLimit * (2 * ratio - Self.huberLimit)
                system.squaredPixels += residual.squaredLength
                system.residualCount += 2
            }
        }
        addKnownSize(to: &system, at: shape)
        addPlane(to: &system, at: shape)
        return system
    }

    private func addKnownSize(to system: inout System, at shape: RectangleShape) {
        guard let knownSize else { return }
        let sides = [(knownSize.size.width, shape.size.width), (knownSize.size.height, shape.size.height)]
        for (place, (known, now)) in sides.enumerated() {
            var row = SIMD8<Double>.zero
            row[6 + place] = 1
            system.add(row, residual: log(known / now), deviation: knownSize.deviation)
        }
    }

    /// The middle lies on the plane, and both sides lie in it.
    private func addPlane(to system: inout System, at shape: RectangleShape) {
        guard let (plane, deviation) = plane else { return }
        let normal = plane.normal
        system.add(
            SIMD8(normal.x, normal.y, normal.z, 0, 0, 0, 0, 0),
            residual: -plane.signedDistance(to: shape.worldFromRectangle.translation), deviation: deviation.offset)
        let rotation = shape.worldFromRectangle.rotation
        let inShape = rotation.inverse * normal
        for axis in [Vector3(1, 0, 0), Vector3(0, 0, 1)] {
            let slope = axis.cross(inShape)
            system.add(
                SIMD8(0, 0, 0, slope.x, slope.y, slope.z, 0, 0), residual: -inShape.dot(axis), deviation: deviation.tilt
            )
        }
    }
}
