// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARVision

/// A fingertip as a trace has it.
struct TraceFingertip: Encodable {
    let tip_px: [Double]
    let center_px: [Double]
    let direction: [Double]
    let radius_px: Double
    /// xx, xy, yy.
    let tip_covariance_px2: [Double]
    let confidence: Double

    init(_ fingertip: Fingertip) {
        tip_px = [fingertip.tip.x, fingertip.tip.y]
        center_px = [fingertip.center.x, fingertip.center.y]
        direction = [fingertip.direction.x, fingertip.direction.y]
        radius_px = fingertip.radius
        tip_covariance_px2 = [fingertip.covariance.xx, fingertip.covariance.xy, fingertip.covariance.yy]
        confidence = fingertip.confidence
    }
}
