// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A ray of the world on which a point was seen.
struct PointSight: Sendable {
    /// Where the camera was when the point's row was exposed.
    var origin: Point3
    /// Where it saw the point: of length one.
    var ray: Vector3
    /// The variance of the ray along each axis across it, in rad².
    var variance: Double
    /// The slot of the clone that saw it, or `nil` once that has left the window.
    var clone: Int?
    /// How far the whole ray may be displaced, seen from the newest frame: the variance along each axis, in m².
    var displacement = 0.0
    /// That variance when the clone was last in the window, and how far the way had been bent by then.
    var held = (displacement: 0.0, bend: Vector3.zero)

    /// By which angle the ray misses a point, and how far away that is: with z = r·(X − o), q = (X − o − z r)/z. `nil` where
    /// the point lies behind the camera.
    func error(of point: Point3) -> (angle: Vector3, distance: Double)? {
        let offset = point - origin
        let distance = ray.dot(offset)
        guard distance > 1e-3 else { return nil }
        return ((offset - distance * ray) / distance, distance)
    }

    /// The square of the angle between two rays, which is the point's parallax between the two places: as a chord.
    func squaredParallax(to other: PointSight) -> Double { (ray - other.ray).squaredLength }

    /// Moves along with the camera.
    mutating func move(by correction: RigidTransform) {
        origin = correction * origin
        ray = correction.rotation * ray
    }
}

extension VisualInertialFilter {
    /// The ray of an observation, or `nil` outside the camera's domain.
    func pointSight(of observation: FeatureTrack.Observation) -> PointSight? {
        let camera = calibration.camera
        guard let direction = camera.unproject(observation.pixel),
            let projection = camera.projectWithJacobians(direction)
        else { return nil }
        // A turn of the ray by one radian moves the pixel by this, squared, on average over the axes across the ray.
        let j = projection.pixelByPoint
        let squaredPixels = 0.5 * (j.x.squaredLength + j.y.squaredLength + j.z.squaredLength)
        let worldFromOptical = worldFromImu(of: observation) * calibration.imuFromOptical
        return PointSight(
            origin: worldFromOptical.translation, ray: worldFromOptical.rotation * direction,
            variance: observation.deviationPixels * observation.deviationPixels / squaredPixels,
            clone: observation.clone)
    }
}
