// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

/// Strokes that become one solid, filled strokes, and the shapes of joins and caps.
@Suite struct StrokeShapeTests {
    private static let tall = SolidOptions(height: 1)

    /// The area that strokes cover, from the volume of their solids of height 1.
    private func area(_ strokes: [Stroke], _ options: SolidOptions = tall) throws -> Double {
        let solids = try Drawing(strokes: strokes).solids(options)
        for solid in solids { #expect(solid.mesh.topology.isSolid) }
        return solids.reduce(0) { $0 + $1.mesh.signedVolume }
    }

    private func united() -> SolidOptions { SolidOptions(height: 1, unites: true) }

    @Test func unitedStrokesFlowTogether() throws {
        let cross = [
            Stroke(positions: [Point2(-0.05, 0), Point2(0.05, 0)]),
            Stroke(positions: [Point2(0, -0.05), Point2(0, 0.05)], width: 0.005),
            Stroke(positions: [Point2(0.5, 0)]),
        ]
        let solids = try Drawing(strokes: cross).solids(united())
        #expect(solids.map(\.name) == ["strokes_1"])
        #expect(solids[0].mesh.topology.componentCount == 2)
        #expect(
            try Drawing(strokes: cross).solids(Self.tall).map(\.name) == [
                "stroke_1", "stroke_2", "stroke_3",
            ])
        let overlap = try area(cross) - area(cross, united())
        #expect(abs(overlap - 0.003 * 0.005) < 1e-8)
        #expect(try Drawing().solids(united()).isEmpty)
    }

    @Test func planesHeightsAndColoursStayApart() throws {
        var strokes = (0..<4).map { _ in Stroke(positions: [Point2(-0.05, 0), Point2(0.05, 0)]) }
        strokes[1].height = 0.01
        strokes[2].color = StrokeColor(red: 255, green: 0, blue: 0)
        strokes[3].worldFromPlane.translation.y = 1
        let solids = try Drawing(strokes: strokes + strokes).solids(SolidOptions(unites: true))
        #expect(solids.count == 4)
        #expect(solids.map(\.color) == strokes.map(\.color))
        #expect(abs(solids[1].mesh.signedVolume / solids[0].mesh.signedVolume - 0.01 / 0.003) < 1e-9)
        #expect(solids.allSatisfy { $0.mesh.topology.isSolid })
        // One height for all makes one of the first two.
        #expect(try Drawing(strokes: strokes).solids(united()).count == 3)
    }

    @Test(.tags(.slow), .whenSlowTestsRun, arguments: 0..<60) func crowdsOfStrokesUnite(number: Int)
        throws
    {
        var random = TestRandom(case: number)
        let strokes = (0..<Int(random.uniform(2...12))).map { _ in
            let path = SamplePath.allCases.randomElement(using: &random)!
            return Stroke(
                positions: path.points(&random),
                width: [0.001, 0.003, 0.008].randomElement(using: &random)!)
        }
        let options = SolidOptions(
            height: 1, join: StrokeJoin.allCases.randomElement(using: &random)!,
            cap: StrokeCap.allCases.randomElement(using: &random)!, unites: true, fills: number % 3 == 0)
        let solids = try Drawing(strokes: strokes).solids(options)
        #expect(solids.count == 1)
        #expect(solids[0].mesh.topology.isSolid)
        let separate = try area(
            strokes, SolidOptions(height: 1, join: options.join, cap: options.cap, fills: options.fills))
        // Where outlines touch, pens are made wider by some micrometres.
        #expect(solids[0].mesh.signedVolume <= 1.005 * separate)
    }

    /// A square path of 20 mm around the origin, from its middle left.
    private static let square = [
        Point2(-0.01, 0), Point2(-0.01, 0.01), Point2(0.01, 0.01), Point2(0.01, -0.01),
        Point2(-0.01, -0.01),
        Point2(-0.01, 0),
    ]

    @Test func closedStrokesAreFilled() throws {
        let (width, side) = (0.003, 0.02)
        let outer = side * side + 4 * side * width / 2 + .pi * width * width / 4
        let hole = (side - width) * (side - width)
        let stroke = Stroke(positions: Self.square)
        #expect(stroke.isClosed)
        #expect(abs(try area([stroke]) - (outer - hole)) < 1e-7)
        #expect(abs(try area([stroke], SolidOptions(height: 1, fills: true)) - outer) < 1e-7)
        var open = Stroke(positions: Array(Self.square.dropLast(2)))
        #expect(!open.isClosed)
        #expect(try open.solid(SolidOptions(fills: true)).topology.eulerCharacteristic == 2)
        open.isFilled = true
        // Three quarters of the square, and half the pen along two sides and a half.
        #expect(try area([open]) > 3.7e-4)
        // Both loops of an eight are filled, though one is drawn clockwise.
        let eight = (0...200).map {
            0.04 * Point2(sin(Double($0) * .pi / 100), sin(Double($0) * .pi / 50))
        }
        let filled = try area([Stroke(positions: eight)], SolidOptions(height: 1, fills: true))
        let loops = 2 * 4.0 / 3 * 0.04 * 0.04
        #expect(filled > loops)
        #expect(
            try Stroke(positions: eight).solid(SolidOptions(fills: true)).topology.eulerCharacteristic
                == 2)
    }

    @Test func joinsHaveTheirAreas() throws {
        // An L: two bands that overlap in a square of half the width, and the outer corner.
        let width = 0.004
        let corner = [Point2(0.05, 0), Point2(0, 0), Point2(0, 0.05)]
        let bands = 2 * 0.05 * width - width * width / 4
        let quarter = width * width / 4
        for (join, outside) in [
            (StrokeJoin.mitre, quarter), (.bevel, quarter / 2), (.round, quarter * .pi / 4),
        ] {
            let stroke = Stroke(positions: corner, width: width)
            let found = try area([stroke], SolidOptions(height: 1, join: join, cap: .butt))
            #expect(abs(found - bands - outside) < 2e-8, "\(join): \(found - bands), expected \(outside)")
        }
        // A mitre of 90° is √2 half widths long.
        let short = SolidOptions(height: 1, join: .mitre, cap: .butt, mitreLimit: 1.4)
        #expect(
            abs(try area([Stroke(positions: corner, width: width)], short) - bands - quarter / 2) < 2e-8)
    }

    @Test func closedPathsAreJoinedWhereTheyBegan() throws {
        let width = 0.003
        var square = Self.square
        square = Array(square[1...4] + [square[1]])
        let found = try area(
            [Stroke(positions: square)], SolidOptions(height: 1, join: .mitre, cap: .butt))
        #expect(abs(found - ((0.02 + width) * (0.02 + width) - (0.02 - width) * (0.02 - width))) < 2e-8)
    }

    @Test func capsHaveTheirAreas() throws {
        let (width, length) = (0.004, 0.05)
        let stroke = Stroke(positions: [Point2(0, 0), Point2(0.03, 0.04)], width: width)
        for (cap, ends) in [
            (StrokeCap.butt, 0), (.square, width * width), (.round, .pi * width * width / 4),
        ] {
            #expect(
                abs(try area([stroke], SolidOptions(height: 1, cap: cap)) - length * width - ends) < 5e-8)
        }
        let dot = Stroke(positions: [Point2(1, 2)], width: width)
        #expect(abs(try area([dot], SolidOptions(height: 1, cap: .square)) - width * width) < 1e-9)
    }

    @Test func pressureMakesTheLineWider() throws {
        // From 2 mm to 6 mm: a trapezoid between two half discs, its sides tangents of both.
        let points = [(0.0, 0.5), (0.1, 1.5)].enumerated().map {
            Stroke.Point(
                timestamp: Timestamp(nanoseconds: Int64($0)), position: Point2($1.0, 0), pressure: $1.1)
        }
        let stroke = Stroke(points: points, worldFromPlane: .identity, width: 0.004)
        let (thin, thick, length) = (0.001, 0.003, 0.1)
        let sine = (thick - thin) / length
        let lean = asin(sine)
        let sides = (thin + thick) * length * cos(lean)
        let caps = thin * thin * (.pi / 2 - lean) + thick * thick * (.pi / 2 + lean)
        #expect(abs(try area([stroke]) - sides - caps) < 1e-3 * sides)
    }

    @Test(arguments: SamplePath.allCases, 0..<6) func anyPressureGivesASolid(
        path: SamplePath, number: Int
    ) throws {
        var random = TestRandom(case: number, "anyPressureGivesASolid \(path)")
        var stroke = path.stroke(&random)
        for index in stroke.points.indices { stroke.points[index].pressure = random.uniform(0.2...2) }
        let solid = try stroke.solid(
            SolidOptions(join: StrokeJoin.allCases.randomElement(using: &random)!))
        #expect(solid.topology.isSolid)
        #expect(solid.signedVolume > 0)
    }
}
