// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// What a frame's camera saw, for those who look at surfaces in pictures.
public struct FramePicture: Sendable {
    /// The picture, as the sensor gave it.
    public var image: ImageBuffer
    /// From the first row's exposure to the last one's, in seconds: the frame's pose is that of the middle row.
    public var readoutSeconds: Double

    /// A picture, by default of a sensor that exposes all rows at once.
    public init(image: ImageBuffer, readoutSeconds: Double = 0) {
        self.image = image
        self.readoutSeconds = readoutSeconds
    }
}
