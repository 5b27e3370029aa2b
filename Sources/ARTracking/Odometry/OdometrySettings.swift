// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How the estimator works. The defaults serve every scene.
struct OdometrySettings: Hashable, Sendable {
    /// Clones in the window.
    var cloneCount = 11
    /// How many of them are the newest frames, whether far apart or not.
    var recentCloneCount = 5
    /// Landmarks in the state.
    var landmarkCount = 30
    /// Landmarks beside them that are not seen, but may be seen again.
    var absentLandmarkCount = 60
    /// A usual standard deviation of a point's place in the picture, in pixels: what its distance is judged by.
    let usualPixelDeviation = 0.5
    /// How much parallax makes a keyframe, in pixels.
    var keyframeParallax = 8.0
    /// Tracks in one update.
    var tracksPerUpdate = 40
    /// The gravity of the world, in m/s².
    var gravity = Vector3(0, -9.81, 0)

    // What follows belongs to the method, not to the scene.

    /// A picture is a keyframe, too, of whose points the last one shows less than this share.
    static let keyframeSharedShare = 0.3
    /// How often a point must have been seen to be used, and to become a landmark.
    let trackObservations = 3
    let landmarkObservations = 6
    /// How well a point's distance must be known, as a share of it, to become a landmark, and to be used at all: before
    /// that, noise in the distance passes for motion.
    let landmarkDepthError = 0.2
    let trackDepthError = 0.4
    /// The degrees of freedom of Student's t distribution that points' errors follow.
    let errorFreedom = 3.0
    /// A device that looks the same for so long, to within so many pixels, and whose samples make it no faster than so many
    /// m/s, stands still, to within that velocity.
    let stillSeconds = 0.25
    let stillParallax = 0.7
    let stillVelocity = 0.03
    /// How well many points together show that a picture is the same, in pixels.
    let stillParallaxNoise = 0.1
    /// By how much the picture of a device at rest changes, in pixels.
    let restDisplacement = 3.0
    /// How much of what moves in the picture of a device at rest may be a shift, not a turn.
    static let shiftShare = 0.25
    /// How far away things are that one looks at, in metres, as long as nothing is known of it.
    static let usualDistance = 3.0
    /// How far they are before a hand at rest, in metres, and how wrong a shift over that may be, as a share of it: things are as
    /// far as a table or a room, and before a plane a shift looks like others.
    static let restDistance = (metres: 1.5, share: 0.75)
    /// How many frames in a row may disagree with a landmark.
    let landmarkPatience = 3
    /// How well it must be known where an absent landmark should be seen for it to be looked for, in pixels, and how often it may
    /// not be found.
    let largestReturnDeviation = 3.0
    let returnPatience = 20
    /// How far a point may be from where it should be seen, in pixels, before it is looked at closely.
    let largestReprojectionError = 5.0
}

extension OdometrySettings {
    /// By what measurements at squared Mahalanobis distances are multiplied before they are used, or `nil` where they fail the
    /// test at 95 % by the noise that measurements usually have.
    ///
    /// What passes counts as errors of Student's t distribution do: n measurements at the squared distance d² with weight
    /// (ν + n) / (ν + d²) (Lange, Little & Taylor 1989, § 3), d² by the noise that is stated, so that points that are placed
    /// better than is said of them count more, by (ν + n) / ν at most, and others less.
    /// Law: `OdometryTests.errorsCountAsStudentSays`.
    func factor(_ distances: SquaredDistances, rows: Int) -> Double? {
        guard distances.usual <= ChiSquare.quantile95(degreesOfFreedom: rows) else { return nil }
        return ((errorFreedom + Double(rows)) / (errorFreedom + distances.stated)).squareRoot()
    }
}
