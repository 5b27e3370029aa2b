// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Velocity, gravity and biases at the beginning of a second or two of motion, from tracks and inertial samples alone.
///
/// With the rotation known from the gyroscope, every sight of a point says, linearly in all that is unknown, that the
/// point f lies on a ray: n·(f − p(t)) = 0 for two normals n, with p(t) = v t + ½ g t² + Δp(t) − ∂Δp/∂ba ba. The points are
/// eliminated one by one; what remains are nine equations for v, g and ba. The gyroscope's bias, the offset of the clocks
/// and the readout are those that make the rays meet best, which is found by Gauss-Newton steps about the linear problem.
///
/// - Reference: Dong-Si & Mourikis 2012, "Estimator initialization in vision-aided inertial navigation with unknown
///   camera-IMU calibration"; Martinelli 2014, "Closed-form solution of visual-inertial structure from motion"; Kaiser et
///   al. 2017, "Simultaneous State Initialization and Gyroscope Bias Calibration in Visual-Inertial Aided Navigation".
///
/// Law: `MotionAlignmentTests.tellsScaleAndHowWell`.
struct MotionAlignment: Sendable {
    /// The instant that velocity and gravity are told for: a little before the first frame.
    let timestamp: Timestamp
    /// What explains best what was seen.
    let motion: RefinedMotion
    /// The points by which it was found.
    let points: AlignedPoints

    /// A frame of the window.
    struct Frame: Sendable {
        /// The frame's stamp, on the camera's clock.
        var timestamp: Timestamp
        var points: [SeenPoint]
    }

    /// All of a ``MotionSearch`` at once.
    init?(
        frames: [Frame], history: ImuHistory, calibration: CameraState, settings: InitialisationSettings
    ) {
        guard
            var search = MotionSearch(
                frames: frames, history: history, calibration: calibration, settings: settings)
        else { return nil }
        while case .underway = search.progress { search.step() }
        guard case .found(let alignment) = search.progress else { return nil }
        self = alignment
    }

    init(timestamp: Timestamp, motion: RefinedMotion, points: AlignedPoints) {
        self.timestamp = timestamp
        self.motion = motion
        self.points = points
    }

    /// Whether an estimator may begin with it: it explains what was seen, the device has moved, and by how much is known well enough for
    /// a window of so many seconds: twice as well with a camera that is not what it was said to be, or that
    /// shakes, of which other things are not known, either.
    func isTrusted(by settings: InitialisationSettings, seconds: Double) -> Bool {
        let doubt = motion.isCameraAsStated ? 1 : settings.contradictedCameraDoubt
        return isExplanation(by: settings) && motion.wayLength > settings.shortestWay
            && doubt * motion.relativeScaleDeviation < settings.largestScaleDeviation(ofSeconds: seconds)
    }

    /// Whether the rays meet, and neither gravity nor the device nor the noise of its samples is absurd. Clocks that are as far off as was
    /// looked for may be farther off.
    func isExplanation(by settings: InitialisationSettings) -> Bool {
        !motion.isAtLargestTimeShift && motion.error < settings.largestError
            && motion.priorSquares < ChiSquare.quantile95(degreesOfFreedom: StartLayout.count)
            && motion.noiseSquares < ChiSquare.quantile95(degreesOfFreedom: PoseNoise.size * motion.noise.count)
            && abs(motion.gravity.length - settings.gravityStrength) < 3 * settings.gravityDeviation
    }
}
