// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Keeps what is seen while the pose is good, and finds the place again after it was lost.
struct PlaceFinder: Sendable {
    private var memory = PlaceMemory()
    private var lastLook = Timestamp(nanoseconds: .min / 2)

    /// How often a view is offered to the memory, and how often the place is looked for, in seconds.
    private static let keepingSeconds = 0.3
    private static let lookingSeconds = 0.1
    /// A point is kept when its distance is known to this share.
    private static let depthError = 0.15

    /// Offers a frame whose pose is good to the memory.
    mutating func keep(
        _ frame: CameraFrame, points: [SeenPoint], _ odometry: Odometry, worldFromEstimate: RigidTransform
    ) {
        guard isTime(frame, Self.keepingSeconds) else { return }
        let filter = odometry.filter
        memory.keep(
            frame.image, camera: filter.calibration.camera,
            worldFromOptical: worldFromEstimate * filter.worldFromOptical,
            points: odometry.places(of: points, maximumDepthError: Self.depthError).map {
                ($0.pixel, worldFromEstimate * $0.position)
            })
    }

    /// The world from the one that the estimate lives in, if the frame shows where that is: a turn about the vertical and a
    /// shift, because both know where up is.
    mutating func worldFromEstimate(_ frame: CameraFrame, _ odometry: Odometry) -> RigidTransform? {
        guard isTime(frame, Self.lookingSeconds) else { return nil }
        let (calibration, estimate) = (odometry.filter.calibration, odometry.filter.worldFromOptical)
        guard
            let place = memory.locate(frame.image, camera: calibration.camera, levelFromOptical: estimate.rotation)
        else { return nil }
        let heading = (place.worldFromOptical.rotation * estimate.rotation.inverse).partAboutUp
        return RigidTransform(
            rotation: heading, translation: place.worldFromOptical.translation - heading * estimate.translation)
    }

    /// The place that a frame shows, found without an estimate.
    ///
    /// - levelFromOptical: the camera's attitude but for an unknown turn about +Y, known to `levelDeviation`, in radians.
    mutating func place(
        of frame: CameraFrame, camera: Camera, levelFromOptical: Rotation, levelDeviation: Double
    ) -> Place? {
        guard isTime(frame, Self.lookingSeconds) else { return nil }
        return memory.locate(
            frame.image, camera: camera, levelFromOptical: levelFromOptical, levelDeviation: levelDeviation)
    }

    private mutating func isTime(_ frame: CameraFrame, _ seconds: Double) -> Bool {
        guard frame.timestamp.seconds(since: lastLook) >= seconds else { return false }
        lastLook = frame.timestamp
        return true
    }
}

extension VisualInertialFilter {
    /// The camera's pose in the estimate's world.
    var worldFromOptical: RigidTransform { navigation.worldFromImu * calibration.imuFromOptical }
}

extension Odometry {
    /// Where the points of the newest frame are, as far as that is known: landmarks, and tracks whose points' distances are known
    /// to a share of them. `points` are in the order of their ids.
    func places(
        of points: [SeenPoint], maximumDepthError: Double
    ) -> [(pixel: PixelPoint, position: Point3)] {
        let landmarks = Dictionary(
            uniqueKeysWithValues: filter.landmarks.compactMap { $0 }.map { ($0.id, $0) })
        var next = tracks.startIndex
        return points.compactMap { point in
            while next < tracks.endIndex, tracks[next].id < point.id { next += 1 }
            var landmark = landmarks[point.id]
            if landmark == nil, next < tracks.endIndex, tracks[next].id == point.id,
                tracks[next].observations.count >= settings.trackObservations
            {
                landmark = locate(tracks[next], maximumDepthError: maximumDepthError)
            }
            return landmark.flatMap { filter.pointInWorld(of: $0) }.map { (point.pixel, $0) }
        }
    }
}
