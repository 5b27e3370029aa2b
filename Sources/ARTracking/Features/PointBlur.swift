// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// How the light of points is spread over the picture while it is exposed, by their way from the last frame to this one.
///
/// Law: `PointBlurTests`.
struct PointBlur: Sendable {
    /// What the last frame showed, in the order of ids, and when.
    private var last: (points: [SeenPoint], instant: Timestamp)?
    /// Of each point of the newest frame, the covariance of where its light falls, in pixels²: b bᵀ / 12 for one that goes by b
    /// meanwhile.
    private(set) var ofPoints: [PixelCovariance] = []

    /// A way over a longer time says little of the speed now.
    private static let longestSeconds = 0.2

    /// Takes in a frame's points, in the order of their ids. One that is new goes as the others do in the mean.
    ///
    /// - exposureVariance: the variance of the times at which light is collected, in s².
    mutating func update(_ points: [SeenPoint], at instant: Timestamp, exposureVariance: Double) {
        defer { last = (points, instant) }
        ofPoints.removeAll(keepingCapacity: true)
        guard let last, case let seconds = instant.seconds(since: last.instant), seconds > 0,
            seconds <= Self.longestSeconds
        else {
            ofPoints.append(contentsOf: repeatElement(.zero, count: points.count))
            return
        }
        let byWay = max(exposureVariance, 0) / (seconds * seconds)
        var (sum, count) = (PixelCovariance.zero, 0.0)
        var before = last.points.startIndex
        func way(of point: SeenPoint) -> Vector2? {
            while before < last.points.endIndex, last.points[before].id < point.id { before += 1 }
            guard before < last.points.endIndex, last.points[before].id == point.id else { return nil }
            return point.pixel.vector - last.points[before].pixel.vector
        }
        let ways = points.map(way)
        for case let way? in ways {
            sum = sum + PixelCovariance(spreadAlong: way)
            count += 1
        }
        let usual = (1 / max(count, 1)) * sum
        ofPoints.append(contentsOf: ways.lazy.map { byWay * ($0.map { PixelCovariance(spreadAlong: $0) } ?? usual) })
    }
}

extension PixelCovariance {
    /// w wᵀ.
    fileprivate init(spreadAlong way: Vector2) {
        self.init(xx: way.x * way.x, xy: way.x * way.y, yy: way.y * way.y)
    }
}
