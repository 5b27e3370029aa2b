// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the tracker finds its first state: what sensors and hands are like, not what a scene is like.
struct InitialisationSettings: Sendable {
    /// The standard deviation of a ray's direction, in radians: at most, and at least.
    let largestDirectionDeviation = 0.001
    let leastDirectionDeviation = 0.0003
    /// Between the two it is so many times what the rays show: a point that slides along slowly takes its ray with it, which
    /// no residual shows.
    let directionDeviationPerSeen = 3.0
    /// The standard deviation of a seen point up to which its ray takes part, in pixels.
    var largestPixelDeviation = 0.5
    /// The standard deviations of the biases that a sensor may have, in rad/s and m/s².
    let gyroscopeBias = 0.05
    let accelerometerBias = 0.1
    /// The strength of gravity, and how well it is known with the accelerometer's scale, in m/s².
    var gravityStrength = 9.81
    let gravityDeviation = 0.02

    /// How many frames take part in an alignment: as few of these as see enough tracks, which in a quick turn are more.
    let alignmentFrames = [12, 22, 32]
    let enoughTracks = 60
    /// How many rays take part in it at most, those of the longest tracks.
    let mostRays = 960
    let guessIterations = 4
    /// How much motion an alignment needs at least, and looks at, at most.
    let motionSeconds = 0.95
    let longestWindowSeconds = 2.0
    /// How long to wait from one try to the next, and how much the specific force must spread for a try, in m/s².
    let pauseSeconds = 0.15
    let pushForceSpread = 0.1
    /// How many steps a search takes with each frame: of some 40 in all, seldom twice as many, each a seventh or so of what else a frame
    /// costs.
    let searchStepsPerFrame = 8
    /// An alignment is believed when its scale is known to this share, and its rays meet this well, in radians. What a
    /// second tells must be better than what the longest window does: soon there will be more.
    let largestScaleDeviation = (ofOneSecond: 0.015, ofLongestWindow: 0.04)
    let largestError = 0.002
    /// For how long the first sample may stand for those before it.
    let longestMissingSeconds = 0.1
    /// A trembling hand is no way to learn a scale from, in metres.
    let shortestWay = 0.03

    /// How many of the points by which a motion was found a filter begins with, at most, and how well their distances must be known, as
    /// a share of them: as those of its other landmarks.
    var landmarkCount = 30
    let landmarkDepthError = OdometrySettings().landmarkDepthError

    /// A device that moved less than this for so long rests in the hand: its rate spreads by no more than so many rad/s; its
    /// picture moved by no more than so many pixels otherwise than by a turn; and it feels gravity and no more than so many
    /// m/s² besides.
    let restSeconds = 0.45
    let restRateSpread = 0.25
    let restForceError = 0.4
    let restParallaxPixels = 3.0
    /// How well the turn of a picture that stands still is known, in rad/s.
    let restTurningDeviation = 0.003
    /// How fast a hand at rest sways, in m/s: so fast at least, whatever its samples say, and as fast as they say up to a bound, beyond which
    /// it does not rest. Law: `RestThenMotionTests.aSwayingHandIsAtRest`.
    let restSpeed = 0.03...0.1
    /// How many times as wrong as is said a camera may be that is not what it is said to be.
    let contradictedCameraFreedom = 6.0
    /// How many times as well the scale must be known then, or where pictures shake.
    let contradictedCameraDoubt = 2.0
    /// Pictures that turn by themselves are told by what the rays of a frame have in common: so many times what chance would give them.
    /// They are then taken to turn by so much at first, in radians.
    let shakeBeyondChance = 5.0
    let firstPictureShake = 0.005
    /// From how far off, in seconds, clocks are looked for farther off.
    let largestClockShift = 0.15
    /// How well the device is calibrated.
    var calibration = CalibrationUncertainty()
}

extension InitialisationSettings {
    /// The standard deviation, about each axis, of rays of which half meet their points within this angle, in radians: for errors that
    /// are normal along both axes, that angle is √(2 ln 2) deviations.
    static func deviation(ofRaysWithin medianAngle: Double) -> Double { medianAngle / (2 * log(2)).squareRoot() }

    /// The standard deviation that a ray's direction is taken to have where half of the rays meet their points within this angle, in radians.
    func directionDeviation(ofRaysWithin medianAngle: Double) -> Double {
        let seen = Self.deviation(ofRaysWithin: medianAngle)
        return min(max(directionDeviationPerSeen * seen, leastDirectionDeviation), largestDirectionDeviation)
    }

    /// How well an alignment of so many seconds must know the scale.
    func largestScaleDeviation(ofSeconds seconds: Double) -> Double {
        let share = min(max((seconds - 1) / (longestWindowSeconds - 1), 0), 1)
        let (first, last) = largestScaleDeviation
        return first + (last - first) * share
    }
}
