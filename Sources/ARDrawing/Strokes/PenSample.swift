// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where the pen was at an instant.
public struct PenSample: Hashable, Sendable {
    /// The instant.
    public var timestamp: Timestamp
    /// The pen's tip in the plane's x and z, in metres, or `nil` when the pen pointed past the plane.
    public var position: Point2?
    /// Whether the pen draws.
    public var isDown: Bool
    /// The part of the stroke's width that the pen draws; 1 for a pen that knows no pressure.
    public var pressure: Double

    /// A sample with these values.
    public init(timestamp: Timestamp, position: Point2?, isDown: Bool, pressure: Double = 1) {
        self.timestamp = timestamp
        self.position = position
        self.isDown = isDown
        self.pressure = pressure
    }
}
