// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a picture changed from one frame to another that shows almost the same.
///
/// Law: `PictureChangeTests`.
struct PictureChange {
    /// How far points moved, in pixels: the median.
    let displacementPixels: Double
    /// The turn of the camera with OpenCV's axes that explains it best, a rotation vector.
    let turn: Vector3
    /// How far points moved otherwise than by that turn, in pixels: the median. Where the camera flies towards what it sees,
    /// that is nearly all; where a hand that rests turns it, next to nothing.
    let parallaxPixels: Double

    /// `nil` where the frames have too few points in common to tell.
    init?(from first: MotionAlignment.Frame, to last: MotionAlignment.Frame, _ calibration: CameraState) {
        let places = Dictionary(uniqueKeysWithValues: first.points.map { ($0.id, $0.pixel) })
        var distances: [Double] = []
        var directions: [(before: Vector3, after: Vector3)] = []
        var picture = PictureTurn()
        for point in last.points {
            guard let before = places[point.id] else { continue }
            distances.append(before.distance(to: point.pixel))
            guard let a = calibration.camera.unproject(before)?.normalized(),
                let b = calibration.camera.unproject(point.pixel)?.normalized()
            else { continue }
            directions.append((a, b))
            picture.add(a, b)
        }
        guard distances.count >= 8, directions.count >= 8, let turn = picture.rotationVector else { return nil }
        self.turn = turn
        displacementPixels = distances.sorted()[distances.count / 2]
        let others = directions.map { ($0.after - $0.before + turn.cross($0.before)).length }.sorted()
        parallaxPixels = others[others.count / 2] * calibration.camera.intrinsics.fx
    }
}
