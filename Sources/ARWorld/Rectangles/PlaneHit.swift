// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation

/// How uncertain a plane is, as standard deviations.
public struct PlaneDeviation: Hashable, Sendable {
    /// Along its normal, in metres.
    public var offset: Double
    /// About each axis in it, in radians.
    public var tilt: Double

    /// A plane with these deviations about the point that it is known by.
    public init(offset: Double, tilt: Double) {
        self.offset = offset
        self.tilt = tilt
    }

    /// A plane that is exactly where it is said to be.
    public static let exact = PlaneDeviation(offset: 0, tilt: 0)
}

/// Where the ray through a pixel meets a plane, and how that place changes with all that it follows from.
///
/// With o the camera's place, d the ray's direction, n the plane's normal and q the point that the plane is known by:
/// x = o + s d, s = n·(q − o) / (n·d), hence δx = (I − d nᵀ / (n·d)) (δo + s δd) + d (n·δq − δn·(x − q)) / (n·d).
struct PlaneHit {
    let position: Point3
    /// ∂x/∂(column, row), per pixel.
    let byPixel: [Vector3]
    /// ∂x/∂δp and ∂x/∂δθ of a camera that really is at p + δp with the attitude Exp(δθ) R.
    let byPlace, byTurn: Matrix3x3
    /// ∂x/∂h for a plane that really is h farther along its normal.
    let byOffset: Vector3
    /// ∂x/∂α for a plane that really is turned by α about its +X, and about its +Z.
    let byTilt: [Vector3]

    /// The hit, or `nil` for a ray along the plane or away from it, and where the lens sees nothing.
    init?(of pixel: PixelPoint, in frame: TrackedFrame, on worldFromPlane: RigidTransform) {
        guard let inOptical = frame.camera.unproject(pixel),
            let projection = frame.camera.projectWithJacobians(inOptical),
            let inOpticalByPixel = projection.pixelByPoint.pseudoinverse
        else { return nil }
        let worldFromOptical = frame.worldFromOptical.rotation
        let (origin, direction) = (frame.worldFromCamera.translation, worldFromOptical * inOptical)
        let (normal, known) = (worldFromPlane.rotation * Vector3(0, 1, 0), worldFromPlane.translation)
        let approach = normal.dot(direction)
        let distance = normal.dot(known - origin) / approach
        guard abs(approach) > 1e-9 * direction.length, distance > 0, distance.isFinite else { return nil }
        let alongPlane = .identity - (1 / approach) * Matrix3x3.outerProduct(direction, normal)
        position = origin + distance * direction
        byPixel = inOpticalByPixel.map { alongPlane * (distance * (worldFromOptical * $0)) }
        byPlace = alongPlane
        byTurn = alongPlane * (-distance * Matrix3x3.crossProduct(direction))
        byOffset = direction / approach
        let reach = position - known
        byTilt = [Vector3(1, 0, 0), Vector3(0, 0, 1)].map { axis in
            let turned = (worldFromPlane.rotation * axis).cross(normal)
            return direction * (-turned.dot(reach) / approach)
        }
    }
}

extension PixelByPoint {
    /// The changes of a point, across its ray, that move its image by one pixel to the right, and down. `nil` where the image
    /// does not move both ways.
    fileprivate var pseudoinverse: [Vector3]? {
        let (first, second) = (Vector3(x.x, y.x, z.x), Vector3(x.y, y.y, z.y))
        let (aa, ab, bb) = (first.dot(first), first.dot(second), second.dot(second))
        let determinant = aa * bb - ab * ab
        guard determinant > 1e-12 * aa * bb else { return nil }
        return [(first * bb - second * ab) / determinant, (second * aa - first * ab) / determinant]
    }
}
