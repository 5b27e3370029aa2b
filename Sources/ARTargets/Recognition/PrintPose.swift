// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A print's pose, by where its picture lies.
struct PrintPose {
    let cameraFromTarget: RigidTransform
    let covariance: Matrix6x6

    /// The print's axes seen by its plane's: x to the right and y down on the print become ARKit's X and Z.
    ///
    /// - Parameters:
    ///   - deviation: how far the parts that were aligned lie off, in pixels along an axis.   - partCount: how many.
    init?(
        pixelFromPrint: Matrix3x3, physicalSize: Vector2, camera: Camera, deviation: Double, partCount: Int
    ) {
        // Places spread over the print stand for all of its parts.
        let steps = [-0.5, -0.25, 0, 0.25, 0.5]
        var points: [(inTarget: Vector3, pixel: PixelPoint)] = []
        for y in steps {
            for x in steps {
                guard let pixel = pixelFromPrint.image(of: Vector2(x + 0.5, y + 0.5)) else { return nil }
                points.append((Vector3(x * physicalSize.x, 0, y * physicalSize.y), PixelPoint(pixel)))
            }
        }
        guard var pose = Self.start(points, camera: camera) else { return nil }
        var normal = NormalMatrix()
        var misfit = 0.0
        var isSettled = false
        // A rigid print is settled after some five steps, one that no pose explains well after some tens.
        for _ in 0..<60 {
            normal = NormalMatrix()
            misfit = 0
            for (point, pixel) in points {
                let inOptical = pose * point
                guard let projection = camera.projectWithJacobians(inOptical) else { return nil }
                let residual = pixel.vector - projection.pixel.vector
                misfit += residual.squaredLength
                normal.add(
                    pixelByTranslation: projection.pixelByPoint, at: inOptical, residual: residual)
            }
            guard let step = normal.solution else { return nil }
            pose = RigidTransform(step) * pose
            isSettled =
                step.translation.length < 1e-8 * (1 + pose.translation.length) && step.rotation.length < 1e-8
            if isSettled { break }
        }
        guard isSettled, pose.translation.z > 0, let inverse = normal.inverse else { return nil }
        // The grid's places together know as much as the parts; edges are seen well across them only.
        // What no pose explains, of a bent print or a camera that is another one, is as uncertain as it is large.
        let spread = max(deviation * deviation, misfit / Double(2 * points.count), 0.03 * 0.03)
        let variance = spread * Double(points.count) / Double(max(partCount, 1)) * 2
        cameraFromTarget = .cameraFromOptical * pose
        let adjoint = RigidTransform.cameraFromOptical.adjoint
        covariance = adjoint * inverse.scaled(by: variance) * adjoint.transpose
    }

    /// opticalFromTarget, from the homography between the print's plane and depth one (Zhang 2000).
    private static func start(_ points: [(inTarget: Vector3, pixel: PixelPoint)], camera: Camera) -> RigidTransform? {
        let corners = [points[0], points[4], points[24], points[20]]
        let normalized = corners.compactMap { corner in
            camera.unproject(corner.pixel).flatMap { $0.z > 0 ? PixelPoint($0.x / $0.z, $0.y / $0.z) : nil }
        }
        guard normalized.count == 4, let square = PixelQuad(corners: normalized).pixelFromUnitSquare else { return nil }
        // From metres about the print's middle to the unit square.
        let size = points[24].inTarget - points[0].inTarget
        let unitFromPlane = Matrix3x3(Vector3(1 / size.x, 0, 0), Vector3(0, 1 / size.z, 0), Vector3(0.5, 0.5, 1))
        let h = square * unitFromPlane
        let scale = 2 / (h.columns.0.length + h.columns.1.length)
        let sign = h.columns.2.z > 0 ? scale : -scale
        guard let x = (h.columns.0 * sign).normalized() else { return nil }
        let along = h.columns.1 * sign
        guard let z = (along - x * x.dot(along)).normalized() else { return nil }
        guard let rotation = Rotation(Matrix3x3(x, z.cross(x), z)) else { return nil }
        return RigidTransform(rotation: rotation, translation: h.columns.2 * sign)
    }
}
