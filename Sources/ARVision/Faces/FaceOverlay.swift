// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// What an overlay does to the square layer of a face, as Chafu composes it with Core Animation: a roll about +Z, a turn for
/// the device's orientation, a yaw about −Y, seen with perspective.
///
/// Core Animation's axes: x to the right, y down, z towards the viewer; so a positive turn about +Z is clockwise in the view,
/// as AVFoundation's roll angles count. Row vectors: the first is applied first.
public struct FaceOverlay: Hashable, Sendable {
    /// The element of the perspective, `m34`: −1 divided by the eye's distance in points.
    public static let perspective = -1.0 / 1000

    /// What is applied to the layer about its middle, as a matrix for column vectors.
    public var layerTransform: Matrix4x4

    /// The transform of a face whose metadata give these angles, in degrees; `nil` where `hasRollAngle` or `hasYawAngle` is
    /// false, and then left out. `orientation` is that of the interface, which decides the turn in between.
    ///
    /// I · roll · orientation · yaw. Law: `FaceOverlayTests.composition`.
    public init(rollAngle: Double?, yawAngle: Double?, orientation: InterfaceOrientation = .portrait) {
        let roll = rollAngle.map { Self.turn($0 * .pi / 180, about: Vector3(0, 0, 1)) } ?? .identity
        let yaw = yawAngle.map {
            Self.turn(orientation.overlayTurn, about: Vector3(0, 0, 1), then: $0 * .pi / 180, about: Vector3(0, -1, 0))
        }
        layerTransform = Self.matrix((yaw ?? .identity) * roll)
    }

    /// The transform that lays a square on a face with these angles in the view: the same without the device's turn, which
    /// the angles of a view already contain. Counter-clockwise positive angles become Core Animation's.
    ///
    /// In portrait it is what their ``FaceAngles/rollAngle`` and ``FaceAngles/yawAngle`` give.
    /// Law: `FaceOverlayTests.bothWaysAgreeInPortrait`.
    public init(_ angles: FaceAngles) {
        let roll = Self.turn(-(angles.roll ?? 0), about: Vector3(0, 0, 1))
        let yaw = Self.turn(angles.yaw ?? 0, about: Vector3(0, 1, 0))
        layerTransform = Self.matrix(yaw * roll)
    }

    private static func turn(_ angle: Double, about axis: Vector3) -> Rotation {
        Rotation(rotationVector: axis * angle)
    }

    private static func turn(
        _ first: Double, about firstAxis: Vector3, then second: Double, about secondAxis: Vector3
    ) -> Rotation {
        turn(second, about: secondAxis) * turn(first, about: firstAxis)
    }

    private static func matrix(_ rotation: Rotation) -> Matrix4x4 {
        Matrix4x4(RigidTransform(rotation: rotation))
    }

    /// Where a point of the layer, counted from its middle, x right and y down in points, is seen, also from its middle; `nil`
    /// for one that is behind the eye or comes nearer to it than a tenth of the eye's distance.
    public func image(of point: Vector2) -> Vector2? {
        let turned = layerTransform * Vector4(point.x, point.y, 0, 1)
        let w = 1 + Self.perspective * turned.z
        return w >= Self.leastDistance ? Vector2(turned.x, turned.y) / w : nil
    }
    /// How near to the eye a point is shown, in parts of the eye's distance from the layer.
    private static let leastDistance = 0.1

    /// The outline of a rounded rectangle of that size under the transform, counted from its middle: `cornerSteps` points
    /// along each corner, without those that ``image(of:)`` does not show.
    public func roundedOutline(size: ViewSize, cornerRadius: Double = 5, cornerSteps: Int = 5) -> [Vector2] {
        let half = Vector2(size.width, size.height) / 2
        let radius = min(cornerRadius, half.x, half.y)
        return (0..<4).flatMap { corner in
            let start = Double(corner) * .pi / 2
            let middle = Vector2(
                (corner == 0 || corner == 3 ? 1 : -1) * (half.x - radius),
                (corner < 2 ? 1 : -1) * (half.y - radius))
            return (0..<cornerSteps).compactMap { step in
                let angle = start + .pi / 2 * Double(step) / Double(max(cornerSteps - 1, 1))
                return image(of: middle + radius * Vector2(cos(angle), sin(angle)))
            }
        }
    }
}

extension InterfaceOrientation {
    /// The overlay's turn about +Z. A device that is held `landscapeLeft` has an interface that is `landscapeRight`.
    fileprivate var overlayTurn: Double {
        switch self {
        case .portrait: 0
        case .portraitUpsideDown: .pi
        case .landscapeLeft: -.pi / 2
        case .landscapeRight: .pi / 2
        }
    }
}
