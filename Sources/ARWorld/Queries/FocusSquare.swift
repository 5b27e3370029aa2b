// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// The square that shows the user where a thing would be placed, as in the drawing program: it follows the middle of the
/// view over the surfaces that are found there.
///
/// ```swift
/// var square = FocusSquare()
/// square.update(with: snapshot, at: viewport.size.center, in: viewport)
/// if let worldFromSquare = square.worldFromSquare { draw(square.outline, at: worldFromSquare) }
/// ```
///
/// Laws: `FocusSquareTests`, one for each rule.
public struct FocusSquare: Sendable {
    /// Metres from side to side at a scale of one.
    public static let size = 0.17
    /// The width of the lines, in metres at a scale of one.
    public static let thickness = 0.018
    /// How large the closed square is drawn, of ``size``.
    public static let closedScale = 0.97
    /// How far the open square's lines reach from the corners, of ``size``.
    public static let openLineLength = 0.2
    /// How many hits are averaged.
    public static let hitCount = 8

    /// How the square is drawn.
    public enum State: Hashable, Sendable {
        /// Nothing was hit yet, or nothing can be hit.
        case hidden
        /// Only the corners: no plane is known at the place.
        case open
        /// Whole: it lies on that plane.
        case closed(on: UUID)
    }

    /// How the square is drawn.
    public private(set) var state = State.hidden
    /// The square's axes in the world: +Y is the normal of the surface, X and Z run along the sides. `nil` while nothing was
    /// hit.
    public private(set) var worldFromSquare: RigidTransform?
    /// How many times ``size`` the square is large: see ``scale(atDistance:)``.
    public private(set) var scale = 1.0
    /// How the surface lies.
    public private(set) var alignment = PlaneAnchor.Alignment.horizontal
    /// Whether the last update closed the square on a plane that it had never visited: the moment to flash.
    public private(set) var hasFoundNewPlane = false

    private var recentPositions: [Point3] = []
    private var visitedPlanes: Set<UUID> = []

    /// A square that has seen nothing.
    public init() {}

    /// Lets the square follow what a point of the view shows: a plane inside its extent, or else what
    /// ``WorldSnapshot/placement(at:in:ofThingAt:prefersInfinitePlane:)`` answers. Where nothing is hit, and while tracking
    /// is not normal, the square is hidden and stays where it was.
    public mutating func update(with snapshot: WorldSnapshot, at point: ViewPoint, in viewport: Viewport) {
        if let correction = snapshot.correction { follow(correction) }
        let ownPlace = worldFromSquare?.translation
        guard let placement = snapshot.placement(at: point, in: viewport, ofThingAt: ownPlace) else {
            state = .hidden
            hasFoundNewPlane = false
            return
        }
        update(with: placement.position, on: placement.plane, worldFromCamera: snapshot.frame.worldFromCamera)
    }

    /// Lets the square follow a hit.
    ///
    /// - Parameter plane: the plane that was hit, if it is a known one.
    public mutating func update(with hit: Point3, on plane: PlaneAnchor?, worldFromCamera: RigidTransform) {
        hasFoundNewPlane = plane.map { visitedPlanes.insert($0.identifier).inserted } ?? false
        state = plane.map { .closed(on: $0.identifier) } ?? .open
        let alignment = plane?.alignment ?? .horizontal
        // Positions of a floor and of a wall have no average.
        if alignment != self.alignment { recentPositions.removeAll() }
        self.alignment = alignment

        recentPositions = (recentPositions + [hit]).suffix(Self.hitCount)
        let position = recentPositions.reduce(.zero, +) / Double(recentPositions.count)
        scale = Self.scale(atDistance: (position - worldFromCamera.translation).length)
        let rotation =
            if alignment != .horizontal, let plane {
                Rotation(surfaceNormal: plane.normalInWorld(towards: worldFromCamera.translation))
            } else {
                Rotation(rotationVector: Vector3(0, Self.yaw(for: worldFromCamera), 0))
            }
        worldFromSquare = RigidTransform(rotation: rotation, translation: position)
    }

    /// The lines of the square in its own x and z, in metres: the four sides when it is closed, two pieces at each corner
    /// when it is open, none when it is hidden.
    public var outline: [Segment2] {
        let half = Self.size * scale / 2
        func sides(_ half: Double) -> [Segment2] {
            let corners = [Point2(-half, -half), Point2(half, -half), Point2(half, half), Point2(-half, half)]
            return Array(Polygon2(corners).edges)
        }
        switch state {
        case .hidden: return []
        case .closed: return sides(half * Self.closedScale)
        case .open:
            return sides(half).flatMap { side in
                let piece = Self.openLineLength * (side.end - side.start)
                return [Segment2(side.start, side.start + piece), Segment2(side.end - piece, side.end)]
            }
        }
    }

    private mutating func follow(_ correction: WorldCorrection) {
        recentPositions = recentPositions.map { correction.worldFromOldWorld * $0 }
        worldFromSquare = worldFromSquare.map { correction.worldFromOldWorld * $0 }
    }
}

// MARK: The drawing program's rules

extension FocusSquare {
    /// The scale at which the square is neither lost far away nor covers the screen nearby: in proportion to the distance up
    /// to 70 cm, so that it is seen equally large; beyond, growing by a quarter of the distance.
    public static func scale(atDistance distance: Double) -> Double {
        distance < 0.7 ? distance / 0.7 : 0.25 * distance + 0.825
    }

    /// The square's turn about +Y, so that its sides lie along the view's, in radians.
    ///
    /// For a camera that looks out to the horizon, its yaw. From a tilt of 0.75 · 90° on, where yaw loses its meaning, the
    /// angle of the picture's axes on the ground, as they lie when the phone is held upright. From 0.65 · 90° on a blend of
    /// both, with the yaw first turned by quarter turns until it is nearest to the other: a square looks the same
    /// after them.
    public static func yaw(for worldFromCamera: RigidTransform) -> Double {
        let angles = worldFromCamera.rotation.eulerAngles
        let blending = (0.65 * .pi / 2)..<(0.75 * .pi / 2)
        let tilt = abs(angles.pitch)
        guard tilt >= blending.lowerBound else { return angles.yaw }
        let right = worldFromCamera.rotation * Vector3(1, 0, 0)
        let up = worldFromCamera.rotation * Vector3(0, 1, 0)
        let yawFromAbove = atan2(right.x, up.x)
        guard blending.contains(tilt) else { return yawFromAbove }
        let share = (tilt - blending.lowerBound) / (blending.upperBound - blending.lowerBound)
        let quarterTurns = ((yawFromAbove - angles.yaw) / (.pi / 2)).rounded()
        return (1 - share) * (angles.yaw + quarterTurns * .pi / 2) + share * yawFromAbove
    }
}

extension PlaneAnchor {
    /// The plane's normal on the side of a point.
    fileprivate func normalInWorld(towards point: Point3) -> Vector3 {
        let normal = worldFromAnchor.rotation * Vector3(0, 1, 0)
        return normal.dot(point - worldFromAnchor.translation) >= 0 ? normal : -normal
    }
}
