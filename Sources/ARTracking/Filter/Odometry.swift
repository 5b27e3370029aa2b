// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A point in a picture.
struct SeenPoint: Hashable, Sendable {
    /// Who it is: the same number for the same point, and never used again.
    var id: UInt64
    /// Where it is seen.
    var pixel: PixelPoint
    /// The standard deviation of that place, in pixels, along each axis.
    var deviationPixels: Double
}

/// The estimator at work: takes points frame by frame and keeps the window, the tracks and the landmarks.
struct Odometry: Sendable {
    var filter: VisualInertialFilter
    let settings: OdometrySettings
    /// Whether the velocity is known too little for points to be used.
    let isProvisional: Bool
    private(set) var tracks: [FeatureTrack] = []
    /// What the last step did.
    private(set) var report = StepReport()

    /// When the device was last found to stand still.
    private var lastStillCheck = Timestamp(nanoseconds: .min / 2)
    /// Slots of the clones, oldest first.
    private(set) var window: [Int] = []
    private var block: Measurements
    private var gated: Measurements
    private var stacked: Measurements
    private var landmarkRows: Measurements
    private var walk: BiasWalk

    /// What a step did.
    struct StepReport: Hashable, Sendable {
        var pointsSeen = 0
        var tracksUsed = 0
        var tracksRefused = 0
        var landmarksUpdated = 0
        var landmarksRefused = 0
        var landmarksAdded = 0
        var isStill = false
        /// The mean squared Mahalanobis distance a degree of freedom of what was measured: about one when all is well.
        var normalizedInnovation = 0.0
        var degreesOfFreedom = 0
    }

    init(
        start: Initialiser.Start, calibration: CameraState, uncertainty: CalibrationUncertainty, imu: ImuCalibration,
        settings: OdometrySettings
    ) {
        self.settings = settings
        isProvisional = start.isProvisional
        walk = BiasWalk(imu)
        let layout = StateLayout(cloneCapacity: settings.cloneCount, landmarkCapacity: settings.landmarkCount)
        let rows = settings.tracksPerUpdate * 2 * settings.cloneCount
        filter = VisualInertialFilter(
            navigation: start.navigation, covariance: start.covariance, calibration: calibration,
            uncertainty: uncertainty, layout: layout, gravity: settings.gravity,
            measurementCapacity: max(layout.count, 2 * settings.landmarkCount))
        let withPoint = (layout.cameraAndClones.lowerBound - 3)..<layout.cameraAndClones.upperBound
        block = Measurements(of: withPoint, capacity: 2 * settings.cloneCount + 1)
        gated = Measurements(of: layout.cameraAndClones, capacity: 2 * settings.cloneCount + 1)
        stacked = Measurements(of: layout.cameraAndClones, capacity: rows)
        landmarkRows = Measurements(of: layout.visual, capacity: 2 * settings.landmarkCount)
    }

    /// Takes in a frame: propagates to its instant, clones the pose, and learns from what is seen. `points` are in the order
    /// of their ids.
    ///
    /// While the velocity is not known well, compared with what it amounts to, distances of points may be anything, and
    /// nothing that is learned from them would be linear. A provisional estimator takes from the picture only how
    /// little it moves.
    mutating func step(frame: Timestamp, points: [SeenPoint], history: ImuHistory) {
        report = StepReport()
        report.pointsSeen = points.count
        propagate(toFrameAt: frame, history: history)
        let newest = addClone(frame: frame, history: history)
        attach(points, to: newest)
        updateWithLandmarks()
        updateWhenSlow(newest)
        let leaving = cloneToLeave()
        if !isProvisional {
            promoteTracks()
            updateWithTracks(leaving: leaving)
        }
        if let leaving { remove(leaving) }
        tracks.removeAll { $0.isLost }
    }

    // MARK: Motion

    /// Propagates to the frame's instant, or does nothing where it is past.
    private mutating func propagate(toFrameAt frame: Timestamp, history: ImuHistory) {
        let instant = filter.calibration.instant(ofFrameAt: frame)
        let start = filter.navigation.timestamp
        guard instant > start else { return }
        let motion = history.motion(from: start, to: instant, errors: filter.navigation.errors)
        filter.propagate(by: motion, to: instant, walk: walk)
    }

    private mutating func addClone(frame: Timestamp, history: ImuHistory) -> Int {
        let slot = filter.clones.firstIndex { $0 == nil }!
        let navigation = filter.navigation
        let rate = navigation.errors.corrected(history.reading(at: navigation.timestamp)).angularVelocity
        filter.addClone(
            slot, frame: frame, angularVelocity: rate,
            readout: ReadoutMotion(
                about: navigation.timestamp, readoutNanoseconds: filter.calibration.readoutNanoseconds,
                history: history, errors: navigation.errors))
        window.append(slot)
        return slot
    }

    // MARK: Tracks

    /// Adds what is seen to the tracks; both are in the order of ids.
    private mutating func attach(_ points: [SeenPoint], to slot: Int) {
        for index in filter.landmarks.indices where filter.landmarks[index] != nil {
            filter.landmarks[index]!.missedFrames += 1
        }
        var next = 0
        for point in points {
            while next < tracks.count, tracks[next].id < point.id {
                tracks[next].isLost = true
                next += 1
            }
            let observation = FeatureTrack.Observation(
                clone: slot, pixel: point.pixel, deviationPixels: point.deviationPixels)
            if next < tracks.count, tracks[next].id == point.id {
                tracks[next].observations.append(observation)
                next += 1
            } else {
                tracks.insert(FeatureTrack(id: point.id, observations: [observation]), at: next)
                next += 1
            }
        }
        while next < tracks.count {
            tracks[next].isLost = true
            next += 1
        }
    }

    // MARK: Landmarks

    /// Updates with the landmarks that the newest frame shows, and forgets the others.
    private mutating func updateWithLandmarks() {
        landmarkRows.rows = 0
        var single = Measurements(of: filter.layout.visual, capacity: 2)
        let gate = ChiSquare.quantile95(degreesOfFreedom: 2) * settings.gateFactor
        for slot in filter.landmarks.indices {
            guard let landmark = filter.landmarks[slot] else { continue }
            guard let index = tracks.firstIndex(where: { $0.id == landmark.id }), !tracks[index].isLost,
                let observation = tracks[index].observations.last
            else {
                filter.removeLandmark(slot)
                continue
            }
            single.rows = 0
            guard
                filter.append(
                    observation, of: landmark, filter.anchored(landmark), variable: filter.layout.landmark(slot),
                    to: &single),
                let distance = filter.covariance.squaredDistance(of: single)
            else {
                filter.removeLandmark(slot)
                continue
            }
            report.normalizedInnovation += distance
            report.degreesOfFreedom += 2
            // What is seen of a landmark is used here, and never as a track.
            tracks[index].observations.removeAll(keepingCapacity: true)
            if distance > gate {
                report.landmarksRefused += 1
                if landmark.missedFrames >= settings.landmarkPatience { filter.removeLandmark(slot) }
                continue
            }
            filter.landmarks[slot]!.missedFrames = 0
            report.landmarksUpdated += 1
            landmarkRows.append(single)
        }
        filter.update(with: landmarkRows)
        for slot in filter.landmarks.indices {
            if let landmark = filter.landmarks[slot], landmark.coordinates.z < Landmark.smallestInverseDepth {
                filter.removeLandmark(slot)
            }
        }
    }

    /// Makes landmarks of the tracks that are seen longest and whose depth is known best.
    private mutating func promoteTracks() {
        let free = filter.landmarks.indices.filter { filter.landmarks[$0] == nil }
        guard !free.isEmpty else { return }
        let candidates = tracks.indices
            .filter { !tracks[$0].isLost && tracks[$0].observations.count >= settings.landmarkObservations }
            .sorted { (tracks[$0].observations.count, tracks[$1].id) > (tracks[$1].observations.count, tracks[$0].id) }
        var freeSlots = free[...]
        for index in candidates.prefix(2 * free.count) {
            guard let slot = freeSlots.first else { break }
            guard let landmark = locate(tracks[index], maximumDepthError: settings.landmarkDepthError),
                filter.write(tracks[index], as: landmark, into: &block)
            else { continue }
            block.eliminateFirstColumns(3)
            gated.copy(block, fromRow: 3)
            guard gatedIsAcceptable(), filter.addLandmark(landmark, slot: slot, from: block) else { continue }
            filter.update(with: gated)
            freeSlots.removeFirst()
            tracks[index].observations.removeAll(keepingCapacity: true)
            report.landmarksAdded += 1
        }
    }

    // MARK: Tracks that have ended, or leave the window

    /// Updates with the tracks that are lost and those that the leaving clone saw.
    private mutating func updateWithTracks(leaving: Int?) {
        let oldestLeaves = leaving != nil && leaving == window.first
        let candidates = tracks.indices
            .filter { index in
                let track = tracks[index]
                guard track.observations.count >= settings.trackObservations else { return false }
                return track.isLost || (oldestLeaves && track.observations.first?.clone == leaving)
            }
            .sorted { (tracks[$0].observations.count, tracks[$1].id) > (tracks[$1].observations.count, tracks[$0].id) }
        stacked.rows = 0
        for index in candidates.prefix(settings.tracksPerUpdate) {
            let track = tracks[index]
            tracks[index].observations.removeAll(keepingCapacity: true)
            guard let landmark = locate(track, maximumDepthError: settings.trackDepthError),
                filter.write(track, as: landmark, into: &block)
            else {
                report.tracksRefused += 1
                continue
            }
            block.eliminateFirstColumns(3)
            gated.copy(block, fromRow: 3)
            guard gatedIsAcceptable() else {
                report.tracksRefused += 1
                continue
            }
            report.tracksUsed += 1
            stacked.append(gated)
        }
        filter.covariance.compress(&stacked)
        filter.update(with: stacked)
    }

    /// Where a track's point is, or `nil` where that is not known well enough.
    private func locate(_ track: FeatureTrack, maximumDepthError: Double) -> Landmark? {
        var sights: [Sight] = []
        sights.reserveCapacity(track.observations.count)
        for observation in track.observations.reversed() {
            guard let sight = filter.sight(of: observation) else { return nil }
            sights.append(sight)
        }
        let focal = filter.calibration.camera.intrinsics.fx
        guard let triangulation = Triangulation(sights), let newest = track.observations.last else {
            return nil
        }
        guard triangulation.error * focal < settings.largestReprojectionError else { return nil }
        let deviation = triangulation.inverseDepthDeviation * settings.pixelDeviation / focal
        guard deviation <= maximumDepthError * triangulation.coordinates.z else { return nil }
        return filter.landmark(at: triangulation, in: sights[0], of: newest, id: track.id)
    }

    /// Mahalanobis' test.
    private mutating func gatedIsAcceptable() -> Bool {
        guard let distance = filter.covariance.squaredDistance(of: gated) else { return false }
        report.normalizedInnovation += distance
        report.degreesOfFreedom += gated.rows
        return distance <= ChiSquare.quantile95(degreesOfFreedom: gated.rows) * settings.gateFactor
    }

    // MARK: Standing still

    /// Where the picture has hardly changed for a while, the velocity is about zero: no point's distance needs to be known for
    /// that. A provisional estimator, which has nothing else, also hears that a picture that changes a little comes from a
    /// velocity of that size, at distances that hands work at.
    private mutating func updateWhenSlow(_ newest: Int) {
        guard let clone = filter.clones[newest],
            clone.instant.seconds(since: lastStillCheck) >= settings.stillSeconds,
            let earlier = window.last(where: {
                clone.instant.seconds(since: filter.clones[$0]!.instant) >= settings.stillSeconds
            })
        else { return }
        let moved = parallax(between: earlier, and: newest)
        report.isStill = moved < settings.stillParallax
        guard report.isStill || (isProvisional && moved.isFinite) else { return }
        lastStillCheck = clone.instant
        let seconds = clone.instant.seconds(since: filter.clones[earlier]!.instant)
        let speed = moved / filter.calibration.camera.intrinsics.fx * settings.usualDistance / seconds
        filter.updateVelocity(.zero, deviation: max(settings.stillVelocity, speed))
    }

    // MARK: The window

    /// Which clone goes when the window is full: of the recent ones, the oldest, where it is hardly anywhere else than the
    /// keyframe before it; otherwise the oldest of all.
    private mutating func cloneToLeave() -> Int? {
        guard window.count == settings.cloneCount else { return nil }
        let candidate = window.count - settings.recentCloneCount
        guard candidate > 0 else { return window[0] }
        if parallax(between: window[candidate - 1], and: window[candidate]) < settings.keyframeParallax {
            return window[candidate]
        }
        return window[0]
    }

    /// The median displacement in pixels, rotation and the points' own noise aside, of what two clones saw.
    private func parallax(between a: Int, and b: Int) -> Double {
        guard let cloneA = filter.clones[a], let cloneB = filter.clones[b] else { return 0 }
        let rotation =
            (cloneB.worldFromImu.rotation * filter.calibration.imuFromOptical.rotation).inverse
            * (cloneA.worldFromImu.rotation * filter.calibration.imuFromOptical.rotation)
        let focal = filter.calibration.camera.intrinsics.fx
        // Noise of variance σ² along each axis has a median square of 2 ln 2 σ² (Rayleigh's distribution).
        var displacements: [Double] = []
        for track in tracks {
            guard let inA = track.observations.first(where: { $0.clone == a }),
                let inB = track.observations.first(where: { $0.clone == b }),
                let directionA = filter.calibration.camera.unproject(inA.pixel),
                let directionB = filter.calibration.camera.unproject(inB.pixel)
            else { continue }
            let distance = (rotation * directionA).cross(directionB).length * focal
            let noise = inA.deviationPixels * inA.deviationPixels + inB.deviationPixels * inB.deviationPixels
            displacements.append(distance * distance - 2 * 0.6931471805599453 * noise)
        }
        guard displacements.count >= 5 else { return .infinity }
        displacements.sort()
        return max(displacements[displacements.count / 2], 0).squareRoot()
    }

    /// Removes a clone from the window, and what was seen from it from the tracks.
    private mutating func remove(_ slot: Int) {
        let newAnchor = window.last { $0 != slot }!
        for landmark in filter.landmarks.indices where filter.landmarks[landmark]?.anchor == slot {
            if !filter.moveAnchor(ofLandmark: landmark, to: newAnchor) { filter.removeLandmark(landmark) }
        }
        for index in tracks.indices { tracks[index].observations.removeAll { $0.clone == slot } }
        window.removeAll { $0 == slot }
        filter.removeClone(slot)
    }
}

/// How the estimator works. The defaults serve every scene.
struct OdometrySettings: Hashable, Sendable {
    /// Clones in the window.
    var cloneCount = 11
    /// How many of them are the newest frames, whether far apart or not.
    var recentCloneCount = 5
    /// Landmarks in the state.
    var landmarkCount = 30
    /// The standard deviation of a point's place in the picture, in pixels.
    var pixelDeviation = 0.5
    /// How much parallax makes a keyframe, in pixels.
    var keyframeParallax = 8.0
    /// Tracks in one update.
    var tracksPerUpdate = 40
    /// The gravity of the world, in m/s².
    var gravity = Vector3(0, -9.81, 0)

    // What follows belongs to the method, not to the scene.
    let gateFactor = 1.0
    let trackObservations = 3
    let landmarkObservations = 6
    /// How well a point's distance must be known, as a share of it, to become a landmark, and to be used at all: before
    /// that, noise in the distance passes for motion.
    var landmarkDepthError = 0.2
    var trackDepthError = 0.4
    /// A device that looks the same for so long, to within so many pixels, stands still, to within so much.
    let stillSeconds = 0.25
    var stillParallax = 0.7
    var stillVelocity = 0.03
    /// How far away things are that one looks at, in metres, as long as nothing is known of it.
    let usualDistance = 3.0
    let landmarkPatience = 3
    let largestReprojectionError = 5.0
}

extension Measurements {
    /// Takes over the rows of another set of measurements, which depends on no other variables than this one.
    mutating func append(_ other: Measurements) {
        let first = appendRows(other.rows)
        for variable in other.variables {
            for row in 0..<other.rows { self[first + row, variable] = other[row, variable] }
        }
        for row in 0..<other.rows { self[residual: first + row] = other[residual: row] }
    }

    /// Becomes the rows of a block from one row on, without the block's first variables where they are not its own.
    mutating func copy(_ block: Measurements, fromRow firstRow: Int) {
        rows = 0
        _ = appendRows(block.rows - firstRow)
        for variable in variables {
            for row in 0..<rows { self[row, variable] = block[firstRow + row, variable] }
        }
        for row in 0..<rows { self[residual: row] = block[residual: firstRow + row] }
    }
}
