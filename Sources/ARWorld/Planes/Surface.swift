// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A plane that is being found: its axes, what speaks for it, and what has been told of it.
struct Surface: Sendable {
    /// The surfaces are numbered as they are found, from one; zero before.
    var number: Int
    let isHorizontal: Bool
    /// Where it is.
    private(set) var fitted: FittedPlane
    /// What the points said of the plane that were forgotten since.
    var former = FormerEvidence()
    /// The evidence, by place.
    var grid: SurfaceGrid
    /// The outline of the evidence, in the level axes' x and z.
    var outline: SurfaceOutline
    /// How far in front of the plane pictures show it, in metres.
    var shownOffset = 0.0
    /// How much evidence came or went since the surface was last refined, in points, and whether any of its points was
    /// estimated anew.
    var changes = 0
    var isSeenAnew = false
    /// When it was refined last, and for how long it rests.
    var refinement = Refinement()
    /// The frame in which the surface was last looked after.
    var lastUpkeep = 0
    /// Since when what is seen contradicts the surface; `nil` while it does not.
    var contestedSince: Timestamp?
    /// Where the anchor's axes stand in the level ones, and how they are turned about +Y: decided when the anchor is first
    /// reported.
    var anchorPlace = Point2.zero
    var anchorHeading = 0.0
    /// What was told last.
    var reported: PlaneAnchor?
    /// What this frame has to tell.
    var news: PlaneAnchor?

    /// A surface without evidence, in the level plane of some axes.
    init(isHorizontal: Bool, worldFromLevel: RigidTransform, cellSize: Double) {
        number = 0
        self.isHorizontal = isHorizontal
        fitted = FittedPlane(in: worldFromLevel)
        grid = SurfaceGrid(cellSize: cellSize)
        outline = SurfaceOutline()
    }

    var worldFromLevel: RigidTransform { fitted.worldFromLevel }
    var levelFromWorld: RigidTransform { fitted.levelFromWorld }
    /// The plane in the level axes, and in the world.
    var fit: SurfaceFit {
        get { fitted.fit }
        set { fitted.fit = newValue }
    }
    var plane: Plane { fitted.plane }

    /// The x and z of a point of the world in the level axes: where it is counted.
    func place(of point: Point3) -> Point2 { fitted.place(of: point) }

    /// The anchor's axes: put on the plane, and turned into it from the level ones by the least turn.
    var worldFromAnchor: RigidTransform {
        let (normal, up) = (fit.normal, Vector3(0, 1, 0))
        // The turn from one unit vector to another is the quaternion (a × b, 1 + a · b).
        let axis = up.cross(normal)
        let turn = Rotation(x: axis.x, y: axis.y, z: axis.z, w: 1 + up.dot(normal)) ?? .identity
        return worldFromLevel
            * RigidTransform(
                rotation: turn * Rotation(rotationVector: Vector3(0, anchorHeading, 0)),
                translation: pointInLevel(anchorPlace))
    }

    /// The point of the plane at an x and z of the level axes, in these axes.
    func pointInLevel(_ place: Point2) -> Point3 { fitted.pointInLevel(place) }

    /// Moves the surface to a plane of the world that is nearly its own. What was said of the old place holds no longer.
    mutating func move(to plane: Plane) {
        guard let fit = SurfaceFit(levelFromWorld * plane) else { return }
        self.fit = fit
        former = FormerEvidence()
        shownOffset = 0
        wake()
    }

    /// Level axes about a point: a horizontal surface seen from above or from below, or a vertical one.
    ///
    /// - Parameter normal: level or plumb, of length one. The axes of a plumb surface are x along it and z downwards.
    static func levelAxes(at point: Point3, normal: Vector3) -> RigidTransform? {
        let up = Vector3(0, 1, 0)
        let x = abs(normal.y) > 0.5 ? Vector3(1, 0, 0) : up.cross(normal)
        return Rotation(Matrix3x3(x, normal, x.cross(normal))).map { RigidTransform(rotation: $0, translation: point) }
    }
}
