// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct PinholeIntrinsicsTests {
    private let intrinsics = SampleCamera.phone.camera.intrinsics
    private let imageSize = SampleCamera.phone.imageSize

    private func pixel(_ intrinsics: PinholeIntrinsics, _ point: Point3) throws -> PixelPoint {
        try #require(PinholeCamera(intrinsics).project(point))
    }

    @Test(arguments: [ImageSize(width: 640, height: 360), ImageSize(width: 1000, height: 3000)])
    func resizing(newSize: ImageSize) throws {
        let point = Point3(0.3, -0.2, 1)
        let before = NormalizedImagePoint(try pixel(intrinsics, point), imageSize: imageSize)
        let resized = intrinsics.resized(from: imageSize, to: newSize)
        let after = NormalizedImagePoint(try pixel(resized, point), imageSize: newSize)
        expectClose(Vector2(after.x, after.y), Vector2(before.x, before.y), tolerance: 1e-14)
    }

    @Test func cropping() throws {
        let point = Point3(0.3, -0.2, 1)
        let before = try pixel(intrinsics, point)
        let after = try pixel(intrinsics.cropped(fromColumn: 100, row: 40), point)
        expectClose(after, PixelPoint(before.x - 100, before.y - 40), tolerance: 1e-12)
    }

    /// The four corners' pixels, turned with the picture, are the pixels of the turned points.
    @Test(arguments: InterfaceOrientation.allCases) func turning(orientation: InterfaceOrientation) throws {
        let point = Point3(0.3, -0.2, 1)
        let before = try pixel(intrinsics, point)
        let (lastColumn, lastRow) = (Double(imageSize.width - 1), Double(imageSize.height - 1))
        let (turnedPoint, expected) =
            switch orientation {
            case .landscapeRight: (point, before)
            case .landscapeLeft: (Point3(-0.3, 0.2, 1), PixelPoint(lastColumn - before.x, lastRow - before.y))
            case .portrait: (Point3(0.2, 0.3, 1), PixelPoint(lastRow - before.y, before.x))
            case .portraitUpsideDown: (Point3(-0.2, -0.3, 1), PixelPoint(before.y, lastColumn - before.x))
            }
        let turned = intrinsics.turned(for: orientation, imageSize: imageSize)
        expectClose(try pixel(turned, turnedPoint), expected, tolerance: 1e-12)
    }
}
