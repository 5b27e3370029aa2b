// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// A rectangle's four corners as one picture shows them.
struct RectangleView: Sendable {
    var timestamp: Timestamp
    /// Where the camera was, in optical axes.
    var worldFromOptical: RigidTransform
    var camera: Camera
    /// Named as the rectangle's.
    var quad: PixelQuad
    /// The standard deviation of each corner along each direction, in pixels.
    var deviation: Double

    /// Whether the camera's pose was estimated: it then drifts.
    var isPoseEstimated = false

    /// The same with its corners counted from the `steps`-th.
    func turned(by steps: Int) -> RectangleView {
        var view = self
        view.quad = quad.turned(by: steps)
        return view
    }

    /// How far the picture's corners are from those of a shape, top left corner first; `nil` where the lens does not show one.
    func residuals(_ shape: RectangleShape) -> [Vector2]? {
        let opticalFromWorld = worldFromOptical.inverse
        var residuals: [Vector2] = []
        for (corner, pixel) in zip(shape.corners, quad.corners) {
            guard let predicted = camera.project(opticalFromWorld * corner) else { return nil }
            residuals.append(pixel.vector - predicted.vector)
        }
        return residuals
    }

    /// The root of the mean squared distance between the picture's corners and those of a shape, in pixels.
    func error(of shape: RectangleShape) -> Double? {
        residuals(shape).map { ($0.reduce(0) { $0 + $1.squaredLength } / 4).squareRoot() }
    }
}
