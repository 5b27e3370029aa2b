// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation

/// A print before a camera, and what spoils its picture.
struct PosedPrint {
    static let imageSize = ImageSize(width: 640, height: 480)
    static let camera = Camera.pinhole(
        PinholeCamera(PinholeIntrinsics(fx: 560, fy: 560, cx: 319.5, cy: 239.5)))
    /// The print is so wide and high, in metres.
    static let width = 0.2

    /// What varies between pictures.
    struct Conditions {
        /// The share of the picture that the print fills.
        var fill = 0.1
        /// The angle between the print's normal and the view, in radians.
        var tilt = 0.0
        /// How far the picture moves while it is taken, and a Gaussian's standard deviation, in pixels.
        var motionBlur = 0.0
        var defocus = 0.6
        /// Standard deviation of the noise, in grey levels.
        var noise = 3.0
        /// How bright a spot of glare is, 0…1.
        var glare = 0.0
        /// The share of the print that is hidden.
        var occlusion = 0.0
        /// Whether light and dark have changed places.
        var isInverse = false
        /// How far a flag waves, by its width.
        var wave = 0.0
        /// Whether the camera has a tone curve of its own.
        var hasToneCurve = false
    }

    let cameraFromTarget: RigidTransform
    let pixelFromPrint: Matrix3x3
    let corners: PixelQuad
    let conditions: Conditions

    /// A print somewhere in the picture, turned at random; wholly inside.
    init?(_ conditions: Conditions, random: inout SeededRandom) {
        let intrinsics = Self.camera.intrinsics
        let side = (conditions.fill * Double(Self.imageSize.width * Self.imageSize.height)).squareRoot()
        let roll = random.uniform(-.pi..<Double.pi)
        let axisAngle = random.uniform(0..<2 * Double.pi)
        guard
            let turned = Rotation(angle: conditions.tilt, axis: Vector3(cos(axisAngle), sin(axisAngle), 0)),
            let rolled = Rotation(angle: roll, axis: Vector3(0, 0, 1)),
            // The print's axes: X right, Z down, Y towards the camera.
            let facing = Rotation(Matrix3x3(Vector3(1, 0, 0), Vector3(0, 0, -1), Vector3(0, 1, 0)))
        else { return nil }
        let distance = intrinsics.fx * Self.width * cos(conditions.tilt).squareRoot() / side
        let x = random.uniform(-0.5..<0.5) * Double(Self.imageSize.width) * 0.75
        let y = random.uniform(-0.5..<0.5) * Double(Self.imageSize.height) * 0.75
        let center = Vector3(x / intrinsics.fx * distance, y / intrinsics.fy * distance, distance)
        // The tilt is against the ray to the print, not against the camera's axis.
        guard let ray = center.normalized() else { return nil }
        let swing = Vector3(0, 0, 1).cross(ray)
        let towards = swing.length > 1e-9 ? Rotation(angle: asin(swing.length), axis: swing) ?? .identity : .identity
        self.init(
            opticalFromTarget: RigidTransform(rotation: towards * turned * rolled * facing, translation: center),
            conditions: conditions)
    }

    /// A print in a known place; wholly inside the picture.
    private init?(opticalFromTarget: RigidTransform, conditions: Conditions) {
        var corners: [PixelPoint] = []
        for (u, v) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            guard let pixel = Self.camera.project(opticalFromTarget * (Vector3(u, 0, v) * Self.width)) else {
                return nil
            }
            corners.append(pixel)
        }
        let quad = PixelQuad(corners: corners)
        guard let homography = quad.pixelFromUnitSquare,
            corners.allSatisfy({ $0.x > 2 && $0.y > 2 && $0.x < 637 && $0.y < 477 })
        else { return nil }
        self.conditions = conditions
        self.corners = quad
        pixelFromPrint = homography
        cameraFromTarget = .cameraFromOptical * opticalFromTarget
    }

    /// The same print after a motion of the camera, by a twist in the camera's optical frame; wholly inside the picture.
    func moved(by twist: Twist, motionBlur: Double) -> PosedPrint? {
        var conditions = conditions
        conditions.motionBlur = motionBlur
        let opticalFromTarget = RigidTransform.cameraFromOptical.inverse * cameraFromTarget
        return PosedPrint(opticalFromTarget: RigidTransform(twist) * opticalFromTarget, conditions: conditions)
    }

    /// The share of the picture that it fills.
    var fill: Double { abs(corners.signedArea) / Double(Self.imageSize.width * Self.imageSize.height) }

    /// The angle between its normal and the view, in radians.
    var tilt: Double {
        let place = cameraFromTarget.translation
        let normal = cameraFromTarget.rotation * Vector3(0, 1, 0)
        return acos(min(1, max(-1, -normal.dot(place) / place.length)))
    }
}
