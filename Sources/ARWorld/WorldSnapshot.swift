// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// The world as it was known at one frame. It never changes: queries on it can be repeated later, on any thread.
public struct WorldSnapshot: Sendable {
    /// The frame, with its pose and its feature points.
    public let frame: TrackedFrame
    /// The surface of the world, where the app or a scan gave it.
    public let mesh: WorldMesh?
    /// What changed since the snapshot before.
    public let changes: AnchorChanges
    /// How the world's coordinates changed since the snapshot before, if they did.
    public let correction: WorldCorrection?

    let planeIndex: PlaneIndex
    private let list: AnchorList

    /// A snapshot of these anchors, seen from that frame.
    public init(
        frame: TrackedFrame, anchors: [Anchor], mesh: WorldMesh? = nil, changes: AnchorChanges = AnchorChanges(),
        correction: WorldCorrection? = nil
    ) {
        let list = AnchorList(anchors)
        self.init(
            frame: frame, list: list, planeIndex: PlaneIndex(list.planes), mesh: mesh, changes: changes,
            correction: correction)
    }

    /// A snapshot of these planes, seen from that frame.
    public init(frame: TrackedFrame, planes: [PlaneAnchor], mesh: WorldMesh? = nil) {
        self.init(frame: frame, anchors: planes.map(Anchor.plane), mesh: mesh)
    }

    init(
        frame: TrackedFrame, list: AnchorList, planeIndex: PlaneIndex, mesh: WorldMesh?, changes: AnchorChanges,
        correction: WorldCorrection?
    ) {
        self.frame = frame
        self.list = list
        self.planeIndex = planeIndex
        self.mesh = mesh
        self.changes = changes
        self.correction = correction
    }

    /// The anchors of all kinds, in the order in which they were added.
    public var anchors: [Anchor] { list.anchors }

    /// All planes, in the order in which they were added.
    public var planes: [PlaneAnchor] { planeIndex.planes }

    /// The anchor with that identifier.
    public func anchor(_ identifier: UUID) -> Anchor? { list[identifier] }

    /// The ray of the world through a position of the picture, or `nil` where the lens sees nothing.
    public func ray(through point: NormalizedImagePoint) -> Ray? {
        frame.directionInWorld(of: PixelPoint(point, imageSize: frame.imageSize)).flatMap {
            Ray(origin: frame.worldFromCamera.translation, direction: $0)
        }
    }

    /// The ray of the world through a point of the view, or `nil` where the lens sees nothing.
    public func ray(through point: ViewPoint, in viewport: Viewport) -> Ray? {
        ray(through: NormalizedImagePoint(point, in: viewport, imageSize: frame.imageSize))
    }
}
