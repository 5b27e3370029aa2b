// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// Finds the camera's way from pictures and inertial samples, and from nothing else.
///
/// ```swift
/// var tracker = VisualInertialTracker(rig: source.rig)
/// while let event = try stream.next() {
///     for frame in tracker.process(event) { print(frame.trackingState, frame.worldFromCamera) }
/// }
/// ```
///
/// A frame comes out when the samples up to its last row are in. The world has +Y up; its origin and heading are the
/// camera's at the first frame, as with ARKit's `.gravity`. The same events give the same frames, bit for bit.
public struct VisualInertialTracker: Sendable {
    /// The device, as it was described.
    public let rig: SensorRig
    /// How the tracker works.
    public let configuration: TrackerConfiguration
    /// What came in and what became of it.
    public private(set) var counts = Counts()
    /// How long each stage took for the frames that the last call gave, in their order.
    public private(set) var stageTimes: [StageTimes] = []

    private var history: ImuHistory
    private var features: FeatureTracker
    private var attitude = AttitudeAverage()
    private var initialiser: Initialiser
    private var knownMotion: KnownMotion?
    private(set) var odometry: Odometry?
    private var provisionalPoses: ProvisionalPoses?
    private var followed = FollowedPoints()
    private var monitor: TrackingMonitor
    /// Whether what was estimated so far is over: the app was away.
    private var wasInterrupted = false
    /// The world from the one that the estimate lives in, which begins anew when the estimate does.
    private var worldFromEstimate = RigidTransform.identity
    private var places = PlaceFinder()
    private var placeReturn = PlaceReturn()
    /// What was known of the device when tracking was normal last.
    private var knownDevice: KnownDevice?
    private var recent = RecentMotion()
    private var waiting: [CameraFrame] = []
    private var lastFrame: Timestamp?
    /// The last frame that was looked at.
    private var lastSeenFrame: Timestamp?
    private var repetition = PictureRepetition()
    private var lastWorldFromCamera = RigidTransform.identity
    private let imu: ImuCalibration
    /// For so long samples are kept.
    private static let keptNanoseconds: Int64 = 3_000_000_000
    /// In how many pixels pictures are tracked: all that is estimated is of a camera with these.
    private let reduction: PictureReduction
    /// That camera, as it is described.
    private let camera: CameraCalibration
    /// What is known of it at first.
    private let stated: CameraState

    /// What came in and what became of it.
    public struct Counts: Hashable, Sendable {
        /// Frames that were tracked.
        public var frames = 0
        /// Of these, frames that showed the picture of a frame before again.
        public var repeatedPictures = 0
        /// Frames with a stamp no later than one before, left out.
        public var lateFrames = 0
        /// Inertial samples that came after one with a later stamp, and were put in their place.
        public var lateSamples = 0
        /// Inertial samples whose stamp was there already, left out.
        public var doubledSamples = 0
        /// Inertial samples that were not numbers, left out.
        public var invalidSamples = 0
    }

    /// A tracker for a device with a camera and an inertial sensor.
    ///
    /// - Parameter knownMotion: a motion to start from, at the first frame from its instant on, instead of finding out.
    public init(
        rig: SensorRig, configuration: TrackerConfiguration = TrackerConfiguration(), knownMotion: KnownMotion? = nil
    ) {
        precondition(rig.imu != nil, "the tracker needs an inertial sensor, and the rig has none")
        self.rig = rig
        self.configuration = configuration
        self.knownMotion = knownMotion
        imu = rig.imu!
        reduction = PictureReduction(for: rig.camera)
        camera = reduction.reduced(rig.camera)
        stated = CameraState(camera)
        history = ImuHistory(calibration: imu)
        monitor = TrackingMonitor(thresholds: configuration.thresholds)
        var settings = FeatureTracker.Configuration()
        settings.pointCount = configuration.pointCount
        settings.seed = configuration.seed
        features = FeatureTracker(camera: camera.camera, imageSize: camera.imageSize, configuration: settings)
        initialiser = Initialiser(settings: configuration.initialisation(camera, imu))
    }

    /// Takes an event in, and gives the frames that are ready.
    public mutating func process(_ event: SensorEvent) -> [TrackedFrame] {
        stageTimes.removeAll(keepingCapacity: true)
        switch event {
        case .imu(let sample):
            history.insert(sample)
        case .frame(let frame):
            guard frame.timestamp > (waiting.last?.timestamp ?? lastFrame ?? Timestamp(nanoseconds: .min)) else {
                counts.lateFrames += 1
                return []
            }
            waiting.append(frame)
        case .user(let event):
            if event.action == .interruptionEnded { wasInterrupted = true }
            return []
        }
        return trackReadyFrames()
    }

    /// Gives the frames that still wait for samples: for the end of a recording.
    public mutating func finish() -> [TrackedFrame] {
        stageTimes.removeAll(keepingCapacity: true)
        defer { waiting.removeAll() }
        return waiting.map { track($0) }
    }

    private mutating func trackReadyFrames() -> [TrackedFrame] {
        var ready: [TrackedFrame] = []
        while let frame = waiting.first, isReady(frame) {
            waiting.removeFirst()
            ready.append(track(frame))
        }
        return ready
    }

    /// Whether the samples up to a frame's last row are in, and as much later as the accelerometer is late, or are given up.
    private func isReady(_ frame: CameraFrame) -> Bool {
        let lag = odometry?.filter.navigation.errors.accelerometerLag ?? 0
        let end = calibration.instant(ofFrameAt: frame.timestamp)
            .advanced(byNanoseconds: Int64((longestReadoutSeconds * 0.5 + max(lag, 0)) * 1e9))
        if let span = history.span, span.upperBound >= end { return true }
        return waiting.last!.timestamp.nanoseconds(since: frame.timestamp) > TrackingMonitor.longestWaitNanoseconds
    }

    /// For which a frame's rows are taken at most: that which is known of the readout by now, or could be by what is said of it.
    private var longestReadoutSeconds: Double {
        let doubt = camera.uncertainty.readoutSeconds ?? 0
        return max(abs(calibration.readoutSeconds), abs(stated.readoutSeconds) + 2 * doubt)
    }

    private var calibration: CameraState { odometry?.filter.calibration ?? stated }

    // MARK: A frame

    private mutating func track(_ frame: CameraFrame) -> TrackedFrame {
        let instant = calibration.instant(ofFrameAt: frame.timestamp)
        if wasInterrupted || monitor.isHopeless(at: frame.timestamp) { beginAnew() }
        attitude.advance(to: instant, history: history, imuFromCamera: camera.imuFromCamera.rotation)
        let result = showsOldPicture(frame) ? coast(to: frame) : look(at: frame)
        history.forget(before: instant.advanced(byNanoseconds: -Self.keptNanoseconds))
        lastFrame = frame.timestamp
        count()
        return result
    }

    /// Learns from what a frame shows.
    private mutating func look(at frame: CameraFrame) -> TrackedFrame {
        var (times, watch) = (StageTimes(), Stopwatch())
        let frame = reduction.reduced(frame)
        odometry?.advance(to: frame.timestamp, history: history)
        let seen = features.track(frame.image, motion: predictedMotion(to: frame.timestamp))
        lastSeenFrame = frame.timestamp
        let points = seen.observations.map { SeenPoint($0, by: configuration) }
        times.features = watch.lap()
        odometry?.learn(from: points, history: history)
        features.lastingPoints = Set(
            odometry?.filter.landmarks.lazy.compactMap { $0.map { FeatureID(rawValue: $0.id) } } ?? [])
        times.estimation = watch.lap()
        if odometry?.isProvisional ?? true {
            start(with: MotionAlignment.Frame(timestamp: frame.timestamp, points: points))
        }
        times.start = watch.lap()
        if let odometry, !odometry.isProvisional { followed.update(points, odometry) }
        times.points = watch.lap()
        lookForPlace(frame, points)
        times.places = watch.lap()
        let result = result(for: frame, seen)
        times.points += watch.lap()
        if let odometry, result.trackingState == .normal {
            places.keep(frame, points: points, odometry, worldFromEstimate: worldFromEstimate)
            knownDevice = KnownDevice(odometry.filter)
        }
        times.places += watch.lap()
        stageTimes.append(times)
        return result
    }

    /// Goes on by the samples alone: the frame shows an old picture.
    private mutating func coast(to frame: CameraFrame) -> TrackedFrame {
        var (times, watch) = (StageTimes(), Stopwatch())
        odometry?.coast(to: frame.timestamp, history: history)
        counts.repeatedPictures += 1
        let result = result(for: frame, nil)
        times.estimation = watch.lap()
        stageTimes.append(times)
        return result
    }

    private mutating func showsOldPicture(_ frame: CameraFrame) -> Bool {
        guard let beginning = repetition.beginning(ofPictureOf: frame) else { return false }
        return repetition.isOld(at: frame.timestamp, whenTurned: hasTurned(since: beginning, at: frame.timestamp))
    }

    /// Whether the device has turned since a frame so far that a picture shows it, by a pixel more than three deviations of what its gyroscope errs by.
    private func hasTurned(since earlier: Timestamp, at now: Timestamp) -> Bool {
        let since = max(earlier, now.advanced(byNanoseconds: -Self.keptNanoseconds / 2))
        let rateDeviation =
            odometry?.filter.gyroscopeBiasDeviation ?? configuration.initialisation(camera, imu).gyroscopeBias
        return turn(from: since, to: now).angle
            > 1 / camera.camera.intrinsics.fx + 3 * rateDeviation * now.seconds(since: since)
    }

    /// Where the place was lost, looks whether the frame shows where that is.
    private mutating func lookForPlace(_ frame: CameraFrame, _ points: [SeenPoint]) {
        guard monitor.isElsewhere else { return }
        guard let odometry, !odometry.isProvisional else { return returnToPlace(frame, points) }
        guard odometry.filter.deviation.velocity < configuration.thresholds.velocityDeviation,
            let found = places.worldFromEstimate(frame, odometry)
        else { return }
        worldFromEstimate = found
        monitor.arrive()
    }

    /// Where the motion is not known, either, two frames that show where they are tell both.
    private mutating func returnToPlace(_ frame: CameraFrame, _ points: [SeenPoint]) {
        guard let knownDevice else { return }
        let (errors, calibration) = (knownDevice.errors, knownDevice.calibration)
        let instant = calibration.instant(ofFrameAt: frame.timestamp)
        let imuFromOptical = calibration.imuFromOptical.rotation
        let level = attitude.worldFromImu(
            at: instant, history: history, imuFromCamera: imuFromOptical * RigidTransform.opticalFromCamera.rotation,
            gyroscopeBias: errors.gyroscopeBias)
        let gravity = Vector3(0, -configuration.gravity, 0)
        guard
            let place = places.place(
                of: frame, camera: calibration.camera, levelFromOptical: level * imuFromOptical,
                levelDeviation: attitude.levelDeviation(at: instant, gravityStrength: configuration.gravity)),
            let known = placeReturn.motion(
                at: place, instant: instant, history: history, calibration: calibration, errors: errors,
                gravity: gravity, velocityDeviation: configuration.thresholds.velocityDeviation)
        else { return }
        var start = knownDevice.start(from: known, settings: configuration.initialisation(camera, imu))
        start.origin = WorldOrigin(
            headingVariance: known.deviations.tilt * known.deviations.tilt,
            positionCovariance: place.poseCovariance.translationByTranslation)
        begin(start, with: MotionAlignment.Frame(timestamp: frame.timestamp, points: points))
        worldFromEstimate = .identity
        monitor.arrive()
    }

    private mutating func count() {
        counts.frames += 1
        counts.lateSamples = history.lateCount
        counts.doubledSamples = history.doubledCount
        counts.invalidSamples = history.invalidCount
    }

    /// How the picture will have moved, as far as the gyroscope and the landmarks tell.
    private mutating func predictedMotion(to frame: Timestamp) -> PredictedMotion? {
        guard let lastSeenFrame else { return nil }
        let imuFromOptical = calibration.imuFromOptical.rotation
        return PredictedMotion(
            opticalFromPreviousOptical: imuFromOptical.inverse * turn(from: lastSeenFrame, to: frame).inverse
                * imuFromOptical,
            readoutFraction: calibration.readoutSeconds / max(frame.seconds(since: lastSeenFrame), 1e-9),
            returns: odometry?.expectedReturns() ?? [])
    }

    /// How the device turned from one frame to another, as far as the gyroscope tells.
    private func turn(from earlier: Timestamp, to later: Timestamp) -> Rotation {
        history.motion(
            from: calibration.instant(ofFrameAt: earlier), to: calibration.instant(ofFrameAt: later),
            errors: odometry?.filter.navigation.errors ?? ImuErrors()
        ).rotation
    }

    // MARK: The beginning

    /// Begins to estimate, or begins better, as soon as enough is known for it.
    private mutating func start(with frame: MotionAlignment.Frame) {
        if let odometry { provisionalPoses?.append(newestOf: odometry, keepingSeconds: 3) }
        if let start = nextStart(with: frame) { begin(start, with: frame) }
    }

    /// Goes on from what is known at a frame, or before.
    private mutating func begin(_ start: Initialiser.Start, with frame: MotionAlignment.Frame) {
        var settings = OdometrySettings()
        settings.cloneCount = configuration.cloneCount
        settings.landmarkCount = configuration.landmarkCount
        settings.keyframeParallax = configuration.keyframeParallaxPixels
        settings.gravity = Vector3(0, -configuration.gravity, 0)
        let odometry = Odometry(start: start, through: frame, imu: imu, settings: settings, history: history)
        self.odometry = odometry
        provisionalPoses = start.isProvisional ? ProvisionalPoses(since: odometry) : nil
        followed = FollowedPoints()
    }

    /// What a filter can begin with now: what was known before, or else what the frames tell.
    private mutating func nextStart(with frame: MotionAlignment.Frame) -> Initialiser.Start? {
        if let known = knownMotion {
            guard stated.instant(ofFrameAt: frame.timestamp) >= known.timestamp else { return nil }
            knownMotion = nil
            return Initialiser.Start(
                known, calibration: stated,
                settings: configuration.initialisation(camera, imu))
        }
        return initialiser.take(
            frame, history: history, calibration: stated, provisional: provisionalPoses, attitude: attitude)
    }

    /// Forgets the estimate, but neither the world nor where in it the camera was last.
    private mutating func beginAnew() {
        wasInterrupted = false
        monitor.startOver()
        if odometry != nil {
            worldFromEstimate = RigidTransform(
                rotation: lastWorldFromCamera.rotation.heading, translation: lastWorldFromCamera.translation)
        }
        odometry = nil
        followed = FollowedPoints()
        provisionalPoses = nil
        recent = RecentMotion()
        attitude = AttitudeAverage()
        initialiser = Initialiser(settings: configuration.initialisation(camera, imu))
        placeReturn = PlaceReturn()
    }

    // MARK: The answer

    /// - seen: what the frame shows; `nil` where that is an old picture.
    private mutating func result(for frame: CameraFrame, _ seen: FeatureFrame?) -> TrackedFrame {
        let state = monitor.state(evidence(of: seen, at: frame.timestamp))
        if let odometry {
            let filter = odometry.filter
            lastWorldFromCamera = worldFromEstimate * filter.worldFromOptical * .opticalFromCamera
            recent.append(
                filter.navigation, frame: frame.timestamp, calibration: filter.calibration,
                worldFromEstimate: worldFromEstimate)
        } else {
            let instant = calibration.instant(ofFrameAt: frame.timestamp)
            let imuFromCamera = camera.imuFromCamera.rotation
            let turned = attitude.worldFromImu(at: instant, history: history, imuFromCamera: imuFromCamera)
            lastWorldFromCamera = worldFromEstimate * RigidTransform(rotation: turned * imuFromCamera)
        }
        let found = reduction.original(calibration.calibration(like: camera))
        let observations = seen?.observations ?? []
        return TrackedFrame(
            timestamp: frame.timestamp, trackingState: state, showsOldPicture: seen == nil,
            worldFromCamera: lastWorldFromCamera, camera: found.camera, imageSize: found.imageSize,
            motion: odometry.map {
                MotionEstimate(
                    $0, calibration: found, featureCount: observations.count,
                    worldFromEstimate: worldFromEstimate)
            },
            featurePoints: seen == nil
                ? [] : odometry.map { followed.places($0).map { $0.moved(by: worldFromEstimate) } } ?? [],
            sightings: observations.map { PointSighting(id: $0.id.rawValue, pixel: reduction.original($0.pixel)) }
                .sorted { $0.id < $1.id })
    }

    private func evidence(of seen: FeatureFrame?, at timestamp: Timestamp) -> TrackingMonitor.Evidence {
        let report = odometry?.report ?? Odometry.StepReport()
        let reading = history.reading(at: calibration.instant(ofFrameAt: timestamp))
        return TrackingMonitor.Evidence(
            timestamp: timestamp,
            deviation: odometry.flatMap { $0.isProvisional ? nil : $0.filter.deviation },
            followed: seen?.counts.followed ?? 0, agreeing: report.landmarksUpdated + report.tracksUsed,
            contradicting: report.landmarksRefused + report.tracksRefused, rate: reading.angularVelocity.length)
    }

    /// Where the camera is at an instant of the frames' clock: from the last frame before it, carried by the samples. Up to
    /// two seconds back; ahead of the last sample, what that says is taken to last, for what a display shows a little later.
    /// `nil` before there is an estimate.
    public func worldFromCamera(at timestamp: Timestamp) -> RigidTransform? {
        recent.worldFromCamera(at: timestamp, history: history, gravity: Vector3(0, -configuration.gravity, 0))
    }
}

extension SeenPoint {
    /// A followed point, as uncertain as a configuration takes it for.
    init(_ point: FeaturePoint, by configuration: TrackerConfiguration) {
        self.init(
            id: point.id.rawValue, pixel: point.pixel,
            deviationPixels: configuration.deviation(ofPointWithin: point.deviationPixels, onLevel: point.level),
            slide: configuration.slideFactor * point.slide)
    }
}

extension TrackerConfiguration {
    /// How far a point that its picture places to within so many pixels may be off, in pixels. On coarse levels shading and blur
    /// move it by more, with the width of what is seen, calibration by no more: by √2 for each level, together.
    fileprivate func deviation(ofPointWithin pixels: Double, onLevel level: Int = 0) -> Double {
        let own = deviationFactor * pixels
        let others = pixelDeviation * pixelDeviation * Double(1 << level)
        return (own * own + others).squareRoot()
    }

    /// How the first state is found with a camera: by points whose places are as certain as those of certain points on the finest
    /// level.
    fileprivate func initialisation(
        _ camera: CameraCalibration, _ imu: ImuCalibration
    ) -> InitialisationSettings {
        var settings = InitialisationSettings(gravityStrength: gravity)
        settings.calibration = CalibrationUncertainty(camera.uncertainty, imu.uncertainty)
        let certain = FeatureTracker.Configuration().deviationLimitPixels
        settings.landmarkCount = landmarkCount
        settings.largestPixelDeviation = 1.001 * deviation(ofPointWithin: certain)
        return settings
    }
}
