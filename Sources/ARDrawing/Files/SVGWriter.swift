// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Writes a drawing's plan as an SVG picture in millimetres: what the pen covers, each stroke a filled path, or, united,
/// each colour and height, as seen from above along the plane's normal: x to the right, z down. Planes lie side by side.
public struct SVGWriter: Hashable, Sendable {
    /// The empty rim around the drawing and between planes, in millimetres.
    public var margin: Double

    /// A writer that leaves such a rim.
    public init(margin: Double = 5) { self.margin = margin }

    /// Hands the file's bytes to `sink`, piece by piece. Of the options, style and height do not matter.
    public func write<Failure: Error>(
        _ plan: DrawingPlan, to sink: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let size = plan.sheets.reduce(Vector2(margin, 0)) { size, sheet in
            Vector2(size.x + 1000 * sheet.size.x + margin, max(size.y, 1000 * sheet.size.y + 2 * margin))
        }
        let decimals = Decimals(4)
        try withOutputBuffer(sink) { (text: OutputBuffer<Failure>) throws(Failure) in
            func number(_ value: Double) throws(Failure) { try text.append(value, decimals: decimals) }
            try text.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
            try number(size.x)
            try text.append("mm\" height=\"")
            try number(size.y)
            try text.append("mm\" viewBox=\"0 0 ")
            try number(size.x)
            try text.append(" ")
            try number(size.y)
            try text.append("\">\n")
            var left = margin
            for (index, sheet) in plan.sheets.enumerated() {
                try text.append("<g id=\"plane_\(index + 1)\" fill-rule=\"evenodd\">\n")
                let corner = Vector2(left, margin)
                for figure in sheet.figures {
                    try text.append("<path id=\"\(figure.name)\" fill=\"\(figure.color.hex)\" d=\"")
                    for ring in figure.rings {
                        for (index, vertex) in ring.vertices.enumerated() {
                            let offset = vertex - sheet.topLeft
                            try text.append(index == 0 ? "M" : "L")
                            try number(corner.x + 1000 * offset.x)
                            try text.append(" ")
                            try number(corner.y - 1000 * offset.y)
                        }
                        try text.append("Z")
                    }
                    try text.append("\"/>\n")
                }
                try text.append("</g>\n")
                left += 1000 * sheet.size.x + margin
            }
            try text.append("</svg>\n")
        }
    }
}

/// What a drawing covers of its planes, as seen from above.
public struct DrawingPlan: Sendable {
    /// What one or more strokes cover.
    struct Figure: Sendable {
        var name: String
        var color: StrokeColor
        /// The rings of areas, counter-clockwise, and of holes, clockwise.
        var rings: [Polygon2]
    }

    /// A plane's figures.
    struct Sheet: Sendable {
        var figures: [Figure]
        var topLeft: Point2
        var size: Vector2

        init(_ figures: [Figure]) {
            self.figures = figures
            let corners = figures.lazy.flatMap(\.rings).flatMap(\.vertices)
            let lower = corners.reduce(corners.first ?? .zero) { pointwiseMin($0, $1) }
            let upper = corners.reduce(corners.first ?? .zero) { pointwiseMax($0, $1) }
            topLeft = Point2(lower.x, upper.y)
            size = upper - lower
        }
    }

    private(set) var sheets: [Sheet] = []

    /// The plan of a drawing, in the order of the strokes.
    public init(_ drawing: Drawing, _ options: SolidOptions = SolidOptions()) throws(SolidError) {
        try options.validate()
        let groups = options.unites ? drawing.strokesThatUnite(options) : drawing.strokes.map { [$0] }
        var planes: [RigidTransform] = []
        var figures: [[Figure]] = []
        for (index, group) in groups.enumerated() {
            let rings = try Footprint(of: group, options).rings()
            let name = "\(options.unites ? "strokes" : "stroke")_\(index + 1)"
            let figure = Figure(name: name, color: group[0].color, rings: rings)
            if let plane = planes.firstIndex(of: group[0].worldFromPlane) {
                figures[plane].append(figure)
            } else {
                planes.append(group[0].worldFromPlane)
                figures.append([figure])
            }
        }
        sheets = figures.map(Sheet.init)
    }
}
