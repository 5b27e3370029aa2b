// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A finger's outline through the places where its border was seen.
struct OutlineFit: Sendable {
    let outline: FingerOutline
    let fingertip: Fingertip
}

extension FingerOutline {
    /// The outline moved to the crossings, or `nil` where they do not settle it.
    func fit(to crossings: Crossings) -> OutlineFit? {
        guard crossings.found.count >= 10, crossings.found.count * 2 >= crossings.castCount else { return nil }
        var outline = self
        var system = NormalEquations()
        for _ in 0..<4 {
            system = NormalEquations()
            let axes = outline.axes
            for crossing in crossings.found {
                let (residual, slope) = outline.residual(at: crossing.point, axes)
                let scale = max(1, 0.08 * outline.radius)
                let huber = abs(residual) <= scale ? 1 : scale / abs(residual)
                system.add(slope, residual: residual, weight: crossing.weight * huber)
            }
            // Fingers taper a little, seen in perspective some more.
            system.add(
                Slope(0, 0, 0, 0, 1, 0, 0, 0), residual: Self.usualTaper - outline.taper, weight: Self.taperWeight)
            if let remembered = rememberedRadius {
                system.add(
                    Slope(0, 0, 0, 1, 0, 0, 0, 0), residual: remembered - outline.radius, weight: Self.memoryWeight)
            }
            guard let step = system.solution else { return nil }
            outline.center += Vector2(step[0], step[1])
            outline.angle += min(max(step[2], -0.3), 0.3)
            outline.radius += step[3]
            outline.taper = min(max(outline.taper + step[4], Self.leastTaper), Self.largestTaper)
            guard outline.radius > 1, outline.radius.isFinite else { return nil }
        }
        // Where nothing is known of its radius, a cone is a spur, or half of a finger.
        guard rememberedRadius != nil || outline.taper < Self.largestTaper else { return nil }
        return outline.fit(judging: crossings, system)
    }

    /// How much half a finger's width grows for each pixel towards the hand, and how little it varies: a standard deviation of
    /// a seventh, against a pixel's of a ray.
    private static let usualTaper = 0.15
    private static let leastTaper = -0.1
    /// No finger, however it is seen, grows by as much.
    private static let largestTaper = 0.35
    private static let taperWeight = 50.0

    /// As many rays as this would have to say otherwise for the radius to change half as much as they say.
    private static let memoryWeight = 10.0

    private typealias Axes = (direction: Vector2, across: Vector2)

    /// Where the finger points, and across.
    private var axes: Axes {
        let direction = direction
        return (direction, Vector2(-direction.y, direction.x))
    }

    /// The distance of a point from the outline, positive outside, by the outline's five numbers.
    private func residual(at point: Vector2, _ axes: Axes) -> (residual: Double, slope: Slope) {
        let (direction, across) = axes
        let offset = point - center
        let (along, aside) = (offset.dot(direction), offset.dot(across))
        if along >= 0 {
            let distance = offset.length
            let normal = distance > 0 ? offset / distance : direction
            return (distance - radius, Slope(normal.x, normal.y, 0, 1, 0, 0, 0, 0))
        }
        let side = aside >= 0 ? 1.0 : -1.0
        let normal = side * across + taper * direction
        return (
            side * aside - radius + taper * along,
            Slope(normal.x, normal.y, side * along - taper * aside, 1, -along, 0, 0, 0)
        )
    }

    private func fit(judging crossings: Crossings, _ system: NormalEquations) -> OutlineFit? {
        let tolerance = max(1.5, 0.2 * radius)
        let axes = axes
        let residuals = crossings.found.map { residual(at: $0.point, axes).residual }
        let good = zip(crossings.found, residuals).filter { abs($0.1) <= tolerance }
        guard !good.isEmpty else { return nil }
        let support = good.reduce(0) { $0 + min(1, 0.5 + $1.0.weight) } / Double(max(crossings.castCount, 1))
        // A finger's end is a little longer or blunter than half a circle: the tip is where its own rays see it.
        let atTip = zip(crossings.found, residuals).filter { $0.0.isAtTip && abs($0.1) <= 2 * tolerance }.map(\.1)
            .sorted()
        let excess = atTip.isEmpty ? 0 : atTip[atTip.count / 2]
        let variance = max(good.reduce(0) { $0 + $1.1 * $1.1 } / Double(max(good.count - 5, 1)), 0.05 * 0.05)
        let direction = direction
        let across = Vector2(-direction.y, direction.x)
        guard let spreadAlong = system.variance(of: Slope(direction.x, direction.y, 0, 1, 0, 0, 0, 0)),
            let spreadAcross = system.variance(of: Slope(across.x, across.y, radius, 0, 0, 0, 0, 0))
        else { return nil }
        return OutlineFit(
            outline: self,
            fingertip: Fingertip(
                tip: PixelPoint(center + (radius + excess) * direction), direction: direction, radius: radius,
                covariance: PixelCovariance(
                    along: variance * spreadAlong, of: direction, across: variance * spreadAcross),
                confidence: min(1, support)))
    }
}

/// How a number changes with each of an outline's five; the rest is zero.
private typealias Slope = SIMD8<Double>

/// Least squares in five unknowns.
private struct NormalEquations {
    private static let size = 5
    private var rows = [Slope](repeating: .zero, count: size)
    private var right = Slope.zero

    /// Adds the wish that `slope · step` be the residual.
    mutating func add(_ slope: Slope, residual: Double, weight: Double) {
        right += weight * residual * slope
        for row in 0..<Self.size { rows[row] += weight * slope[row] * slope }
    }

    /// The step that meets the wishes best, or `nil` where they leave it open.
    var solution: Slope? { solve(right) }

    /// The variance of a combination of the unknowns, for wishes of unit variance.
    func variance(of combination: Slope) -> Double? {
        solve(combination).map { ($0 * combination).sum() }
    }

    /// Gauss-Jordan elimination with the largest pivot of each column.
    private func solve(_ right: Slope) -> Slope? {
        var (rows, right) = (rows, right)
        for column in 0..<Self.size {
            guard
                let pivot = (column..<Self.size).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-9
            else { return nil }
            if pivot != column {
                rows.swapAt(pivot, column)
                (right[pivot], right[column]) = (right[column], right[pivot])
            }
            for row in 0..<Self.size where row != column {
                let factor = rows[row][column] / rows[column][column]
                rows[row] -= factor * rows[column]
                right[row] -= factor * right[column]
            }
        }
        for row in 0..<Self.size { right[row] /= rows[row][row] }
        return right
    }
}
