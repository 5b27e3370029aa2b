// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Testing

import ARSim

@Suite struct FaceDrawingTests {
    /// Boxes of all sizes are drawn, also those that reach far out of the picture or behind the eye.
    @Test(arguments: [20.0, 700, 2600, 30_000])
    func boxesOfAllSizesAreDrawn(side: Double) {
        let image = ImageBuffer(size: ImageSize(width: 640, height: 480), format: .gray8)
        let middle = Vector2(320, 240)
        let face = DetectedFace(
            box: FaceBox(
                minimum: PixelPoint(middle - Vector2(repeating: side / 2)),
                maximum: PixelPoint(middle + Vector2(repeating: side / 2))),
            confidence: 0.9, cameraFromHead: Rotation(EulerAngles(pitch: 0, yaw: 0.9, roll: 0.5)), hasPitch: false)
        let drawn = DetectionSketch(image: image, rectangles: [], codes: [], faces: [face]).drawn()
        #expect(drawn.size == image.size)
        #expect(side > 700 || drawn.bytes.contains { $0 > 200 })
    }
}
