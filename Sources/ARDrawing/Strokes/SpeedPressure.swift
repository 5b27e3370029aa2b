// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A pen whose line is thinner the faster it goes, as ink from a nib: a pressure for pens that measure none.
///
/// The pressure falls from `slow` at rest to `fast` at high speed, halfway between at ``halfwaySpeed``:
/// p(v) = fast + (slow − fast) / (1 + v / halfwaySpeed). The speed is measured over a distance, so that single samples
/// that came early or late do not show.
public struct SpeedPressure: Hashable, Sendable {
    /// The pressure of a pen at rest.
    public var slow: Double
    /// The pressure that a very fast pen approaches.
    public var fast: Double
    /// The speed at which the pressure is the mean of both, in metres a second.
    public var halfwaySpeed: Double
    /// The length of the line over which the speed is measured, in metres.
    public var reach: Double

    /// A pen with these values.
    public init(slow: Double = 1.25, fast: Double = 0.5, halfwaySpeed: Double = 0.5, reach: Double = 0.015) {
        precondition(
            Stroke.pressures.contains(slow) && Stroke.pressures.contains(fast) && halfwaySpeed > 0 && reach > 0,
            "a pen cannot have the pressures \(slow) and \(fast), \(halfwaySpeed) m/s and \(reach) m")
        self.slow = slow
        self.fast = fast
        self.halfwaySpeed = halfwaySpeed
        self.reach = reach
    }

    /// The pressure at a speed, in metres a second.
    public func pressure(atSpeed speed: Double) -> Double { fast + (slow - fast) / (1 + speed / halfwaySpeed) }

    /// The stroke with the pressures that its speed gives it.
    public func applied(to stroke: Stroke) -> Stroke {
        var stroke = stroke
        let speeds = stroke.speeds(over: reach)
        for index in stroke.points.indices { stroke.points[index].pressure = pressure(atSpeed: speeds[index]) }
        return stroke
    }
}

extension Stroke {
    /// The pen's speed at each point, in metres a second: the way over the time between the points that lie half of
    /// `reach` metres along the line before it and behind it, or at its ends. Zero where no time went by.
    public func speeds(over reach: Double = 0.015) -> [Double] {
        var along = [0.0]
        for (a, b) in zip(points, points.dropFirst()) {
            along.append(along[along.count - 1] + (b.position - a.position).length)
        }
        var (first, last) = (0, 0)
        return points.indices.map { index in
            while first < index, along[index] - along[first] > reach / 2 { first += 1 }
            while last + 1 < points.count, last < index || along[last] - along[index] < reach / 2 { last += 1 }
            // The neighbours count at least.
            let (from, to) = (max(0, min(first, index - 1)), min(points.count - 1, max(last, index + 1)))
            let seconds = points[to].timestamp.seconds(since: points[from].timestamp)
            return seconds > 0 ? (along[to] - along[from]) / seconds : 0
        }
    }
}
