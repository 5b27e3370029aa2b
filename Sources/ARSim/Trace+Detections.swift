// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision
import ARWorld

/// A rectangle of the picture in a trace.
struct TraceRectangle: Encodable {
    let corners_px: [[Double]]
    let confidence: Double
    let corner_deviation_px: Double

    init(_ rectangle: DetectedRectangle) {
        corners_px = rectangle.quad.numbers
        confidence = rectangle.confidence
        corner_deviation_px = rectangle.cornerDeviationPixels
    }
}

/// A code of the picture in a trace.
struct TraceCode: Encodable {
    let corners_px: [[Double]]
    let payload: String
    let symbology: String
    let is_mirrored: Bool

    init(_ code: DetectedCode) {
        corners_px = code.quad.numbers
        payload = code.payload
        symbology = code.symbology.rawValue
        is_mirrored = code.isMirrored
    }
}

/// A rectangle of the world in a trace.
struct TraceWorldRectangle: Encodable {
    let identifier: String
    let is_tracked: Bool
    let corners_m: [[Double]]
    let center_m: [Double]
    let size_m: [Double]
    let size_deviation_m: [Double]
    let heading_rad: Double?
    let heading_deviation_rad: Double
    let payload: String?
    let symbology: String?

    init(_ tracked: TrackedRectangle) {
        let rectangle = tracked.rectangle
        identifier = tracked.identifier.uuidString
        is_tracked = tracked.state == .tracked
        corners_m = rectangle.corners.map(\.numbers)
        center_m = rectangle.center.numbers
        size_m = rectangle.size.numbers
        size_deviation_m = rectangle.sizeDeviation.numbers
        heading_rad = rectangle.heading
        heading_deviation_rad = rectangle.turnDeviation
        payload = tracked.code?.payload
        symbology = tracked.code?.symbology.rawValue
    }
}

extension PixelQuad {
    /// The corners' coordinates.
    var numbers: [[Double]] { corners.map { [$0.x, $0.y] } }
}
