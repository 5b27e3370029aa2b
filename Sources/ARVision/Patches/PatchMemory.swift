// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CPatches

/// How the patch looked: in the first picture, and when it was last seen surely.
struct PatchMemory: Sendable {
    private let width: Double
    private let height: Double
    private let first: [Float]
    private var last: [Float]?

    /// How well a template fits, and where.
    struct Fit {
        var pose: PatchPose
        /// −1 … 1.
        var correlation: Double
    }

    /// Remembers a patch of the first picture; `pose` has scale 1.
    init(_ picture: ImageBuffer, at pose: PatchPose, width: Double, height: Double) {
        (self.width, self.height) = (width, height)
        first = Self.template(of: picture, at: pose, side: max(width, height))
    }

    /// Remembers how the patch looks now.
    mutating func remember(_ picture: ImageBuffer, at pose: PatchPose) {
        last = Self.template(of: picture, at: pose, side: side)
    }

    /// The best fit of a remembered look close to a pose, if any fits there.
    ///
    /// - Parameter tolerance: how far from the pose, in parts of the box's size, is close.
    func fit(_ picture: ImageBuffer, near pose: PatchPose, tolerance: Double) -> Fit? {
        let limit = tolerance * (width * height).squareRoot() * pose.scale
        return [first, last].compactMap { $0 }.compactMap { align($0, in: picture, from: pose) }
            .filter { ($0.pose.center - pose.center).length < limit }
            .max { $0.correlation < $1.correlation }
    }

    private var side: Double { max(width, height) }
    private static let places = Double(CPATCHES_TEMPLATE_SIDE)

    private func align(_ template: [Float], in picture: ImageBuffer, from pose: PatchPose) -> Fit? {
        var start = pose.frame(step: side / Self.places)
        var fit = CPatchesFit()
        check(
            picture.withPatchPicture {
                cpatches_align(&$0, template, width / side, height / side, &start, 1, &fit)
            })
        guard fit.is_settled != 0 else { return nil }
        return Fit(
            pose: PatchPose(
                center: Vector2(fit.frame.x_px, fit.frame.y_px), scale: fit.frame.step_px * Self.places / side,
                rotation: fit.frame.turn_rad),
            correlation: fit.correlation)
    }

    private static func template(of picture: ImageBuffer, at pose: PatchPose, side: Double) -> [Float] {
        var frame = pose.frame(step: side / places)
        let count = Int(CPATCHES_TEMPLATE_PLACES)
        return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            check(picture.withPatchPicture { cpatches_take_template(&$0, &frame, buffer.baseAddress) })
            initialized = count
        }
    }
}
