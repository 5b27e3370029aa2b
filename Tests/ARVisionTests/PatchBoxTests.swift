// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision
import Foundation
import TestSupport
import Testing

@Suite struct PatchBoxTests {
    private static let size = ImageSize(width: 640, height: 480)

    @Test func visionBoxesComeBackAsTheyWere() {
        let (lowerLeft, upperRight) = (VisionPoint(0.25, 0.5), VisionPoint(0.5, 0.75))
        let box = PatchBox(lowerLeft: lowerLeft, upperRight: upperRight, imageSize: Self.size)
        #expect(box.center == PixelPoint(0.375 * 640 - 0.5, 0.375 * 480 - 0.5))
        #expect(box.width == 160 && box.height == 120)
        let bounds = box.visionBounds(imageSize: Self.size)
        #expect(abs(bounds.lowerLeft.x - lowerLeft.x) < 1e-12 && abs(bounds.lowerLeft.y - lowerLeft.y) < 1e-12)
        #expect(abs(bounds.upperRight.x - upperRight.x) < 1e-12 && abs(bounds.upperRight.y - upperRight.y) < 1e-12)
    }

    /// By a quarter turn, clockwise as seen: the upper left corner goes to the upper right.
    @Test func rotationIsClockwise() {
        let box = PatchBox(center: PixelPoint(100, 50), width: 40, height: 20, rotation: .pi / 2)
        #expect(box.corners.topLeft.distance(to: PixelPoint(110, 30)) < 1e-12)
        #expect(box.corners.signedArea > 0)
    }

    /// A place keeps its part of the box.
    @Test func placesMoveWithTheBox() {
        var random = TestRandom()
        for _ in 0..<20 {
            let scale = random.uniform(0.5...2)
            let first = PatchBox(center: PixelPoint(random.vector2() * 100), width: 40, height: 30, rotation: 0.2)
            let second = PatchBox(
                center: PixelPoint(random.vector2() * 100), width: 40 * scale, height: 30 * scale,
                rotation: random.uniform())
            for (from, to) in zip(first.corners.corners, second.corners.corners) {
                #expect(second.place(of: from, in: first).distance(to: to) < 1e-9)
            }
        }
    }
}
