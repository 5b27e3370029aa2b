// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth
import Foundation

extension Scene.Waypoint {
    /// The camera's pose, or `nil` when it looks along the vertical, where the horizon has no direction.
    var worldFromCamera: RigidTransform? {
        guard let backward = (position - lookAt).normalized(),
            let right = Vector3(0, 1, 0).cross(backward).normalized(),
            let level = Rotation(Matrix3x3(right, backward.cross(right), backward))
        else { return nil }
        return RigidTransform(
            rotation: level * Rotation(rotationVector: Vector3(0, 0, rollRadians)), translation: position)
    }
}

extension Scene.Quad {
    /// The surface's axes: +Y is its normal, X and Z span it.
    ///
    /// Unturned, X is horizontal; on a wall X points to the right and Z down as one faces it, on a floor they are the
    /// world's.
    public var worldFromSurface: RigidTransform { .flat(center: center, facing: facing, turnRadians: turnRadians) }
}

extension Scene.Box {
    /// The box's axes, with the origin in its centre.
    var worldFromBox: RigidTransform {
        RigidTransform(rotation: Rotation(rotationVector: Vector3(0, turnRadians, 0)), translation: center)
    }

    /// The six faces as rectangles that face outwards, each beside its opposite; the top comes first.
    var faces: [Scene.Quad] {
        let half = size / 2
        let sides: [(name: String, normal: Vector3, distance: Double, size: Vector2)] = [
            ("top", Vector3(0, 1, 0), half.y, Vector2(size.x, size.z)),
            ("bottom", Vector3(0, -1, 0), half.y, Vector2(size.x, size.z)),
            ("right", Vector3(1, 0, 0), half.x, Vector2(size.z, size.y)),
            ("left", Vector3(-1, 0, 0), half.x, Vector2(size.z, size.y)),
            ("front", Vector3(0, 0, 1), half.z, Vector2(size.x, size.y)),
            ("back", Vector3(0, 0, -1), half.z, Vector2(size.x, size.y)),
        ]
        return sides.map { side in
            var face = Scene.Quad()
            face.name = "\(name).\(side.name)"
            face.center = worldFromBox * (side.normal * side.distance)
            face.facing = worldFromBox.rotation * side.normal
            face.turnRadians = side.normal.y > 0 ? turnRadians : side.normal.y < 0 ? -turnRadians : 0
            face.size = side.size
            face.material = material
            return face
        }
    }
}

extension RigidTransform {
    /// The frame of something flat, or of something with an axis, along its y; see ``Rotation/facing(_:)``.
    fileprivate static func flat(center: Point3, facing: Vector3, turnRadians: Double) -> RigidTransform {
        RigidTransform(
            rotation: .facing(facing) * Rotation(rotationVector: Vector3(0, turnRadians, 0)), translation: center)
    }

    /// The frame of something that stands upright, turned about +Y.
    fileprivate static func upright(_ position: Point3, turnRadians: Double) -> RigidTransform {
        RigidTransform(rotation: Rotation(rotationVector: Vector3(0, turnRadians, 0)), translation: position)
    }
}

extension Scene.Print {
    /// The image anchor's frame: the origin in the middle of the picture, +X to its right, +Y out of it, its top towards −Z.
    var worldFromPrint: RigidTransform { .flat(center: center, facing: facing, turnRadians: turnRadians) }
}

extension Scene.Flag {
    /// The same of the cloth at rest; the pole is at −X.
    var worldFromFlag: RigidTransform { .flat(center: center, facing: facing, turnRadians: turnRadians) }
}

extension Scene.Cylinder {
    /// +Y is the axis; the origin is the cylinder's middle.
    var worldFromCylinder: RigidTransform { .flat(center: center, facing: axis, turnRadians: turnRadians) }
}

extension Scene.Sphere {
    /// The origin is the sphere's middle.
    var worldFromSphere: RigidTransform { .upright(center, turnRadians: turnRadians) }
}

extension Scene.Mesh {
    /// From the file's axes, scaled.
    var worldFromMesh: RigidTransform {
        RigidTransform(rotation: Rotation(rotationVector: turnRadians), translation: position)
    }
}

extension Scene.Scan {
    /// From the file's axes.
    var worldFromRoom: RigidTransform { .upright(position, turnRadians: turnRadians) }
}

extension Scene {
    /// The quads, those for which rooms stand too.
    var allQuads: [Quad] { quads + rooms.flatMap(\.quads) }

    /// What planes can be declared on: quads, prints, and the tops of boxes and cylinders under these' names.
    var flatSurfaces: [FlatSurface] {
        let tops = boxes.map { box in
            var top = box.faces[0]
            top.name = box.name
            return top
        }
        let sheets = prints.map { print in
            var sheet = Quad()
            (sheet.name, sheet.center, sheet.facing) = (print.name, print.center, print.facing)
            (sheet.turnRadians, sheet.size) = (print.turnRadians, print.size + 2 * print.borderMeters)
            return sheet
        }
        return (allQuads + tops + sheets).map(FlatSurface.init) + cylinders.map(FlatSurface.init(topOf:))
    }

    /// A surface on which a plane can be declared, and its outline in its own x and z, counter-clockwise seen from above.
    struct FlatSurface {
        let name: String
        let worldFromSurface: RigidTransform
        let outline: [Point2]

        fileprivate init(_ quad: Quad) {
            (name, worldFromSurface, outline) = (quad.name, quad.worldFromSurface, quad.outline)
        }

        /// The top of a cylinder, as a polygon of as large an area to a hundredth. Law: `SceneThingTests.aCylindersTopIsAPlane`.
        fileprivate init(topOf cylinder: Cylinder) {
            name = cylinder.name
            let toTop = RigidTransform(translation: Vector3(0, cylinder.height / 2, 0))
            worldFromSurface =
                .flat(center: cylinder.center, facing: cylinder.axis, turnRadians: cylinder.turnRadians) * toTop
            let corners = 32
            outline = (0..<corners).map { corner in
                let angle = 2 * Double.pi * Double(corner) / Double(corners)
                return cylinder.radius * Point2(cos(angle), -sin(angle))
            }
        }
    }

    /// The planes that ``planes`` declares, with their poses and outlines; of what moves, where it stands at rest. The planes
    /// of scanned rooms are not among them: those stand in files.
    public var declaredPlanes: [DeclaredPlane] {
        let surfaces = Dictionary(flatSurfaces.map { ($0.name, $0) }) { first, _ in first }
        return planes.compactMap { plane in
            guard let surface = surfaces[plane.surface] else { return nil }
            return DeclaredPlane(
                name: plane.name, worldFromPlane: surface.worldFromSurface,
                boundary: plane.outline.isEmpty ? surface.outline : Self.counterClockwise(plane.outline),
                classification: plane.classification)
        }
    }

    /// The outline in the order that is counter-clockwise seen from above, where z points down the page.
    private static func counterClockwise(_ outline: [Point2]) -> [Point2] {
        let following = outline[1...] + outline[..<1]
        let doubledArea = zip(outline, following).reduce(0) { $0 + $1.1.cross($1.0) }
        return doubledArea < 0 ? outline.reversed() : outline
    }
}

extension Scene.Quad {
    /// The corners in the surface's x and z, counter-clockwise seen from above.
    var outline: [Point2] {
        let half = size / 2
        return [
            Point2(-half.x, half.y), Point2(half.x, half.y), Point2(half.x, -half.y), Point2(-half.x, -half.y),
        ]
    }
}
