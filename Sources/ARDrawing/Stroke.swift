// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// One line, from pen down to pen up.
public struct Stroke: Hashable, Sendable {
    /// A point that the pen passed.
    public struct Point: Hashable, Sendable {
        /// When the pen was there.
        public var timestamp: Timestamp
        /// Where: the plane's x and z, in metres.
        public var position: Point2

        /// A point with these values.
        public init(timestamp: Timestamp, position: Point2) {
            self.timestamp = timestamp
            self.position = position
        }
    }

    /// The points, in the order in which they were drawn. One point is a dot.
    public var points: [Point]
    /// The plane that carries the line: +Y is its normal.
    public var worldFromPlane: RigidTransform
    /// The pen's width, in metres.
    public var width: Double

    /// The default width of the pen: 3 mm.
    public static let defaultWidth = 0.003

    /// The widths of strokes that become solids, in metres.
    public static let widths = 1e-5...1e3

    /// The line through these points.
    public init(points: [Point], worldFromPlane: RigidTransform, width: Double = defaultWidth) {
        precondition(width > 0 && width.isFinite, "a pen's width must be above zero, not \(width)")
        self.points = points
        self.worldFromPlane = worldFromPlane
        self.width = width
    }

    /// The length of the line, in metres; zero for a dot.
    public var length: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1.position - $1.0.position).length }
    }

    /// The points in the world.
    public var pointsInWorld: [Point3] {
        points.map { worldFromPlane * Point3($0.position.x, 0, $0.position.y) }
    }
}

/// Everything that was drawn.
public struct Drawing: Hashable, Sendable {
    /// The strokes, in the order in which they were begun.
    public var strokes: [Stroke]

    /// A drawing of these strokes.
    public init(strokes: [Stroke] = []) { self.strokes = strokes }

    /// The length of all strokes, in metres.
    public var length: Double { strokes.reduce(0) { $0 + $1.length } }
}
