// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The way of a ``RefinedMotion`` to where all is explained best, a Levenberg-Marquardt step at a time.
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
    /// The equations about where the descent has come to; `nil` at a leg's beginning.
    private var system: MotionSystem?
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

    /// Sets the equations up once: at a leg's beginning, or one step further down.
    mutating func step() {
        guard case .underway = progress else { return }
        guard let system else {
            (damping, stepCount) = (Self.firstDamping, 0)
            system = MotionSystem(motion, window, points)
            if system == nil { progress = .lost }
            return
        }
        guard let common = system.step(damping: damping) else {
            progress = .lost
            return
        }
        stepCount += 1
        var isDone = stepCount == Self.mostSteps
        let (moved, movedPoints) = motion.moved(by: common, points, system, damping: damping)
        if let next = MotionSystem(moved, window, movedPoints), next.cost <= system.cost {
            isDone = isDone || system.cost - next.cost < leg.leastGain
            (motion, points, self.system) = (moved, movedPoints, next)
            damping = max(damping * 0.1, Self.leastDamping)
        } else {
            damping *= 30
            isDone = isDone || damping > Self.mostDamping
        }
        if isDone, let reached = self.system { turn(at: reached) }
    }

    /// Begins the next leg where one has ended.
    private mutating func turn(at reached: MotionSystem) {
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
            // What a picture that is moved differs by from one that is turned looks like another camera, and is none.
            if motion.isCameraAsStated, motion.cameraSquares > believable {
                motion.isCameraContradicted = true
                leg = .deviceFree
                break
            }
            guard let covariance = reached.covariance() else {
                progress = .lost
                break
            }
            motion.judge(window, reached, covariance)
            let aligned = AlignedPoints(
                window.sights, points, reached, covariance: covariance,
                imuFromOptical: motion.calibration.imuFromOptical.rotation)
            progress = .arrived(motion, aligned)
        }
        system = nil
    }

    /// Whether the rays of a frame err together by more than chance makes them, and by more than any ray is taken to.
    private func isShaken(_ reached: MotionSystem) -> Bool {
        let settings = motion.settings
        return reached.commonAngle
            > max(settings.shakeBeyondChance * reached.commonAngleByChance, settings.leastDirectionDeviation)
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
