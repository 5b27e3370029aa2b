// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve
import Foundation

/// How a camera that hardly moved turned and shifted between two pictures, and how well the pictures tell.
///
/// A point seen in direction a before is seen in direction b ∝ Rᵀ (a − κ s) after, where s is the shift over the usual
/// distance of things and κ, about one, the point's inverse depth times that distance. Each κ is only known to lie near one:
/// what it leaves free, the shift along the epipolar line, tells nothing of the turn. A hand that sways before a table and a
/// hand that turns are told apart by what moves across the lines, as in two-view geometry (Kneip & Lynen 2013, "Direct
/// Optimization of Frame-to-Frame Rotation"), and where all things are equally far, by the pictures' edges.
///
/// Levenberg-Marquardt steps with the points eliminated; errors count as Student's t errors do. Law:
/// `TwoViewMotionTests.tellsTurnsFromShifts`.
struct TwoViewMotion {
    /// The rotation vector of the turn, and the shift over the usual distance, of the camera with OpenCV's axes in the
    /// first picture's frame.
    let turn: Vector3
    let shift: Vector3
    /// The covariances of the turn, in rad², and of the shift over the usual distance; that of the turn alone holds that before a
    /// plane there may be another solution.
    let turnCovariance: Matrix3x3
    let shiftCovariance: Matrix3x3

    /// A point in both pictures: its directions, of unit length, and the standard deviation of the angle between them, in
    /// radians.
    struct Sight {
        var before, after: Vector3
        var deviation: Double
    }

    /// How far a device that hardly moves may have shifted, over the usual distance of things.
    private static let shiftDeviation = 0.05
    /// A plane with the normal n before which the camera shifts by s looks like another, where it shifts by n and turns by
    /// n×s besides (Longuet-Higgins 1986, "The Reconstruction of a Plane Surface from Two Perspective Projections"). So
    /// a turn is not known better than to this share of the shift.
    private static let planeAmbiguity = 0.5
    /// How wrong a turn may be that is about known, in radians: clocks that are off by 40 ms make it so, at a quarter of a radian a second.
    private static let guessDeviation = 0.01
    private static let fewest = 8

    /// `nil` where the points are too few or do not tell.
    /// - Parameters:
    ///   - sights: the points.
    ///   - firstFromSecond: about how the camera turned, which tells apart the two motions that a plane shows alike. Without it, that is
    ///     found which is nearer to a turn alone.
    ///
    /// Law: `TwoViewMotionTests.aboutKnownTurnsTellTwoMotionsApart`.
    init?(_ sights: [Sight], turnedByAbout firstFromSecond: Rotation? = nil) {
        guard sights.count >= Self.fewest, let pictureTurn = Self.pictureTurn(sights) else { return nil }
        var found = Minimum(sights, near: pictureTurn, isTurnKnown: false)
        if let guess = firstFromSecond {
            func misfit(_ minimum: Minimum) -> Double {
                let turnLeft = (guess.inverse * Rotation(rotationVector: minimum.turn)).rotationVector
                return minimum.system.cost + turnLeft.squaredLength / (Self.guessDeviation * Self.guessDeviation)
            }
            found = [Minimum(sights, near: guess.rotationVector, isTurnKnown: true), found].compactMap { $0 }
                .min { misfit($0) < misfit($1) }
        }
        guard let best = found, let covariances = best.system.covariances else { return nil }
        (turn, shift) = (best.turn, best.shift)
        let variance = Self.planeAmbiguity * Self.planeAmbiguity * shift.squaredLength
        turnCovariance = covariances.turn + Matrix3x3(diagonal: Vector3(repeating: variance))
        shiftCovariance = covariances.shift
    }

    /// The turn that alone explains the pictures best.
    private static func pictureTurn(_ sights: [Sight]) -> Vector3? {
        var picture = PictureTurn()
        for sight in sights { picture.add(sight.before, sight.after) }
        return picture.rotationVector
    }

    /// Where what is seen is explained better than by motions near it.
    private struct Minimum {
        private let sights: [Sight]
        private(set) var turn: Vector3
        private(set) var shift = Vector3.zero
        private var inverseDepths: [Double]
        private(set) var system: System

        private static let steps = 12

        /// The minimum that is reached from a turn without a shift; where the turn is known, from the shift that goes best with it.
        init?(_ sights: [Sight], near turn: Vector3, isTurnKnown: Bool) {
            self.sights = sights
            self.turn = turn
            inverseDepths = [Double](repeating: 1, count: sights.count)
            system = System(sights, inverseDepths, turn: turn, shift: .zero)
            if isTurnKnown { guard descend(isTurnHeld: true) else { return nil } }
            guard descend(isTurnHeld: false) else { return nil }
        }

        /// Goes to where it is lowest; `false` where the points do not tell where that is.
        private mutating func descend(isTurnHeld: Bool) -> Bool {
            var damping = 1e-4
            for _ in 0..<Self.steps {
                guard let step = system.step(damping: damping, isTurnHeld: isTurnHeld) else { return false }
                let turn = (Rotation(rotationVector: self.turn) * Rotation(rotationVector: step.turn)).rotationVector
                let depths = zip(inverseDepths, step.inverseDepths).map { $0 + $1 }
                let next = System(sights, depths, turn: turn, shift: shift + step.shift)
                if next.cost < system.cost {
                    let isDone = system.cost - next.cost < 1e-6 * system.cost
                    (system, self.turn, inverseDepths) = (next, turn, depths)
                    shift += step.shift
                    damping /= 10
                    if isDone { break }
                } else {
                    guard damping < 1e6 else { break }
                    damping = max(10 * damping, 1e-4)
                }
            }
            return true
        }
    }

    /// The normal equations for the turn and the shift.
    private struct System {
        private var rows: [Row]
        private var information = [Double](repeating: 0, count: 36)
        private var right = [Double](repeating: 0, count: 6)
        private(set) var cost: Double

        /// A damping under which nothing moves.
        private static let hold = 1e12

        init(_ sights: [Sight], _ inverseDepths: [Double], turn: Vector3, shift: Vector3) {
            let firstFromSecond = Rotation(rotationVector: turn)
            rows = zip(sights, inverseDepths).map { Row($0, inverseDepth: $1, firstFromSecond, shift: shift) }
            let prior = 1 / (shiftDeviation * shiftDeviation)
            cost = rows.reduce(prior * shift.squaredLength) { $0 + $1.cost }
            for axis in 0..<3 {
                information[7 * (3 + axis)] = prior
                right[3 + axis] = -prior * shift[axis]
            }
            for row in rows { row.add(to: &information, &right) }
        }

        /// Towards the minimum; with a held turn, that of shifts and inverse depths.
        func step(damping: Double, isTurnHeld: Bool) -> (turn: Vector3, shift: Vector3, inverseDepths: [Double])? {
            var (damped, step) = (information, right)
            for index in 0..<6 { damped[7 * index] *= 1 + (isTurnHeld && index < 3 ? Self.hold : damping) }
            guard csolve_solve_positive_definite(damped, 6, &step, 1) == CSOLVE_OK else { return nil }
            let (turn, shift) = (Vector3(step[0], step[1], step[2]), Vector3(step[3], step[4], step[5]))
            return (turn, shift, rows.map { $0.change(turn, shift) })
        }

        var covariances: (turn: Matrix3x3, shift: Matrix3x3)? {
            var columns = [Double](repeating: 0, count: 36)
            for axis in 0..<6 { columns[7 * axis] = 1 }
            guard csolve_solve_positive_definite(information, 6, &columns, 6) == CSOLVE_OK else { return nil }
            func block(_ first: Int) -> Matrix3x3 {
                func column(_ c: Int) -> Vector3 { Vector3(columns[c], columns[c + 1], columns[c + 2]) }
                return Matrix3x3(column(7 * first), column(7 * first + 6), column(7 * first + 12))
            }
            return (block(0), block(3))
        }
    }

    /// A point's two equations, whitened: how its direction after changes with the turn, the shift and its inverse depth.
    private struct Row {
        private let byTurn, byShift: (Vector3, Vector3)
        private let byDepth, residual: Vector2
        private let depthInformation, depthRight: Double
        let cost: Double

        /// How much inverse depths differ from the usual one, as a share of it.
        private static let depthDeviation = 0.5
        /// The degrees of freedom of Student's t distribution that the errors follow.
        private static let errorFreedom = 3.0

        init(_ sight: Sight, inverseDepth: Double, _ firstFromSecond: Rotation, shift: Vector3) {
            let secondFromFirst = firstFromSecond.inverse
            let seen = secondFromFirst * (sight.before - shift * inverseDepth)
            let unit = 1 / (seen.length * sight.deviation)
            let first = sight.after.anyPerpendicular() ?? Vector3(1, 0, 0)
            let second = sight.after.cross(first)
            let error = unit * Vector2(first.dot(seen), second.dot(seen))
            let weight = (Self.errorFreedom + 2) / (Self.errorFreedom + error.squaredLength)
            let scale = weight.squareRoot() * unit
            // With R Exp(δ), what is seen becomes c + c×δ.
            byTurn = (scale * first.cross(seen), scale * second.cross(seen))
            let byPlace = -scale * inverseDepth
            byShift = (byPlace * (firstFromSecond * first), byPlace * (firstFromSecond * second))
            let along = secondFromFirst * shift
            byDepth = -scale * Vector2(first.dot(along), second.dot(along))
            residual = -weight.squareRoot() * error
            let prior = 1 / (Self.depthDeviation * Self.depthDeviation)
            let distance = inverseDepth - 1
            depthInformation = byDepth.squaredLength + prior
            depthRight = byDepth.dot(residual) - prior * distance
            cost =
                (Self.errorFreedom + 2) * log(1 + error.squaredLength / Self.errorFreedom)
                + prior * distance * distance
        }

        private func column(_ index: Int) -> Vector2 {
            index < 3 ? Vector2(byTurn.0[index], byTurn.1[index]) : Vector2(byShift.0[index - 3], byShift.1[index - 3])
        }

        /// Adds the equations without the inverse depth.
        func add(to information: inout [Double], _ right: inout [Double]) {
            for j in 0..<6 {
                let own = column(j)
                let cross = own.dot(byDepth) / depthInformation
                right[j] += own.dot(residual) - cross * depthRight
                for i in j..<6 {
                    let other = column(i)
                    information[6 * j + i] += other.dot(own) - cross * other.dot(byDepth)
                }
            }
        }

        /// What the inverse depth does when the turn and the shift change.
        func change(_ turn: Vector3, _ shift: Vector3) -> Double {
            let moved = Vector2(
                byTurn.0.dot(turn) + byShift.0.dot(shift), byTurn.1.dot(turn) + byShift.1.dot(shift))
            return (depthRight - byDepth.dot(moved)) / depthInformation
        }
    }
}
