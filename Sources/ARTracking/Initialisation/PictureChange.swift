// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a picture changed from one frame to another that shows almost the same.
///
/// Law: `PictureChangeTests`.
struct PictureChange {
    /// How far points moved, in pixels: the median.
    let displacementPixels: Double
    /// How far points moved otherwise than as if the camera had only turned, in pixels: the median. Where the camera flies
    /// towards what it sees, that is nearly all; where a hand that rests turns it, next to nothing.
    let parallaxPixels: Double
    private let sights: [TwoViewMotion.Sight]

    /// How the camera turned and shifted meanwhile; `nil` where the points do not tell.
    var motion: TwoViewMotion? { TwoViewMotion(sights) }

    /// `nil` where the frames have too few points in common to tell.
    init?(from first: MotionAlignment.Frame, to last: MotionAlignment.Frame, _ calibration: CameraState) {
        let places = Dictionary(uniqueKeysWithValues: first.points.map { ($0.id, $0) })
        let focal = calibration.camera.intrinsics.fx
        var distances: [Double] = []
        var sights: [TwoViewMotion.Sight] = []
        var picture = PictureTurn()
        for point in last.points {
            guard let before = places[point.id] else { continue }
            distances.append(before.pixel.distance(to: point.pixel))
            guard let a = calibration.camera.unproject(before.pixel), let b = calibration.camera.unproject(point.pixel)
            else { continue }
            let variance =
                before.deviationPixels * before.deviationPixels + point.deviationPixels * point.deviationPixels
            sights.append(TwoViewMotion.Sight(before: a, after: b, deviation: variance.squareRoot() / focal))
            picture.add(a, b)
        }
        guard distances.count >= 8, let turn = picture.rotationVector else { return nil }
        self.sights = sights
        displacementPixels = distances.sorted()[distances.count / 2]
        let secondFromFirst = Rotation(rotationVector: turn).inverse
        let others = sights.map { ($0.after - secondFromFirst * $0.before).length }.sorted()
        parallaxPixels = others[others.count / 2] * focal
    }
}
