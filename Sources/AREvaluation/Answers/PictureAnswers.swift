// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A rectangle that was detected in a picture.
public struct RectangleAnswer: Hashable, Sendable {
    /// The corners, clockwise as the picture shows them; any of them may be the first.
    public var quad: PixelQuad

    /// A rectangle in its place.
    public init(quad: PixelQuad) { self.quad = quad }
}

/// A code that was read in a picture.
public struct CodeAnswer: Hashable, Sendable {
    /// What it says.
    public var payload: String
    /// The kind of code, in Vision's words without prefix: `qr`.
    public var symbology: String
    /// The corners of its pattern without the quiet zone, in the code's own order.
    public var quad: PixelQuad

    /// A code in its place.
    public init(payload: String, symbology: String, quad: PixelQuad) {
        self.payload = payload
        self.symbology = symbology
        self.quad = quad
    }
}
