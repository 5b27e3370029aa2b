// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

extension FeatureTracker {
    /// Follows all points from the last picture into the newest, and drops those that are lost.
    mutating func followPoints(_ motion: PredictedMotion?, _ counts: inout FeatureFrame.Counts) {
        let prediction = FlowPrediction(motion, camera: camera, imageSize: imageSize)
        let old = points
        var fates = [Fate](repeating: .followed, count: points.count)
        findAgain(prediction, &fates)
        checkBackwards(to: old, &fates)
        checkMotion(from: old, prediction, &fates)
        renewWornPatches(fates)
        for fate in fates { counts.add(fate) }
        keep(fates.map(\.isFollowed))
    }

    /// What becomes of a point on its way into the next frame.
    enum Fate {
        case followed
        /// Followed, although its patch does not fit any more.
        case followedByFlowAlone
        case lostByFlow
        case lostByBackwardCheck
        case lostAsOutlier
        case lostAtBorder

        var isFollowed: Bool { self == .followed || self == .followedByFlowAlone }
    }

    /// Patches that are less alike than this are not of the same thing. Noise as strong as a patch's contrast alone
    /// gives 0.7.
    private static let leastCorrelation: Float = 0.8

    /// Leads each point along the flow to within a pixel, then to where its patch fits.
    private mutating func findAgain(_ prediction: FlowPrediction, _ fates: inout [Fate]) {
        let flows = previousPyramid.flow(
            of: points.map(\.pixel), to: pyramid, startingAt: points.map(prediction.pixel),
            coarsestLevel: pyramid.levelCount - 1)
        for index in points.indices { (warps[index].x, warps[index].y) = (flows[index].x_px, flows[index].y_px) }
        let fits = patches.align(&warps, in: pyramid)
        for index in points.indices {
            fates[index] = place(index, flow: flows[index], fit: fits[index])
        }
    }

    /// Puts a point where it was found.
    private mutating func place(_ index: Int, flow: CVisionFlow, fit: CVisionFlow) -> Fate {
        guard flow.outcome != CVISION_FLOW_LEFT else { return .lostAtBorder }
        guard flow.isGood(Self.leastCorrelation) else { return .lostByFlow }
        let isFit = fit.isGood(Self.leastCorrelation) && fit.pixel.distance(to: flow.pixel) < 1
        let pixel = isFit ? fit.pixel : flow.pixel
        let deviation = Double(isFit ? fit.deviation_px : flow.deviation_px)
        guard deviation <= configuration.deviationLimitPixels else { return .lostByFlow }
        guard isInside(pixel), let direction = camera.unproject(pixel) else { return .lostAtBorder }
        points[index].pixel = pixel
        points[index].direction = direction
        points[index].deviationPixels = deviation
        points[index].frameCount += 1
        return isFit ? .followed : .followedByFlowAlone
    }

    /// Follows the points back into the last picture: those that do not come from where they were are lost.
    private func checkBackwards(to old: [FeaturePoint], _ fates: inout [Fate]) {
        let origins = old.map(\.pixel)
        let flows = pyramid.flow(
            of: points.map(\.pixel), to: previousPyramid, startingAt: origins, coarsestLevel: 0)
        for index in points.indices where fates[index].isFollowed {
            let flow = flows[index]
            let isBack =
                flow.isGood(Self.leastCorrelation)
                && flow.pixel.distance(to: origins[index]) <= configuration.backwardLimitPixels
            if !isBack { fates[index] = .lostByBackwardCheck }
        }
    }

    /// Loses the points that move otherwise than the camera makes them.
    private mutating func checkMotion(
        from old: [FeaturePoint], _ prediction: FlowPrediction, _ fates: inout [Fate]
    ) {
        let followed = points.indices.filter { fates[$0].isFollowed }
        let consensus = MotionConsensus(
            from: followed.map { prediction.direction(of: old[$0], seenIn: points[$0].pixel.y) },
            to: followed.map { points[$0].direction },
            pixelAngle: 2 / (camera.intrinsics.fx + camera.intrinsics.fy),
            limitPixels: configuration.outlierLimitPixels)
        let inliers = consensus.inliers(isTurnKnown: prediction.isTurnKnown, random: &random)
        for (index, isInlier) in zip(followed, inliers) where !isInlier { fates[index] = .lostAsOutlier }
    }

    /// Takes the patches anew of points that have come to look different.
    private mutating func renewWornPatches(_ fates: [Fate]) {
        for index in points.indices where fates[index].isFollowed {
            guard fates[index] == .followedByFlowAlone || !warps[index].isModerate else { continue }
            warps[index] = CVisionWarp(at: points[index].pixel)
            patches.renew(index, at: points[index].pixel, in: pyramid)
        }
    }

    private func isInside(_ pixel: PixelPoint) -> Bool {
        let margin = Double(Self.margin)
        return pixel.x >= margin && pixel.y >= margin && pixel.x <= Double(imageSize.width - 1) - margin
            && pixel.y <= Double(imageSize.height - 1) - margin
    }
}

extension FeatureFrame.Counts {
    fileprivate mutating func add(_ fate: FeatureTracker.Fate) {
        switch fate {
        case .followed, .followedByFlowAlone: followed += 1
        case .lostByFlow: lostByFlow += 1
        case .lostByBackwardCheck: lostByBackwardCheck += 1
        case .lostAsOutlier: lostAsOutliers += 1
        case .lostAtBorder: lostAtBorder += 1
        }
    }
}

extension CVisionFlow {
    fileprivate var pixel: PixelPoint { PixelPoint(x_px, y_px) }

    fileprivate func isGood(_ leastCorrelation: Float) -> Bool {
        outcome == CVISION_FLOW_FOLLOWED && correlation >= leastCorrelation
    }
}
