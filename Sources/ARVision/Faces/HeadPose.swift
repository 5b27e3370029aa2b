// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Where a head is in the picture and how it is turned, under weak perspective: depth within the head changes no size.
struct HeadPose: Hashable, Sendable {
    /// Where the picture shows the head's anchor, in pixels.
    var center: Vector2
    /// The pixels of one unit of the head's model: the side of the square that cascades draw.
    var side: Double
    /// The head's axes in the camera's.
    var cameraFromHead: Rotation

    /// Where the picture shows a point of the head.
    func pixel(of point: Point3) -> PixelPoint {
        let turned = cameraFromHead * (point - HeadModel.anchor)
        return PixelPoint(center + side * Vector2(turned.x, -turned.y))
    }

    /// The point of the head's surface that a pixel shows, and how squarely the ellipsoid faces the camera there, as the
    /// cosine of the angle between; `nil` beside the head.
    ///
    /// The nose and the eyes' hollows are found by going back and forth between ellipsoid and surface.
    /// Law: `HeadPoseTests.surfaceRoundTrip`.
    func surfacePoint(at pixel: PixelPoint) -> (point: Point3, facing: Double)? {
        guard var found = ellipsoidPoint(at: pixel.vector) else { return nil }
        let outward = cameraFromHead * Vector3(0, 0, 1)
        var relief = 0.0
        for _ in 0..<5 {
            relief = HeadModel.relief(x: found.point.x, y: found.point.y)
            let shift = side * relief * Vector2(outward.x, -outward.y)
            guard let next = ellipsoidPoint(at: pixel.vector - shift) else { break }
            found = next
        }
        return (found.point + Vector3(0, 0, relief), found.facing)
    }

    private func ellipsoidPoint(at pixel: Vector2) -> (point: Point3, facing: Double)? {
        let offset = (pixel - center) / side
        let headFromCamera = cameraFromHead.inverse
        // A ray along the line of sight, in the head's axes stretched so that the ellipsoid is a sphere.
        let start = (headFromCamera * Vector3(offset.x, -offset.y, 0) + HeadModel.anchor) / HeadModel.radii
        let towardsCamera = headFromCamera * Vector3(0, 0, 1)
        let along = towardsCamera / HeadModel.radii
        let (a, b, c) = (along.squaredLength, start.dot(along), start.squaredLength - 1)
        let discriminant = b * b - a * c
        guard discriminant > 0 else { return nil }
        let onSphere = start + along * ((discriminant.squareRoot() - b) / a)
        guard let normal = (onSphere / HeadModel.radii).normalized() else { return nil }
        return (onSphere * HeadModel.radii, normal.dot(towardsCamera))
    }

    /// The face's box: around its outline, from the brows to the chin.
    var box: FaceBox { FaceBox(around: HeadModel.outline.lazy.map(pixel)) }

    /// The head as the recorded picture shows it, from how a turned picture does. Law: `HeadPoseTests.quarterTurns`.
    func recorded(from orientation: InterfaceOrientation, imageSize: ImageSize) -> HeadPose {
        let place =
            orientation.recordedFromTurned
            * { Point2($0.x, $0.y) }(
                NormalizedImagePoint(PixelPoint(center), imageSize: imageSize.turned(for: orientation)))
        let pixel = PixelPoint(NormalizedImagePoint(place.x, place.y), imageSize: imageSize)
        return HeadPose(
            center: pixel.vector, side: side,
            cameraFromHead: orientation.viewFromCamera.rotation.inverse * cameraFromHead)
    }
}

/// A point of a head and where the picture shows it.
struct HeadPoint: Hashable, Sendable {
    /// The point, in the head's model.
    var onHead: Point3
    /// Where it is seen.
    var pixel: PixelPoint
}

extension HeadPose {
    /// The pose under which the points' distances from where they are seen are least, beginning from this one; `nil` where
    /// they determine none.
    ///
    /// Gauss's and Newton's steps over place, logarithm of the size and a turn in the camera's axes, each point weighted by
    /// Geman and McClure's (s²/(s² + r²))² at a distance r, so that those that moved otherwise hardly count.
    /// - Parameter tolerance: s, in pixels.
    func fitted(to points: [HeadPoint], tolerance: Double) -> HeadPose? {
        guard points.count >= 4 else { return nil }
        var pose = self
        for _ in 0..<12 {
            var normal = SymmetricSystem6()
            for point in points {
                let turned = pose.cameraFromHead * (point.onHead - HeadModel.anchor)
                let residual = point.pixel.vector - pose.center - pose.side * Vector2(turned.x, -turned.y)
                let squared = tolerance * tolerance
                let weight = squared / (squared + residual.squaredLength)
                let s = pose.side
                // ω × p for a turn ω in the camera's axes, as pixels.
                normal.add(
                    row: (1, 0, s * turned.x, 0, s * turned.z, -s * turned.y), residual: residual.x,
                    weight: weight * weight)
                normal.add(
                    row: (0, 1, -s * turned.y, s * turned.z, 0, -s * turned.x), residual: residual.y,
                    weight: weight * weight)
            }
            guard let step = normal.solution() else { return nil }
            pose.center += Vector2(step[0], step[1])
            pose.side *= exp(min(max(step[2], -0.2), 0.2))
            var turn = Vector3(step[3], step[4], step[5])
            if turn.length > 0.3 { turn *= 0.3 / turn.length }
            pose.cameraFromHead = (Rotation(rotationVector: turn) * pose.cameraFromHead).normalized
            if abs(step[0]) + abs(step[1]) < 1e-3, abs(step[2]) < 1e-5, turn.length < 1e-5 { break }
        }
        guard pose.side.isFinite, pose.side > 1, pose.center.x.isFinite, pose.center.y.isFinite else { return nil }
        return pose
    }
}

/// Six linear equations, from a sum of weighted rows.
private struct SymmetricSystem6 {
    private var matrix = [Double](repeating: 0, count: 36)
    private var right = [Double](repeating: 0, count: 6)

    mutating func add(
        row: (Double, Double, Double, Double, Double, Double), residual: Double, weight: Double
    ) {
        withUnsafeBytes(of: row) { bytes in
            let row = bytes.assumingMemoryBound(to: Double.self)
            for i in 0..<6 {
                right[i] += weight * row[i] * residual
                for j in 0...i { matrix[6 * i + j] += weight * row[i] * row[j] }
            }
        }
    }

    /// The solution by Cholesky's decomposition; `nil` for a matrix that is almost singular.
    func solution() -> [Double]? {
        var lower = matrix
        for i in 0..<6 {
            for j in 0...i {
                var sum = lower[6 * i + j]
                for k in 0..<j { sum -= lower[6 * i + k] * lower[6 * j + k] }
                if i == j {
                    guard sum > 1e-9 * max(matrix[7 * i], 1) else { return nil }
                    lower[7 * i] = sum.squareRoot()
                } else {
                    lower[6 * i + j] = sum / lower[7 * j]
                }
            }
        }
        var x = right
        for i in 0..<6 {
            for k in 0..<i { x[i] -= lower[6 * i + k] * x[k] }
            x[i] /= lower[7 * i]
        }
        for i in (0..<6).reversed() {
            for k in i + 1..<6 where i < 5 { x[i] -= lower[6 * k + i] * x[k] }
            x[i] /= lower[7 * i]
        }
        return x
    }
}
