// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How a lens and a sensor turn a point in front of the camera into a pixel, and a pixel into a direction.
///
/// Points are in the **optical** frame: +X right, +Y down, +Z forward. Every model has the four pinhole parameters
/// first (`fx fy cx cy`, in pixels, principal point relative to the centre of the first pixel), its distortion after.
/// Law: `CameraModelTests.projectThenUnproject`, `CameraModelTests.jacobiansAreTheDerivatives`.
public protocol CameraModel: Hashable, Sendable {
    /// fx, fy, cx, cy.
    var intrinsics: PinholeIntrinsics { get }

    /// The distortion's parameters in the model's own order; empty for a pinhole.
    var distortion: [Double] { get }

    /// The pixel of a point, or `nil` outside the model's domain.
    func project(_ pointInOptical: Point3) -> PixelPoint?

    /// The pixel of a point with its derivatives, or `nil` outside the model's domain.
    func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection?

    /// The point at depth-free distance one (unit length) that projects to the pixel, or `nil` where there is none.
    func unproject(_ pixel: PixelPoint) -> Vector3?
}

/// The four numbers that every camera has.
public struct PinholeIntrinsics: Hashable, Sendable {
    /// The focal length along x, in pixels.
    public var fx: Double
    /// The focal length along y, in pixels.
    public var fy: Double
    /// The principal point's x, in pixels from the centre of the first pixel.
    public var cx: Double
    /// The principal point's y, in pixels from the centre of the first pixel.
    public var cy: Double

    /// The intrinsics with these parameters, in pixels.
    @inlinable public init(fx: Double, fy: Double, cx: Double, cy: Double) {
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
    }

    /// The matrix K with columns (fx, 0, 0), (0, fy, 0), (cx, cy, 1).
    public var matrix: Matrix3x3 { Matrix3x3(Vector3(fx, 0, 0), Vector3(0, fy, 0), Vector3(cx, cy, 1)) }
}

/// A projected point and how it moves: with the point, and with each of the model's parameters.
public struct CameraProjection: Hashable, Sendable {
    /// The pixel.
    public var pixel: PixelPoint
    /// ∂pixel/∂point, 2×3: one entry per coordinate of the point in the optical frame.
    public var pixelByPoint: (x: Vector2, y: Vector2, z: Vector2)
    /// ∂pixel/∂parameter, 2×n: one entry per parameter, in the order fx, fy, cx, cy, then the distortion's.
    public var pixelByParameters: [Vector2]

    /// A projection with its derivatives.
    public init(
        pixel: PixelPoint, pixelByPoint: (x: Vector2, y: Vector2, z: Vector2), pixelByParameters: [Vector2]
    ) {
        self.pixel = pixel
        self.pixelByPoint = pixelByPoint
        self.pixelByParameters = pixelByParameters
    }

    public static func == (a: CameraProjection, b: CameraProjection) -> Bool {
        a.pixel == b.pixel && a.pixelByPoint == b.pixelByPoint && a.pixelByParameters == b.pixelByParameters
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(pixel)
        hasher.combine(pixelByParameters)
    }
}

/// A camera of one of the models that arsim knows: what a calibration holds.
public enum Camera: Hashable, Sendable {
    /// No distortion.
    case pinhole(PinholeCamera)
}

extension Camera: CameraModel {
    /// The model behind the case.
    @inlinable public var model: any CameraModel {
        switch self {
        case .pinhole(let model): model
        }
    }

    public var intrinsics: PinholeIntrinsics { model.intrinsics }

    public var distortion: [Double] { model.distortion }

    @inlinable public func project(_ pointInOptical: Point3) -> PixelPoint? {
        switch self {
        case .pinhole(let model): model.project(pointInOptical)
        }
    }

    public func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection? {
        model.projectWithJacobians(pointInOptical)
    }

    @inlinable public func unproject(_ pixel: PixelPoint) -> Vector3? {
        switch self {
        case .pinhole(let model): model.unproject(pixel)
        }
    }
}
