// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// Where a rectangle of known size is, by its perspective in one picture.
///
/// A rectangle that is far beside its size, or seen from the front, looks almost the same in two attitudes. Both are refined to
/// the least squares in the picture, and which of them explains the corners better is judged by how well these are known.
public struct RectangleSolutions: Hashable, Sendable {
    /// A rectangle, and how far its corners are from those that are seen: the root of the mean square, in pixels.
    public struct Solution: Hashable, Sendable {
        /// The rectangle in the world.
        public let rectangle: WorldRectangle
        /// The distance between corners that are seen and that are expected, in pixels.
        public let errorPixels: Double
    }

    /// What explains the picture best.
    public let best: Solution
    /// The other attitude, where there is one.
    public let other: Solution?
    /// Whether corners that err as is said would prefer the other attitude in more than one case of a hundred: only more views,
    /// or a plane, can tell.
    public let isAmbiguous: Bool

    /// The difference of two sums of squared deviations at which one explanation is a hundred times as likely as another.
    static let decisiveDifference = 2 * log(100.0)

    /// The rectangles of a size whose corners a picture shows at these places. `nil` where there is none before the camera.
    ///
    /// - Parameters:
    ///   - quad: the corners, clockwise; the first is the rectangle's top left one. The lens's distortion is taken out.
    ///   - size: the width belongs to the side from the first corner to the second.
    ///   - frame: where the camera was; how uncertain that is counts where the frame's motion tells it.
    ///   - cornerDeviation: the standard deviation of each corner along each direction, in pixels.
    ///
    /// Laws: `RectangleSolutionsTests.thePoseIsFound`, `RectangleSolutionsTests.ambiguitiesAreTold`.
    public init?(_ quad: PixelQuad, size: RectangleSize, in frame: TrackedFrame, cornerDeviation: Double = 0.3) {
        precondition(cornerDeviation > 0, "corners are known to some fraction of a pixel, not to \(cornerDeviation)")
        let directions = quad.corners.compactMap { frame.camera.unproject($0) }
        let view = RectangleView(
            timestamp: frame.timestamp, worldFromOptical: frame.worldFromOptical, camera: frame.camera, quad: quad,
            deviation: cornerDeviation)
        let fit = RectangleFit(views: [view], knownSize: (size, 1e-5))
        let outcomes = PlanarPose.candidates(size: size, directions: directions).compactMap { pose in
            fit.solved(
                from: RectangleShape(
                    worldFromRectangle: frame.worldFromOptical * pose.opticalFromRectangle, size: size))
        }.sorted { $0.cost < $1.cost }
        let solutions = outcomes.compactMap { outcome in
            WorldRectangle(outcome.shape, errors: outcome.errors.with(poseOf: frame, corners: outcome.shape.corners))
                .map { Solution(rectangle: $0, errorPixels: outcome.errorPixels) }
        }
        guard solutions.count == outcomes.count, let best = solutions.first else { return nil }
        self.best = best
        // Where both begin near the front, they may end as one.
        if solutions.count == 2, outcomes[0].shape.turn(to: outcomes[1].shape) > 1e-3 {
            other = solutions[1]
            isAmbiguous = outcomes[1].cost - outcomes[0].cost < Self.decisiveDifference
        } else {
            other = nil
            isAmbiguous = false
        }
    }
}

extension RectangleShape {
    fileprivate func turn(to other: RectangleShape) -> Double {
        worldFromRectangle.rotation.angle(to: other.worldFromRectangle.rotation)
    }
}

extension CornerErrors {
    /// The same with what a frame's pose is off: all corners move with the camera.
    func with(poseOf frame: TrackedFrame, corners: [Point3]) -> CornerErrors {
        let sources = frame.motion?.poseCovariance.choleskyColumns ?? []
        let origin = frame.worldFromCamera.translation
        return CornerErrors(
            shifts: shifts
                + sources.map { source in
                    corners.map { source.translation + source.rotation.cross($0 - origin) }
                })
    }
}
