// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A camera at its place in the world, and the view that shows its picture: from points of the screen to rays of the
/// world and back, as ARKit's `ARCamera` does it.
public struct CameraView: Hashable, Sendable {
    /// The lens and the sensor.
    public var camera: Camera
    /// Columns and rows of the picture as it was recorded.
    public var imageSize: ImageSize
    /// Where the camera is: ARKit's axes (+X right, +Y up, looking along −Z), which stay with the sensor.
    public var worldFromCamera: RigidTransform
    /// The view.
    public var viewport: Viewport

    /// A camera in its place, shown in a view.
    public init(camera: Camera, imageSize: ImageSize, worldFromCamera: RigidTransform, viewport: Viewport) {
        self.camera = camera
        self.imageSize = imageSize
        self.worldFromCamera = worldFromCamera
        self.viewport = viewport
    }

    /// The view's axes, turned with the interface, from the world's: ARKit's `viewMatrix(for:)`.
    public var viewFromWorld: RigidTransform { viewport.orientation.viewFromCamera * worldFromCamera.inverse }

    /// Clip coordinates from the view's axes: see ``Viewport/projectionMatrix(_:imageSize:near:far:)``.
    public func projectionMatrix(near: Double, far: Double = .infinity) -> Matrix4x4 {
        viewport.projectionMatrix(camera.intrinsics, imageSize: imageSize, near: near, far: far)
    }

    /// Where the view shows a point of the world, the lens's distortion included; outside the view for what it cuts
    /// off, `nil` for what the lens does not see.
    ///
    /// Law: `ProjectionMatrixTests.matricesAgreeWithPictures`.
    public func project(_ pointInWorld: Point3) -> ViewPoint? {
        let pointInOptical = RigidTransform.opticalFromCamera * (worldFromCamera.inverse * pointInWorld)
        return camera.project(pointInOptical).map { ViewPoint($0, in: viewport, imageSize: imageSize) }
    }

    /// The ray from the camera through a point of the view, in the camera's axes; `nil` where the lens sees nothing.
    public func rayInCamera(through point: ViewPoint) -> Ray? {
        camera.unproject(PixelPoint(point, in: viewport, imageSize: imageSize)).map {
            Ray(origin: .zero, unitDirection: RigidTransform.cameraFromOptical.rotation * $0)
        }
    }

    /// The ray from the camera through a point of the view, in the world.
    public func ray(through point: ViewPoint) -> Ray? {
        rayInCamera(through: point).map { worldFromCamera * $0 }
    }

    /// The point of the plane that the view shows there, or `nil` when the plane lies behind the camera or along the
    /// ray: ARKit's `unprojectPoint(_:ontoPlane:orientation:viewportSize:)`, whose plane is the X and Z axes of a
    /// transform (``Plane/init(worldFromPlane:)``).
    ///
    /// Law: `CameraViewTests.unprojectOntoAPlane`.
    public func unproject(_ point: ViewPoint, onto plane: Plane) -> Point3? {
        ray(through: point)?.intersection(with: plane)
    }
}
