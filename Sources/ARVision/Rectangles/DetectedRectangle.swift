// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A quadrilateral of straight edges in a picture, as a rectangle in the world gives it.
public struct DetectedRectangle: Hashable, Sendable {
    /// The corners, clockwise, named as the picture shows them (``PixelQuad/upright``): `topLeft` begins the side that
    /// looks up. They may lie outside the picture, where the sides would meet.
    public var quad: PixelQuad
    /// 0 … 1: the share of the outline inside the picture at which an edge was seen, less where one side has much less
    /// than the others, and where the outline is now brighter, now darker than what surrounds it.
    public var confidence: Double
    /// How uncertain the worst corner is: its standard deviation along the worst direction, in pixels, from the spread of
    /// the edges about the fitted sides.
    public var cornerDeviationPixels: Double

    /// A rectangle's place and what it is worth.
    public init(quad: PixelQuad, confidence: Double, cornerDeviationPixels: Double) {
        self.quad = quad
        self.confidence = confidence
        self.cornerDeviationPixels = cornerDeviationPixels
    }
}
