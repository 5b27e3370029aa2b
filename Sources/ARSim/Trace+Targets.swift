// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARTargets

/// An image target in a trace. What the picture shows of it is there only where the picture shows it.
struct TraceTarget: Encodable {
    let identifier: String
    let database: String
    let name: String
    let status: String
    let corners_px: [[Double]]?
    let confidence: Double?
    let inliers: Int?
    let camera_from_target: TracePose?

    init(_ target: SessionTarget) {
        identifier = target.identifier.uuidString
        database = target.identity.database
        name = target.identity.name
        status = target.status.rawValue
        corners_px = target.sighting?.corners.numbers
        confidence = target.sighting?.confidence
        inliers = target.sighting?.inlierCount
        camera_from_target = target.cameraFromTarget.map(TracePose.init)
    }
}
