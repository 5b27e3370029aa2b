// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// What the noise of inertial samples did to the pose of a frame, by the time the samples had been summed up from a start:
/// both in the start's frame.
struct PoseNoise: Hashable, Sendable {
    /// The frame is turned by so much, on the left, in radians …
    var turn = Vector3.zero
    /// … and shifted by so much, in metres.
    var shift = Vector3.zero

    static let size = 6

    var values: [Double] { [turn.x, turn.y, turn.z, shift.x, shift.y, shift.z] }
}

/// How far the noise of inertial samples can have moved the frames of a window: it adds up from frame to frame, so that all
/// frames are moved together.
///
/// Law: `PoseNoiseTests.isHowNoiseMovesFrames`.
struct PoseNoisePrior {
    /// The inverse of the covariance of all frames' ``PoseNoise``, frame after frame.
    let information: DenseMatrix

    /// No pose is taken to be better than this, in radians and in metres: what happens between samples is not known.
    private static let least = PoseNoise(turn: Vector3(repeating: 2e-5), shift: Vector3(repeating: 2e-5))

}

extension PoseNoisePrior {
    /// - motions: from one start to each frame, in their order, with their noise.
    /// - pictureShake: how far each picture may be turned on its own besides, in radians.
    init?(_ motions: [PreintegratedMotion], pictureShake: Double) {
        precondition(motions.allSatisfy { $0.detail >= .noise }, "motions whose noise was not summed up")
        var covariance = Self.covariance(motions)
        var least = Self.least
        least.turn = Vector3(repeating: max(pictureShake, least.turn.x))
        for index in 0..<covariance.rows {
            let deviation = least.values[index % PoseNoise.size]
            covariance[index, index] += deviation * deviation
        }
        var inverse = DenseMatrix(rows: covariance.rows, columns: covariance.rows)
        for index in 0..<covariance.rows { inverse[index, index] = 1 }
        let count = Int32(covariance.rows)
        guard csolve_solve_positive_definite(covariance.values, count, &inverse.values, count) == CSOLVE_OK else {
            return nil
        }
        information = inverse
    }

    /// The covariance of all frames' noise. What has happened to an earlier frame happens to a later one, too: it turns the
    /// forces that follow, and goes on with its velocity.
    static func covariance(_ motions: [PreintegratedMotion]) -> DenseMatrix {
        let count = motions.count * PoseNoise.size
        var covariance = DenseMatrix(rows: count, columns: count)
        for (i, earlier) in motions.enumerated() {
            let known = earlier.noise
            for (j, later) in motions.enumerated().dropFirst(i) {
                let seconds = later.seconds - earlier.seconds
                let way = later.position - earlier.position - earlier.velocity * seconds
                let byTurn = -Matrix3x3.crossProduct(way)
                let (row, column) = (j * PoseNoise.size, i * PoseNoise.size)
                let rotationPosition = known.positionRotation.transpose
                covariance.set(row, column, known.rotation)
                covariance.set(row, column + 3, rotationPosition)
                covariance.set(
                    row + 3, column,
                    known.positionRotation + seconds * known.velocityRotation + byTurn * known.rotation)
                covariance.set(
                    row + 3, column + 3,
                    known.position + seconds * known.positionVelocity.transpose + byTurn * rotationPosition)
            }
        }
        for column in 0..<count { for row in 0..<column { covariance[row, column] = covariance[column, row] } }
        return covariance
    }
}

/// All that a ``RefinedMotion`` has to explain.
struct AlignmentWindow {
    let sights: WindowSights
    let history: ImuHistory
    let noise: PoseNoisePrior
}

extension AlignmentWindow {
    /// `nil` where the samples' noise has no covariance.
    init?(_ sights: WindowSights, _ history: ImuHistory, _ motion: RefinedMotion) {
        let instants = sights.instants(shiftedBySeconds: motion.timeShift)
        let motions = history.motions(
            from: sights.start, to: instants, errors: motion.errors, detail: .noise)
        guard let noise = PoseNoisePrior(motions, pictureShake: motion.pictureShake) else { return nil }
        self.init(sights: sights, history: history, noise: noise)
    }
}
