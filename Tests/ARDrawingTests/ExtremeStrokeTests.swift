// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

/// Pens much thinner and much wider than their paths, strokes at the ends of the sizes and speeds, planes far away.
@Suite struct ExtremeStrokeTests {
    @Test(arguments: SamplePath.allCases, [0.0002, 0.02, 0.5])
    func solidsOfAnyWidthAreSolids(path: SamplePath, width: Double) throws {
        for number in 0..<6 {
            var random = TestRandom(case: number, "solidsOfAnyWidthAreSolids \(path) \(width)")
            let stroke = Stroke(positions: path.points(&random), width: width)
            let height = [1e-6, 0.003, 10].randomElement(using: &random)!
            let solid = try stroke.solid(SolidOptions(style: .solid, height: height))
            #expect(solid.topology.isSolid)
            #expect(solid.topology.componentCount == 1)
            let area = areaByLines(stroke, spacing: max(width / 60, 2.5e-5))
            let found = solid.signedVolume / height
            // On either side of the pen outlines stay within 10 µm of its own.
            let tolerance = 0.005 + 2e-5 / width
            #expect(abs(found - area) < tolerance * area, "solid \(found) m², by lines \(area) m²")
        }
    }

    @Test(arguments: SamplePath.allCases, [0.0002, 0.02, 0.5])
    func ribbonsOfAnyWidthAreClosed(path: SamplePath, width: Double) throws {
        for number in 0..<6 {
            var random = TestRandom(case: number, "ribbonsOfAnyWidthAreClosed \(path) \(width)")
            let solid = try Stroke(positions: path.points(&random), width: width).solid(SolidOptions(style: .ribbon))
            #expect(solid.topology.isSolid)
            #expect(solid.topology.eulerCharacteristic == 2)
            #expect(solid.signedVolume > 0)
        }
    }

    @Test(arguments: [1.0, 10]) func sweepsAtAnySpeedHaveNoGapAndTheirTrueVolume(metresPerSecond: Double) throws {
        // Thirty frames a second along an arc of 2 m: 3 cm and 33 cm from sample to sample.
        let frames = Int(30 * 3 / metresPerSecond)
        let way = (0...frames).map { frame in
            let angle = metresPerSecond * Double(frame) / 30 / 2
            return 2 * Point2(sin(angle), cos(angle))
        }
        let stroke = try #require(try build(way).first)
        let gaps = zip(stroke.points, stroke.points.dropFirst()).map { ($1.position - $0.position).length }
        #expect(gaps.allSatisfy { $0 <= 0.003 + 1e-12 })
        let chords = zip(way, way.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
        #expect(abs(stroke.length - chords) < 1e-4 * chords)
        let area = 0.003 * stroke.length + .pi * 0.0015 * 0.0015
        let solid = try stroke.solid(SolidOptions(style: .solid, height: 0.01))
        #expect(solid.topology.isSolid)
        #expect(abs(solid.signedVolume - 0.01 * area) < 1e-3 * 0.01 * area)
    }

    @Test func aRestingPenIsADotHoweverLongItRests() throws {
        let stroke = try #require(try build([Point2](repeating: Point2(0.1, 0.2), count: 100_000)).first)
        #expect(stroke.points.count == 1)
        let twins = try #require(try build([Point2(0.1, 0.2), Point2(0.1 + 1e-9, 0.2)]).first)
        #expect(twins.points.count == 2)
        for dot in [stroke, twins] {
            let disc = Double.pi * 0.0015 * 0.0015 * 0.003
            for style in [SolidOptions.Style.solid, .ribbon] {
                let solid = try dot.solid(SolidOptions(style: style))
                #expect(solid.topology.isSolid)
                #expect(abs(solid.signedVolume - disc) < 0.01 * disc)
            }
        }
    }

    @Test func aRetracedLineIsDrawnOnceAndALoopIsClosed() throws {
        let there = (0...100).map { Point2(0.002 * Double($0), 0.0007 * Double($0)) }
        let once = try #require(try build(there).first).solid()
        let retraced = try #require(try build(there + there.reversed().dropFirst()).first).solid()
        #expect(retraced.topology.isSolid)
        // Where the pen turned back nearer than one spacing to the last point, there is none.
        #expect(once.signedVolume - retraced.signedVolume < 0.003 * 0.003 * 0.003)
        #expect(retraced.signedVolume < 1.0001 * once.signedVolume)

        let loop = [Point2(0, 0), Point2(0.2, 0), Point2(0.2, 0.2), Point2(0, 0.2), Point2(0, 0)]
        let ring = try #require(try build(loop).first).solid()
        #expect(ring.topology.isSolid)
        #expect(ring.topology.eulerCharacteristic == 0)
    }

    @Test(arguments: 0..<20) func tiltedPlanesFarAwayKeepTheSolid(number: Int) throws {
        var random = TestRandom(case: number)
        var stroke = SamplePath.figureEight.stroke(&random)
        let near = try stroke.solid()
        stroke.worldFromPlane = RigidTransform(rotation: random.rotation(), translation: 1e3 * random.vector3())
        let far = try #require(try Drawing(strokes: [stroke]).solids().first).mesh
        let positions = positionsRead(from: OBJWriter().text(of: [StrokeSolid(name: "stroke_1", mesh: far)]))
        let read = TriangleMesh(positions: positions, triangles: far.triangles)
        #expect(read.topology == near.topology)
        #expect(abs(read.signedVolume - near.signedVolume) < 1e-3 * near.signedVolume)
        for (written, found) in zip(far.positions, positions) { expectClose(found, written, tolerance: 5.1e-10) }
    }

    @Test func coordinatesOfAnySizeArePrintedWithoutExponents() {
        let mesh = TriangleMesh(
            positions: [Point3(1e-9, -4.9e-10, 1e-300), Point3(123_456_789.001, -999.9999999996, 1 / 3), .zero],
            triangles: [TriangleIndices(0, 1, 2)])
        let lines = OBJWriter().text(of: [StrokeSolid(name: "box", mesh: mesh)]).split(separator: "\n")
        #expect(lines.contains("v 0.000000001 0 0"))
        #expect(lines.contains { $0.hasPrefix("v 123456789.001") && $0.hasSuffix(" -1000 0.333333333") })
        #expect(lines.dropFirst(2).allSatisfy { !$0.contains("e") })
    }

    @Test func aDrawingWithoutStrokesIsAFileWithoutObjects() throws {
        let text = try OBJWriter().text(of: Drawing().solids())
        #expect(text == "# Made by arsim. Unit: metre. Axes: right-handed, +Y up.\n")
    }

    @Test func liftingThePenBetweenSamplesEndsTheStroke() throws {
        var builder = StrokeBuilder(worldFromPlane: .identity)
        builder.endStroke()
        try builder.add(PenSample(timestamp: Timestamp(nanoseconds: 1), position: Point2(0, 0), isDown: true))
        builder.endStroke()
        try builder.add(PenSample(timestamp: Timestamp(nanoseconds: 2), position: Point2(0.1, 0), isDown: true))
        #expect(builder.drawing.strokes.map(\.points.count) == [1, 1])
    }

    /// The strokes of a pen that stays down, sampled thirty times a second.
    private func build(_ way: [Point2]) throws -> [Stroke] {
        var builder = StrokeBuilder(worldFromPlane: .identity, path: .straight)
        for (index, position) in way.enumerated() {
            let timestamp = Timestamp(nanoseconds: Int64(index) * 33_333_333)
            try builder.add(PenSample(timestamp: timestamp, position: position, isDown: true))
        }
        return builder.drawing.strokes
    }

    /// The positions that an OBJ file lists.
    private func positionsRead(from text: String) -> [Point3] {
        text.split(separator: "\n").filter { $0.hasPrefix("v ") }.map { line in
            Point3(line.split(separator: " ").dropFirst().map { Double($0) ?? .nan })
        }
    }
}
