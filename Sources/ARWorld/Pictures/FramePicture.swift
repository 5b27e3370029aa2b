// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// What a frame's camera saw, for those who look at surfaces in pictures.
public struct FramePicture: Sendable {
    /// The picture, as the sensor gave it.
    public var image: ImageBuffer
    /// From the first row's exposure to the last one's, in seconds, below zero where the last one's comes first: the frame's pose is that of
    /// the middle row. Zero where all rows are exposed at once, or as good as that.
    public let readoutSeconds: Double

    /// A shorter one is none, as an estimate never says: a turn of 2 rad/s then moves rows of a picture with a focal length of 1000 pixels by a
    /// tenth of a pixel at most from where the middle row's pose has them.
    private static let leastReadoutSeconds = 1e-4

    /// A picture, by default of a sensor that exposes all rows at once. Law: `KeyPictureTests.slowFramesCountWithoutReadout`.
    public init(image: ImageBuffer, readoutSeconds: Double = 0) {
        self.image = image
        self.readoutSeconds = abs(readoutSeconds) < Self.leastReadoutSeconds ? 0 : readoutSeconds
    }
}
