// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How a lens and a sensor turn a point in front of the camera into a pixel, and a pixel into a direction.
///
/// Points are in the **optical** frame: +X right, +Y down, +Z forward. Every model has the four pinhole parameters
/// first (`fx fy cx cy`, in pixels, principal point relative to the centre of the first pixel), its distortion after.
/// Each model states the domain within which projection is one to one; outside it every function answers `nil`, for
/// NaN and infinity too.
///
/// Law: `CameraModelTests.projectThenUnproject`, `CameraModelTests.jacobiansAreTheDerivatives`.
public protocol CameraModel: Hashable, Sendable {
    /// fx, fy, cx, cy.
    var intrinsics: PinholeIntrinsics { get set }

    /// The distortion's parameters in the model's own order; empty for a pinhole.
    var distortion: [Double] { get }

    /// The pixel of a point, or `nil` outside the model's domain.
    func project(_ pointInOptical: Point3) -> PixelPoint?

    /// The pixel of a point with its derivatives, or `nil` outside the model's domain. Allocates nothing.
    func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection?

    /// The direction, of length one, whose points project to the pixel, or `nil` where there is none.
    func unproject(_ pixel: PixelPoint) -> Vector3?
}

extension CameraModel {
    /// Projects a batch: `pixels[i]` becomes the pixel of `points[i]`, or NaN, NaN outside the model's domain.
    ///
    /// Both buffers are the caller's and have the same count. For loops over very many points: the model is chosen
    /// once, and nothing is allocated. Law: `CameraModelTests.batchesAgreeWithSinglePoints`.
    @inlinable public func project(
        _ points: UnsafeBufferPointer<Point3>, into pixels: UnsafeMutableBufferPointer<PixelPoint>
    ) {
        precondition(
            points.count == pixels.count, "\(points.count) points need as many pixels, not \(pixels.count)")
        for index in points.indices {
            pixels[index] = project(points[index]) ?? PixelPoint(.nan, .nan)
        }
    }
}

/// A camera of one of the models that arsim knows: what a calibration holds.
public enum Camera: Hashable, Sendable {
    /// No distortion.
    case pinhole(PinholeCamera)
    /// OpenCV's standard distortion, k1 k2 p1 p2 k3.
    case radialTangential(RadialTangentialCamera)
    /// OpenCV's and Kalibr's fisheye distortion, k1 k2 k3 k4.
    case equidistant(EquidistantCamera)
}

extension Camera: CameraModel {
    /// The model behind the case.
    public var model: any CameraModel {
        switch self {
        case .pinhole(let model): model
        case .radialTangential(let model): model
        case .equidistant(let model): model
        }
    }

    public var intrinsics: PinholeIntrinsics {
        get { model.intrinsics }
        set {
            switch self {
            case .pinhole(var model):
                model.intrinsics = newValue
                self = .pinhole(model)
            case .radialTangential(var model):
                model.intrinsics = newValue
                self = .radialTangential(model)
            case .equidistant(var model):
                model.intrinsics = newValue
                self = .equidistant(model)
            }
        }
    }

    public var distortion: [Double] { model.distortion }

    /// The same camera as one of a model that distorts: a pinhole is a radial–tangential camera without distortion.
    public var distorting: Camera {
        guard case .pinhole(let model) = self else { return self }
        return .radialTangential(RadialTangentialCamera(model.intrinsics, k1: 0, k2: 0, p1: 0, p2: 0))
    }

    /// The camera, as one of a model that distorts, with so much more of k1, which is the first of the distortion's parameters by which
    /// ``projectWithJacobians(_:)`` derives. How far from the axis it sees changes with it.
    ///
    /// Law: `CameraModelTests.radialDistortionIsAdded`.
    public func addingRadialDistortion(_ change: Double) -> Camera {
        switch self {
        case .pinhole:
            distorting.addingRadialDistortion(change)
        case .radialTangential(let model):
            .radialTangential(
                RadialTangentialCamera(
                    model.intrinsics, k1: model.k1 + change, k2: model.k2, p1: model.p1, p2: model.p2, k3: model.k3))
        case .equidistant(let model):
            .equidistant(
                EquidistantCamera(
                    model.intrinsics, k1: model.k1 + change, k2: model.k2, k3: model.k3, k4: model.k4))
        }
    }

    @inlinable public func project(_ pointInOptical: Point3) -> PixelPoint? {
        switch self {
        case .pinhole(let model): model.project(pointInOptical)
        case .radialTangential(let model): model.project(pointInOptical)
        case .equidistant(let model): model.project(pointInOptical)
        }
    }

    @inlinable public func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection? {
        switch self {
        case .pinhole(let model): model.projectWithJacobians(pointInOptical)
        case .radialTangential(let model): model.projectWithJacobians(pointInOptical)
        case .equidistant(let model): model.projectWithJacobians(pointInOptical)
        }
    }

    @inlinable public func unproject(_ pixel: PixelPoint) -> Vector3? {
        switch self {
        case .pinhole(let model): model.unproject(pixel)
        case .radialTangential(let model): model.unproject(pixel)
        case .equidistant(let model): model.unproject(pixel)
        }
    }

    /// Projects a batch: see ``CameraModel/project(_:into:)``.
    @inlinable public func project(
        _ points: UnsafeBufferPointer<Point3>, into pixels: UnsafeMutableBufferPointer<PixelPoint>
    ) {
        switch self {
        case .pinhole(let model): model.project(points, into: pixels)
        case .radialTangential(let model): model.project(points, into: pixels)
        case .equidistant(let model): model.project(points, into: pixels)
        }
    }
}
