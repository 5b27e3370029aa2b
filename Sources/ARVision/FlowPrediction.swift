// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where points should be in the next frame.
struct FlowPrediction {
    private let motion: PredictedMotion?
    private let camera: Camera
    private let imageSize: ImageSize

    init(_ motion: PredictedMotion?, camera: Camera, imageSize: ImageSize) {
        self.motion = motion
        self.camera = camera
        self.imageSize = imageSize
    }

    /// Whether the camera's turn is known.
    var isTurnKnown: Bool { motion != nil }

    /// Where a point of the last frame should be now; where nothing is known, where it was.
    func pixel(of point: FeaturePoint) -> PixelPoint {
        guard let motion else { return point.pixel }
        if let pixel = motion.pixels[point.id], isNearPicture(pixel) { return pixel }
        guard let turned = camera.project(motion.opticalFromPreviousOptical * point.direction), isNearPicture(turned)
        else { return point.pixel }
        guard motion.readoutFraction != 0 else { return turned }
        return camera.project(direction(of: point, seenIn: turned.y)).flatMap { isNearPicture($0) ? $0 : nil } ?? turned
    }

    /// Whether a prediction is not so far outside the picture (or no number at all) that it must be wrong.
    private func isNearPicture(_ pixel: PixelPoint) -> Bool {
        let (width, height) = (Double(imageSize.width), Double(imageSize.height))
        return pixel.x > -width && pixel.x < 2 * width && pixel.y > -height && pixel.y < 2 * height
    }

    /// The direction in which a point of the last frame would be seen in a row of this one, were it infinitely far.
    func direction(of point: FeaturePoint, seenIn row: Double) -> Vector3 {
        guard let motion else { return point.direction }
        let rowShare = (row - point.pixel.y) / Double(imageSize.height)
        let share = rowShare * motion.readoutFraction
        guard abs(share) < 1 else { return motion.opticalFromPreviousOptical * point.direction }
        let turn = motion.opticalFromPreviousOptical.rotationVector * (1 + share)
        return Rotation(rotationVector: turn) * point.direction
    }
}
