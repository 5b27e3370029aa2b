// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Gathers the first frames until it is known how the device moves: that it rests, or, from a second of motion, how fast
/// it is and where down is.
struct Initialiser: Sendable {
    private(set) var frames: [MotionAlignment.Frame] = []
    private var firstFrame: Timestamp?
    private let settings: InitialisationSettings
    /// The search that is under way.
    private var search: MotionSearch?
    /// How far from what is said of it the offset of the clocks is looked for, in seconds.
    private var clockShift = 0.0
    private var lastTry = MotionAlignment.Frame(timestamp: Timestamp(nanoseconds: .min / 2), points: [])

    /// A filter's beginning.
    struct Start: Sendable {
        /// The state at a past frame.
        var navigation: NavigationState
        /// The camera.
        var calibration: CameraState
        /// The points that are known, seen from the device at that frame.
        var landmarks: [Landmark] = []
        /// How well all of them are known: the covariance of the variables of ``StartLayout`` and, after those, of the landmarks'
        /// coordinates.
        var covariance: DenseMatrix
        /// How well heading and position are known; `nil` where they are what they are called.
        var origin: WorldOrigin?
        /// The frames since the one with which its search began up to this one, which the filter goes through first.
        var earlierFrames: [MotionAlignment.Frame] = []
        /// Whether nothing more is known than that the device rests.
        var isProvisional = false
        /// Whether no pose was given before that of the frame with which it is found: what heading and place are called is decided there.
        var namesWorld = false
        /// See ``RefinedMotion/pictureShake``.
        var pictureShake = 0.0
    }

    init(settings: InitialisationSettings) { self.settings = settings }

    /// Takes a frame in, and answers when enough is known.
    ///
    /// - provisional: the poses of an estimator that runs already, because the device rested: it is replaced as soon as the
    ///   device has moved enough. Without one, `attitude`, which has come as far as the frame, tells the heading.
    mutating func take(
        _ frame: MotionAlignment.Frame, history: ImuHistory, calibration: CameraState,
        provisional: ProvisionalPoses?, attitude: AttitudeAverage
    ) -> Start? {
        frames.append(frame)
        firstFrame = firstFrame ?? frame.timestamp
        let span = { (first: MotionAlignment.Frame) in frame.timestamp.seconds(since: first.timestamp) }
        if provisional == nil, let first = frames.last(where: { span($0) >= settings.restSeconds }),
            let start = rest(from: first.timestamp, history: history, calibration: calibration, attitude)
        {
            return start
        }
        frames.removeAll { span($0) > settings.longestWindowSeconds }
        if search == nil, let first = frames.first, span(first) >= settings.motionSeconds,
            span(lastTry) >= settings.pauseSeconds,
            isPushed(first, frame, history: history, calibration: calibration)
        {
            lastTry = frame
            var expected = calibration
            expected.correct(timeOffset: clockShift)
            search = MotionSearch(frames: frames, history: history, calibration: expected, settings: settings)
        }
        return trustedAlignment().flatMap {
            start(from: $0, history: history, calibration: calibration, provisional: provisional, attitude)
        }
    }

    /// What a search that ends with this frame has found, if an estimator may begin with it.
    private mutating func trustedAlignment() -> MotionAlignment? {
        for _ in 0..<settings.searchStepsPerFrame { search?.step() }
        switch search?.progress {
        case .underway, nil: return nil
        case .failed:
            search = nil
            return nil
        case .found(let alignment):
            defer { search = nil }
            lookForClocks(after: alignment)
            return search.flatMap { alignment.isTrusted(by: settings, seconds: $0.seconds) ? alignment : nil }
        }
    }

    /// Where a search found the clocks as far off as it looks, the next one looks on from there, until one that does not end there
    /// explains nothing either.
    private mutating func lookForClocks(after alignment: MotionAlignment) {
        if alignment.motion.isAtLargestTimeShift, abs(clockShift) < settings.largestClockShift {
            clockShift += alignment.motion.timeShift
        } else if !alignment.isExplanation(by: settings) {
            clockShift = 0
        }
    }

    /// The start of a device that rests: gravity from the mean specific force, the gyroscope's bias from its mean and how the
    /// picture turned.
    private func rest(
        from start: Timestamp, history: ImuHistory, calibration: CameraState, _ attitude: AttitudeAverage
    ) -> Start? {
        let window = frames.filter { $0.timestamp >= start }
        guard let last = window.last, window.count >= 4 else { return nil }
        let (from, to) = (
            calibration.instant(ofFrameAt: start), calibration.instant(ofFrameAt: last.timestamp)
        )
        guard let readings = history.statistics(in: from...to),
            readings.rateSpread < settings.restRateSpread, readings.speedSpread < settings.restSpeed.upperBound,
            abs(readings.mean.specificForce.length - settings.gravityStrength) < settings.restForceError,
            readings.mean.angularVelocity.length < settings.restRateSpread + 2 * settings.gyroscopeBias,
            let change = PictureChange(from: window[0], to: last, calibration),
            change.parallaxPixels < settings.restParallaxPixels, let motion = change.motion
        else { return nil }
        let imuFromOptical = calibration.imuFromOptical.rotation
        let turn = imuFromOptical * motion.turn
        let imuFromUp = readings.mean.specificForce.normalized() ?? Vector3(0, 1, 0)
        let speed = max(settings.restSpeed.lowerBound, readings.speedSpread)
        // What lies in the mean force is gravity or bias: their errors are the same; or the hand is slower or faster at the end
        // than it was. What the picture's turn leaves of the mean rate is the gyroscope's bias.
        var covariance = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
        let bias = settings.accelerometerBias * settings.accelerometerBias
        let seconds = to.seconds(since: from)
        let moved = change.displacementPixels / calibration.camera.intrinsics.fx * OdometrySettings.usualDistance
        let push = min(moved / seconds, speed) * 2.0.squareRoot() / seconds
        let turning = settings.restTurningDeviation
        let byPicture = imuFromOptical.matrix * motion.turnCovariance * imuFromOptical.matrix.transpose
        let biasCovariance =
            (1 / (seconds * seconds)) * byPicture + Matrix3x3(diagonal: Vector3(repeating: turning * turning))
        covariance.set(StartLayout.gyroscopeBias, StartLayout.gyroscopeBias, biasCovariance)
        for axis in 0..<3 {
            let (gravity, accelerometer) = (StartLayout.gravity + axis, StartLayout.accelerometerBias + axis)
            covariance[StartLayout.velocity + axis, StartLayout.velocity + axis] = speed * speed
            covariance[gravity, gravity] = bias + max(push * push, 1e-4)
            covariance[gravity, accelerometer] = bias
            covariance[accelerometer, gravity] = bias
            covariance[accelerometer, accelerometer] = bias
        }
        for variable in StartLayout.gyroscopeDistortion..<StartLayout.count {
            let deviation = settings.calibration.deviation(of: variable)
            covariance[variable, variable] = deviation * deviation
        }
        let gyroscopeBias = readings.mean.angularVelocity - turn / seconds
        // Since the window's beginning the picture says how the device turned, better than samples among rattling motors.
        let atFrom = heading(
            at: from, history: history, calibration: calibration, gyroscopeBias: gyroscopeBias, attitude)
        let worldFromImu = (atFrom * Rotation(rotationVector: turn)).withUp(imuFromUp)
        return Start(
            navigation: NavigationState(
                timestamp: to, worldFromImu: Self.atOrigin(worldFromImu, calibration), velocity: .zero,
                errors: ImuErrors(gyroscopeBias: gyroscopeBias)),
            calibration: calibration, covariance: covariance, origin: WorldOrigin(), isProvisional: true,
            namesWorld: true)
    }

    /// The attitude at an instant by the samples since the first frame, whose camera gives the world its heading.
    private func heading(
        at instant: Timestamp, history: ImuHistory, calibration: CameraState, gyroscopeBias: Vector3,
        _ attitude: AttitudeAverage
    ) -> Rotation {
        attitude.worldFromImu(
            at: instant, history: history,
            imuFromCamera: calibration.imuFromOptical.rotation * RigidTransform.opticalFromCamera.rotation,
            gyroscopeBias: gyroscopeBias)
    }

    /// Whether there is any acceleration that could tell how long a way is.
    private func isPushed(
        _ first: MotionAlignment.Frame, _ last: MotionAlignment.Frame, history: ImuHistory, calibration: CameraState
    ) -> Bool {
        let (from, to) = (
            calibration.instant(ofFrameAt: first.timestamp), calibration.instant(ofFrameAt: last.timestamp)
        )
        return history.statistics(in: from...to).map { $0.forceSpread > settings.pushForceSpread } ?? false
    }

    /// The start of a device that moves as an alignment says.
    private func start(
        from alignment: MotionAlignment, history: ImuHistory, calibration: CameraState,
        provisional: ProvisionalPoses?, _ attitude: AttitudeAverage
    ) -> Start? {
        guard let up = (-alignment.motion.gravity).normalized() else { return nil }
        let (landmarks, covariance) = alignment.points.landmarks(
            settings.landmarkCount, among: Set(frames.last?.points.map(\.id) ?? []),
            depthError: settings.landmarkDepthError)
        let found = alignment.motion.holding(gravityStrength: settings.gravityStrength)
        let known = provisional?.heading(
            at: alignment.timestamp, history: history, errors: found.errors, rateVariance: found.turningVariance,
            calibration: found.calibration)
        let heading =
            known?.worldFromImu
            ?? heading(
                at: alignment.timestamp, history: history, calibration: found.calibration,
                gyroscopeBias: found.errors.gyroscopeBias, attitude)
        let worldFromImu = heading.withUp(up)
        var navigation = NavigationState(
            timestamp: alignment.timestamp, worldFromImu: RigidTransform(rotation: worldFromImu),
            velocity: worldFromImu * found.velocity, errors: found.errors)
        if let before = provisional?.pose(at: alignment.timestamp, found.calibration) {
            place(
                &navigation, found.calibration, history, cameraAt: before.worldFromOptical.translation,
                at: found.calibration.instant(ofFrameAt: before.timestamp))
        } else if let firstFrame {
            place(
                &navigation, found.calibration, history, cameraAt: .zero,
                at: found.calibration.instant(ofFrameAt: firstFrame))
        }
        return Start(
            navigation: navigation, calibration: found.calibration, landmarks: landmarks,
            covariance: RefinedMotion.holdingGravity(along: up, covariance),
            origin: known?.origin ?? WorldOrigin(),
            earlierFrames: frames.dropLast().filter { $0.timestamp > lastTry.timestamp },
            namesWorld: provisional == nil, pictureShake: found.pictureShake)
    }

    /// Puts a motion where the camera is at a place at an instant: the samples carry it there, or back. Where those are
    /// forgotten, the camera is there at the motion's beginning.
    private func place(
        _ start: inout NavigationState, _ calibration: CameraState, _ history: ImuHistory, cameraAt place: Point3,
        at instant: Timestamp
    ) {
        let gravity = Vector3(0, -settings.gravityStrength, 0)
        let isKnown =
            instant > start.timestamp
            || history.span.map { $0.lowerBound.seconds(since: instant) < settings.longestMissingSeconds } ?? false
        var then = start
        if isKnown {
            let (from, to) = (min(instant, start.timestamp), max(instant, start.timestamp))
            let motion = history.motion(from: from, to: to, errors: start.errors)
            then =
                instant < start.timestamp
                ? start.before(motion, gravity: gravity, at: instant)
                : start.advanced(by: motion, gravity: gravity, to: instant)
        }
        start.worldFromImu.translation += place - then.worldFromImu * calibration.imuFromOptical.translation
    }

    /// The IMU's pose with the camera at the world's origin.
    private static func atOrigin(_ worldFromImu: Rotation, _ calibration: CameraState) -> RigidTransform {
        RigidTransform(
            rotation: worldFromImu, translation: -1 * (worldFromImu * calibration.imuFromOptical.translation))
    }
}
