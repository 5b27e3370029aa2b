// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Follows a patch of a picture, given once by a box, from picture to picture: Vision's `VNTrackObjectRequest`.
///
/// A filter that is trained to answer at the patch and nowhere around it (edges, light and colours of a window; spatially
/// regularised, with all of the window as counter-example) finds the patch over jumps of more than its size. The looks
/// that are remembered, the first and the last, are fitted there by shift, turn and scale to a fraction of a pixel. Where
/// the filter answers weakly, turned and scaled windows are tried, and then the whole picture, where more is asked of an
/// answer. What answers too weakly is lost rather than guessed, and nothing is learnt from it.
///
/// Pictures in colour tell more than grey ones. The same pictures give the same boxes, bit for bit:
/// `PatchTrackerTests.samePicturesGiveTheSameBoxes`.
public struct PatchTracker: Sendable {
    /// How the tracker works.
    public let configuration: Configuration
    /// The newest finding.
    public private(set) var patch: TrackedPatch
    /// The size of the pictures.
    public let imageSize: ImageSize

    let effort: PatchEffort
    let firstBox: PatchBox
    var filter: PatchFilter
    var memory: PatchMemory
    var pose: PatchPose
    /// How strongly the filter usually answers at the patch.
    var usualHeight = 0.3
    /// How many pictures in a row did not show the patch.
    var lostCount = 0
    var pictureCount = 1

    /// The shortest side of a box, in pixels.
    public static let leastSide = 6.0

    /// A tracker of what a box of a picture shows. `nil` where a side of the box is shorter than ``leastSide``, the box is
    /// larger than the picture, or its middle lies outside.
    public init?(_ picture: ImageBuffer, box: PatchBox, configuration: Configuration = .init()) {
        guard box.width >= Self.leastSide, box.height >= Self.leastSide, picture.size.contains(box.center),
            box.width <= Double(picture.size.width), box.height <= Double(picture.size.height), box.rotation.isFinite
        else { return nil }
        self.configuration = configuration
        imageSize = picture.size
        effort = PatchEffort(configuration.level)
        firstBox = box
        pose = PatchPose(center: box.center.vector, scale: 1, rotation: box.rotation)
        filter = PatchFilter(picture, at: pose, width: box.width, height: box.height, effort: effort)
        memory = PatchMemory(picture, at: pose, width: box.width, height: box.height)
        patch = TrackedPatch(box: box, confidence: 1, isLost: false, correlation: 1)
    }

    /// Finds the patch in the next picture, which has the size of the first.
    public mutating func track(_ picture: ImageBuffer) -> TrackedPatch {
        precondition(picture.size == imageSize, "the tracker's pictures are \(imageSize), this one is \(picture.size)")
        let sight = search(picture)
        pictureCount += 1
        let answer = filter.answer(in: sight)
        let fit = memory.fit(picture, near: answer, tolerance: 0.25)
        let likeness = likeness(of: sight, fit)
        let confidence = confidence(ofLikeness: likeness)
        guard confidence >= configuration.lossThreshold else {
            lostCount += 1
            patch = TrackedPatch(box: patch.box, confidence: confidence, isLost: true, correlation: nil)
            return patch
        }
        lostCount = 0
        pose = settled(answer, fit)
        if likeness > Self.learningLikeness { learn(sight, picture) }
        patch = TrackedPatch(box: box, confidence: confidence, isLost: false, correlation: fit?.correlation)
        return patch
    }

    /// Below this likeness the patch's looks are too doubtful to be learnt.
    private static let learningLikeness = 0.5
    /// The likeness that gives a confidence of 0.3.
    private static let doubtfulLikeness = 0.4

    /// How like the patch is what the filter answered to: 1 for its usual answer. An answer that does not stand out, or
    /// where no remembered look fits, counts less; one that stands out, or where one fits well, counts more.
    private func likeness(of sight: PatchFilter.Sight, _ fit: PatchMemory.Fit?) -> Double {
        let correlation = fit?.correlation ?? 0
        return max(sight.height, 0) / usualHeight * min(max(sight.distinction / 2, 0.7), 1.4)
            * (correlation > 0.85 ? 1.1 : correlation > 0.7 ? 1 : 0.85)
    }

    private func confidence(ofLikeness likeness: Double) -> Double {
        let doubtful = Self.doubtfulLikeness
        return likeness < doubtful
            ? 0.3 * likeness / doubtful : min(0.3 + 0.7 * (likeness - doubtful) / (1 - doubtful), 1)
    }

    /// The filter's answer, or the pose close to it in which a remembered look fits.
    private func settled(_ answer: PatchPose, _ fit: PatchMemory.Fit?) -> PatchPose {
        guard let fit, fit.correlation > 0.8, abs(log(fit.pose.scale / answer.scale)) < 0.15,
            abs(fit.pose.rotation - answer.rotation) < 0.25
        else { return answer }
        // What fits less well tells where the patch is better than how it is turned.
        guard fit.correlation > 0.85 else {
            return PatchPose(center: fit.pose.center, scale: answer.scale, rotation: answer.rotation)
        }
        var pose = fit.pose
        pose.scale = min(max(pose.scale, 0.2), 5)
        return pose
    }

    private mutating func learn(_ sight: PatchFilter.Sight, _ picture: ImageBuffer) {
        usualHeight += 0.1 * (min(max(sight.height, 0.2), 0.6) - usualHeight)
        filter.learn(sight)
        memory.remember(picture, at: pose)
    }

    private var box: PatchBox {
        PatchBox(
            center: PixelPoint(pose.center), width: firstBox.width * pose.scale, height: firstBox.height * pose.scale,
            rotation: pose.rotation)
    }
}
