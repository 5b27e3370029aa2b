// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A rotation followed by a translation: how coordinates in one frame become coordinates in another.
///
/// Values are named `targetFromSource`, so that adjacent words cancel:
/// `pointInWorld = worldFromCamera * pointInCamera` and `worldFromPlane = worldFromCamera * cameraFromPlane`.
/// Directions are turned by ``rotation`` alone.
public struct RigidTransform: Hashable, Sendable {
    /// The rotation of the source's axes into the target's.
    public var rotation: Rotation
    /// The source's origin in the target's coordinates, in metres.
    public var translation: Vector3

    /// The transform that turns, then moves.
    @inlinable public init(rotation: Rotation = .identity, translation: Vector3 = .zero) {
        self.rotation = rotation
        self.translation = translation
    }

    /// The transform that changes nothing.
    @inlinable public static var identity: RigidTransform { RigidTransform() }

    /// The transform that undoes this one: `worldFromCamera.inverse` is `cameraFromWorld`.
    @inlinable public var inverse: RigidTransform {
        let inverse = rotation.inverse
        return RigidTransform(rotation: inverse, translation: -(inverse * translation))
    }

    /// Composition: `aFromC = aFromB * bFromC`.
    @inlinable @inline(__always) public static func * (aFromB: RigidTransform, bFromC: RigidTransform) -> RigidTransform
    {
        RigidTransform(
            rotation: aFromB.rotation * bFromC.rotation,
            translation: aFromB.translation + aFromB.rotation * bFromC.translation)
    }

    /// The point in the target's coordinates.
    @inlinable @inline(__always) public static func * (aFromB: RigidTransform, pointInB: Point3) -> Point3 {
        aFromB.rotation * pointInB + aFromB.translation
    }
}

extension RigidTransform {
    /// The optical axes of OpenCV, Kalibr and EuRoC (+X right, +Y down, +Z forward) from the camera axes of ARKit
    /// (+X right, +Y up, looking along −Z): diag(1, −1, −1), half a turn about X. Its own inverse.
    ///
    /// The only place in the project where these signs change. Law: `RigidTransformTests.opticalAxes`.
    public static let opticalFromCamera = RigidTransform(
        rotation: Rotation(unitCoefficients: Vector4(1, 0, 0, 0)))

    /// ``opticalFromCamera``'s inverse, which is the same transform under the name that cancels.
    public static let cameraFromOptical = opticalFromCamera.inverse

    /// Our world (+Y up) from a world whose third axis is up, as EuRoC's and most motion-capture systems' is:
    /// X stays, up becomes +Y, and the old Y becomes −Z.
    ///
    /// The only place in the project where these axes change. Law: `RigidTransformTests.upAxes`.
    public static let yUpFromZUp = RigidTransform(
        rotation: Rotation(unitCoefficients: Vector4(-(0.5.squareRoot()), 0, 0, 0.5.squareRoot())))
}
