// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Vuforia's conventions, for apps that were written against it.
///
/// Its camera has the optical axes (+X right, +Y down, +Z forward); its targets have +X to the right, +Y to the top of
/// the print and +Z out of it, their origin in the middle, and the unit of the target database.
public enum Vuforia {
    /// Clip coordinates from the optical axes, with OpenGL's depth of −1 at `near` and 1 at `far`: `getProjectionGL`.
    ///
    /// As Vuforia's FAQ publishes it, where the principal point counts from the picture's corner horizontally and from
    /// one row above it vertically; the library itself is reported to differ in the last digits.
    /// Law: `VuforiaTests.projection`.
    public static func projectionMatrix(
        _ intrinsics: PinholeIntrinsics, imageSize: ImageSize, near: Double, far: Double
    ) -> Matrix4x4 {
        precondition(near > 0 && far > near && far.isFinite, "clipping planes at \(near) and \(far) enclose nothing")
        let (width, height) = (Double(imageSize.width), Double(imageSize.height))
        let depth = (far + near) / (far - near)
        return Matrix4x4(
            Vector4(2 * intrinsics.fx / width, 0, 0, 0),
            Vector4(0, -2 * intrinsics.fy / height, 0, 0),
            Vector4(
                2 * (intrinsics.cx - width / 2) / width, -2 * (intrinsics.cy - height / 2 + 1) / height, depth, 1),
            Vector4(0, 0, -near * (1 + depth), 0))
    }
}

extension Vuforia {
    /// Where a target is, as Vuforia reports it: the upper three rows of the matrix that takes points of the target to
    /// the optical axes, in the unit of the target database.
    public struct Pose: Hashable, Sendable {
        /// Three columns of rotation, one of translation; the last row is 0 0 0 1. What `convertPose2GLMatrix` returns.
        public let opticalFromTarget: Matrix4x4

        /// The pose with these rows.
        public init(rows r0: Vector4, _ r1: Vector4, _ r2: Vector4) {
            opticalFromTarget = Matrix4x4(rows: r0, r1, r2, Vector4(0, 0, 0, 1))
        }

        /// The pose of an image anchor of ours.
        public init(opticalFromAnchor: RigidTransform, unitsPerMetre: Double) {
            var opticalFromTarget = opticalFromAnchor * .yUpFromZUp
            opticalFromTarget.translation *= unitsPerMetre
            self.opticalFromTarget = Matrix4x4(opticalFromTarget)
        }

        /// Where our image anchor is: origin in the middle of the print, +X to its right, +Y out of it, its top
        /// towards −Z, in metres. Refuses rows that are no rotation.
        ///
        /// Law: `VuforiaTests.poseRoundTrip`.
        public func opticalFromAnchor(unitsPerMetre: Double) throws(TransformMatrixError) -> RigidTransform {
            var opticalFromTarget = try RigidTransform(opticalFromTarget)
            opticalFromTarget.translation /= unitsPerMetre
            return opticalFromTarget * RigidTransform.yUpFromZUp.inverse
        }
    }
}

extension Vuforia {
    /// The rectangle on which Vuforia's sample code draws the camera's picture, in whole pixels of the screen: it
    /// covers the view, centred.
    public struct VideoBackground: Hashable, Sendable {
        /// The rectangle's left edge, from the view's left edge.
        public let x: Int
        /// The rectangle's lower edge, from the view's lower edge, upwards.
        public let y: Int
        /// The rectangle's width.
        public let width: Int
        /// The rectangle's height.
        public let height: Int

        /// The rectangle for a video and a view, rounded as the samples round: in single precision, towards zero; the
        /// horizontal offset before rounding, the vertical one after.
        ///
        /// - Parameters:
        ///   - portraitSize: the view's size in pixels while it is held upright, in both cases.
        ///   - videoSize: the camera's picture, which is always landscape.
        ///   - offsetX: moves the rectangle to the right.
        ///   - offsetY: moves the rectangle up.
        ///
        /// Law: `VuforiaTests.videoBackgroundCoversTheView`.
        public init(
            portraitSize: ViewSize, isPortrait: Bool, videoSize: ImageSize, offsetX: Int = 0, offsetY: Int = 0
        ) {
            precondition(
                portraitSize.width > 0 && portraitSize.height > 0 && videoSize.width > 0 && videoSize.height > 0,
                "a video of \(videoSize) pixels does not cover a view of \(portraitSize)")
            let long = Float(portraitSize.height)
            let short = Float(portraitSize.width)
            let videoLong = Float(videoSize.width)
            let videoShort = Float(videoSize.height)
            // Along the picture's long and short side: one of the two is the view's, the other grows with it.
            let isViewSlimmer = videoLong / videoShort < long / short
            let alongLong = isViewSlimmer ? Int(long) : Int(videoLong * (short / videoShort))
            let alongShort = isViewSlimmer ? Int(videoShort * (long / videoLong)) : Int(short)
            let (viewWidth, viewHeight) = isPortrait ? (short, long) : (long, short)
            (width, height) = isPortrait ? (alongShort, alongLong) : (alongLong, alongShort)
            x = Int((viewWidth - Float(width)) / 2 + Float(offsetX))
            y = Int(viewHeight - Float(height)) / 2 + offsetY
        }
    }
}
