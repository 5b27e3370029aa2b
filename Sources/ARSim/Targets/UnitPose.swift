// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTargets

extension TargetSighting {
    /// The pose of the print if it were one metre wide, from its four corners; `nil` where they are no rectangle's image.
    ///
    /// With the corners' directions on the plane one metre before the camera, the homography from the print's plane is
    /// λ [r₁ r₂ t] (Zhang 2000, section 3.1); r₁ and r₂ are made one rotation by halves.
    func cameraFromUnitTarget(camera: Camera, aspectRatio: Double) -> RigidTransform? {
        let places = corners.corners.compactMap { corner -> PixelPoint? in
            guard let direction = camera.unproject(corner), direction.z > 0.05 else { return nil }
            return PixelPoint(direction.x / direction.z, direction.y / direction.z)
        }
        guard places.count == 4, let planeFromUnit = PixelQuad(corners: places).pixelFromUnitSquare else { return nil }
        // The print's axes as ARKit has them: x to the right, z down, from the middle, in metres.
        let unitFromPrint = Matrix3x3(
            Vector3(1, 0, 0), Vector3(0, 1 / aspectRatio, 0), Vector3(0.5, 0.5, 1))
        let homography = planeFromUnit * unitFromPrint
        let (x, z, place) = (homography[0], homography[1], homography[2])
        let scale = (x.length + z.length) / 2
        guard let right = x.normalized(), let down = z.normalized(), scale > 1e-9, place.z > 0,
            let middle = (right + down).normalized(), let side = (right - down).normalized()
        else { return nil }
        let half = 0.5.squareRoot()
        let (newX, newZ) = ((middle + side) * half, (middle - side) * half)
        guard
            let rotation = Rotation(Matrix3x3(newX, newZ.cross(newX), newZ), tolerance: 1e-6)
        else { return nil }
        return .cameraFromOptical * RigidTransform(rotation: rotation, translation: place / scale)
    }
}
