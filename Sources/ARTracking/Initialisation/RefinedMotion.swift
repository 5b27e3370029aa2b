// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CSolve
import Foundation

/// The most probable beginning of a motion: velocity, gravity, the sensors' errors, the camera's calibration and points
/// that explain best, in the picture, what was seen.
///
/// The linear problem weighs a ray's error by the point's depth and so pulls points nearer; here, what is minimised is how far
/// points are seen from where they should be, by Levenberg-Marquardt steps with the points eliminated. A point is seen from
/// the start in direction h at inverse depth ρ, so that rays of far points are as good as any. Scale factors and misalignments of the inertial sensors
/// and the camera's calibration take part within what is said of them: a phone's gyroscope is wrong by a few milliradians
/// after a quick turn, which is more than its rays are, and a start that believed it would be wrong and sure of it. So do
/// the poses that the samples' noise makes wrong: within two seconds a phone's accelerometer errs by millimetres.
///
/// Only the product of ρ with a place p(t) is seen, so that a change of scale bends all unknowns together. Steps are
/// therefore taken in κ v, κ g, κ ba and κ, with ρ = κ ρ′: in these, places times inverse depths are linear, and
/// the valley that a poorly known scale makes is straight.
///
/// Laws: `MotionAlignmentTests.tellsScaleAndHowWell`, `.noiseDrawsNoFocalLength`, `.aWrongFocalLengthIsFound`.
struct RefinedMotion: Sendable {
    /// The velocity at the start, in the IMU's frame there, in m/s.
    private(set) var velocity: Vector3
    /// Gravity in the same frame, in m/s².
    private(set) var gravity: Vector3
    /// What is wrong with the IMU's readings.
    private(set) var errors: ImuErrors
    /// The camera, put right as far as the motion tells.
    private(set) var calibration: CameraState
    /// How far from the start the device came, in metres, and the standard deviation of that, as a share of it.
    private(set) var wayLength = 0.0
    private(set) var relativeScaleDeviation = Double.infinity
    /// The root mean square of the angles between rays and points, in radians.
    private(set) var error = Double.infinity
    /// The covariance of the variables of ``StartLayout``.
    private(set) var covariance = DenseMatrix(rows: 0, columns: 0)
    /// What the samples' noise did, by frame.
    private(set) var noise: [PoseNoise]
    /// The standard deviation of a ray's direction, in radians.
    var directionDeviation: Double
    /// The same in the picture, where errors are as large whatever the focal length is, in pixels: in angles, a longer one would
    /// make them smaller, and seem better.
    var pixelDeviation: Double { directionDeviation * pixelsPerRadian }
    private let pixelsPerRadian: Double

    /// The squares of what is known beforehand, in standard deviations: of ``StartLayout/count`` or so when the device is as
    /// it is said to be.
    private(set) var priorSquares = Double.infinity
    /// The squares of what the samples' noise had to do, in standard deviations: of six a frame, or fewer, when samples are no
    /// noisier than they are said to be.
    private(set) var noiseSquares = Double.infinity
    /// How much of the calibration's uncertainty is made use of, but for its times, for which nothing else could stand in.
    var calibrationFreedom = 1.0
    /// Whether what was seen contradicts what is said of the camera, so that it may be ``InitialisationSettings/contradictedCameraFreedom``
    /// times as wrong, again but for its times.
    var isCameraContradicted = false
    /// How far a picture may be turned against the device, from frame to frame, by itself: a standard deviation about each axis, in radians.
    var pictureShake = 0.0
    /// The same as the frames show it, where that is more than the samples' noise.
    var seenPictureShake: Double {
        let squares = noise.reduce(0) { $0 + $1.turn.squaredLength }
        return (squares / Double(3 * noise.count)).squareRoot()
    }

    /// Whether neither what is said of the camera nor that its pictures are steady was given up.
    var isCameraAsStated: Bool { !isCameraContradicted && pictureShake == 0 }

    /// What has changed of the camera since its calibration: rotation, translation, time offset, readout, the focal
    /// lengths' logarithm, that of each for itself, the principal point, and k1.
    var turn = Vector3.zero
    var shift = Vector3.zero
    var timeShift = 0.0
    var readoutChange = 0.0
    var focalChange = 0.0
    var ownFocalChange = Vector2.zero
    var principalChange = Vector2.zero
    var radialChange = 0.0
    let settings: InitialisationSettings

    /// The variables of a start, and the inverse scale; then, frame by frame, the noise of the poses.
    static let commonCount = StartLayout.count + 1
    static let inverseScale = StartLayout.count
    var unknownCount: Int { Self.commonCount + noise.count * PoseNoise.size }

    /// A point as it is seen from the start.
    struct Point {
        var direction: Vector3
        var inverseDepth: Double
    }

    /// Where the linear problem says that it is.
    init(
        _ start: LinearSolution, _ guess: LinearProblem.Guess, frameCount: Int, calibration: CameraState,
        _ settings: InitialisationSettings
    ) {
        self.settings = settings
        noise = [PoseNoise](repeating: PoseNoise(), count: frameCount)
        directionDeviation = settings.largestDirectionDeviation
        pixelsPerRadian = calibration.camera.intrinsics.fx
        self.calibration = calibration
        velocity = start.velocity
        gravity = start.gravity
        errors = ImuErrors(gyroscopeBias: guess.gyroscopeBias, accelerometerBias: start.accelerometerBias)
        timeShift = guess.timeShift
        readoutChange = guess.readoutChange
        self.calibration.correct(timeOffset: timeShift, readout: readoutChange)
    }

    /// The points where the linear problem has them. It may place one behind the camera: that starts far away on its first
    /// ray.
    static func points(
        of start: LinearSolution, _ sights: WindowSights, _ calibration: CameraState
    ) -> [Point] {
        zip(start.points, sights.rays).map { point, rays in
            let ray = calibration.imuFromOptical.rotation * rays[0].direction
            let direction = point.normalized() ?? ray
            if rays[0].frame == 0, direction.dot(ray) < 0.5 { return Point(direction: ray, inverseDepth: 0.2) }
            return Point(direction: direction, inverseDepth: 1 / max(point.length, 0.05))
        }
    }

    /// The motion and its points after a step.
    func moved(
        by step: MotionSystem.Step, _ points: [Point], _ system: MotionSystem
    ) -> (RefinedMotion, [Point]) {
        var (common, changes) = (step.unknowns, step.points)
        // ρ′ (1 + ε) with all places times (1 − ε) is the same picture: the share that all points have in common is
        // left to κ, along which the problem is linear.
        let shares = zip(changes, points).map { $0.z / max($1.inverseDepth, 1e-3) }.sorted()
        let share = shares[shares.count / 2]
        for (first, value) in [
            (StartLayout.velocity, velocity), (StartLayout.gravity, gravity),
            (StartLayout.accelerometerBias, errors.accelerometerBias),
        ] {
            for axis in 0..<3 { common[first + axis] += share * value[axis] }
        }
        common[Self.inverseScale] += share
        for index in points.indices { changes[index].z -= share * points[index].inverseDepth }

        var (moved, movedPoints) = (self, points)
        let inverseScale = moved.move(by: common)
        for (index, change) in changes.enumerated() {
            let tangent = system.points[index].tangent
            movedPoints[index].direction =
                (points[index].direction + tangent.0 * change.x + tangent.1 * change.y).normalized()
                ?? points[index].direction
            movedPoints[index].inverseDepth = inverseScale * (points[index].inverseDepth + change.z)
        }
        return (moved, movedPoints)
    }

    /// Takes a step of κ v, κ g, κ ba, of all else, and of κ, and says what κ has become; it is one again afterwards.
    mutating func move(by step: [Double]) -> Double {
        func part(_ first: Int) -> Vector3 { Vector3(step[first], step[first + 1], step[first + 2]) }
        let inverseScale = max(1 + step[Self.inverseScale], 0.2)
        velocity = (velocity + part(StartLayout.velocity)) / inverseScale
        gravity = (gravity + part(StartLayout.gravity)) / inverseScale
        errors.accelerometerBias =
            (errors.accelerometerBias + part(StartLayout.accelerometerBias)) / inverseScale
        errors.gyroscopeBias += part(StartLayout.gyroscopeBias)
        for axis in 0..<3 {
            errors.gyroscopeDistortion[axis] += part(StartLayout.gyroscopeDistortion + 3 * axis)
            errors.accelerometerDistortion[axis] += part(StartLayout.accelerometerDistortion + 3 * axis)
        }
        errors.accelerometerLag += step[StartLayout.accelerometerLag]
        let largest = WindowSights.largestTimeShiftSeconds
        let timeStep = min(max(timeShift + step[StartLayout.timeOffset], -largest), largest) - timeShift
        turn += part(StartLayout.extrinsicRotation)
        shift += part(StartLayout.extrinsicTranslation)
        timeShift += timeStep
        readoutChange += step[StartLayout.readout]
        let focal = step[StartLayout.focal]
        let ownFocal = Vector2(step[StartLayout.ownFocal], step[StartLayout.ownFocal + 1])
        let principal = Vector2(step[StartLayout.principalPoint], step[StartLayout.principalPoint + 1])
        focalChange += focal
        ownFocalChange += ownFocal
        principalChange += principal
        radialChange += step[StartLayout.radial]
        let old = calibration.camera.intrinsics
        calibration.correct(
            turn: part(StartLayout.extrinsicRotation), shift: part(StartLayout.extrinsicTranslation),
            timeOffset: timeStep, readout: step[StartLayout.readout],
            focal: Vector2(old.fx * (exp(focal + ownFocal.x) - 1), old.fy * (exp(focal + ownFocal.y) - 1)),
            principal: principal, radial: step[StartLayout.radial])
        for frame in noise.indices {
            let first = Self.commonCount + frame * PoseNoise.size
            noise[frame].turn += part(first)
            noise[frame].shift += part(first + 3)
        }
        return inverseScale
    }

    /// The same for an estimator that takes gravity to be just so strong: what it was found to be stronger is the
    /// accelerometer's bias along it, which leaves all accelerations as they were found.
    ///
    /// Law: `MotionAlignmentTests.whatGravityIsStrongerIsBias`.
    func holding(gravityStrength: Double) -> RefinedMotion {
        guard let down = gravity.normalized() else { return self }
        var held = self
        held.gravity = gravityStrength * down
        held.errors.accelerometerBias -= gravity - held.gravity
        held.covariance = Self.holdingGravity(along: down, covariance)
        return held
    }

    /// The covariance of what is known where gravity's part along itself is the accelerometer's bias: T S Tᵀ, where T takes the one from
    /// the other, of the variables of ``StartLayout`` and any after those.
    static func holdingGravity(along vertical: Vector3, _ covariance: DenseMatrix) -> DenseMatrix {
        var held = covariance
        let (bias, gravity) = (StartLayout.accelerometerBias, StartLayout.gravity)
        for other in 0..<held.rows {
            let along = (0..<3).reduce(0) { $0 + vertical[$1] * held[gravity + $1, other] }
            for axis in 0..<3 { held[bias + axis, other] -= vertical[axis] * along }
        }
        for other in 0..<held.rows {
            let along = (0..<3).reduce(0) { $0 + vertical[$1] * held[other, gravity + $1] }
            for axis in 0..<3 { held[other, bias + axis] -= vertical[axis] * along }
        }
        return held
    }

    /// How far the variables of ``StartLayout`` that something is known of beforehand are from that, by standard deviations.
    /// The biases of the accelerometer are unknown by κ ba.
    func forEachPrior(_ body: (_ variable: Int, _ value: Double, _ deviation: Double) -> Void) {
        func all(_ first: Int, _ value: Vector3, _ deviation: Double) {
            for axis in 0..<3 { body(first + axis, value[axis], deviation) }
        }
        all(StartLayout.accelerometerBias, errors.accelerometerBias, settings.accelerometerBias)
        all(StartLayout.gyroscopeBias, errors.gyroscopeBias, settings.gyroscopeBias)
        func calibrated(_ variable: Int, _ value: Double) {
            let mayBeWrong = isCameraContradicted && StartLayout.camera.contains(variable)
            let freedom = mayBeWrong ? settings.contradictedCameraFreedom : 1
            body(variable, value, calibrationFreedom * freedom * settings.calibration.deviation(of: variable))
        }
        func allCalibrated(_ first: Int, _ value: Vector3) {
            for axis in 0..<3 { calibrated(first + axis, value[axis]) }
        }
        for axis in 0..<3 {
            allCalibrated(StartLayout.gyroscopeDistortion + 3 * axis, errors.gyroscopeDistortion[axis])
            allCalibrated(StartLayout.accelerometerDistortion + 3 * axis, errors.accelerometerDistortion[axis])
        }
        calibrated(StartLayout.accelerometerLag, errors.accelerometerLag)
        allCalibrated(StartLayout.extrinsicRotation, turn)
        allCalibrated(StartLayout.extrinsicTranslation, shift)
        body(StartLayout.timeOffset, timeShift, settings.calibration.timeOffset)
        body(StartLayout.readout, readoutChange, settings.calibration.readout)
        calibrated(StartLayout.focal, focalChange)
        for axis in 0..<2 {
            calibrated(StartLayout.ownFocal + axis, ownFocalChange[axis])
            calibrated(StartLayout.principalPoint + axis, principalChange[axis])
        }
        calibrated(StartLayout.radial, radialChange)
        // What no ray depends on is as it is said to be.
        calibrated(StartLayout.exposure, 0)
    }

    /// Whether the clocks are as far off as is looked for, and so maybe farther.
    var isAtLargestTimeShift: Bool { abs(timeShift) > 0.99 * WindowSights.largestTimeShiftSeconds }

    /// How far the camera is from what is said of it: the squares of what changed, but for its times, in standard deviations, whose
    /// number is ``StartLayout/camera``'s.
    var cameraSquares: Double {
        var squares = 0.0
        forEachPrior { variable, value, deviation in
            if StartLayout.camera.contains(variable) { squares += (value / deviation) * (value / deviation) }
        }
        return squares
    }

    /// What the gyroscope's bias leaves open of how fast the device turns about up: a variance in rad²/s².
    var turningVariance: Double {
        guard let up = (-gravity).normalized() else { return .infinity }
        let bias = StartLayout.gyroscopeBias
        var variance = 0.0
        for row in 0..<3 {
            for column in 0..<3 { variance += up[row] * up[column] * covariance[bias + row, bias + column] }
        }
        return variance
    }

    /// Takes what residuals and equations say, about the place where all is explained best, of how well it is explained and known.
    ///
    /// - covariance: what the equations say of all unknowns but the scale.
    mutating func judge(_ residuals: MotionResiduals, _ covariance: DenseMatrix) {
        error = (residuals.squares / Double(residuals.count)).squareRoot() * directionDeviation
        (priorSquares, noiseSquares) = (residuals.priorSquares, residuals.noiseSquares)
        (wayLength, relativeScaleDeviation) = way(residuals.frames, covariance)
        self.covariance = covariance.leading(StartLayout.count)
    }

    /// The length of the way from the start to the place farthest from it, and its standard deviation, as a share of it.
    private func way(
        _ frames: [PreintegratedMotion], _ covariance: DenseMatrix
    ) -> (length: Double, deviation: Double) {
        var (longest, deviation) = (0.0, Double.infinity)
        for (frame, motion) in frames.enumerated() {
            let time = motion.seconds
            let way = velocity * time + gravity * (0.5 * time * time) + motion.position + noise[frame].shift
            guard way.length > longest, let direction = way.normalized() else { continue }
            longest = way.length
            var row = [Double](repeating: 0, count: covariance.rows)
            func write(_ first: Int, _ value: Vector3) { for axis in 0..<3 { row[first + axis] = value[axis] } }
            write(StartLayout.velocity, direction * time)
            write(StartLayout.gravity, direction * (0.5 * time * time))
            let (g, a) = (motion.byGyroscope, motion.byAccelerometer)
            write(StartLayout.accelerometerBias, a.bias.position.transpose * direction)
            write(StartLayout.gyroscopeBias, g.bias.position.transpose * direction)
            for (axis, (g, a)) in [(g.x, a.x), (g.y, a.y), (g.z, a.z)].enumerated() {
                write(StartLayout.gyroscopeDistortion + 3 * axis, g.position.transpose * direction)
                write(StartLayout.accelerometerDistortion + 3 * axis, a.position.transpose * direction)
            }
            row[StartLayout.accelerometerLag] = motion.byAccelerometerLag.position.dot(direction)
            write(StartLayout.count + PoseNoise.size * frame + 3, direction)
            var variance = 0.0
            for i in row.indices where row[i] != 0 {
                for j in row.indices { variance += row[i] * row[j] * covariance[i, j] }
            }
            deviation = variance.squareRoot() / longest
        }
        return (longest, deviation)
    }
}
