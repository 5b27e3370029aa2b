// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

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
    public var worldFromSurface: RigidTransform {
        let normal = facing.normalized() ?? Vector3(0, 1, 0)
        let right = Vector3(0, 1, 0).cross(normal).normalized() ?? Vector3(1, 0, 0)
        let axes = Rotation(Matrix3x3(right, normal, right.cross(normal))) ?? .identity
        return RigidTransform(
            rotation: axes * Rotation(rotationVector: Vector3(0, turnRadians, 0)), translation: center)
    }
}

extension Scene.Box {
    /// The box's axes, with the origin in its centre.
    var worldFromBox: RigidTransform {
        RigidTransform(rotation: Rotation(rotationVector: Vector3(0, turnRadians, 0)), translation: center)
    }

    /// The six faces as rectangles that face outwards; the top comes first.
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

extension Scene {
    /// The planes that the session declares, with their poses and outlines.
    public var declaredPlanes: [DeclaredPlane] {
        let tops = boxes.map { box in
            var top = box.faces[0]
            top.name = box.name
            return top
        }
        return planes.compactMap { plane in
            guard let surface = (quads + tops).first(where: { $0.name == plane.surface }) else { return nil }
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
