// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

extension CVisionCurvature {
    /// By how much what was seen at a pixel of the patch, counted from its middle, is moved.
    public func moved(_ u: Vector2) -> Vector2 {
        let (uu, uv, vv) = (u.x * u.x, u.x * u.y, u.y * u.y)
        return Vector2(
            Double(xuu) * uu + Double(xuv) * uv + Double(xvv) * vv,
            Double(yuu) * uu + Double(yuv) * uv + Double(yvv) * vv)
    }
}
