// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

extension FeatureTracker {
    /// Follows all points from the last picture into the newest, and drops those that are lost.
    mutating func followPoints(_ motion: PredictedMotion?, _ counts: inout FeatureFrame.Counts) {
        let prediction = FlowPrediction(motion, camera: camera, imageSize: imageSize)
        let (old, oldWarps) = (points, warps)
        var fates = [Fate](repeating: .followed, count: points.count)
        findAgain(prediction, &fates)
        loseTheUncertain(&fates)
        checkBackwards(to: old, &fates)
        checkMotion(from: old, prediction, &fates)
        renewWornPatches(fates)
        for fate in fates { counts.add(fate) }
        // What is lost is as it was when it was seen last: a fit that failed tells nothing of its patch's shape.
        for index in points.indices where !fates[index].isFollowed { warps[index] = oldWarps[index] }
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

    /// Leads each point along the flow to within a pixel, then to where its patch fits; where few do, those whose patches do not
    /// to where the flow leads them.
    private mutating func findAgain(_ prediction: FlowPrediction, _ fates: inout [Fate]) {
        let old = points.map(\.pixel)
        let top = pyramid.levelCount - 1
        let coarseFlows = flows(
            of: Array(points.indices), from: previousPyramid, at: old, to: pyramid, points.map(prediction.pixel)
        ) { min($0 + 1, top)...top }
        for index in points.indices {
            (warps[index].x, warps[index].y) = (coarseFlows[index].x_px, coarseFlows[index].y_px)
        }
        turnPatches()
        let fits = patches.align(&warps, curved: origins.map(\.view.curvature), in: pyramid)
        let isFit = points.indices.map { index in
            let tolerance = Self.flowTolerance * Self.pixels(ofLevel: points[index].level)
            return fits[index].isGood && fits[index].pixel.distance(to: coarseFlows[index].pixel) < tolerance
        }
        for index in points.indices {
            fates[index] = isFit[index] ? place(index, fits[index], .followed) : .lostByFlow
        }
        guard isFit.count(where: { $0 }) < configuration.scarceCount else { return }
        let unfit = points.indices.filter { !isFit[$0] }
        let flows = flows(of: unfit, from: previousPyramid, at: old, to: pyramid, coarseFlows.map(\.pixel)) { $0...$0 }
        for index in unfit { fates[index] = place(index, flows[index], .followedByFlowAlone) }
    }

    /// Turns the patches' warps as the camera has turned, and curves what they leave.
    private mutating func turnPatches() {
        for index in points.indices {
            let (old, pixel) = (origins[index].view, PixelPoint(warps[index].x, warps[index].y))
            origins[index].look(camera, at: pixel, opticalFromFirstOptical: opticalFromFirstOptical)
            warps[index] = warps[index].turned(from: old, to: origins[index].view)
            origins[index].curve(camera, as: warps[index])
        }
    }

    /// Where the flow leads some of the points from one picture to another, each on levels that depend on its own. All arrays
    /// are in the order of the points.
    private func flows(
        of indices: [Int], from: ImagePyramid, at old: [PixelPoint], to: ImagePyramid, _ starts: [PixelPoint],
        levels: (Int) -> ClosedRange<Int>
    ) -> [CVisionFlow] {
        var flows = [CVisionFlow](repeating: CVisionFlow(), count: points.count)
        for level in 0..<pyramid.levelCount {
            let members = indices.filter { points[$0].level == level }
            guard !members.isEmpty else { continue }
            let found = from.flow(
                of: members.map { old[$0] }, to: to, startingAt: members.map { starts[$0] }, levels: levels(level))
            for (index, flow) in zip(members, found) { flows[index] = flow }
        }
        return flows
    }

    /// How far from where the flow on the next coarser level leads a patch may fit, in pixels of its level.
    private static let flowTolerance = 1.5

    /// Puts a point where it was found.
    private mutating func place(_ index: Int, _ flow: CVisionFlow, _ fate: Fate) -> Fate {
        guard flow.outcome != CVISION_FLOW_LEFT else { return .lostAtBorder }
        let level = points[index].level
        let limit =
            max(configuration.deviationLimitPixels, configuration.scarceDeviationLimitPixels)
            * Self.pixels(ofLevel: level)
        guard flow.isGood, Double(flow.deviation_px) <= limit else { return .lostByFlow }
        guard isInside(flow.pixel, onLevel: level), let direction = camera.unproject(flow.pixel) else {
            return .lostAtBorder
        }
        points[index].pixel = flow.pixel
        points[index].direction = direction
        points[index].deviationPixels = Double(flow.deviation_px)
        points[index].slide = PixelCovariance(flow.slide)
        points[index].frameCount += 1
        return fate
    }

    /// Loses the points that are less certain than is wanted, where there are others.
    private func loseTheUncertain(_ fates: inout [Fate]) {
        let followed = points.indices.filter { fates[$0].isFollowed }
        guard followed.count(where: { isCertain(points[$0]) }) >= configuration.scarceCount else { return }
        for index in followed where !isCertain(points[index]) { fates[index] = .lostByFlow }
    }

    /// Follows the points back into the last picture: those that do not come from where they were are lost.
    private func checkBackwards(to old: [FeaturePoint], _ fates: inout [Fate]) {
        let origins = old.map(\.pixel)
        let flows = flows(
            of: Array(points.indices), from: pyramid, at: points.map(\.pixel), to: previousPyramid, origins
        ) { $0...$0 }
        for index in points.indices where fates[index].isFollowed {
            let limit = configuration.backwardLimitPixels * Self.pixels(ofLevel: points[index].level)
            let isBack = flows[index].isGood && flows[index].pixel.distance(to: origins[index]) <= limit
            if !isBack { fates[index] = .lostByBackwardCheck }
        }
    }

    /// Loses the points that move otherwise than the camera makes them.
    private mutating func checkMotion(
        from old: [FeaturePoint], _ prediction: FlowPrediction, _ fates: inout [Fate]
    ) {
        let followed = points.indices.filter { fates[$0].isFollowed }
        let pixelAngle = 2 / (camera.intrinsics.fx + camera.intrinsics.fy)
        let consensus = MotionConsensus(
            from: followed.map { prediction.direction(of: old[$0], seenIn: points[$0].pixel.y) },
            to: followed.map { points[$0].direction },
            pixelAngles: followed.map { pixelAngle * Self.pixels(ofLevel: points[$0].level).squareRoot() },
            limitPixels: configuration.outlierLimitPixels)
        let inliers = consensus.inliers(isTurnKnown: prediction.isTurnKnown, random: &random)
        for (index, isInlier) in zip(followed, inliers) where !isInlier { fates[index] = .lostAsOutlier }
    }

    /// Takes the patches anew of points that have come to look different.
    private mutating func renewWornPatches(_ fates: [Fate]) {
        for index in points.indices where fates[index].isFollowed {
            guard fates[index] == .followedByFlowAlone || !warps[index].isModerate else { continue }
            warps[index] = CVisionWarp(at: points[index].pixel)
            origins[index] = origin(points[index].pixel, onLevel: points[index].level)
            patches.renew(index, at: points[index].pixel, onLevel: points[index].level, of: pyramid)
        }
    }

    /// Whether a patch around a pixel does not reach over the picture's edge.
    func isInside(_ pixel: PixelPoint, onLevel level: Int) -> Bool {
        let margin = Double(Self.margin) * Self.pixels(ofLevel: level)
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

extension PixelCovariance {
    init(_ spread: CVisionSpread) { self.init(xx: Double(spread.xx), xy: Double(spread.xy), yy: Double(spread.yy)) }
}

extension CVisionFlow {
    var pixel: PixelPoint { PixelPoint(x_px, y_px) }

    /// Whether the search came to an end at something that looks alike. Noise half as strong as a patch's contrast gives
    /// a correlation of 0.8.
    var isGood: Bool { outcome == CVISION_FLOW_FOLLOWED && correlation >= 0.8 }
}
