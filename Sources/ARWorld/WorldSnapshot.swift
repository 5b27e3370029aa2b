// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// The world as it was known at one frame. It never changes: queries on it can be repeated later, on any thread.
public struct WorldSnapshot: Sendable {
    /// The frame, with its pose.
    public let frame: TrackedFrame
    /// All planes, in the order in which they were added.
    public let planes: [PlaneAnchor]
    /// What changed since the snapshot before.
    public let changes: AnchorChanges

    /// A snapshot of these planes, seen from that frame.
    public init(frame: TrackedFrame, planes: [PlaneAnchor], changes: AnchorChanges = AnchorChanges()) {
        self.frame = frame
        self.planes = planes
        self.changes = changes
    }

    /// The ray of the world through a position of the picture, or `nil` where the lens sees nothing.
    public func ray(through point: NormalizedImagePoint) -> Ray? {
        frame.directionInWorld(of: PixelPoint(point, imageSize: frame.imageSize)).flatMap {
            Ray(origin: frame.worldFromCamera.translation, direction: $0)
        }
    }
}

/// The anchors that a frame added, moved or took away, each list in the order of the anchors' ages.
public struct AnchorChanges: Hashable, Sendable {
    /// New anchors.
    public var added: [UUID] = []
    /// Anchors whose pose or shape changed.
    public var updated: [UUID] = []
    /// Anchors that are gone.
    public var removed: [UUID] = []

    /// No changes.
    public init() {}
}
