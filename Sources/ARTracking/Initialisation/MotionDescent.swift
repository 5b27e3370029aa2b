// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The way of a ``RefinedMotion`` to where all is explained best, by Levenberg-Marquardt steps, half of one at a time.
///
/// The device is first taken as it is said to be: with all its errors free, a poor beginning would find an absurd device that
/// explains what was seen. Then its errors are free. How well the rays meet there tells how good they are, and with that the
/// last leg begins. Where it ends at a camera that is not what it is said to be, both are gone once more with one that may be anything else.
///
/// Where the rays of a frame lie beside their points together, the picture turns by itself, as behind a stabilised lens: the descent begins
/// anew with pictures that may, and its last leg with pictures that do by as much as they were found to.
struct MotionDescent: Sendable {
    private(set) var progress = Progress.underway

    private var window: AlignmentWindow
    private var motion: RefinedMotion
    private var points: [RefinedMotion.Point]
    private let beginning: (motion: RefinedMotion, points: [RefinedMotion.Point])
    private var leg = Leg.deviceAsStated
    /// What is not explained where the descent has come to; `nil` at a leg's beginning.
    private var residuals: MotionResiduals?
    /// The equations there, once they are set up.
    private var system: MotionSystem?
    /// Whether this is the end of the last leg.
    private var isAtEnd = false
    private var damping = 0.0
    private var stepCount = 0

    enum Progress: Sendable {
        case underway, lost
        case arrived(RefinedMotion, AlignedPoints)
    }

    private enum Leg {
        case deviceAsStated, deviceFree, raysAsGoodAsSeen

        /// A cost that falls by less has reached its lowest: by far less than chance moves it, or, on the way to another leg,
        /// by as much as one unknown's chance does.
        var leastGain: Double { self == .raysAsGoodAsSeen ? 0.01 : 1 }
    }

    private static let mostSteps = 15
    private static let leastDamping = 1e-10
    private static let firstDamping = 1e-8
    private static let mostDamping = 1e6
    /// How much of the calibration's uncertainty is made use of where the device is taken as it is said to be.
    private static let statedFreedom = 0.05

    /// From where the linear problem says that the motion is; `nil` where the samples' noise has no covariance.
    init?(from solution: LinearSolution, _ guess: LinearProblem.Guess, _ problem: LinearProblem) {
        let sights = problem.sights
        motion = RefinedMotion(
            solution, guess, frameCount: sights.instants.count, calibration: problem.calibration, problem.settings)
        guard let window = AlignmentWindow(sights, problem.history, motion) else { return nil }
        self.window = window
        points = RefinedMotion.points(of: solution, sights, motion.calibration)
        motion.calibrationFreedom = Self.statedFreedom
        beginning = (motion, points)
    }

    /// Sets equations up, or takes the step that they say.
    mutating func step() {
        guard case .underway = progress else { return }
        guard let system, let residuals else { return setUp() }
        guard let step = system.step(damping: damping) else {
            progress = .lost
            return
        }
        stepCount += 1
        var isDone = stepCount == Self.mostSteps
        let (moved, movedPoints) = motion.moved(by: step, points, system)
        if let next = MotionResiduals(moved, window, movedPoints), next.cost <= residuals.cost {
            isDone = isDone || residuals.cost - next.cost < leg.leastGain
            (motion, points, self.residuals, self.system) = (moved, movedPoints, next, nil)
            damping = max(damping * 0.1, Self.leastDamping)
        } else {
            damping *= 30
            isDone = isDone || damping > Self.mostDamping
        }
        if isDone, let reached = self.residuals { turn(at: reached) }
    }

    /// Sets up the equations about where the descent has come to; where that is its end, nothing else was missing.
    private mutating func setUp() {
        if residuals == nil {
            (damping, stepCount) = (Self.firstDamping, 0)
            residuals = MotionResiduals(motion, window, points)
        }
        system = residuals.flatMap(MotionSystem.init)
        guard let residuals, let system else {
            progress = .lost
            return
        }
        if isAtEnd { arrive(residuals, system) }
    }

    /// Begins the next leg where one has ended.
    private mutating func turn(at reached: MotionResiduals) {
        switch leg {
        case .deviceAsStated:
            leg = .deviceFree
            motion.calibrationFreedom = 1
        case .deviceFree where motion.pictureShake == 0 && isShaken(reached):
            (motion, points) = beginning
            leg = .deviceAsStated
            letPicturesShake(by: motion.settings.firstPictureShake)
        case .deviceFree:
            leg = .raysAsGoodAsSeen
            motion.directionDeviation = motion.settings.directionDeviation(ofRaysWithin: reached.medianAngle)
            if motion.pictureShake > 0 { letPicturesShake(by: motion.seenPictureShake) }
        case .raysAsGoodAsSeen:
            let believable = ChiSquare.quantile95(degreesOfFreedom: StartLayout.camera.count)
            guard motion.isCameraAsStated, motion.cameraSquares > believable else {
                isAtEnd = true
                if let system { arrive(reached, system) }
                return
            }
            // What a picture that is moved differs by from one that is turned looks like another camera, and is none.
            motion.isCameraContradicted = true
            leg = .deviceFree
        }
        (residuals, system) = (nil, nil)
    }

    private mutating func arrive(_ reached: MotionResiduals, _ system: MotionSystem) {
        guard let covariance = system.covariance() else {
            progress = .lost
            return
        }
        motion.judge(reached, covariance)
        let aligned = AlignedPoints(
            window.sights, points, system, covariance: covariance,
            imuFromOptical: motion.calibration.imuFromOptical.rotation)
        progress = .arrived(motion, aligned)
    }

    /// Whether the rays of a frame err together by more than chance makes them, and by more than any ray is taken to.
    private func isShaken(_ reached: MotionResiduals) -> Bool {
        let (settings, angle) = (motion.settings, reached.commonAngle)
        return angle.seen > max(settings.shakeBeyondChance * angle.byChance, settings.leastDirectionDeviation)
    }

    private mutating func letPicturesShake(by deviation: Double) {
        motion.pictureShake = deviation
        guard let shaken = AlignmentWindow(window.sights, window.history, motion) else {
            progress = .lost
            return
        }
        window = shaken
    }
}
