// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision

extension Odometry {
    /// What becomes of a landmark that the newest frame does not show: if it was where it should be until then, it keeps its
    /// place in the state, to be found again. Where too many are absent, the one that was seen least goes.
    mutating func leave(_ slot: Int) {
        guard var landmark = filter.landmarks[slot] else { return }
        let isKnown = landmark.missedFrames <= 1 && filter.place(ofLandmark: slot) != nil
        guard isKnown, settings.absentLandmarkCount > 0, window.count >= 2,
            let last = filter.clones[window[window.count - 2]]
        else { return filter.removeLandmark(slot) }
        landmark.absence = Landmark.Absence(
            worldFromOptical: last.worldFromImu * filter.calibration.imuFromOptical, lastFrame: frameCount - 1)
        filter.landmarks[slot] = landmark
        let absent = filter.landmarks.indices.filter { filter.landmarks[$0]?.absence != nil }
        guard absent.count > settings.absentLandmarkCount else { return }
        let leastSeen = absent.min {
            let (one, other) = (filter.landmarks[$0]!, filter.landmarks[$1]!)
            return (one.sightCount, one.absence!.lastFrame) < (other.sightCount, other.absence!.lastFrame)
        }
        filter.removeLandmark(leastSeen!)
    }

    /// Where the newest frame, to which the estimator has come, should show landmarks that were not seen of late.
    mutating func expectedReturns() -> [ExpectedReturn] {
        guard let newest = window.last else { return [] }
        var expected: [ExpectedReturn] = []
        for slot in filter.landmarks.indices {
            guard let landmark = filter.landmarks[slot], let absence = landmark.absence,
                let sight = filter.expectedSight(of: landmark, from: newest),
                filter.calibration.isInPicture(sight.pixel, margin: 10)
            else { continue }
            landmarkPair.rows = 0
            let observation = FeatureTrack.Observation(clone: newest, pixel: sight.pixel, deviationPixels: 1)
            guard
                filter.append(
                    observation, of: landmark, filter.anchored(landmark), variable: filter.layout.landmark(slot),
                    to: &landmarkPair)
            else { continue }
            let deviation = filter.covariance.largestVariance(ofPair: landmarkPair).squareRoot()
            guard deviation < settings.largestReturnDeviation else { continue }
            filter.landmarks[slot]!.absence!.failures += 1
            if absence.failures >= settings.returnPatience {
                filter.removeLandmark(slot)
                continue
            }
            guard let across = filter.calibration.change(of: sight, since: absence.worldFromOptical) else { continue }
            expected.append(
                ExpectedReturn(
                    id: FeatureID(rawValue: landmark.id), pixel: sight.pixel, deviationPixels: deviation,
                    acrossColumns: across.columns, acrossRows: across.rows))
        }
        return expected
    }
}

/// A point of the world as a camera should see it.
struct ExpectedSight {
    /// The point in the world.
    var point: Point3
    /// Where it should be seen.
    var pixel: PixelPoint
    /// The camera's pose then.
    var worldFromOptical: RigidTransform
}

extension VisualInertialFilter {
    /// Where a clone should see a landmark, by when its row is exposed; `nil` where it cannot.
    func expectedSight(of landmark: Landmark, from clone: Int) -> ExpectedSight? {
        let anchored = anchored(landmark)
        guard anchored.point.weight > 1e-3 else { return nil }
        let point = anchored.point.scaled / anchored.point.weight
        var pixel = PixelPoint(0, Double(calibration.imageSize.height - 1) / 2)
        var pose = RigidTransform.identity
        for _ in 0..<3 {
            pose =
                worldFromImu(of: FeatureTrack.Observation(clone: clone, pixel: pixel, deviationPixels: 1))
                * calibration.imuFromOptical
            let inOptical = pose.inverse * point
            guard inOptical.z > 0, let seen = calibration.camera.project(inOptical) else { return nil }
            pixel = PixelPoint(seen.x, min(max(seen.y, 0), Double(calibration.imageSize.height - 1)))
            if pixel.y != seen.y { return nil }
        }
        return ExpectedSight(point: point, pixel: pixel, worldFromOptical: pose)
    }
}

extension CameraState {
    fileprivate func isInPicture(_ pixel: PixelPoint, margin: Double) -> Bool {
        pixel.x >= margin && pixel.y >= margin && pixel.x <= Double(imageSize.width - 1) - margin
            && pixel.y <= Double(imageSize.height - 1) - margin
    }

    /// What pixels around a point have become since a camera saw it from elsewhere, if it lies on a plane that faced that
    /// camera: the change for a pixel along the columns' axis, and along the rows'.
    fileprivate func change(
        of sight: ExpectedSight, since worldFromOptical: RigidTransform
    ) -> (columns: Vector2, rows: Vector2)? {
        let before = worldFromOptical.inverse * sight.point
        let nowFromBefore = sight.worldFromOptical.inverse * worldFromOptical
        let step = 4.0
        guard before.z > 0, let pixel = camera.project(before) else { return nil }
        func seen(_ x: Double, _ y: Double) -> PixelPoint? {
            guard let ray = camera.unproject(PixelPoint(pixel.x + x, pixel.y + y)), ray.z > 0 else { return nil }
            return camera.project(nowFromBefore * ((before.z / ray.z) * ray))
        }
        guard let right = seen(step, 0), let left = seen(-step, 0), let down = seen(0, step), let up = seen(0, -step)
        else { return nil }
        return (
            Vector2(right.x - left.x, right.y - left.y) / (2 * step), Vector2(down.x - up.x, down.y - up.y) / (2 * step)
        )
    }
}
