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
        /// The part of the stroke's width that the pen drew there; 1 for a pen that knows no pressure.
        public var pressure: Double

        /// A point with these values.
        public init(timestamp: Timestamp, position: Point2, pressure: Double = 1) {
            self.timestamp = timestamp
            self.position = position
            self.pressure = pressure
        }
    }

    /// The points, in the order in which they were drawn. One point is a dot.
    public var points: [Point]
    /// The plane that carries the line: +Y is its normal.
    public var worldFromPlane: RigidTransform
    /// The line's width at pressure 1, in metres.
    public var width: Double
    /// How far the line's solid rises above the plane, in metres.
    public var height: Double
    /// The line's colour.
    public var color: StrokeColor
    /// Whether what the line encloses is filled, its ends joined.
    public var isFilled: Bool

    /// The default width of the pen: 3 mm.
    public static let defaultWidth = 0.003

    /// The default height of a stroke: 3 mm.
    public static let defaultHeight = 0.003

    /// The widths of strokes that become solids, in metres.
    public static let widths = 1e-5...1e3

    /// The heights of strokes that become solids, in metres.
    public static let heights = 1e-7...1e3

    /// The pressures that points may have.
    public static let pressures = 0.01...100.0

    /// The line through these points.
    public init(
        points: [Point], worldFromPlane: RigidTransform, width: Double = defaultWidth, height: Double = defaultHeight,
        color: StrokeColor = .black, isFilled: Bool = false
    ) {
        precondition(width > 0 && width.isFinite, "a pen's width must be above zero, not \(width)")
        precondition(height > 0 && height.isFinite, "a stroke's height must be above zero, not \(height)")
        self.points = points
        self.worldFromPlane = worldFromPlane
        self.width = width
        self.height = height
        self.color = color
        self.isFilled = isFilled
    }

    /// The length of the line, in metres; zero for a dot.
    public var length: Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1.position - $1.0.position).length }
    }

    /// Whether the line ends where it began, up to its width; a line shorter than twice its width is not closed.
    public var isClosed: Bool {
        guard points.count > 2, let first = points.first, let last = points.last else { return false }
        return (last.position - first.position).length <= width && length > 2 * width
    }

    /// The points in the world.
    public var pointsInWorld: [Point3] {
        points.map { worldFromPlane * Point3($0.position.x, 0, $0.position.y) }
    }
}

/// A colour in sRGB.
public struct StrokeColor: Hashable, Sendable {
    /// The parts of red, green and blue, 0…255.
    public var red, green, blue: UInt8

    /// Black.
    public static let black = StrokeColor(red: 0, green: 0, blue: 0)

    /// The colour with these parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The colour that a text such as `#ff8800` names; `nil` for any other text.
    public init?(hex: String) {
        let digits = hex.utf8.dropFirst()
        guard hex.first == "#", digits.count == 6, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(hex.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }

    /// The colour as a text such as `#ff8800`.
    public var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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
