// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

extension FeatureTracker {
    /// Fills cells of the picture that hold no point, then such that hold one, the strongest corners first; where certain
    /// points are scarce, with others, too, and where there are not enough of those, with such as are seen on coarser levels.
    mutating func findNewPoints(areScarce: Bool, _ counts: inout FeatureFrame.Counts) {
        addCorners(onLevel: 0, strongerThan: Self.leastStrength, within: configuration.deviationLimitPixels, &counts)
        guard areScarce else { return }
        addCorners(
            onLevel: 0, strongerThan: Self.leastScarceStrength, within: configuration.scarceDeviationLimitPixels,
            &counts)
        for level in 1..<max(pyramid.levelCount, 1) where points.count < configuration.scarceCount {
            addCorners(
                onLevel: level, strongerThan: Self.leastStrength,
                within: configuration.deviationLimitPixels * Self.pixels(ofLevel: level), &counts)
        }
    }

    private mutating func addCorners(
        onLevel level: Int, strongerThan leastStrength: Double, within limit: Double,
        _ counts: inout FeatureFrame.Counts
    ) {
        let spacing = max(grid.spacing, Double(Self.margin) * Self.pixels(ofLevel: level))
        for count in 0...1 where points.count < configuration.pointCount {
            let cells = grid.cells(holding: count, of: points.map(\.pixel))
            let corners = pyramid.corners(
                in: cells, onLevel: level + 1, awayFrom: points.map(\.pixel),
                spacing: spacing, leastStrength: leastStrength)
            let wanted = configuration.pointCount - points.count
            let best = corners.indices.filter { corners[$0].strength > 0 }
                .sorted { (corners[$0].strength, $1) > (corners[$1].strength, $0) }.prefix(wanted).sorted()
            for index in best {
                add(PixelPoint(corners[index].x_px, corners[index].y_px), onLevel: level, within: limit, &counts)
            }
        }
    }

    /// Corners that are weaker are not even tried: the smaller eigenvalue of the mean of ∇I ∇Iᵀ, in squared grey levels
    /// per pixel of the next coarser level than the point's, if there is one. Noise of 3 grey levels alone gives 0.5.
    private static let leastStrength = 4.0
    private static let leastScarceStrength = 1.0

    /// How many points are as certain as is wanted.
    var certainCount: Int { points.count(where: isCertain) }

    /// Whether a point is.
    func isCertain(_ point: FeaturePoint) -> Bool {
        point.level == 0 && point.deviationPixels <= configuration.deviationLimitPixels
    }

    private mutating func add(
        _ pixel: PixelPoint, onLevel level: Int, within limit: Double, _ counts: inout FeatureFrame.Counts
    ) {
        guard isInside(pixel, onLevel: level), let direction = camera.unproject(pixel) else { return }
        let placing = patches.add(at: pixel, onLevel: level, of: pyramid)
        guard placing.deviationPixels <= limit else {
            patches.removeLast()
            return
        }
        points.append(
            FeaturePoint(
                id: FeatureID(rawValue: nextID), pixel: pixel, direction: direction,
                deviationPixels: placing.deviationPixels, slide: placing.slide, level: level, firstFrame: frameCount,
                frameCount: 1))
        nextID += 1
        warps.append(CVisionWarp(at: pixel))
        origins.append(origin(pixel, onLevel: level))
        counts.new += 1
    }
}
