// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How strokes become solids.
public struct SolidOptions: Hashable, Sendable {
    /// The shape of a stroke seen from above.
    public enum Style: Hashable, Sendable {
        /// What a round pen covers: round joins and ends, self-crossings united, holes kept. The mesh bounds a solid.
        case footprint
        /// A band with square ends and mitred or bevelled joins, cheap and regular. Closed, but it overlaps itself where
        /// the path crosses itself or bends more sharply than its width.
        case ribbon
    }

    /// The shape of a stroke seen from above.
    public var style: Style = .footprint
    /// How far the solid rises above the plane, in metres.
    public var height = 0.003
    /// How far round joins and ends may lie inside the true arc, in metres.
    public var arcTolerance = 1e-5

    /// The lengths that options may have, in metres.
    public static let lengths = 1e-7...1e3

    /// Footprints, 3 mm high, true to 10 µm.
    public init() {}

    /// The options with these values.
    public init(style: Style, height: Double = 0.003, arcTolerance: Double = 1e-5) {
        self.style = style
        self.height = height
        self.arcTolerance = arcTolerance
    }
}

/// Why a drawing has no solid.
public enum SolidError: Error, Hashable, Sendable {
    /// A length among the options must be a number within ``SolidOptions/lengths``.
    case optionOutOfRange(name: String, found: Double)
    /// A stroke has no points.
    case strokeWithoutPoints
    /// A coordinate must be a number up to 2³⁰ m.
    case positionOutOfRange(Point2)
    /// The pen's width must be a number within ``Stroke/widths``.
    case widthOutOfRange(Double)
    /// Strokes of different planes or widths have no common outline.
    case strokesDiffer
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
        case .strokeWithoutPoints: "a stroke has no points: leave it out"
        case .positionOutOfRange(let found):
            "a stroke's point lies at x \(found.x) m, z \(found.y) m: coordinates must be numbers up to 2^30 m"
        case .widthOutOfRange(let found):
            "a stroke is \(found) m wide: give a width from \(Stroke.widths.lowerBound) to \(Stroke.widths.upperBound) m"
        case .strokesDiffer:
            "strokes to be united lie on different planes or have different widths: unite those of one plane and pen"
        case .outlineTouchesItself(let attempts):
            "a stroke's outline still touches itself after \(attempts) attempts: change its width by a micrometre"
        case .outlineFailed(let status): "the polygon library failed with status \(status)"
        }
    }
}

extension Stroke {
    /// The stroke as a solid that stands on its plane, in the plane's frame: floor at y = 0, top at the options' height.
    ///
    /// In style `footprint` the mesh bounds a solid: closed, manifold (also after positions within 10 nm are made one),
    /// facing outwards, without degenerate triangles. Law: `SolidTests.footprintsAreSolids`.
    public func solid(_ options: SolidOptions = SolidOptions()) throws(SolidError) -> TriangleMesh {
        try options.validate()
        let path = try snappedPath()
        switch options.style {
        case .ribbon:
            return Ribbon(along: path, width: width, arcTolerance: options.arcTolerance).figure
                .extruded(height: options.height)
        case .footprint:
            return try TriangleMesh(footprintOf: [path], width: width, options)
        }
    }

    /// The path seen from above, on the footprints' grid.
    fileprivate func snappedPath() throws(SolidError) -> [Point2] {
        guard Stroke.widths.contains(width) else { throw .widthOutOfRange(width) }
        guard !points.isEmpty else { throw .strokeWithoutPoints }
        for point in points {
            let position = point.position
            guard abs(position.x) <= Footprint.farthest, abs(position.y) <= Footprint.farthest else {
                throw .positionOutOfRange(position)
            }
        }
        return Footprint.snap(points.map { PlanView.point($0.position) })
    }
}

extension Drawing {
    /// One solid for each stroke, in the world, named `stroke_1`, `stroke_2`, …
    public func solids(_ options: SolidOptions = SolidOptions()) throws(SolidError) -> [NamedMesh] {
        var solids: [NamedMesh] = []
        for (index, stroke) in strokes.enumerated() {
            let mesh = try stroke.solid(options)
            solids.append(NamedMesh(name: "stroke_\(index + 1)", mesh: stroke.worldFromPlane * mesh))
        }
        return solids
    }

    /// The footprints of all strokes united, in the world, named `drawing`: what overlaps becomes one solid.
    ///
    /// All strokes must lie on the same plane and have the same width. Strokes that do not touch stay pieces apart in
    /// the same mesh. Empty for a drawing without strokes.
    public func unitedSolid(_ options: SolidOptions = SolidOptions()) throws(SolidError) -> NamedMesh {
        try options.validate()
        guard let first = strokes.first else { return NamedMesh(name: "drawing", mesh: TriangleMesh()) }
        var paths: [[Point2]] = []
        for stroke in strokes {
            guard stroke.worldFromPlane == first.worldFromPlane, stroke.width == first.width else {
                throw .strokesDiffer
            }
            paths.append(try stroke.snappedPath())
        }
        let mesh = try TriangleMesh(footprintOf: paths, width: first.width, options)
        return NamedMesh(name: "drawing", mesh: first.worldFromPlane * mesh)
    }
}

extension SolidOptions {
    fileprivate func validate() throws(SolidError) {
        for (name, value) in [("height", height), ("arc tolerance", arcTolerance)] {
            guard SolidOptions.lengths.contains(value) else { throw .optionOutOfRange(name: name, found: value) }
        }
    }
}

extension TriangleMesh {
    fileprivate init(footprintOf paths: [[Point2]], width: Double, _ options: SolidOptions) throws(SolidError) {
        let figure = try Footprint.figure(
            around: paths, radius: width / 2, arcTolerance: min(options.arcTolerance, width / 8))
        self = figure.extruded(height: options.height)
    }
}

/// A mesh and what it is called.
public struct NamedMesh: Hashable, Sendable {
    /// The name: printable, without blanks.
    public var name: String
    /// The mesh.
    public var mesh: TriangleMesh

    /// The mesh under that name.
    public init(name: String, mesh: TriangleMesh) {
        self.name = name
        self.mesh = mesh
    }

    /// Whether the name is one word of printable characters, as programs read it from a line of text.
    var hasPrintableName: Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.properties.generalCategory != .control
            }
    }
}
