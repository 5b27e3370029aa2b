// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where the points are that the front end follows: those that have a place in the estimator's state, and all others whose
/// distance is known by now.
///
/// It looks at what the estimator found and gives nothing back to it.
///
/// Law: `FollowedPointsTests`.
struct FollowedPoints: Sendable {
    /// In the order of their ids.
    private var points: [FollowedPoint] = []
    private var corrections = CloneCorrections()
    /// How far away points are, in metres.
    private var usualDistance = 1.0

    /// A point is given when its distance is known to this share.
    private static let depthError = 0.05
    /// No distance is known better than to this share, whatever the rays say: so well is the world's scale known, which all of
    /// them have in common.
    private static let scaleError = 0.005

    /// Takes in a frame that the estimator has taken in. `seen` is in the order of ids.
    mutating func update(_ seen: [SeenPoint], _ odometry: Odometry) {
        guard let newest = odometry.window.last else { return }
        corrections.update(odometry, focus: odometry.filter.worldFromOptical * Point3(0, 0, usualDistance))
        var kept = 0
        for point in seen {
            let observation = FeatureTrack.Observation(
                clone: newest, pixel: point.pixel, deviationPixels: point.deviationPixels)
            guard let sight = odometry.filter.pointSight(of: observation) else { continue }
            let index = points[kept...].firstIndex { $0.id >= point.id } ?? points.endIndex
            points.removeSubrange(kept..<index)
            if kept == points.endIndex || points[kept].id != point.id {
                points.insert(FollowedPoint(id: point.id), at: kept)
            }
            points[kept].move(by: corrections)
            points[kept].take(sight)
            kept += 1
        }
        points.removeSubrange(kept...)
        measureDistance(from: odometry.filter.worldFromOptical.translation)
    }

    private mutating func measureDistance(from camera: Point3) {
        var (sum, count) = (0.0, 0.0)
        for point in points {
            guard let place = point.agreedPlace else { continue }
            sum += (place.position - camera).length
            count += 1
        }
        if count > 0 { usualDistance = sum / count }
    }

    /// The points whose place is known, in the estimate's world, in the order of their ids.
    func places(_ odometry: Odometry) -> [EstimatedLandmark] {
        let filter = odometry.filter
        let camera = filter.worldFromOptical.translation
        var places: [EstimatedLandmark] = []
        places.reserveCapacity(points.count)
        for point in points {
            let agreed = point.agreedPlace
            var place = agreed.map { ($0.position, $0.covariance) }
            if let slot = filter.landmarks.firstIndex(where: { $0?.id == point.id }) {
                place = filter.landmarks[slot]!.missedFrames == 0 ? filter.place(ofLandmark: slot) : nil
            }
            if let (position, covariance) = place,
                let known = Self.known(
                    point.id, at: position, covariance, sharedPart: agreed?.sharedPart ?? 0, from: camera)
            {
                places.append(known)
            }
        }
        return places
    }

    /// The point, if its distance from the camera is known well enough.
    private static func known(
        _ id: UInt64, at position: Point3, _ covariance: Matrix3x3, sharedPart: Double, from camera: Point3
    ) -> EstimatedLandmark? {
        let offset = position - camera
        let along = offset.dot(covariance * offset) / offset.squaredLength
        guard along <= depthError * depthError * offset.squaredLength else { return nil }
        let scale = scaleError * scaleError * Matrix3x3.outerProduct(offset, offset)
        return EstimatedLandmark(
            id: id, position: position, covariance: covariance + scale,
            sharedPart: sharedPart * covariance.trace / (covariance + scale).trace)
    }
}
