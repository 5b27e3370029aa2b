// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A camera with the size of its pictures, for tests: the only place where tests keep intrinsics.
public struct SampleCamera: Sendable, CustomStringConvertible {
    /// Which camera it is.
    public let name: String
    /// The lens and the sensor.
    public let camera: Camera
    /// Columns and rows.
    public let imageSize: ImageSize
    /// Half the angle of view that tests explore, in radians.
    public let halfFieldOfView: Double

    public var description: String { name }
}

extension SampleCamera {
    /// A phone's back camera while ARKit runs, as published with its projection matrix (see `ProjectionMatrixTests`).
    public static let phone = SampleCamera(
        name: "phone",
        camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 933.9137, fy: 933.9137, cx: 617.7059, cy: 363.0624))),
        imageSize: ImageSize(width: 1280, height: 720), halfFieldOfView: 1.5)

    /// The left camera of the EuRoC recordings: a wide lens with strong barrel distortion.
    public static let euroc = SampleCamera(
        name: "EuRoC",
        camera: .radialTangential(
            RadialTangentialCamera(
                PinholeIntrinsics(fx: 458.654, fy: 457.296, cx: 367.215, cy: 248.375),
                k1: -0.28340811, k2: 0.07395907, p1: 0.00019359, p2: 1.76187114e-05)),
        imageSize: ImageSize(width: 752, height: 480), halfFieldOfView: 1.2)

    /// An action camera's lens whose distortion folds over inside its field of view.
    public static let folding = SampleCamera(
        name: "folding",
        camera: .radialTangential(
            RadialTangentialCamera(
                PinholeIntrinsics(fx: 600, fy: 590, cx: 640.25, cy: 355.5),
                k1: -0.32, k2: 0.09, p1: -0.002, p2: 0.0015, k3: -0.015)),
        imageSize: ImageSize(width: 1280, height: 720), halfFieldOfView: 0.9)

    /// A telephoto lens with pincushion distortion.
    public static let pincushion = SampleCamera(
        name: "pincushion",
        camera: .radialTangential(
            RadialTangentialCamera(
                PinholeIntrinsics(fx: 1500, fy: 1502, cx: 950, cy: 545),
                k1: 0.21, k2: -0.02, p1: 0.0007, p2: -0.0004, k3: 0.11)),
        imageSize: ImageSize(width: 1920, height: 1080), halfFieldOfView: 0.7)

    /// The left camera of the TUM-VI recordings: a fisheye that sees almost a hemisphere.
    public static let fisheye = SampleCamera(
        name: "TUM-VI",
        camera: .equidistant(
            EquidistantCamera(
                PinholeIntrinsics(fx: 190.97847715, fy: 190.97330705, cx: 254.93170606, cy: 256.89744290),
                k1: 0.00348238940, k2: 0.00071503484, k3: -0.00205323614, k4: 0.00020293673)),
        imageSize: ImageSize(width: 512, height: 512), halfFieldOfView: 1.6)

    /// A fisheye that sees behind itself, up to the angle where its distortion stops growing.
    public static let allRound = SampleCamera(
        name: "all-round",
        camera: .equidistant(
            EquidistantCamera(
                PinholeIntrinsics(fx: 300, fy: 301, cx: 640, cy: 639.5), k1: -0.03, k2: 0.002, k3: -0.0006, k4: 0)),
        imageSize: ImageSize(width: 1280, height: 1280), halfFieldOfView: 1.9)

    /// One or more of each model.
    public static let all = [phone, euroc, folding, pincushion, fisheye, allRound]

    /// One of each model with small pictures, which are quickly drawn.
    public static let small: [SampleCamera] = {
        let intrinsics = PinholeIntrinsics(fx: 200, fy: 205, cx: 158.5, cy: 121)
        let lenses: [(name: String, camera: Camera)] = [
            ("small pinhole", .pinhole(PinholeCamera(intrinsics))),
            (
                "small barrel",
                .radialTangential(RadialTangentialCamera(intrinsics, k1: -0.28, k2: 0.07, p1: 0.0002, p2: -0.0003))
            ),
            (
                "small fisheye",
                .equidistant(EquidistantCamera(intrinsics, k1: 0.003, k2: 0.0007, k3: -0.002, k4: 0.0002))
            ),
        ]
        return lenses.map {
            SampleCamera(
                name: $0.name, camera: $0.camera, imageSize: ImageSize(width: 320, height: 240), halfFieldOfView: 0.75)
        }
    }()

    /// A direction within the half field of view, uniform in its angle from the axis.
    public func directionInView(using random: inout TestRandom) -> Vector3 {
        let fromAxis = random.uniform(0...halfFieldOfView)
        let around = random.uniform(-Double.pi...Double.pi)
        return Vector3(sin(fromAxis) * cos(around), sin(fromAxis) * sin(around), cos(fromAxis))
    }
}

extension Camera {
    /// All parameters: fx, fy, cx, cy, then the distortion's.
    public var parameters: [Double] {
        [intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy] + distortion
    }

    /// The camera of the same model with these parameters.
    public func with(parameters p: [Double]) -> Camera {
        let intrinsics = PinholeIntrinsics(fx: p[0], fy: p[1], cx: p[2], cy: p[3])
        return switch self {
        case .pinhole: .pinhole(PinholeCamera(intrinsics))
        case .radialTangential:
            .radialTangential(RadialTangentialCamera(intrinsics, k1: p[4], k2: p[5], p1: p[6], p2: p[7], k3: p[8]))
        case .equidistant: .equidistant(EquidistantCamera(intrinsics, k1: p[4], k2: p[5], k3: p[6], k4: p[7]))
        }
    }
}
