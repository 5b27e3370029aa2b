// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a blurred frame is made of sharp ones: as the mean of an odd number of shots, spread evenly over the exposure.
///
/// There are as many shots as the fastest point of the picture moves pixels, so that it leaves no gaps; more would not be
/// seen. The number depends on the scene and the frame alone.
struct MotionBlur: Sendable {
    /// The most shots that a frame may cost.
    let maximumCount: Int

    /// The number of shots for a motion over the exposure, in pixels.
    func shotCount(pixels: Double) -> Int {
        let limit = maximumCount - (1 - maximumCount % 2)
        guard pixels > 0.5, limit > 1 else { return 1 }
        let odd = 2 * (min(pixels, 1e6) / 2).rounded() + 1
        return min(max(Int(odd), 3), limit)
    }

    /// When the shots are taken, as fractions of the exposure from its middle: −½ to ½, each in the middle of its part.
    static func fractions(count: Int) -> [Double] {
        (0..<count).map { (Double($0) + 0.5) / Double(count) - 0.5 }
    }
}

/// How far the picture moves between two shots.
struct ImageMotion {
    let camera: Camera
    let size: ImageSize

    /// The motion in pixels of a point between two places in the camera's axes; zero when it is outside the picture in
    /// both.
    func pixels(from first: Point3, to last: Point3) -> Double {
        let opticalFromCamera = RigidTransform.opticalFromCamera
        guard let start = camera.project(opticalFromCamera * first), let end = camera.project(opticalFromCamera * last),
            size.contains(start) || size.contains(end)
        else { return 0 }
        return start.distance(to: end)
    }
}
