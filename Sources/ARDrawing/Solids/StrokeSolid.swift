// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A solid that strokes became: a mesh and what writers say about it.
public struct StrokeSolid: Hashable, Sendable {
    /// The name: printable, without blanks.
    public var name: String
    /// The surface.
    public var mesh: TriangleMesh
    /// The colour.
    public var color: StrokeColor
    /// For each position its place in a texture, in metres: on the plane, x to the right and −z up; on a tube, along it,
    /// and the part of the way around. Empty where there is no texture.
    public var textureCoordinates: [Point2]
    /// For each position when the pen was there, in seconds since the drawing's first point. Empty where nobody asked.
    public var seconds: [Double]

    /// A solid with these values.
    public init(
        name: String, mesh: TriangleMesh, color: StrokeColor = .black, textureCoordinates: [Point2] = [],
        seconds: [Double] = []
    ) {
        precondition(
            [0, mesh.positions.count].contains(textureCoordinates.count)
                && [0, mesh.positions.count].contains(seconds.count),
            "there are \(mesh.positions.count) positions, \(textureCoordinates.count) texture coordinates, \(seconds.count) times"
        )
        self.name = name
        self.mesh = mesh
        self.color = color
        self.textureCoordinates = textureCoordinates
        self.seconds = seconds
    }

    /// Whether the name is one word of printable characters, as programs read it from a line of text.
    var hasPrintableName: Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.properties.generalCategory != .control
            }
    }
}

extension Drawing {
    /// The strokes' solids in the world: one for each stroke, named `stroke_1`, `stroke_2`, …, or, united, one for each
    /// plane, height and colour, named `strokes_1`, …, in the order of their first strokes.
    ///
    /// In style `solid` each mesh bounds a solid: closed, manifold (also after positions within 10 nm are made one),
    /// facing outwards, without degenerate triangles. United strokes that do not touch are pieces apart in the same mesh.
    /// Laws: `SolidTests.solidsAreSolids`, `UnionTests`.
    public func solids(_ options: SolidOptions = SolidOptions()) throws(SolidError) -> [StrokeSolid] {
        try options.validate()
        let start = strokes.compactMap(\.points.first?.timestamp).min() ?? Timestamp(nanoseconds: 0)
        var solids: [StrokeSolid] = []
        let isUnited = options.unites && options.style == .solid
        for (index, group) in (isUnited ? strokesThatUnite(options) : strokes.map { [$0] }).enumerated() {
            let shape = try SolidShape(group, options, start: start)
            solids.append(
                StrokeSolid(
                    name: "\(isUnited ? "strokes" : "stroke")_\(index + 1)", mesh: group[0].worldFromPlane * shape.mesh,
                    color: group[0].color, textureCoordinates: shape.textureCoordinates, seconds: shape.seconds))
        }
        return solids
    }

    /// Strokes of one plane, height and colour together, in the order of their first ones.
    func strokesThatUnite(_ options: SolidOptions) -> [[Stroke]] {
        struct Kind: Hashable {
            var worldFromPlane: RigidTransform
            var height: Double
            var color: StrokeColor
        }
        var groups: [[Stroke]] = []
        var groupOfKind: [Kind: Int] = [:]
        for stroke in strokes {
            let height = options.height ?? stroke.height
            let kind = Kind(worldFromPlane: stroke.worldFromPlane, height: height, color: stroke.color)
            if let group = groupOfKind[kind] {
                groups[group].append(stroke)
            } else {
                groupOfKind[kind] = groups.count
                groups.append([stroke])
            }
        }
        return groups
    }
}

extension Stroke {
    /// The stroke as a solid on its plane, in the plane's frame: see ``Drawing/solids(_:)``.
    public func solid(_ options: SolidOptions = SolidOptions()) throws(SolidError) -> TriangleMesh {
        try options.validate()
        return try SolidShape([self], options, start: Timestamp(nanoseconds: 0)).mesh
    }
}

/// What strokes of one plane become, in the plane's frame.
private struct SolidShape {
    var mesh: TriangleMesh
    var textureCoordinates: [Point2] = []
    var seconds: [Double] = []

    init(_ strokes: [Stroke], _ options: SolidOptions, start: Timestamp) throws(SolidError) {
        let height = options.height ?? strokes[0].height
        guard Stroke.heights.contains(height) else { throw .heightOutOfRange(height) }
        switch options.style {
        case .ribbon:
            let (path, sources) = try strokes[0].validPath().withoutRepetitions
            let ribbon = Ribbon(along: path, arcTolerance: options.arcTolerance)
            mesh = ribbon.figure.extruded(height: height)
            textureCoordinates = mesh.positions.map { Point2($0.x, -$0.z) }
            if options.hasTimestamps {
                seconds = ribbon.origins.flatMap {
                    [Double](repeating: strokes[0].points[sources[Int($0)]].timestamp.seconds(since: start), count: 2)
                }
            }
        case .tube:
            let (path, sources) = try strokes[0].validPath().withoutRepetitions
            let tube = Tube(along: path, cap: options.cap, arcTolerance: options.arcTolerance)
            mesh = tube.mesh
            textureCoordinates = tube.textureCoordinates
            if options.hasTimestamps {
                seconds = tube.origins.map { strokes[0].points[sources[Int($0)]].timestamp.seconds(since: start) }
            }
        case .solid:
            mesh = try Footprint(of: strokes, options).figure().extruded(height: height)
            textureCoordinates = mesh.positions.map { Point2($0.x, -$0.z) }
            if options.hasTimestamps {
                let stamps = StampField(strokes)
                seconds = textureCoordinates.map { stamps.timestamp(near: $0).seconds(since: start) }
            }
        }
    }
}

extension Footprint {
    /// The area that the strokes cover, filled where they or the options ask for it.
    init(of strokes: [Stroke], _ options: SolidOptions) throws(SolidError) {
        var paths: [PenPath] = []
        for stroke in strokes { paths.append(try stroke.validPath()) }
        let thinnest = 2 * (paths.lazy.flatMap(\.points).map(\.radius).min() ?? 0)
        let tolerance = min(options.arcTolerance, thinnest / 8)
        let pen = PenOutline(
            join: options.join, cap: options.cap, mitreLimit: options.mitreLimit, arcTolerance: tolerance)
        let filled = zip(strokes, paths).filter { stroke, _ in stroke.isFilled || (options.fills && stroke.isClosed) }
        try self.init(
            around: paths,
            filled: filled.map { Polygon2($1.simplified(tolerance: tolerance / 2).points.map(\.position)) }, pen: pen)
    }
}

extension Stroke {
    /// The path seen from above, its numbers checked.
    fileprivate func validPath() throws(SolidError) -> PenPath {
        guard Stroke.widths.contains(width) else { throw .widthOutOfRange(width) }
        guard !points.isEmpty else { throw .strokeWithoutPoints }
        var path: [PenPath.Point] = []
        path.reserveCapacity(points.count)
        for point in points {
            let position = point.position
            guard abs(position.x) <= Footprint.farthest, abs(position.y) <= Footprint.farthest else {
                throw .positionOutOfRange(position)
            }
            guard Stroke.pressures.contains(point.pressure) else { throw .pressureOutOfRange(point.pressure) }
            path.append(PenPath.Point(position: PlanView.point(position), radius: width * point.pressure / 2))
        }
        return PenPath(points: path)
    }
}
