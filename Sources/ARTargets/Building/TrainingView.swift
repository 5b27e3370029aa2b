// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFeatures
import Foundation

/// One of the views in which a print is looked at when its features are chosen: turned away, smaller, or blurred.
///
/// What is found again in several views will be found in the world; and from which view it is known says how the whole
/// print lies (Morel and Yu 2009, "ASIFT"; Lepetit and Fua 2006, "Keypoint recognition using randomized trees").
struct TrainingView {
    /// One over the cosine of the angle by which the print is turned away.
    var tilt: Double
    /// The direction along which it appears shorter, in radians from the print's x axis.
    var direction: Double
    /// The view's size by the reference picture's.
    var scale: Double
    /// The blur's standard deviation, in pixels of the view.
    var blur: Double

    /// Straight on, in five sizes; turned away by 45° in four directions and by 60° in six.
    static let all: [TrainingView] = {
        var views = [
            TrainingView(tilt: 1, direction: 0, scale: 1, blur: 0),
            TrainingView(tilt: 1, direction: 0, scale: 0.6, blur: 0),
            TrainingView(tilt: 1, direction: 0, scale: 0.36, blur: 0.6),
            TrainingView(tilt: 1, direction: 0, scale: 0.5, blur: 1.5),
        ]
        // Small prints, straight on and turned away.
        views.append(TrainingView(tilt: 1, direction: 0, scale: 0.24, blur: 0.4))
        for step in 0..<4 {
            views.append(TrainingView(tilt: 1.3, direction: .pi / 4 * Double(step), scale: 0.28, blur: 0))
        }
        for step in 0..<4 {
            views.append(TrainingView(tilt: 2.0.squareRoot(), direction: .pi / 4 * Double(step), scale: 0.8, blur: 0))
        }
        for step in 0..<6 {
            views.append(TrainingView(tilt: 2, direction: .pi / 6 * Double(step), scale: 0.8, blur: 0))
        }
        return views
    }()

    /// The view of a picture, and the affine map from its pixels to the picture's.
    func render(_ picture: ImageBuffer) -> (view: ImageBuffer, pictureFromView: [Double]) {
        let (c, s) = (cos(direction), sin(direction))
        // viewFromPicture = scale · R(direction) · diag(1 / tilt, 1) · R(−direction).
        let short = scale / tilt
        let xx = short * c * c + scale * s * s
        let xy = (short - scale) * c * s
        let yy = short * s * s + scale * c * c
        let (width, height) = (Double(picture.size.width), Double(picture.size.height))
        let spanX = abs(xx) * width + abs(xy) * height
        let spanY = abs(xy) * width + abs(yy) * height
        let size = ImageSize(
            width: max(ScaleSpace.leastSide, Int(spanX.rounded(.up))),
            height: max(ScaleSpace.leastSide, Int(spanY.rounded(.up))))
        let determinant = xx * yy - xy * xy
        let (a, b, d) = (yy / determinant, -xy / determinant, xx / determinant)
        let (centerX, centerY) = (Double(size.width - 1) / 2, Double(size.height - 1) / 2)
        let map = [
            a, b, (width - 1) / 2 - a * centerX - b * centerY, b, d, (height - 1) / 2 - b * centerX - d * centerY,
        ]
        var view = ImageBuffer(size: size, format: .gray8)
        let status = picture.withKernelPicture { picture in
            view.bytes.withUnsafeMutableBufferPointer {
                cfeatures_render_view(&picture, map, blur, $0.baseAddress, Int32(size.width), Int32(size.height))
            }
        }
        check(status)
        return (view, map)
    }
}
