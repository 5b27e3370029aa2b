// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Where a rectangle of known size is before a camera: the two poses that its image, seen at first order, leaves open.
///
/// Infinitesimal plane-based pose estimation (Collins and Bartoli 2014, "Infinitesimal plane-based pose estimation", IJCV
/// 109): the homography's value and derivative at the middle of the rectangle determine the attitude up to a reflection about
/// the ray to it; the place follows by least squares.
struct PlanarPose {
    /// From the rectangle's axes to the camera's optical ones.
    let opticalFromRectangle: RigidTransform

    /// The poses from which the corners, top left first, are seen in these directions; none where they are no rectangle's
    /// before the camera.
    static func candidates(size: RectangleSize, directions: [Vector3]) -> [PlanarPose] {
        guard directions.count == 4, directions.allSatisfy({ $0.z > 1e-6 * $0.length }),
            size.width > 0, size.height > 0
        else { return [] }
        let images = directions.map { Vector2($0.x, $0.y) / $0.z }
        let quad = PixelQuad(corners: images.map { PixelPoint($0) })
        let unitFromPlane = Matrix3x3(
            rows: Vector3(1 / size.width, 0, 0.5), Vector3(0, 1 / size.height, 0.5), Vector3(0, 0, 1))
        guard quad.isConvex, let homography = quad.pixelFromUnitSquare.map({ $0 * unitFromPlane }),
            let middle = homography.image(of: .zero),
            let turns = attitudes(derivative: derivative(of: homography, middle: middle), middle: middle)
        else { return [] }
        let corners = RectangleShape(worldFromRectangle: .identity, size: size).corners
        return turns.compactMap { rotation in
            place(rotation, corners: corners, images: images).map {
                PlanarPose(opticalFromRectangle: RigidTransform(rotation: rotation, translation: $0))
            }
        }
    }

    /// The columns of the derivative of a homography at the origin, whose image is `middle`.
    private static func derivative(of homography: Matrix3x3, middle: Vector2) -> (Vector2, Vector2) {
        let scale = homography[2, 2]
        func column(_ index: Int) -> Vector2 {
            let entries = homography[index]
            return (Vector2(entries.x, entries.y) - middle * entries.z) / scale
        }
        return (column(0), column(1))
    }

    /// The two attitudes: rectangle's axes in optical ones.
    private static func attitudes(derivative: (Vector2, Vector2), middle: Vector2) -> [Rotation]? {
        guard let ray = Vector3(middle.x, middle.y, 1).normalized(),
            let opticalFromRay = Rotation(from: Vector3(0, 0, 1), to: ray)
        else { return nil }
        // What a step across the ray moves the image by.
        let axes = opticalFromRay.matrix
        func moved(_ axis: Vector3) -> Vector2 { Vector2(axis.x, axis.y) - middle * axis.z }
        let (right, down) = (moved(axes[0]), moved(axes[1]))
        let determinant = right.cross(down)
        guard abs(determinant) > 1e-12 else { return nil }
        func acrossRay(_ image: Vector2) -> Vector2 {
            Vector2(image.cross(down), right.cross(image)) / determinant
        }
        let (u, v) = (acrossRay(derivative.0), acrossRay(derivative.1))
        // The largest singular value: the scale at which neither axis is longer than one.
        let (a, b, c) = (u.x * u.x + v.x * v.x, u.x * u.y + v.x * v.y, u.y * u.y + v.y * v.y)
        let scale = (0.5 * (a + c + ((a - c) * (a - c) + 4 * b * b).squareRoot())).squareRoot()
        guard scale > 1e-12, scale.isFinite else { return nil }
        let (x, y) = (u / scale, v / scale)
        let depthOfX = max(0, 1 - x.squaredLength).squareRoot()
        let depthOfY = max(0, 1 - y.squaredLength).squareRoot() * (x.dot(y) > 0 ? -1 : 1)
        return [1.0, -1].compactMap { sign in
            let (along, below) = (Vector3(x.x, x.y, sign * depthOfX), Vector3(y.x, y.y, sign * depthOfY))
            // The rectangle's +Z leads down, as the image's second axis does; its +Y towards the camera.
            guard let first = along.normalized(), let normal = below.cross(along).normalized() else { return nil }
            return Rotation(Matrix3x3(first, normal, first.cross(normal))).map { opticalFromRay * $0 }
        }
    }

    /// The place from which turned corners are seen best: linear least squares over the images' equations.
    private static func place(_ rotation: Rotation, corners: [Point3], images: [Vector2]) -> Vector3? {
        var (system, right) = (Matrix3x3.zero, Vector3.zero)
        for (corner, image) in zip(corners.map { rotation * $0 }, images) {
            for row in [Vector3(1, 0, -image.x), Vector3(0, 1, -image.y)] {
                system = system + .outerProduct(row, row)
                right -= row * row.dot(corner)
            }
        }
        guard let place = system.inverse.map({ $0 * right }),
            corners.allSatisfy({ (rotation * $0 + place).z > 0 })
        else { return nil }
        return place
    }
}
