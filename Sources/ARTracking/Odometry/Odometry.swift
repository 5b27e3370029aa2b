// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The estimator at work: takes points frame by frame and keeps the window, the tracks and the landmarks.
struct Odometry: Sendable {
    var filter: VisualInertialFilter
    let settings: OdometrySettings
    /// Whether the velocity is known too little for points to be used.
    let isProvisional: Bool
    var tracks: [FeatureTrack] = []
    /// How many frames were taken in.
    private(set) var frameCount = 0
    /// What the last step did.
    var report = StepReport()
    /// How large points' errors are, and what tells: the landmarks that the newest frame shows, by slot.
    var usualNoise = UsualNoise()
    var seenLandmarks: [(slot: Int, distances: SquaredDistances)] = []
    /// How far pictures turn by themselves.
    var pictureShake: PictureShake
    /// How much the focal length changes.
    var lensBreath = LensBreath()
    private var blur = PointBlur()
    /// Whether nothing was learned from the newest frame.
    private var isCoasting = false

    /// When the device was last found to stand still.
    var lastStillCheck = Timestamp(nanoseconds: .min / 2)
    /// Slots of the clones, oldest first.
    var window: [Int] = []
    // What a step writes its measurements to: kept, so that no step allocates them.
    var block: Measurements
    var gated: Measurements
    var stacked: Measurements
    var landmarkRows: Measurements
    var landmarkPair: Measurements
    let walk: ErrorWalk
    /// The variance of the times that an inertial sample stands for, in s²: sensors give means over their interval, and straight lines
    /// between samples smooth a motion as a triangle of two intervals does, a twelfth and a sixth of the interval's square.
    private let samplesVariance: Double

    /// What a step did.
    struct StepReport: Hashable, Sendable {
        /// Points that the frame shows.
        var pointsSeen = 0
        /// Tracks that were used, and that failed a test.
        var tracksUsed = 0
        var tracksRefused = 0
        /// Landmarks that were seen where they should be, that were not, and new ones.
        var landmarksUpdated = 0
        var landmarksRefused = 0
        var landmarksAdded = 0
        /// Whether the picture stayed as it was.
        var isStill = false
    }

    /// An estimator that begins with a start, and has gone through the frames since, up to the one with which that was found.
    ///
    /// Law: `OdometryTests.theFirstPoseInMotionIsWhatHeadingAndPlaceAreCalled`.
    init(
        start: Initialiser.Start, through frame: MotionAlignment.Frame, imu: ImuCalibration, settings: OdometrySettings,
        history: ImuHistory
    ) {
        self.init(start: start, imu: imu, settings: settings)
        for known in start.earlierFrames + [frame] {
            step(frame: known.timestamp, points: known.points, history: history)
        }
        if start.namesWorld, let newest = window.last { filter.nameWorld(byClone: newest) }
    }

    private init(start: Initialiser.Start, imu: ImuCalibration, settings: OdometrySettings) {
        self.settings = settings
        isProvisional = start.isProvisional
        walk = ErrorWalk(imu)
        samplesVariance = 1 / (4 * imu.rateInHertz * imu.rateInHertz)
        let layout = StateLayout(
            cloneCapacity: settings.cloneCount,
            landmarkCapacity: settings.landmarkCount + settings.absentLandmarkCount)
        let rows = settings.tracksPerUpdate * 2 * settings.cloneCount
        filter = VisualInertialFilter(
            navigation: start.navigation, covariance: start.covariance, landmarks: start.landmarks,
            origin: start.origin,
            calibration: start.calibration, layout: layout, gravity: settings.gravity,
            measurementCapacity: max(layout.count, 2 * layout.landmarkCapacity))
        pictureShake = PictureShake(deviation: start.pictureShake)
        let withPoint = (layout.cameraAndClones.lowerBound - 3)..<layout.cameraAndClones.upperBound
        block = Measurements(of: withPoint, capacity: 2 * settings.cloneCount + 1)
        gated = Measurements(of: layout.cameraAndClones, capacity: 2 * settings.cloneCount + 1)
        stacked = Measurements(of: layout.cameraAndClones, capacity: rows)
        landmarkRows = Measurements(of: layout.visual, capacity: 2 * layout.landmarkCapacity)
        landmarkPair = Measurements(of: layout.visual, capacity: 2)
        if !start.landmarks.isEmpty { window.append(VisualInertialFilter.startSlot) }
    }

    /// Takes in a frame: propagates to its instant, clones the pose, and learns from what is seen. `points` are in the order
    /// of their ids.
    ///
    /// While the velocity is not known well, compared with what it amounts to, distances of points may be anything, and
    /// nothing that is learned from them would be linear. A provisional estimator takes from the picture only how
    /// little it moves.
    mutating func step(frame: Timestamp, points: [SeenPoint], history: ImuHistory) {
        advance(to: frame, history: history)
        learn(from: points, history: history)
    }

    /// Propagates to a frame and clones the pose.
    mutating func advance(to frame: Timestamp, history: ImuHistory) {
        if isCoasting, let idle = window.last { remove(idle) }
        isCoasting = false
        propagate(to: filter.calibration.instant(ofFrameAt: frame), history: history)
        addClone(frame: frame, history: history)
        frameCount += 1
    }

    /// Propagates to a frame that shows nothing to learn from. Its clone, which tells how well its pose is known, goes with the next frame.
    mutating func coast(to frame: Timestamp, history: ImuHistory) {
        advance(to: frame, history: history)
        isCoasting = true
        report = StepReport()
    }

    /// Learns from what is seen in the frame to which the estimator has come.
    mutating func learn(from points: [SeenPoint], history: ImuHistory) {
        guard let newest = window.last else { return }
        report = StepReport()
        report.pointsSeen = points.count
        attach(points, to: newest)
        updateWithLandmarks(newest)
        updateWhenSlow(newest, history: history)
        let leaving = cloneToLeave()
        if !isProvisional {
            promoteTracks()
            updateWithTracks(leaving: leaving)
        }
        if let leaving { remove(leaving) }
        tracks.removeAll { $0.isLost }
    }

    // MARK: Motion

    /// Propagates to an instant, or does nothing where it is past.
    private mutating func propagate(to instant: Timestamp, history: ImuHistory) {
        let start = filter.navigation.timestamp
        guard instant > start else { return }
        let motion = history.motion(
            from: start, to: instant, errors: filter.navigation.errors, detail: .noise)
        filter.propagate(by: motion, to: instant, walk: walk)
    }

    private mutating func addClone(frame: Timestamp, history: ImuHistory) {
        let slot = filter.clones.firstIndex { $0 == nil }!
        let navigation = filter.navigation
        let reading = navigation.errors.corrected(
            history.reading(at: navigation.timestamp, accelerometerLag: navigation.errors.accelerometerLag))
        let acceleration = VisualInertialFilter.Acceleration(
            linear: navigation.worldFromImu.rotation * reading.specificForce + filter.gravity,
            angular: history.angularAcceleration(at: navigation.timestamp), samplesVariance: samplesVariance)
        filter.addClone(
            slot, frame: frame, angularVelocity: reading.angularVelocity, acceleration: acceleration,
            readout: ReadoutMotion(
                about: navigation.timestamp, readoutSeconds: filter.calibration.readoutSeconds,
                history: history, errors: navigation.errors))
        window.append(slot)
    }

    // MARK: Tracks

    /// Adds what is seen to the tracks; both are in the order of ids.
    private mutating func attach(_ points: [SeenPoint], to slot: Int) {
        for index in filter.landmarks.indices where filter.landmarks[index].map({ $0.absence == nil }) ?? false {
            filter.landmarks[index]!.missedFrames += 1
        }
        blur.update(
            points, at: filter.navigation.timestamp, exposureVariance: filter.calibration.exposureVariance)
        var next = 0
        for (point, blur) in zip(points, blur.ofPoints) {
            while next < tracks.count, tracks[next].id < point.id {
                tracks[next].isLost = true
                next += 1
            }
            let observation = FeatureTrack.Observation(
                clone: slot, pixel: point.pixel, deviationPixels: point.deviationPixels, slide: point.slide,
                blur: blur)
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
}
