// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where each variable stands that the place of a ray in the picture depends on: half as many as there are unknowns that move it, because most
/// of those do so by moving the device.
///
/// | variables | count |
/// |---|---|
/// | camera: rotation and translation in the IMU's frame, time offset, readout | 8 |
/// | logarithm of each focal length; principal point; radial distortion; the inverse scale | 6 |
/// | then, frame by frame: turn and place of the device in the start's frame, and its velocity there, which moves it within a readout | 9 |
///
/// Laws: `MotionSystemTests.framesMoveWithTheUnknowns`, `MotionAlignmentTests.derivativesGoOnWithinAReadout`.
enum RayLayout {
    static let extrinsicRotation = 0
    static let extrinsicTranslation = 3
    static let timeOffset = 6
    static let readout = 7
    static let ownFocal = 8
    static let principalPoint = 10
    static let radial = 12
    static let inverseScale = 13
    static let turn = 14
    static let place = 17
    static let velocity = 20
    /// The number of variables that a ray depends on, after which its residual stands.
    static let count = 23

    /// The unknowns of a ``RefinedMotion`` that are the first of these variables themselves, in their order.
    private static let own: [Int] =
        Array(StartLayout.extrinsicRotation..<StartLayout.focal) + Array(StartLayout.ownFocal..<StartLayout.exposure)
        + [StartLayout.radial, RefinedMotion.inverseScale]

    private static let frameSize = count - turn

    /// The number of variables of the rays of so many frames, after which the residual stands.
    static func count(ofFrames frames: Int) -> Int { turn + frames * frameSize }

    /// The place among the variables of the rays of so many frames of one that a frame's rays depend on; at ``count``, that of the residual.
    static func variable(_ index: Int, ofFrame frame: Int, of frames: Int) -> Int {
        index < turn ? index : index < count ? index + frame * frameSize : count(ofFrames: frames)
    }

    /// The places among the variables of all rays of those that the rays of neighbouring frames depend on, in their order, and of the residual.
    static func variables(ofFrames frames: Range<Int>, of all: Int) -> [Int] {
        Array(0..<turn) + Array(count(ofFrames: frames.lowerBound)..<count(ofFrames: frames.upperBound))
            + [count(ofFrames: all)]
    }

    /// How the variables of all rays, a column each, change with the unknowns that are common to all frames, a row each; after both stands
    /// the residual, which is itself. What gravity does within a readout besides the velocity that it gives is left out.
    static func byCommonUnknowns(_ frames: [PreintegratedMotion]) -> DenseMatrix {
        let (residual, count) = (RefinedMotion.commonCount, count(ofFrames: frames.count))
        var derivatives = DenseMatrix(rows: residual + 1, columns: count + 1)
        derivatives[residual, count] = 1
        for (variable, unknown) in own.enumerated() { derivatives[unknown, variable] = 1 }
        for axis in 0..<2 { derivatives[StartLayout.focal, ownFocal + axis] = 1 }
        for (frame, motion) in frames.enumerated() {
            let first = variable(turn, ofFrame: frame, of: frames.count)
            let (turn, place, velocity) = (first, first + Self.place - Self.turn, first + Self.velocity - Self.turn)
            let time = motion.seconds
            derivatives.set(StartLayout.velocity, place, Matrix3x3(diagonal: Vector3(repeating: time)))
            derivatives.set(StartLayout.velocity, velocity, .identity)
            derivatives.set(StartLayout.gravity, place, Matrix3x3(diagonal: Vector3(repeating: 0.5 * time * time)))
            derivatives.set(StartLayout.gravity, velocity, Matrix3x3(diagonal: Vector3(repeating: time)))
            let (g, a) = (motion.byGyroscope, motion.byAccelerometer)
            for (column, byRate) in [g.bias, g.x, g.y, g.z].enumerated() {
                let unknown = StartLayout.gyroscopeBias + 3 * column
                derivatives.set(unknown, turn, byRate.rotation.transpose)
                derivatives.set(unknown, place, byRate.position.transpose)
                derivatives.set(unknown, velocity, byRate.velocity.transpose)
            }
            for (unknown, byForce) in [
                (StartLayout.accelerometerBias, a.bias), (StartLayout.accelerometerDistortion, a.x),
                (StartLayout.accelerometerDistortion + 3, a.y), (StartLayout.accelerometerDistortion + 6, a.z),
            ] {
                derivatives.set(unknown, place, byForce.position.transpose)
                derivatives.set(unknown, velocity, byForce.velocity.transpose)
            }
            for axis in 0..<3 {
                derivatives[StartLayout.accelerometerLag, place + axis] = motion.byAccelerometerLag.position[axis]
                derivatives[StartLayout.accelerometerLag, velocity + axis] = motion.byAccelerometerLag.velocity[axis]
            }
        }
        return derivatives
    }
}
