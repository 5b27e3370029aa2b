// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

/// Which points move as a camera's motion through a rigid scene makes them.
///
/// With the turn between two frames known, two points give the direction in which the camera moved: it lies in the plane
/// that each point's two directions span (Kneip, Chli, Siegwart 2011, "Robust real-time visual odometry with a single
/// camera and an IMU"; Troiani et al. 2014). The direction with which most points agree is then refined together with a
/// small turn, so that a gyroscope's bias, a late stamp or a crooked mounting make no outliers. Where the turn is not
/// known, the one that most points agree with takes its place.
///
/// A point that does not move agrees with any direction: at rest, and where the camera only turns, none is an outlier.
struct MotionConsensus {
    /// Where the points were seen, turned into the axes of the newer frame as far as the turn is known.
    private var old: [Vector3]
    /// Where they are seen now.
    private let new: [Vector3]
    /// The angle that a pixel of each point spans, in radians: by it the point's errors are measured.
    private let pixelAngles: [Double]
    /// How far from its epipolar plane a point may be, in its pixels.
    private let limit: Double

    /// Fewer points say nothing about each other.
    private static let leastCount = 10

    /// - Parameters:
    ///   - old: unit vectors in the newer frame's axes, as far as the turn is known.
    ///   - new: unit vectors to the same points now.
    ///   - pixelAngles: for each point the angle, in radians, that its pixel spans: wider ones for points that are seen less
    ///     exactly.
    ///   - limitPixels: how many of them a point may be off.
    init(from old: [Vector3], to new: [Vector3], pixelAngles: [Double], limitPixels: Double) {
        precondition(
            old.count == new.count && old.count == pixelAngles.count,
            "\(old.count) directions cannot be compared with \(new.count) by \(pixelAngles.count) angles")
        self.old = old
        self.new = new
        self.pixelAngles = pixelAngles
        limit = limitPixels
    }

    /// Whether each point agrees with the motion; all do where fewer than half agree with any, or there are too few.
    func inliers(isTurnKnown: Bool, random: inout SeededRandom) -> [Bool] {
        let all = [Bool](repeating: true, count: old.count)
        guard old.count >= Self.leastCount else { return all }
        func isMostOf(_ inliers: [Bool], _ share: Double) -> Bool {
            Double(inliers.count { $0 }) >= share * Double(inliers.count)
        }
        if isTurnKnown {
            let inliers = inliers(random: &random)
            if isMostOf(inliers, 0.8) { return inliers }
        }
        var turned = self
        turned.turnByMostPoints()
        let inliers = turned.inliers(random: &random)
        return isMostOf(inliers, 0.5) ? inliers : all
    }

    private func inliers(random: inout SeededRandom) -> [Bool] {
        guard let start = bestDirection(random: &random) else { return old.map { _ in true } }
        var refined = self
        let direction = refined.refine(start)
        return refined.agreement(with: direction)
    }
}

// MARK: Residuals

extension MotionConsensus {
    /// How far a point is from the epipolar plane, in pixels: the Sampson distance on the sphere, u · (v × t) over the
    /// length of its gradient. Near the epipole, where a plane means nothing, it fades to the distance from there.
    @inline(__always) private func distance(_ index: Int, _ direction: Vector3) -> Double {
        direction.dot(old[index].cross(new[index])) / gradientLength(index, direction) / pixelAngles[index]
    }

    @inline(__always) private func gradientLength(_ index: Int, _ direction: Vector3) -> Double {
        let (alongU, alongV) = (direction.dot(old[index]), direction.dot(new[index]))
        let pixelAngle = pixelAngles[index]
        return max(2 - alongU * alongU - alongV * alongV, pixelAngle * pixelAngle).squareRoot()
    }

    /// How far a point moved although the turn is undone, in pixels.
    private func parallax(_ index: Int) -> Double { old[index].cross(new[index]).length / pixelAngles[index] }

    /// Points that agree with a motion along the direction: near their epipolar plane, and not moving backwards in it.
    private func agreement(with direction: Vector3) -> [Bool] {
        let distances = old.indices.map { abs(distance($0, direction)) }
        // What all points show, a rolling shutter's bending for example, is no fault of any.
        let deviation = 1.4826 * distances.sorted()[distances.count / 2]
        let widened = min(max(limit, 3 * deviation), 3 * limit)
        // A point before the camera moves away from where the camera goes: λ u + t ∥ v, so that λ (u × v) = v × t.
        let advances = old.indices.map { index -> Double in
            let side = new[index].cross(direction)
            return side.dot(old[index].cross(new[index])) / max(side.length, pixelAngles[index]) / pixelAngles[index]
        }
        let forward = zip(advances, distances).reduce(0) { sum, point in
            point.1 <= widened ? sum + min(max(point.0, -limit), limit) : sum
        }
        let sense = forward < 0 ? -1.0 : 1.0
        return zip(advances, distances).map { $0 * sense > -2 * widened && $1 <= widened }
    }
}

// MARK: Finding the motion

extension MotionConsensus {
    /// The direction, of those that two random points give, with which the points agree best (Torr, Zisserman 2000,
    /// MSAC); `nil` where fewer than two points move.
    private func bestDirection(random: inout SeededRandom) -> Vector3? {
        let moving = old.indices.filter { parallax($0) > limit }
        guard moving.count >= 2 else { return nil }
        var best: (direction: Vector3, cost: Double)?
        var trial = 0
        var neededTrials = 64.0
        while Double(trial) < neededTrials {
            trial += 1
            let first = moving[Int(random.uniform(0..<Double(moving.count)))]
            let second = moving[Int(random.uniform(0..<Double(moving.count)))]
            let normals = (old[first].cross(new[first]), old[second].cross(new[second]))
            guard let direction = normals.0.cross(normals.1).normalized() else { continue }
            var cost = 0.0
            var agreeing = 0
            for index in old.indices {
                let distance = distance(index, direction)
                let square = distance * distance
                cost += min(square, limit * limit)
                agreeing += square < limit * limit ? 1 : 0
            }
            guard cost < best?.cost ?? .infinity else { continue }
            best = (direction, cost)
            // Enough for a pair without outliers to have come with a probability of 99 %.
            let pairShare = Double(agreeing * agreeing) / Double(old.count * old.count)
            neededTrials = pairShare < 1 ? min(neededTrials, log(0.01) / log(1 - pairShare)) : 0
        }
        return best?.direction
    }

    /// Improves the direction, and turns the old directions a little, until the points agree best: Gauss and Newton's
    /// method on ``distance(_:_:)`` with Geman and McClure's weights. A weak prior holds the turn where the points leave
    /// it open.
    private mutating func refine(_ start: Vector3) -> Vector3 {
        var direction = start
        let finest = pixelAngles.min() ?? 1
        let priorWeight = 1 / (10 * finest * 10 * finest)
        for _ in 0..<4 {
            var (byDirection, byTurn, mixed) = (Matrix3x3.zero, Matrix3x3.zero, Matrix3x3.zero)
            var (rightDirection, rightTurn) = (Vector3.zero, Vector3.zero)
            for index in old.indices {
                let (u, v) = (old[index], new[index])
                let scale = 1 / (gradientLength(index, direction) * pixelAngles[index])
                let normal = u.cross(v) * scale
                let distance = direction.dot(normal)
                let slope = u.cross(v.cross(direction)) * scale
                let robust = 1 / (1 + distance * distance / (limit * limit))
                let weight = robust * robust
                byDirection = byDirection + weight * Matrix3x3.outerProduct(normal, normal)
                byTurn = byTurn + weight * Matrix3x3.outerProduct(slope, slope)
                mixed = mixed + weight * Matrix3x3.outerProduct(normal, slope)
                rightDirection -= weight * distance * normal
                rightTurn -= weight * distance * slope
            }
            // Along itself the direction stays as it is.
            let size = byDirection.columns.0.x + byDirection.columns.1.y + byDirection.columns.2.z
            byDirection = byDirection + (size + 1) * Matrix3x3.outerProduct(direction, direction)
            byDirection = byDirection + 1e-6 * Matrix3x3.identity
            byTurn = byTurn + priorWeight * Matrix3x3.identity
            guard let inverse = byDirection.inverse,
                let complement = (byTurn - mixed.transpose * inverse * mixed).inverse
            else { break }
            let turn = complement * (rightTurn - mixed.transpose * (inverse * rightDirection))
            let step = inverse * (rightDirection - mixed * turn)
            direction = (direction + step).normalized() ?? direction
            self.turn(by: turn)
        }
        return direction
    }

    /// Turns the old directions so that most points move little: what the camera's turn is where it is not known, but for
    /// what a translation adds. Iteratively reweighted least squares on v − u = θ × u.
    private mutating func turnByMostPoints() {
        for _ in 0..<8 {
            let parallaxes = old.indices.map(parallax)
            let scale = max(parallaxes.sorted()[parallaxes.count / 2], limit)
            var (matrix, right) = (Matrix3x3.zero, Vector3.zero)
            for index in old.indices {
                let weight = 1 / (1 + parallaxes[index] * parallaxes[index] / (scale * scale))
                let u = old[index]
                matrix = matrix + weight * (Matrix3x3.identity - Matrix3x3.outerProduct(u, u))
                right += weight * u.cross(new[index])
            }
            guard let inverse = matrix.inverse else { return }
            turn(by: inverse * right)
        }
    }

    private mutating func turn(by vector: Vector3) {
        let rotation = Rotation(rotationVector: vector)
        for index in old.indices { old[index] = rotation * old[index] }
    }
}
