// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A ray on which a point was seen.
struct Sight: Sendable {
    /// The camera's pose when the point's row was exposed.
    var worldFromOptical: RigidTransform
    /// x/z and y/z of the point in the camera's frame.
    var direction: Vector2
}

/// Where a point is that several cameras saw.
struct Triangulation: Sendable {
    /// x/z, y/z and 1/z in the frame of the first sight.
    var coordinates: Vector3
    /// The root mean square distance between directions seen and expected, at depth one.
    var error: Double
    /// The standard deviation of 1/z for directions with a deviation of one, that is per radian.
    var inverseDepthDeviation: Double

    private static let iterations = 8

    /// The point that explains the directions best, in the sense of least squares: a linear estimate (Hartley & Sturm 1997,
    /// "Triangulation") refined by Gauss-Newton steps in inverse depth (Montiel, Civera, Davison 2006). `nil` where that leads
    /// behind a camera or where a single direction was seen.
    init?(_ sights: some RandomAccessCollection<Sight>) {
        guard let first = sights.first, sights.count > 1 else { return nil }
        let firstFromWorld = first.worldFromOptical.inverse
        var coordinates = Triangulation.start(sights, firstFromWorld)
        var damping = 1e-6
        var cost = Triangulation.cost(sights, firstFromWorld, coordinates)?.sum ?? .infinity
        if cost == .infinity {
            coordinates = Vector3(first.direction.x, first.direction.y, Triangulation.farInverseDepth)
            cost = Triangulation.cost(sights, firstFromWorld, coordinates)?.sum ?? .infinity
        }
        guard cost.isFinite else { return nil }
        for _ in 0..<Triangulation.iterations {
            guard let system = Triangulation.cost(sights, firstFromWorld, coordinates) else { return nil }
            let damped = system.information + damping * Matrix3x3(diagonal: system.information.diagonal)
            guard let inverse = damped.inverse else { break }
            let step = inverse * system.gradient
            let next = coordinates + step
            if let nextCost = Triangulation.cost(sights, firstFromWorld, next)?.sum, nextCost <= cost {
                let isDone = cost - nextCost <= 1e-9 * cost
                (coordinates, cost, damping) = (next, nextCost, damping * 0.1)
                if isDone { break }
            } else {
                damping *= 100
            }
        }
        guard let system = Triangulation.cost(sights, firstFromWorld, coordinates),
            let variance = system.information.inverse
        else { return nil }
        self.coordinates = coordinates
        error = (cost / Double(sights.count)).squareRoot()
        inverseDepthDeviation = max(variance[2].z, 0).squareRoot()
    }

    /// Where a point is assumed at first that the linear estimate puts behind a camera: ten metres away.
    private static let farInverseDepth = 0.1

    /// The point nearest to all rays.
    private static func start(_ sights: some RandomAccessCollection<Sight>, _ firstFromWorld: RigidTransform) -> Vector3
    {
        var (sum, moment) = (Matrix3x3.zero, Vector3.zero)
        for sight in sights {
            let firstFromSight = firstFromWorld * sight.worldFromOptical
            guard let ray = (firstFromSight.rotation * Vector3(sight.direction.x, sight.direction.y, 1)).normalized()
            else { continue }
            let projector = Matrix3x3.identity - Matrix3x3.outerProduct(ray, ray)
            sum = sum + projector
            moment += projector * firstFromSight.translation
        }
        guard let inverse = sum.inverse else { return Vector3(0, 0, -1) }
        let point = inverse * moment
        return Vector3(point.x, point.y, 1) / point.z
    }

    /// The sum of squared errors, and the normal equations of its decrease; `nil` behind a camera.
    private static func cost(
        _ sights: some RandomAccessCollection<Sight>, _ firstFromWorld: RigidTransform, _ c: Vector3
    ) -> (sum: Double, information: Matrix3x3, gradient: Vector3)? {
        guard c.z > 0 else { return nil }
        var (sum, information, gradient) = (0.0, Matrix3x3.zero, Vector3.zero)
        for sight in sights {
            // The point, times its inverse depth: R (α, β, 1) + ρ t.
            let sightFromFirst = (firstFromWorld * sight.worldFromOptical).inverse
            let rotation = sightFromFirst.rotation.matrix
            let h = rotation * Vector3(c.x, c.y, 1) + c.z * sightFromFirst.translation
            guard h.z > 1e-6 else { return nil }
            let inverse = 1 / h.z
            let expected = Vector2(h.x, h.y) * inverse
            let error = sight.direction - expected
            sum += error.squaredLength
            let byCoordinates = (rotation.columns.0, rotation.columns.1, sightFromFirst.translation)
            func row(_ axis: Int) -> Vector3 {
                Vector3(
                    byCoordinates.0[axis] - expected[axis] * byCoordinates.0.z,
                    byCoordinates.1[axis] - expected[axis] * byCoordinates.1.z,
                    byCoordinates.2[axis] - expected[axis] * byCoordinates.2.z) * inverse
            }
            for axis in 0..<2 {
                let derivative = row(axis)
                information = information + Matrix3x3.outerProduct(derivative, derivative)
                gradient += derivative * error[axis]
            }
        }
        return (sum, information, gradient)
    }
}

extension Matrix3x3 {
    fileprivate var diagonal: Vector3 { Vector3(columns.0.x, columns.1.y, columns.2.z) }
}
