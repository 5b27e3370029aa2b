// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct VuforiaTests {
    private let phone = SampleCamera.phone

    /// Points before the camera land where the pixel says, counted as Vuforia counts: from the corner across, from one
    /// row above it down.
    @Test func projection() throws {
        var random = TestRandom()
        let matrix = Vuforia.projectionMatrix(
            phone.camera.intrinsics, imageSize: phone.imageSize, near: 2, far: 5000)
        for _ in 0..<50 {
            let point = Point3(random.uniform(), random.uniform(), random.uniform(2...10)) * 50
            let pixel = try #require(phone.camera.project(point))
            let device = try #require(matrix.project(point))
            expectClose(device.x, 2 * pixel.x / 1280 - 1, tolerance: 1e-12)
            expectClose(device.y, 1 - 2 * (pixel.y + 1) / 720, tolerance: 1e-12)
        }
        expectClose(try #require(matrix.project(Point3(0, 0, 2))).z, -1, tolerance: 1e-12)
        expectClose(try #require(matrix.project(Point3(0, 0, 5000))).z, 1, tolerance: 1e-12)
    }

    @Test(arguments: 0..<50) func poseRoundTrip(number: Int) throws {
        var random = TestRandom(case: number)
        let opticalFromAnchor = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let pose = Vuforia.Pose(opticalFromAnchor: opticalFromAnchor, unitsPerMetre: 1000)
        expectClose(
            try pose.opticalFromAnchor(unitsPerMetre: 1000), opticalFromAnchor, radians: 1e-12, metres: 1e-12)
        let rows = pose.opticalFromTarget.transpose
        #expect(Vuforia.Pose(rows: rows[0], rows[1], rows[2]) == pose)
    }

    /// A target seen straight on, upright, 300 units away: x right, y up, z towards the camera.
    @Test func targetSeenStraightOn() throws {
        let pose = Vuforia.Pose(rows: Vector4(1, 0, 0, 0), Vector4(0, -1, 0, 0), Vector4(0, 0, -1, 300))
        let opticalFromAnchor = try pose.opticalFromAnchor(unitsPerMetre: 1000)
        expectClose(opticalFromAnchor.translation, Vector3(0, 0, 0.3), tolerance: 1e-15)
        expectClose(opticalFromAnchor.rotation * Vector3(1, 0, 0), Vector3(1, 0, 0), tolerance: 1e-15)
        // Out of the print is towards the camera; the print's top, −Z, is up, which is −Y.
        expectClose(opticalFromAnchor.rotation * Vector3(0, 1, 0), Vector3(0, 0, -1), tolerance: 1e-15)
        expectClose(opticalFromAnchor.rotation * Vector3(0, 0, -1), Vector3(0, -1, 0), tolerance: 1e-15)
    }

    @Test func rowsThatAreNoPoseAreRefused() {
        let mirrored = Vuforia.Pose(rows: Vector4(1, 0, 0, 0), Vector4(0, 1, 0, 0), Vector4(0, 0, -1, 300))
        #expect(throws: TransformMatrixError.reflection(determinant: -1)) {
            try mirrored.opticalFromAnchor(unitsPerMetre: 1000)
        }
    }

    /// By hand from the samples' arithmetic, with an odd remainder so that the roundings differ.
    @Test(arguments: [
        (true, 640.0, 1136.0, 1280, 720, 640, 1137, 0, 0), (true, 640, 960, 640, 480, 720, 960, -40, 0),
        (false, 640, 960, 640, 480, 960, 720, 0, -40), (true, 768, 1024, 640, 480, 768, 1024, 0, 0),
        (true, 750, 1334, 640, 480, 1000, 1334, -125, 0), (false, 751, 1334, 640, 480, 1334, 1000, 0, -124),
    ])
    func videoBackgroundOfTheSamples(
        isPortrait: Bool, viewWidth: Double, viewHeight: Double, videoWidth: Int, videoHeight: Int, width: Int,
        height: Int, x: Int, y: Int
    ) {
        let background = Vuforia.VideoBackground(
            portraitSize: ViewSize(width: viewWidth, height: viewHeight), isPortrait: isPortrait,
            videoSize: ImageSize(width: videoWidth, height: videoHeight))
        #expect(background.width == width && background.height == height)
        #expect(background.x == x && background.y == y)
        let moved = Vuforia.VideoBackground(
            portraitSize: ViewSize(width: viewWidth, height: viewHeight), isPortrait: isPortrait,
            videoSize: ImageSize(width: videoWidth, height: videoHeight), offsetX: -10, offsetY: 15)
        #expect(abs(moved.x - x + 10) <= 1 && moved.y == y + 15)
    }

    @Test(arguments: 0..<200) func videoBackgroundCoversTheView(number: Int) {
        var random = TestRandom(case: number)
        let portraitSize = ViewSize(
            width: random.uniform(300...1500).rounded(), height: random.uniform(600...3000).rounded())
        let videoSize = [ImageSize(width: 640, height: 480), ImageSize(width: 1280, height: 720)][number % 2]
        let isPortrait = number % 4 < 2
        let background = Vuforia.VideoBackground(
            portraitSize: portraitSize, isPortrait: isPortrait, videoSize: videoSize)
        let viewWidth = Int(isPortrait ? portraitSize.width : portraitSize.height)
        let viewHeight = Int(isPortrait ? portraitSize.height : portraitSize.width)
        // Rounding towards zero may leave one pixel bare on a side.
        #expect(background.x <= 0 && background.x + background.width >= viewWidth - 1)
        #expect(background.y <= 0 && background.y + background.height >= viewHeight - 1)
        let aspect = Double(background.width) / Double(background.height)
        let turned = videoSize.turned(for: isPortrait ? .portrait : .landscapeRight)
        expectClose(aspect, Double(turned.width) / Double(turned.height), tolerance: 0.01)
    }
}
