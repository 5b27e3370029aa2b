// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// In how many pixels a camera's pictures are tracked: fine ones in the means of squares of pixels.
///
/// Once pixels are fine enough, what a point's place is wrong by is an angle: shading, blur, and what is not known of the lens do not
/// shrink with the pixels. ``TrackerConfiguration/pixelDeviation``, and all other lengths in pixels, are for a focal length of
/// about ``focalPixels``. In finer pixels the tracker believes its points too much, and takes more time.
///
/// Laws: `PictureReductionTests`.
struct PictureReduction: Hashable, Sendable {
    /// How many pixels of the camera's pictures are one of the tracked ones, along columns and rows.
    let factor: Int
    /// Columns and rows of the camera's pictures.
    let imageSize: ImageSize

    /// The focal length next to which pictures are tracked, in pixels: that of a phone with pictures of 640×480.
    static let focalPixels = 480.0
    /// How many pixels the shorter side keeps, however narrow the view is.
    static let fewestPixels = 320

    init(for calibration: CameraCalibration) {
        imageSize = calibration.imageSize
        let intrinsics = calibration.camera.intrinsics
        let byFocalLength = (min(intrinsics.fx, intrinsics.fy) / Self.focalPixels).rounded()
        let most = min(imageSize.width, imageSize.height) / Self.fewestPixels
        factor = max(1, Int(min(byFocalLength, Double(most))))
    }

    /// Columns and rows of the tracked pictures. What is left of a square at the right and at the bottom is left out.
    private var reducedSize: ImageSize {
        ImageSize(width: imageSize.width / factor, height: imageSize.height / factor)
    }

    /// As many columns and rows of the camera's pictures as fill whole squares.
    private var squaresSize: ImageSize {
        ImageSize(width: reducedSize.width * factor, height: reducedSize.height * factor)
    }

    /// The time from the first row to the last of the tracked pictures, as a share of that of the camera's: rows that are means lie in
    /// the middle of theirs.
    private var readoutShare: Double {
        guard factor > 1, reducedSize.height > 1 else { return 1 }
        return Double(factor * (reducedSize.height - 1)) / Double(imageSize.height - 1)
    }

    /// The frame as it is tracked.
    func reduced(_ frame: CameraFrame) -> CameraFrame {
        precondition(
            frame.image.size == imageSize, "the camera's pictures are \(imageSize), this one is \(frame.image.size)")
        guard factor > 1 else { return frame }
        return CameraFrame(timestamp: frame.timestamp, image: frame.image.grayMeans(ofSquaresOf: factor))
    }

    /// The camera as it takes the tracked pictures.
    func reduced(_ calibration: CameraCalibration) -> CameraCalibration {
        guard factor > 1 else { return calibration }
        var reduced = calibration
        reduced.camera.intrinsics = calibration.camera.intrinsics.resized(from: squaresSize, to: reducedSize)
        reduced.imageSize = reducedSize
        reduced.readoutNanoseconds = Int64((Double(calibration.readoutNanoseconds) * readoutShare).rounded())
        reduced.uncertainty.principalPointPixels = calibration.uncertainty.principalPointPixels.map {
            $0 / Double(factor)
        }
        return reduced
    }

    /// The camera that takes tracked pictures as it takes its own.
    func original(_ calibration: CameraCalibration) -> CameraCalibration {
        guard factor > 1 else { return calibration }
        var original = calibration
        original.camera.intrinsics = calibration.camera.intrinsics.resized(from: reducedSize, to: squaresSize)
        original.imageSize = imageSize
        original.readoutNanoseconds = Int64((Double(calibration.readoutNanoseconds) / readoutShare).rounded())
        original.uncertainty.principalPointPixels = calibration.uncertainty.principalPointPixels.map {
            $0 * Double(factor)
        }
        return original
    }

    /// Where in the camera's picture a pixel of the tracked one is: the middle of a mean is that of its square.
    func original(_ pixel: PixelPoint) -> PixelPoint {
        let (scale, shift) = (Double(factor), Double(factor - 1) / 2)
        return PixelPoint(pixel.x * scale + shift, pixel.y * scale + shift)
    }
}
