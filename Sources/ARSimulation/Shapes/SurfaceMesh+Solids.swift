// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension SurfaceMesh {
    /// A rectangle in its image anchor's frame: +Y is the normal, the texture's right is +X, its top −Z.
    static func rectangle(size: Vector2) -> SurfaceMesh {
        SurfaceMesh(columns: 1, rows: 1) { u, v in
            Vertex(position: Point3((u - 0.5) * size.x, 0, (v - 0.5) * size.y), normal: Vector3(0, 1, 0))
        }
    }

    /// The sides of a cylinder whose axis is Y: the texture is wound around it, its middle at +Z, its top at +Y.
    static func cylinderSides(radius: Double, height: Double) -> SurfaceMesh {
        SurfaceMesh(columns: roundSegments(radius: radius), rows: 1) { u, v in
            let normal = direction(azimuth: (2 * u - 1) * .pi)
            return Vertex(position: radius * normal + Vector3(0, (0.5 - v) * height, 0), normal: normal)
        }
    }

    /// The ends of a cylinder whose axis is Y, each with its own copy of a square texture; seen from above or below,
    /// the texture's right is +X.
    static func cylinderEnds(radius: Double, height: Double) -> SurfaceMesh {
        end(radius: radius, height: height, up: 1) + end(radius: radius, height: height, up: -1)
    }

    private static func end(radius: Double, height: Double, up: Double) -> SurfaceMesh {
        let segments = roundSegments(radius: radius)
        let normal = Vector3(0, up, 0)
        var mesh = SurfaceMesh()
        func add(_ offset: Vector3) {
            mesh.positions.append(radius * offset + normal * (height / 2))
            mesh.normals.append(normal)
            mesh.textureCoordinates.append(Point2(0.5 + 0.5 * offset.x, 0.5 + 0.5 * up * offset.z))
        }
        add(.zero)
        for segment in 0..<segments { add(direction(azimuth: (2 * Double(segment) / Double(segments) - 1) * .pi)) }
        for segment in 0..<UInt32(segments) {
            let (near, far) = (1 + segment, 1 + (segment + 1) % UInt32(segments))
            mesh.triangles.append(up > 0 ? SIMD3(0, near, far) : SIMD3(0, far, near))
        }
        return mesh
    }

    /// A sphere: the texture is wound around it like a map of the world, its middle at +Z, its top at +Y.
    static func sphere(radius: Double) -> SurfaceMesh {
        let columns = roundSegments(radius: radius)
        return SurfaceMesh(columns: columns, rows: columns / 2) { u, v in
            let normal = sphereNormal(u: u, v: v)
            return Vertex(position: radius * normal, normal: normal)
        }
    }

    /// The normal of a sphere at a place of its texture.
    static func sphereNormal(u: Double, v: Double) -> Vector3 {
        // At the poles the sine's rounding must not draw the vertices of a row apart.
        let ring = v == 0 || v == 1 ? 0 : sin(v * .pi)
        return ring * direction(azimuth: (2 * u - 1) * .pi) + Vector3(0, cos(v * .pi), 0)
    }

    /// The horizontal direction at an angle from +Z towards +X; the two ends of a turn are the same number.
    private static func direction(azimuth: Double) -> Vector3 {
        let angle = azimuth == .pi ? -.pi : azimuth
        return Vector3(sin(angle), 0, cos(angle))
    }

    /// So many segments that a circle's chords keep within a tenth of a millimetre of it, from 24 to 128, even.
    private static func roundSegments(radius: Double) -> Int {
        // The sagitta of a chord over the angle 2π/n is about r π² / (2 n²).
        let count = Double.pi * (radius / 2e-4).squareRoot()
        return 4 * Int((min(max(count, 24), 128) / 4).rounded(.up))
    }
}
