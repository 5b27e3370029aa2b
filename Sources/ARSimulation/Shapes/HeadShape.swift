// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The shape of a head with its face and hair, and of the neck and shoulders below.
///
/// Lengths are those of a head of 23 cm from chin to crown, in metres. +X is the head's left, +Y its crown, +Z its face; the
/// origin is its middle. Proportions follow the adult head of NASA's "Man-Systems Integration Standards" (NASA-STD-3000,
/// 8.6, rounded: breadth 15.5 cm, depth 19.7 cm, eyes 6.3 cm apart at half of the height).
enum HeadShape {
    /// From the chin to the crown.
    static let height = 0.23
    /// The face's box on its frontal view, as detectors draw it: from the brows to the chin, from cheek to cheek. Left, top,
    /// right, bottom; seen from the front, +X to the right and +Y up.
    static let faceBox = (left: -0.0755, top: 0.024, right: 0.0755, bottom: -0.112)

    /// Half of the breadth, height and depth of the skull.
    private static let halfSize = Vector3(0.0755, 0.115, 0.0965)

    /// The head's mesh: a sheet of directions from the origin, whose texture is wound around it like a map of the world,
    /// its middle at the face.
    static let mesh = SurfaceMesh(columns: columns, rows: rows) { u, v in vertex(u: u, v: v) }
    private static let (columns, rows) = (160, 128)

    /// The point of the mesh that shows a place of its texture.
    static func meshPoint(u: Double, v: Double) -> Point3 {
        let (x, y) = (u * Double(columns), v * Double(rows))
        let (column, row) = (min(Int(x), columns - 1), min(Int(y), rows - 1))
        let first = row * (columns + 1) + column
        let (right, down) = (x - Double(column), y - Double(row))
        return mesh.positions.withUnsafeBufferPointer { positions in
            mix(
                mix(positions[first], positions[first + 1], right),
                mix(positions[first + columns + 1], positions[first + columns + 2], right), down)
        }
    }

    private static func vertex(u: Double, v: Double) -> SurfaceMesh.Vertex {
        let direction = SurfaceMesh.sphereNormal(u: u, v: v)
        let position = point(towards: direction)
        // The normal of the image of a small cross around the direction.
        let right = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
        let (step, up) = (2e-3, direction.cross(right))
        func difference(_ across: Vector3) -> Vector3 {
            point(towards: direction + step * across) - point(towards: direction - step * across)
        }
        let normal = difference(right).cross(difference(up)).normalized() ?? direction
        return SurfaceMesh.Vertex(position: position, normal: normal)
    }

    /// The point of the surface in a direction, which need not have length one.
    private static func point(towards direction: Vector3) -> Point3 {
        let d = direction.normalized() ?? Vector3(0, 0, 1)
        var p = halfSize * d
        // The skull is fuller than an ellipsoid; the jaw is narrower, and its face flatter.
        let (x4, y4, z4) = (pow(abs(d.x), 4), pow(abs(d.y), 4), pow(abs(d.z), 4))
        p *= 1 + 0.035 * (1 - x4 - y4 - z4)
        let jaw = smoothStep(0.05, -1, d.y)
        p.x *= 1 - 0.30 * jaw
        p.z *= d.z > 0 ? 1 - 0.06 * jaw : 1 - 0.34 * smoothStep(-0.1, -0.9, d.y)
        let front = smoothStep(0.1, 0.6, d.z)
        p.z += front * relief(x: p.x, y: p.y)
        // The ears stand off at the sides.
        let ear = bump((p.y - 0.002) / 0.026, (p.z + 0.004) / 0.013)
        p.x += (d.x > 0 ? 0.014 : -0.014) * ear * smoothStep(0.6, 0.9, abs(d.x))
        return p + d * hairThickness(at: p, towards: d)
    }

    /// How far the face stands out at a place of its frontal view.
    private static func relief(x: Double, y: Double) -> Double {
        // The nose widens and rises from its root between the eyes to its tip, and ends above the lip.
        let alongNose = min(max((0.012 - y) / 0.048, 0), 1)
        let nose =
            0.018 * pow(alongNose, 1.2) * smoothStep(-0.052, -0.036, y) * bump(x / (0.007 + 0.006 * alongNose), 0)
        let nostrils = 0.007 * bump((abs(x) - 0.013) / 0.006, (y + 0.038) / 0.008)
        let sockets = -0.007 * bump((abs(x) - 0.031) / 0.014, (y - 0.001) / 0.011)
        let brows = 0.004 * bump((abs(x) - 0.028) / 0.022, (y - 0.024) / 0.008)
        let cheeks = 0.004 * bump((abs(x) - 0.038) / 0.017, (y + 0.028) / 0.018)
        let lips = 0.005 * bump(x / 0.021, (y + 0.066) / 0.009)
        let underLip = -0.004 * bump(x / 0.02, (y + 0.082) / 0.006)
        let chin = 0.006 * bump(x / 0.018, (y + 0.100) / 0.012)
        return nose + nostrils + sockets + brows + cheeks + lips + underLip + chin
    }

    private static func bump(_ x: Double, _ y: Double) -> Double { exp(-(x * x + y * y) / 2) }

    /// How far the hair stands off from the skin.
    private static func hairThickness(at place: Point3, towards direction: Vector3) -> Double {
        0.011 * hairCover(at: place, towards: direction, softness: 0.012)
    }

    /// Whether hair covers a place, 0…1; at the hairline it changes over about that many metres.
    ///
    /// The hairline runs over the forehead, in front of the ears down to their lobes, and around the neck.
    static func hairCover(at place: Point3, towards direction: Vector3, softness: Double) -> Double {
        let forehead = 0.076 - 0.5 * place.x * place.x / 0.07
        let back = smoothStep(0.022, -0.018, place.z)
        let hairline = mix(forehead, -0.058, back)
        let aroundEar =
            bump((place.y - 0.000) / 0.026, (place.z + 0.004) / 0.014) * smoothStep(0.6, 0.8, abs(direction.x))
        return smoothStep(-softness, softness, place.y - hairline) * (1 - smoothStep(0.2, 0.6, aroundEar))
    }

    /// How much of a place shows the face's picture, 0…1: an oval that fades out before the hair, the jaw's edge and the
    /// sides, where a frontal view would be drawn out.
    static func faceCover(at place: Point3, towards direction: Vector3) -> Double {
        let oval = Vector2(place.x / 0.064, (place.y + 0.026) / 0.094).length
        return smoothStep(1.0, 0.78, oval) * smoothStep(0.15, 0.45, direction.z)
    }

    /// Points spread over the part of the surface that shows the face's picture.
    static let faceSamples: [SurfaceSample] = {
        var face = mesh
        face.triangles = mesh.triangles.filter { triangle in
            let place = mesh.positions[Int(triangle.x)]
            return faceCover(at: place, towards: place.normalized() ?? place) > 0.5
        }
        return face.samples(count: StageBuilder.sampleCount)
    }()

    /// Points around the face's box, brows to chin and cheek to cheek, on the surface.
    static let faceOutline: [Point3] = (0..<48).compactMap { step in
        let angle = 2 * Double.pi * Double(step) / 48
        // A rounded rectangle in the frontal view, just inside of the head's silhouette.
        let (x, y) = (cos(angle), sin(angle))
        let round = pow(pow(abs(x), 4) + pow(abs(y), 4), -0.25)
        let (width, height) = (faceBox.right - faceBox.left, faceBox.top - faceBox.bottom)
        let target = Vector2(0.5 * width * x * round, (faceBox.top + faceBox.bottom) / 2 + 0.5 * height * y * round)
        return frontalPoint(x: target.x, y: target.y)
    }

    /// The point of the surface that a frontal view shows at a place, or the nearest on the silhouette.
    static func frontalPoint(x: Double, y: Double) -> Point3? {
        // A search by halving along each of the two angles would meet the relief's folds; a few of Newton's steps on the
        // direction's x and y, with the skull's own size as the slope, do not.
        var direction = Vector3(x / halfSize.x, y / halfSize.y, 0)
        for _ in 0..<40 {
            let length = Vector2(direction.x, direction.y).length
            if length > 0.995 { direction *= 0.995 / length }
            direction.z = max(0, 1 - direction.x * direction.x - direction.y * direction.y).squareRoot()
            let miss = Vector2(x, y) - Vector2(point(towards: direction).x, point(towards: direction).y)
            direction.x += 0.8 * miss.x / halfSize.x
            direction.y += 0.8 * miss.y / halfSize.y
        }
        direction.z = max(0, 1 - direction.x * direction.x - direction.y * direction.y).squareRoot()
        return point(towards: direction)
    }

    /// The neck, which does not turn with the head and ends below the collar.
    static let neck = SurfaceNet(
        of: bone(Point3(0, -0.02, -0.028), Point3(0, -0.19, -0.045), 0.054, 0.058), from: Point3(-0.09, -0.27, -0.13),
        to: Point3(0.09, 0.06, 0.05), cell: 0.004)

    /// The shoulders, in clothes whose collar is lower in front.
    static let shoulders = SurfaceNet(
        of: shouldersDistance, from: Point3(-0.26, -0.40, -0.18), to: Point3(0.26, -0.08, 0.16), cell: 0.005)

    private static let shouldersDistance = SignedDistance.cut(
        .cut(
            .union(
                [
                    bone(Point3(0, -0.08, -0.040), Point3(0, -0.17, -0.045), 0.061, 0.064),
                    bone(Point3(0.04, -0.215, -0.05), Point3(0.155, -0.255, -0.05), 0.062, 0.055),
                    bone(Point3(-0.04, -0.215, -0.05), Point3(-0.155, -0.255, -0.05), 0.062, 0.055),
                    bone(Point3(0, -0.25, -0.03), Point3(0, -0.44, -0.02), 0.10, 0.12),
                    bone(Point3(0.10, -0.28, -0.035), Point3(0.10, -0.44, -0.03), 0.09, 0.10),
                    bone(Point3(-0.10, -0.28, -0.035), Point3(-0.10, -0.44, -0.03), 0.09, 0.10),
                ], blend: 0.05),
            normal: Vector3(0, -1, 0), offset: 0.36, rounding: 0.01),
        normal: Vector3(0, 0.9, 0.436), offset: -0.137, rounding: 0.006)

    private static func bone(_ start: Point3, _ end: Point3, _ startRadius: Double, _ endRadius: Double)
        -> SignedDistance
    {
        .bone(.init(start: start, end: end, startRadius: startRadius, endRadius: endRadius))
    }
}
