// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How strokes become solids.
public struct SolidOptions: Hashable, Sendable {
    /// The shape of a stroke.
    public enum Style: String, CaseIterable, Hashable, Sendable {
        /// A band with square ends and mitred or bevelled joins, cheap and regular. Closed, but it overlaps itself where
        /// the path crosses itself or bends more sharply than its width.
        case ribbon
        /// A tube as thick as the pen is wide, on the plane. It knows no height.
        case tube
        /// What the pen covers, with its joins and caps, crossings united and holes kept, extruded. The mesh bounds a
        /// solid.
        case solid
    }

    /// The shape of a stroke.
    public var style: Style
    /// How far all solids rise above their planes, in metres; `nil` for each stroke's own height.
    public var height: Double?
    /// The outer side of corners, in style `solid`.
    public var join: StrokeJoin
    /// The ends of strokes, in the styles `solid` and `tube`.
    public var cap: StrokeCap
    /// At most this many half widths lie between a corner and its mitre's point.
    public var mitreLimit: Double
    /// Whether strokes of one plane, height and colour become one solid where they meet, in style `solid`.
    ///
    /// Strokes of different heights stay solids of their own, each closed; they pass through each other where they cross.
    public var unites: Bool
    /// Whether what a closed stroke encloses is filled, in style `solid`, also where the stroke does not ask for it.
    public var fills: Bool
    /// How far outlines may lie from the true ones, in metres: chords inside their arcs, points left out along the path.
    public var arcTolerance: Double
    /// Whether solids say of each vertex when the pen was there.
    public var hasTimestamps: Bool

    /// The lengths that options may have, in metres.
    public static let lengths = 1e-7...1e3

    /// The mitre limits that options may have.
    public static let mitreLimits = 1.0...100.0

    /// Options with these values.
    public init(
        style: Style = .solid, height: Double? = nil, join: StrokeJoin = .round, cap: StrokeCap = .round,
        mitreLimit: Double = 4, unites: Bool = false, fills: Bool = false, arcTolerance: Double = 1e-5,
        hasTimestamps: Bool = false
    ) {
        self.style = style
        self.height = height
        self.join = join
        self.cap = cap
        self.mitreLimit = mitreLimit
        self.unites = unites
        self.fills = fills
        self.arcTolerance = arcTolerance
        self.hasTimestamps = hasTimestamps
    }

    func validate() throws(SolidError) {
        for (name, value) in [("height", height ?? Stroke.defaultHeight), ("arc tolerance", arcTolerance)] {
            guard Self.lengths.contains(value) else { throw .optionOutOfRange(name: name, found: value) }
        }
        guard Self.mitreLimits.contains(mitreLimit) else { throw .mitreLimitOutOfRange(mitreLimit) }
    }
}

/// Why a drawing has no solid.
public enum SolidError: Error, Hashable, Sendable {
    /// A length among the options must be a number within ``SolidOptions/lengths``.
    case optionOutOfRange(name: String, found: Double)
    /// The mitre limit must be a number within ``SolidOptions/mitreLimits``.
    case mitreLimitOutOfRange(Double)
    /// A stroke has no points.
    case strokeWithoutPoints
    /// A coordinate must be a number up to 2³⁰ m.
    case positionOutOfRange(Point2)
    /// The pen's width must be a number within ``Stroke/widths``.
    case widthOutOfRange(Double)
    /// The stroke's height must be a number within ``Stroke/heights``.
    case heightOutOfRange(Double)
    /// A point's pressure must be a number within ``Stroke/pressures``.
    case pressureOutOfRange(Double)
    /// The outline still touched itself after the pen was widened that many times.
    case outlineTouchesItself(attempts: Int)
    /// The polygon library gave up; its status is in CPolygon.h.
    case outlineFailed(status: Int)
}

extension SolidError: CustomStringConvertible {
    /// What was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .optionOutOfRange(let name, let found):
            "the solids' \(name) is \(found) m: give a length from \(SolidOptions.lengths.lowerBound) to "
                + "\(SolidOptions.lengths.upperBound) m"
        case .mitreLimitOutOfRange(let found):
            "the mitre limit is \(found): give a number from \(SolidOptions.mitreLimits.lowerBound) to "
                + "\(SolidOptions.mitreLimits.upperBound)"
        case .strokeWithoutPoints: "a stroke has no points: leave it out"
        case .positionOutOfRange(let found):
            "a stroke's point lies at x \(found.x) m, z \(found.y) m: coordinates must be numbers up to 2^30 m"
        case .widthOutOfRange(let found):
            "a stroke is \(found) m wide: give a width from \(Stroke.widths.lowerBound) to \(Stroke.widths.upperBound) m"
        case .heightOutOfRange(let found):
            "a stroke is \(found) m high: give a height from \(Stroke.heights.lowerBound) to "
                + "\(Stroke.heights.upperBound) m"
        case .pressureOutOfRange(let found):
            "a point's pressure is \(found): give a number from \(Stroke.pressures.lowerBound) to "
                + "\(Stroke.pressures.upperBound)"
        case .outlineTouchesItself(let attempts):
            "a stroke's outline still touches itself after \(attempts) attempts: change its width by a micrometre"
        case .outlineFailed(let status): "the polygon library failed with status \(status)"
        }
    }
}
