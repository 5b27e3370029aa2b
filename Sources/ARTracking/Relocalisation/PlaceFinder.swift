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
    private static let largestDepthError = 0.15

    /// Offers a frame whose pose is good to the memory.
    mutating func keep(
        _ frame: CameraFrame, points: [SeenPoint], _ odometry: Odometry, worldFromEstimate: RigidTransform
    ) {
        guard isTime(frame, Self.keepingSeconds) else { return }
        let filter = odometry.filter
        memory.keep(
            frame.image, camera: filter.calibration.camera,
            worldFromOptical: worldFromEstimate * filter.worldFromOptical,
            points: odometry.places(of: points, maximumDepthError: Self.largestDepthError).map {
                PlacedPoint(
                    pixel: $0.pixel, positionInWorld: worldFromEstimate * $0.positionInWorld,
                    distanceDeviation: $0.distanceDeviation)
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
    /// Where the points of the newest frame are in the estimate's world, as far as that is known: landmarks and tracks whose points'
    /// distances are known to a share of them. `points` are in the order of their ids.
    func places(of points: [SeenPoint], maximumDepthError: Double) -> [PlacedPoint] {
        let slots = Dictionary(
            uniqueKeysWithValues: filter.landmarks.indices.compactMap { slot in
                filter.landmarks[slot].map { ($0.id, slot) }
            })
        var next = tracks.startIndex
        return points.compactMap { point in
            while next < tracks.endIndex, tracks[next].id < point.id { next += 1 }
            if let slot = slots[point.id] {
                return place(ofLandmark: slot, maximumDepthError: maximumDepthError, at: point.pixel)
            }
            guard next < tracks.endIndex, tracks[next].id == point.id,
                tracks[next].observations.count >= settings.trackObservations
            else { return nil }
            return place(of: tracks[next], maximumDepthError: maximumDepthError, at: point.pixel)
        }
    }

    private func place(ofLandmark slot: Int, maximumDepthError: Double, at pixel: PixelPoint) -> PlacedPoint? {
        guard let place = filter.place(ofLandmark: slot) else { return nil }
        let fromCamera = place.position - filter.worldFromOptical.translation
        guard let ray = fromCamera.normalized() else { return nil }
        let deviation = max(ray.dot(place.covariance * ray), 0).squareRoot()
        guard deviation <= maximumDepthError * fromCamera.length else { return nil }
        return PlacedPoint(pixel: pixel, positionInWorld: place.position, distanceDeviation: deviation)
    }

    private func place(of track: FeatureTrack, maximumDepthError: Double, at pixel: PixelPoint) -> PlacedPoint? {
        guard let (landmark, depthError) = located(track, maximumDepthError: maximumDepthError),
            let position = filter.pointInWorld(of: landmark)
        else { return nil }
        let distance = (position - filter.worldFromOptical.translation).length
        return PlacedPoint(pixel: pixel, positionInWorld: position, distanceDeviation: depthError * distance)
    }
}
