// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension WorldSnapshot {
    /// The camera at its place in the world with the view that shows its picture.
    public func view(in viewport: Viewport) -> CameraView {
        CameraView(
            camera: frame.camera, imageSize: frame.imageSize, worldFromCamera: frame.worldFromCamera, viewport: viewport
        )
    }

    /// Where the view shows a point of the world, the lens's distortion included: ARKit's
    /// `ARCamera.projectPoint(_:orientation:viewportSize:)`. Outside of the view for what it cuts off, `nil` for what the
    /// lens does not see.
    public func project(_ pointInWorld: Point3, in viewport: Viewport) -> ViewPoint? {
        view(in: viewport).project(pointInWorld)
    }

    /// The point of a plane that the view shows there: ARKit's
    /// `ARCamera.unprojectPoint(_:ontoPlane:orientation:viewportSize:)`. `nil` where the ray does not meet the plane.
    ///
    /// Law: what is unprojected is projected to where it came from, `ViewRoundTripTests`.
    ///
    /// - Parameter worldFromPlane: X and Z span the plane.
    public func unproject(
        _ point: ViewPoint, ontoPlane worldFromPlane: RigidTransform, in viewport: Viewport
    ) -> Point3? {
        view(in: viewport).unproject(point, onto: Plane(worldFromPlane: worldFromPlane))
    }
}
