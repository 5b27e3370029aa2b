// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// What a camera truly sees of surfaces.
struct DepthView {
    var depth: DepthPicture
    var camera: Camera
    var worldFromCamera: RigidTransform

    /// At how many places of a plane there is a surface, whatever the truth declares, and at how many something lies behind that
    /// is seen through it. Something before the plane hides it and tells nothing.
    ///
    /// - Parameter limit: how far the surface may lie off along the plane's normal, in metres.
    func places(
        of plane: PlaneAnswer, movedBy truthFromSession: Similarity, within limit: Double
    ) -> (there: Int, behind: Int) {
        let places = Polygon2(plane.boundary).places(across: Self.placesAcross)
        let normal = truthFromSession.rotation * (plane.worldFromPlane.rotation * Vector3(0, 1, 0))
        let opticalFromWorld = RigidTransform.opticalFromCamera * worldFromCamera.inverse
        var (there, behind) = (0, 0)
        for place in places {
            let point = truthFromSession * (plane.worldFromPlane * Point3(place.x, 0, place.y))
            let local = opticalFromWorld * point
            let height = (worldFromCamera.translation - point).dot(normal)
            guard local.z > 0, height > 0, let pixel = camera.project(local), let metres = depth.metres(at: pixel),
                metres > 0
            else { continue }
            // How far behind the plane lies what is seen, along the normal.
            let beyond = (metres / local.z - 1) * height
            if abs(beyond) <= limit { there += 1 } else if beyond > 0 { behind += 1 }
        }
        return (there, behind)
    }

    private static let placesAcross = 16
}

extension Polygon2 {
    /// Places inside in rows and columns, at most that many of each.
    fileprivate func places(across count: Int) -> [Point2] {
        let low = vertices.reduce(Point2(repeating: .infinity)) { pointwiseMin($0, $1) }
        let size = vertices.reduce(Point2(repeating: -.infinity)) { pointwiseMax($0, $1) } - low
        return (0..<count * count).compactMap { number in
            let part = Point2(Double(number % count) + 0.5, Double(number / count) + 0.5) / Double(count)
            let place = low + part * size
            return contains(place) ? place : nil
        }
    }
}
