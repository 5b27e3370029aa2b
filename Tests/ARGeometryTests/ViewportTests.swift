// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct ViewportTests {
    private let imageSize = ImageSize(width: 1920, height: 1440)

    private func viewport(
        _ orientation: InterfaceOrientation, _ contentMode: Viewport.ContentMode = .aspectFill
    ) -> Viewport {
        let (short, long) = (375.0, 812.0)
        let isPortrait = orientation == .portrait || orientation == .portraitUpsideDown
        return Viewport(
            size: isPortrait ? ViewSize(width: short, height: long) : ViewSize(width: long, height: short),
            orientation: orientation, contentMode: contentMode)
    }

    @Test func displayTransformOfAPhone() {
        let expected = AffineTransform2D(a: 0, b: 1, c: -1.6240, d: 0, tx: 1.3120, ty: 0)
        expectClose(viewport(.portrait).displayTransform(imageSize: imageSize), expected, tolerance: 5e-5)
    }

    @Test(arguments: InterfaceOrientation.allCases, Viewport.ContentMode.allCases)
    func displayTransformAndItsInverse(orientation: InterfaceOrientation, contentMode: Viewport.ContentMode) {
        let viewport = viewport(orientation, contentMode)
        let there = viewport.displayTransform(imageSize: imageSize)
        let back = viewport.inverseDisplayTransform(imageSize: imageSize)
        expectClose(back * there, .identity, tolerance: 1e-14)
        expectClose(there * back, .identity, tolerance: 1e-14)
    }

    /// The shown picture keeps its shape and its middle, covers the view or fits into it, and touches two edges.
    @Test(arguments: InterfaceOrientation.allCases, Viewport.ContentMode.allCases)
    func pictureFillsOrFits(orientation: InterfaceOrientation, contentMode: Viewport.ContentMode) {
        let viewport = viewport(orientation, contentMode)
        let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map {
            ViewPoint(NormalizedImagePoint($0.0, $0.1), in: viewport, imageSize: imageSize)
        }
        let left = corners.map(\.x).min() ?? .nan
        let top = corners.map(\.y).min() ?? .nan
        let right = corners.map(\.x).max() ?? .nan
        let bottom = corners.map(\.y).max() ?? .nan
        expectClose(ViewPoint((left + right) / 2, (top + bottom) / 2), viewport.size.center, tolerance: 1e-9)
        let turned = imageSize.turned(for: orientation)
        expectClose(
            (right - left) / (bottom - top), Double(turned.width) / Double(turned.height), tolerance: 1e-12)
        let coverage = [(right - left) / viewport.size.width, (bottom - top) / viewport.size.height].sorted()
        switch contentMode {
        case .aspectFill: expectClose(coverage[0], 1, tolerance: 1e-12)
        case .aspectFit: expectClose(coverage[1], 1, tolerance: 1e-12)
        }
    }

    /// Where the recorded picture's upper-left corner appears: the sensor's own orientation is landscapeRight.
    @Test(arguments: [
        (InterfaceOrientation.landscapeRight, Vector2(0, 0)), (.portrait, Vector2(1, 0)),
        (.landscapeLeft, Vector2(1, 1)), (.portraitUpsideDown, Vector2(0, 1)),
    ]) func upperLeftCornerTurns(orientation: InterfaceOrientation, expected: Vector2) {
        #expect(orientation.turnedFromRecorded * Vector2(0, 0) == expected)
        #expect(orientation.recordedFromTurned * orientation.turnedFromRecorded == .identity)
    }

    @Test(arguments: InterfaceOrientation.allCases) func viewPointsRoundTrip(orientation: InterfaceOrientation) {
        var random = TestRandom()
        let viewport = viewport(orientation)
        for _ in 0..<50 {
            let point = ViewPoint(random.uniform(0...800), random.uniform(0...800))
            let pixel = PixelPoint(point, in: viewport, imageSize: imageSize)
            expectClose(ViewPoint(pixel, in: viewport, imageSize: imageSize), point, tolerance: 1e-10)
            let vision = VisionPoint(point, in: viewport, imageSize: imageSize)
            expectClose(ViewPoint(vision, in: viewport, imageSize: imageSize), point, tolerance: 1e-10)
        }
    }

    @Test(arguments: InterfaceOrientation.allCases) func visionInTheTurnedPicture(orientation: InterfaceOrientation) {
        var random = TestRandom()
        for _ in 0..<20 {
            let point = NormalizedImagePoint(random.uniform(0...1), random.uniform(0...1))
            let vision = VisionPoint(point, turnedFor: orientation)
            expectClose(NormalizedImagePoint(vision, turnedFor: orientation), point, tolerance: 1e-15)
            // A view of the turned picture's shape shows it whole, and Vision counts from the lower left of that.
            let turned = imageSize.turned(for: orientation)
            let whole = Viewport(
                size: ViewSize(width: Double(turned.width), height: Double(turned.height)), orientation: orientation)
            let shown = ViewPoint(point, in: whole, imageSize: imageSize)
            expectClose(
                Vector2(vision.x, vision.y),
                Vector2(shown.x / whole.size.width, 1 - shown.y / whole.size.height), tolerance: 1e-12)
        }
    }

    /// The formulas that ARKit clients publish for a picture shown without cropping.
    @Test func visionInTheRecordedPicture() {
        let point = VisionPoint(0.2, 0.7)
        let size = (width: 300.0, height: 500.0)
        let expected: [(InterfaceOrientation, ViewPoint)] = [
            (.portrait, ViewPoint(0.7 * size.width, 0.2 * size.height)),
            (.landscapeLeft, ViewPoint(0.8 * size.width, 0.7 * size.height)),
            (.landscapeRight, ViewPoint(0.2 * size.width, 0.3 * size.height)),
            (.portraitUpsideDown, ViewPoint(0.3 * size.width, 0.8 * size.height)),
        ]
        for (orientation, viewPoint) in expected {
            let recorded = ImageSize(width: 300, height: 500).turned(for: orientation)
            let viewport = Viewport(
                size: ViewSize(width: size.width, height: size.height), orientation: orientation)
            expectClose(ViewPoint(point, in: viewport, imageSize: recorded), viewPoint, tolerance: 1e-10)
        }
    }
}
