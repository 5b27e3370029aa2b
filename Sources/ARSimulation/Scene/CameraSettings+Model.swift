// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene.CameraSettings {
    /// The camera model.
    public var model: Camera {
        let intrinsics = PinholeIntrinsics(
            fx: focalPixels.x, fy: focalPixels.y, cx: principalPointPixels.x, cy: principalPointPixels.y)
        let d = distortion
        switch lens {
        case .pinhole: return .pinhole(PinholeCamera(intrinsics))
        case .radialTangential:
            return .radialTangential(
                RadialTangentialCamera(intrinsics, k1: d[0], k2: d[1], p1: d[2], p2: d[3], k3: d[4]))
        case .equidistant:
            return .equidistant(EquidistantCamera(intrinsics, k1: d[0], k2: d[1], k3: d[2], k4: d[3]))
        }
    }
}
