// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARSensing
import ARWorld
import Foundation

/// What the pen draws, over all planes that it visits. A stroke lies on one plane; the next plane begins another.
struct Sketch: Sendable {
    private let configuration: SessionConfiguration
    private var strokesBefore: [Stroke] = []
    private var current: (plane: UUID, builder: StrokeBuilder)?

    init(configuration: SessionConfiguration) { self.configuration = configuration }

    /// Takes the pen's contact at the next frame; `nil` where it touches no plane, which ends the stroke.
    mutating func follow(_ contact: PenContact?, at timestamp: Timestamp) throws(PenSampleError) {
        if let contact, contact.plane.identifier != current?.plane { begin(on: contact.plane) }
        let sample = PenSample(
            timestamp: timestamp, position: contact?.position, isDown: contact?.isDown ?? false)
        try current?.builder.add(sample)
    }

    /// Ends the stroke: what follows begins another one.
    mutating func endStroke() { current?.builder.endStroke() }

    /// All strokes in the order in which they were begun, the one under the pen included.
    var drawing: Drawing {
        Drawing(strokes: strokesBefore + (current?.builder.drawing.strokes ?? []))
    }

    private mutating func begin(on plane: PlaneAnchor) {
        strokesBefore += current?.builder.drawing.strokes ?? []
        let builder = StrokeBuilder(
            worldFromPlane: plane.worldFromAnchor, width: configuration.strokeWidth,
            spacing: configuration.minimumSpacing)
        current = (plane.identifier, builder)
    }
}
