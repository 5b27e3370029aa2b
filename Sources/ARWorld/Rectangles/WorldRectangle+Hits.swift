// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARVision
import Foundation

extension WorldRectangle {
    /// The rectangle whose corners are seen in a picture and lie on a plane: where the rays through them meet it.
    ///
    /// Three corners are enough: the fourth follows where its ray misses the plane. The front is the side of the plane on which
    /// the camera is. A plane that is taken to be farther by one hundredth makes the rectangle as much too large. With a plane
    /// through a known height and +Y up, this measures what lies level at that height.
    /// - Parameters:
    ///   - quad: the corners, clockwise; the first is the rectangle's top left one. The lens's distortion is taken out.
    ///   - frame: where the camera was; how uncertain that is counts where the frame's motion tells it.
    ///   - worldFromPlane: a plane with +Y as its normal; its origin is the point that it is known by.
    ///   - cornerDeviation: the standard deviation of each corner along each direction, in pixels.
    /// - Returns: `nil` where fewer than three corners are hit, and where the corners do not go clockwise.
    ///
    /// Laws: `RectangleHitTests.cornersAreThoseThatAreSeen`, `RectangleHitTests.hitsChangeWithTheirSources`.
    public init?(
        _ quad: PixelQuad, in frame: TrackedFrame, on worldFromPlane: RigidTransform, cornerDeviation: Double = 0,
        planeDeviation: PlaneDeviation = .exact
    ) {
        var hits = quad.corners.map { PlaneHit(of: $0, in: frame, on: worldFromPlane) }.enumerated().map {
            corner, hit in
            hit.map {
                UncertainCorner(
                    $0, corner: corner, cornerDeviation: cornerDeviation, planeDeviation: planeDeviation,
                    poseCovariance: frame.motion?.poseCovariance)
            }
        }
        if let missing = hits.firstIndex(where: { $0 == nil }) {
            guard let before = hits[(missing + 3) % 4], let opposite = hits[(missing + 2) % 4],
                let after = hits[(missing + 1) % 4]
            else { return nil }
            hits[missing] = UncertainCorner(opposite: opposite, before, after)
        }
        let corners = hits.compactMap { $0 }
        let towardsCamera = frame.worldFromCamera.translation - worldFromPlane.translation
        let normal = worldFromPlane.rotation * Vector3(0, 1, 0)
        self.init(
            corners: corners.map(\.position), normal: normal.dot(towardsCamera) > 0 ? normal : -normal,
            errors: CornerErrors(
                shifts: corners[0].shifts.indices.map { source in corners.map { $0.shifts[source] } }))
    }
}

extension WorldSnapshot {
    /// The rectangle of the world whose corners a picture shows at these places, by their hits on one common plane anchor.
    ///
    /// That plane is the one whose extent holds the most of the corners, three at least; of several the nearest. Nothing is hit
    /// while tracking is limited.
    /// - Parameters:
    ///   - quad: the corners, clockwise; the first is the rectangle's top left one.
    ///   - cornerDeviation: the standard deviation of each corner along each direction, in pixels, as
    ///     ``/ARVision/DetectedRectangle/cornerDeviationPixels`` gives it.
    public func rectangle(
        at quad: PixelQuad, cornerDeviation: Double = 0, planeDeviation: PlaneDeviation = .exact
    ) -> (rectangle: WorldRectangle, plane: PlaneAnchor)? {
        guard let plane = planes(under: quad).first else { return nil }
        return WorldRectangle(
            quad, in: frame, on: plane.worldFromCenter, cornerDeviation: cornerDeviation,
            planeDeviation: planeDeviation
        ).map { ($0, plane) }
    }

    /// The planes on which at least three of the corners lie: those with more of them first, then the nearer ones.
    func planes(under quad: PixelQuad) -> [PlaneAnchor] {
        var candidates: [(plane: PlaneAnchor, count: Int, distance: Double)] = []
        for corner in quad.corners {
            let ray = frame.directionInWorld(of: corner).flatMap {
                Ray(origin: frame.worldFromCamera.translation, direction: $0)
            }
            for hit in ray.map({ hitTest($0, types: .existingPlaneUsingExtent) }) ?? [] {
                guard let plane = hit.anchor else { continue }
                if let known = candidates.firstIndex(where: { $0.plane.identifier == plane.identifier }) {
                    candidates[known].count += 1
                    candidates[known].distance = min(candidates[known].distance, hit.distance)
                } else {
                    candidates.append((plane, 1, hit.distance))
                }
            }
        }
        return candidates.filter { $0.count >= 3 }.sorted {
            ($1.count, $0.distance, $0.plane.identifier.uuidString)
                < ($0.count, $1.distance, $1.plane.identifier.uuidString)
        }.map(\.plane)
    }
}

extension PlaneAnchor {
    /// The plane's axes, at the middle of what is known of it.
    var worldFromCenter: RigidTransform {
        RigidTransform(rotation: worldFromAnchor.rotation, translation: worldFromAnchor * center)
    }
}

/// A corner, and how it shifts with each independent source of errors.
private struct UncertainCorner {
    let position: Point3
    /// By two directions in the picture for each of the four corners, six numbers of the camera's pose, three of the plane.
    let shifts: [Vector3]

    init(
        _ hit: PlaneHit, corner: Int, cornerDeviation: Double, planeDeviation: PlaneDeviation,
        poseCovariance: Matrix6x6?
    ) {
        position = hit.position
        let picture = (0..<4).flatMap { other in
            hit.byPixel.map { other == corner ? $0 * cornerDeviation : .zero }
        }
        let pose = poseCovariance.flatMap(\.choleskyColumns) ?? []
        shifts =
            picture + pose.map { hit.byPlace * $0.translation + hit.byTurn * $0.rotation }
            + [hit.byOffset * planeDeviation.offset] + hit.byTilt.map { $0 * planeDeviation.tilt }
    }

    /// A parallelogram's fourth corner.
    init(opposite: UncertainCorner, _ before: UncertainCorner, _ after: UncertainCorner) {
        position = before.position + after.position - opposite.position
        shifts = opposite.shifts.indices.map { before.shifts[$0] + after.shifts[$0] - opposite.shifts[$0] }
    }
}

extension Matrix6x6 {
    /// The columns of L with L Lᵀ = this covariance; `nil` where it is not positive definite.
    var choleskyColumns: [Twist]? {
        var matrix = SquareMatrix(order: 6)
        for column in 0..<6 {
            let twist = self[column]
            for row in 0..<3 {
                matrix[row, column] = twist.translation[row]
                matrix[row + 3, column] = twist.rotation[row]
            }
        }
        return matrix.choleskyFactor.map { factor in
            (0..<6).map { column in
                Twist(
                    translation: Vector3(factor[0, column], factor[1, column], factor[2, column]),
                    rotation: Vector3(factor[3, column], factor[4, column], factor[5, column]))
            }
        }
    }
}
