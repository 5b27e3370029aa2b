// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

extension FeatureTracker {
    /// Fills cells of the picture that hold no point, then such that hold one, the strongest corners first; where certain
    /// points are scarce, with others, too.
    mutating func findNewPoints(areScarce: Bool, _ counts: inout FeatureFrame.Counts) {
        addCorners(strongerThan: Self.leastStrength, within: configuration.deviationLimitPixels, &counts)
        guard areScarce else { return }
        addCorners(
            strongerThan: Self.leastScarceStrength, within: configuration.scarceDeviationLimitPixels, &counts)
    }

    private mutating func addCorners(
        strongerThan leastStrength: Double, within limit: Double, _ counts: inout FeatureFrame.Counts
    ) {
        for count in 0...1 where points.count < configuration.pointCount {
            let cells = grid.cells(holding: count, of: points.map(\.pixel))
            let corners = pyramid.corners(
                in: cells, awayFrom: points.map(\.pixel), spacing: grid.spacing, leastStrength: leastStrength)
            let wanted = configuration.pointCount - points.count
            let best = corners.indices.filter { corners[$0].strength > 0 }
                .sorted { (corners[$0].strength, $1) > (corners[$1].strength, $0) }.prefix(wanted).sorted()
            for index in best { add(PixelPoint(corners[index].x_px, corners[index].y_px), within: limit, &counts) }
        }
    }

    /// Corners that are weaker are not even tried: the smaller eigenvalue of the mean of ∇I ∇Iᵀ, in squared grey levels
    /// per pixel of the half-sized picture. Noise of 3 grey levels alone gives 0.5.
    private static let leastStrength = 4.0
    private static let leastScarceStrength = 1.0

    /// How many points are as certain as is wanted.
    var certainCount: Int { points.count(where: isCertain) }

    /// Whether a point is.
    func isCertain(_ point: FeaturePoint) -> Bool { point.deviationPixels <= configuration.deviationLimitPixels }

    private mutating func add(_ pixel: PixelPoint, within limit: Double, _ counts: inout FeatureFrame.Counts) {
        guard let direction = camera.unproject(pixel) else { return }
        let placing = patches.add(at: pixel, in: pyramid)
        guard placing.deviationPixels <= limit else {
            patches.removeLast()
            return
        }
        points.append(
            FeaturePoint(
                id: FeatureID(rawValue: nextID), pixel: pixel, direction: direction,
                deviationPixels: placing.deviationPixels, slide: placing.slide, firstFrame: frameCount, frameCount: 1))
        nextID += 1
        warps.append(CVisionWarp(at: pixel))
        counts.new += 1
    }
}
