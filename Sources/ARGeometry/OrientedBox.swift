// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A box in any attitude: centred on the origin of its own frame, along its own axes.
public struct OrientedBox: Hashable, Sendable {
    /// The box's pose: its frame's origin is the box's centre. Named for the world, but any frame may be the target.
    public var worldFromBox: RigidTransform
    /// Half the lengths of the edges along the box's own axes, not negative.
    public var halfExtents: Vector3

    /// The box with that pose and those half edges.
    @inlinable public init(worldFromBox: RigidTransform, halfExtents: Vector3) {
        precondition(all(halfExtents .>= .zero), "a box's half extents may not be negative: \(halfExtents)")
        self.worldFromBox = worldFromBox
        self.halfExtents = halfExtents
    }

    /// The box along the axes, as a box in any attitude.
    @inlinable public init(_ box: AxisAlignedBox) {
        self.init(worldFromBox: RigidTransform(translation: box.center), halfExtents: 0.5 * box.size)
    }

    /// The box in its own frame, where it lies along the axes.
    @inlinable public var inOwnFrame: AxisAlignedBox { AxisAlignedBox(minimum: -halfExtents, maximum: halfExtents) }

    /// The volume.
    @inlinable public var volume: Double { 8 * halfExtents.x * halfExtents.y * halfExtents.z }

    /// Whether the point lies inside or on the boundary, up to the rounding of one transform.
    @inlinable public func contains(_ point: Point3) -> Bool { inOwnFrame.contains(worldFromBox.inverse * point) }

    /// The nearest point of the box: the point itself, up to rounding, when it lies inside.
    @inlinable public func closestPoint(to point: Point3) -> Point3 {
        worldFromBox * inOwnFrame.closestPoint(to: worldFromBox.inverse * point)
    }

    /// The eight corners, in the order of ``AxisAlignedBox/corners`` along the box's own axes.
    public var corners: [Point3] { inOwnFrame.corners.map { worldFromBox * $0 } }

    /// The box in the target's coordinates.
    @inlinable public static func * (targetFromWorld: RigidTransform, box: OrientedBox) -> OrientedBox {
        OrientedBox(worldFromBox: targetFromWorld * box.worldFromBox, halfExtents: box.halfExtents)
    }
}
