// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision

/// A face of the picture in a trace.
struct TraceFace: Encodable {
    let id: Int
    let is_seen: Bool
    let box_px: [Double]
    let confidence: Double
    let roll_rad: Double?
    let yaw_rad: Double?
    let pitch_rad: Double?

    init(_ tracked: TrackedFace) {
        let face = tracked.face
        id = tracked.id
        is_seen = tracked.isSeen
        box_px = [face.box.minimum.x, face.box.minimum.y, face.box.maximum.x, face.box.maximum.y]
        confidence = face.confidence
        roll_rad = face.angles.roll
        yaw_rad = face.angles.yaw
        pitch_rad = face.angles.pitch
    }
}
