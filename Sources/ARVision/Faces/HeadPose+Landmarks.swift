// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CFaces
import Foundation

extension HeadPose {
    /// The head whose eyes, nose and mouth a network has found; `nil` where the points determine none.
    init?(_ face: CFacesFace) {
        let points = zip(
            HeadModel.landmarks,
            [face.left_eye_px, face.right_eye_px, face.nose_px, face.mouth_left_px, face.mouth_right_px]
        ).map { HeadPoint(onHead: $0, pixel: PixelPoint($1.0, $1.1)) }
        let eyes = points[1].pixel.vector - points[0].pixel.vector
        let middle = points.reduce(Vector2.zero) { $0 + $1.pixel.vector } / 5
        guard eyes.length > 1 else { return nil }
        let start = HeadPose(
            center: middle, side: eyes.length / (2 * HeadModel.landmarks[1].x),
            cameraFromHead: Rotation(EulerAngles(pitch: 0, yaw: 0, roll: atan2(-eyes.y, eyes.x))))
        guard let pose = start.fitted(to: points, tolerance: eyes.length) else { return nil }
        self = pose
    }
}

extension HeadModel {
    /// The eye at the viewer's left, the one at the right, the tip of the nose, the mouth's corners. A distance of 6.3 cm
    /// between the eyes, the mouth 7 cm below them and 5 cm wide, and a nose that stands out by 2 cm, in squares of 17 cm.
    static let landmarks: [Point3] = {
        func onFace(_ x: Double, _ y: Double) -> Point3 { Point3(x, y, depth(x: x, y: y)) }
        return [
            onFace(-0.185, 0.12), onFace(0.185, 0.12), onFace(0, -0.11), onFace(-0.145, -0.29), onFace(0.145, -0.29),
        ]
    }()
}
