// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// A face that a session follows.
public struct FaceAnswer: Hashable, Sendable {
    /// Its number.
    public var id: Int
    /// From the brows to the chin.
    public var box: PixelBox
    /// Whether the picture shows it; else it is where it is supposed to be.
    public var isSeen: Bool
    /// How it is turned, as ``/ARTruth/FaceTruth/angles`` states it; `nil` where that is not known.
    public var angles: EulerAngles?

    /// A face with these values.
    public init(id: Int, box: PixelBox, isSeen: Bool, angles: EulerAngles? = nil) {
        self.id = id
        self.box = box
        self.isSeen = isSeen
        self.angles = angles
    }
}
