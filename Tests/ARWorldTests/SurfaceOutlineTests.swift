// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// How far a surface reaches, by where there is evidence for it and against.
@Suite struct SurfaceOutlineTests {
    /// The outline of evidence all over a thing, however it is turned, is as large as the thing: of evidence as points and pictures bring it,
    /// in two cells of three.
    @Test(arguments: 0..<10) func anOutlineIsAsLargeAsItsEvidence(number: Int) throws {
        var random = TestRandom(case: number)
        let turn = random.uniform(0...Double.pi)
        let (right, top) = (Point2(cos(turn), sin(turn)), Point2(-sin(turn), cos(turn)))
        var grid = SurfaceGrid(cellSize: 0.025)
        for _ in 0..<400 {
            grid.support(random.uniform(-0.25...0.25) * right + random.uniform(-0.2...0.2) * top)
        }
        let outline = try #require(SurfaceOutline(grid, reach: 0.15))
        #expect(abs(outline.area - 0.5 * 0.4) < 0.05 * 0.5 * 0.4, "\(outline.area)")
    }

    /// The outlines of round things are as large as these, by a twentieth in the mean, and no corner lies far from the rim.
    @Test func whatIsRoundStaysRound() throws {
        let radius = 0.2
        let areas = try (0..<60).map { number in
            var random = TestRandom(case: number)
            let middle = Point2(random.uniform(-1...1), random.uniform(-1...1))
            let grid = Self.disc(about: middle, radius: radius, &random)
            let outline = try #require(SurfaceOutline(grid, reach: 0.15))
            for corner in outline.corners { #expect(abs((corner - middle).length - radius) < grid.cellSize) }
            return outline.area
        }
        let share = areas.reduce(0, +) / Double(areas.count) / (.pi * radius * radius)
        // 0.94 where a whole cell is tolerated.
        #expect(abs(share - 1) < 0.055, "\(share)")
    }

    /// A mark beside a thing that was taken for a part of it makes it no larger where pictures show something else about the mark;
    /// where they show nothing, it is bridged.
    @Test(arguments: [(0.05, false), (0.05, true), (0.08, false), (0.08, true), (0.12, true)]) func whatJutsOutIsNone(
        gap: Double, isDenied: Bool
    ) throws {
        var random = TestRandom(case: 0)
        var grid = Self.disc(about: .zero, radius: 0.2, &random)
        let area = try #require(SurfaceOutline(grid, reach: 0.15)).area
        let mark = Point2(0.2 + gap, 0)
        grid.support(mark)
        for x in stride(from: -0.4, to: 0.4, by: 0.025) where isDenied {
            for z in stride(from: -0.4, to: 0.4, by: 0.025) where Point2(x, z).length > 0.24 {
                grid.deny(Point2(x, z))
            }
        }
        let outline = try #require(SurfaceOutline(grid, reach: 0.15))
        #expect(outline.isNear(mark, within: 0.02) != isDenied)
        if isDenied { #expect(abs(outline.area / area - 1) < 0.03, "\(outline.area), alone \(area)") }
    }

    /// A ledge that is as narrow as what juts out elsewhere stays, whatever is seen beside it.
    @Test(arguments: [0.075, 0.1, 0.15]) func aLedgeIsNoJut(width: Double) throws {
        var grid = SurfaceGrid(cellSize: 0.025)
        for x in stride(from: 0.01, to: 0.6, by: 0.02) {
            for z in stride(from: 0.01, to: width, by: 0.02) { grid.support(Point2(x, z)) }
            for z in [-0.06, -0.04, width + 0.04, width + 0.06] {
                grid.deny(Point2(x, z))
            }
        }
        let outline = try #require(SurfaceOutline(grid, reach: 0.15))
        #expect(outline.width > 0.7 * width)
        #expect(outline.area > 0.9 * 0.6 * outline.width)
    }

    /// Evidence all over a disc, in two cells of three.
    private static func disc(about middle: Point2, radius: Double, _ random: inout TestRandom) -> SurfaceGrid {
        var grid = SurfaceGrid(cellSize: 0.025)
        for _ in 0..<Int(8000 * radius * radius) {
            let place = Point2(random.uniform(-radius...radius), random.uniform(-radius...radius))
            if place.length < radius { grid.support(middle + place) }
        }
        return grid
    }

    @Test func anLStaysAnL() throws {
        var grid = SurfaceGrid(cellSize: 0.025)
        var random = TestRandom()
        for _ in 0..<6000 {
            let place = random.vector2(0...2)
            if place.x < 0.7 || place.y < 0.7 { grid.support(place) }
        }
        let outline = try #require(SurfaceOutline(grid, reach: 0.3))
        let polygon = Polygon2(outline.corners)
        #expect(abs(polygon.area - 2.31) < 0.12)
        #expect(!polygon.contains(Point2(1.2, 1.2)))
        #expect(polygon.contains(Point2(0.4, 1.8)) && polygon.contains(Point2(1.8, 0.4)))
        #expect(outline.corners.count <= 14)
        #expect(polygon.isSimple && polygon.winding == .clockwise)
    }

    /// Of two pieces that are too far apart the one with more evidence counts, and what was seen through opens.
    @Test func openCellsAreLeftOut() throws {
        var grid = SurfaceGrid(cellSize: 0.025)
        var random = TestRandom()
        for _ in 0..<2000 { grid.support(Point2(random.uniform(0...1), random.uniform(0...0.5))) }
        for _ in 0..<100 { grid.support(Point2(random.uniform(2...2.2), random.uniform(0...0.5))) }
        let whole = try #require(SurfaceOutline(grid, reach: 0.2))
        #expect(abs(Polygon2(whole.corners).area - 0.5) < 0.05)
        #expect(!whole.contains(Point2(2.1, 0.2)))
        for _ in 0..<60 {
            for step in 0..<400 { grid.pass(Point2(0.7 + 0.015 * Double(step / 20), 0.03 * Double(step % 20))) }
        }
        let rest = try #require(SurfaceOutline(grid, reach: 0.2))
        // A ray opens the cells around its own, too.
        #expect(abs(Polygon2(rest.corners).area - 0.5 * (0.7 - 0.025)) < 0.05)
    }

    /// A gap that would be bridged is none where pictures show something else in it, away from the rims.
    @Test(arguments: [false, true]) func deniedGapsAreNotBridged(isDenied: Bool) throws {
        var grid = SurfaceGrid(cellSize: 0.025)
        for x in stride(from: 0.01, to: 0.4, by: 0.02) {
            for z in stride(from: 0.01, to: 0.4, by: 0.02) {
                grid.support(Point2(x, z))
                if x < 0.1 { grid.support(Point2(x + 0.6, z)) }
            }
        }
        for x in stride(from: 0.41, to: 0.6, by: 0.025) where isDenied {
            for z in stride(from: 0.01, to: 0.4, by: 0.025) {
                grid.deny(Point2(x, z))
            }
        }
        let outline = try #require(SurfaceOutline(grid, reach: 0.2))
        #expect(outline.contains(Point2(0.65, 0.2)) != isDenied)
        #expect(outline.contains(Point2(0.2, 0.2)))
        let area = Polygon2(outline.corners).area
        #expect(abs(area - (isDenied ? 0.16 : 0.28)) < 0.025)
    }

    /// What is seen where a top's plane meets a wall, a hand's breadth beside the top, makes the top no larger, nor do marks of the wall that
    /// are placed some centimetres before it; a top that touches the wall ends there.
    @Test(arguments: [(0.15, 0, false), (0.08, 0, false), (0.1, 0.05, false), (0.01, 0, true), (0.01, 0.05, true)])
    func whatIsSeenAtASeamBridgesNothing(gap: Double, error: Double, touches: Bool) throws {
        let wallPlace = 0.4 + gap
        var wall = Surface(
            isHorizontal: false,
            worldFromLevel: try #require(
                Surface.levelAxes(at: Point3(wallPlace, 0, 0), normal: Vector3(-1, 0, 0))),
            cellSize: 0.025)
        wall.number = 1
        for along in stride(from: -0.5, to: 1, by: 0.02) {
            for down in stride(from: -0.5, to: 0.5, by: 0.02) { wall.grid.support(Point2(along, down)) }
        }
        wall.outline = try #require(SurfaceOutline(wall.grid, reach: 0.35))
        var top = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.025)
        top.number = 2
        for z in stride(from: 0.01, to: 0.4, by: 0.02) {
            for x in stride(from: 0.01, to: 0.4, by: 0.02) { top.grid.support(Point2(x, z)) }
            top.grid.support(Point2(wallPlace, z))
            top.grid.support(Point2(wallPlace - error, z))
        }
        top.outline = try #require(SurfaceOutline(top.grid, reach: 0.2))
        let seam = try #require(Seam(of: wall, with: top))
        let outline = try #require(SurfaceOutline(top.grid, reach: 0.2, endingAt: [seam]))
        #expect(top.outline.contains(Point2(wallPlace, 0.2)))
        #expect(outline.contains(Point2(wallPlace, 0.2)) == touches)
        #expect(outline.contains(Point2(0.4 + gap / 2, 0.2)) == touches)
        #expect(outline.contains(Point2(0.39, 0.2)))
        #expect(abs(Polygon2(outline.corners).area - 0.16) < 0.02)
    }

    /// What a seam hides or blurs lies in the stretches of rows that it gives.
    @Test(arguments: 0..<30) func aZoneLiesInItsStretches(number: Int) throws {
        var random = TestRandom(case: number)
        func surface(isHorizontal: Bool, at point: Point3, normal: Vector3, reach: Double) throws -> Surface {
            var surface = Surface(
                isHorizontal: isHorizontal,
                worldFromLevel: try #require(Surface.levelAxes(at: point, normal: normal)), cellSize: 0.05)
            for x in stride(from: -0.6, to: 0.6, by: 0.04) {
                for z in stride(from: -0.6, to: 0.6, by: 0.04) { surface.grid.support(Point2(x, z)) }
            }
            surface.outline = try #require(SurfaceOutline(surface.grid, reach: reach))
            return surface
        }
        // Every third wall stands along x, where all of a row is as deep.
        let turn = random.uniform(0...2 * Double.pi)
        let normal = number.isMultiple(of: 3) ? Vector3(0, 0, 1) : Vector3(cos(turn), 0, sin(turn))
        let wall = try surface(
            isHorizontal: false, at: Point3(random.uniform(-0.2...0.2), 0, random.uniform(-0.2...0.2)),
            normal: normal, reach: 0.3)
        let top = try surface(isHorizontal: true, at: .zero, normal: Vector3(0, 1, 0), reach: 0.2)
        for seam in [try #require(Seam(of: wall, with: top)), try #require(Seam(of: top, with: wall))] {
            for zone in [seam.hidden, seam.blurred] {
                var inside = 0
                for _ in 0..<2000 {
                    let place = Point2(random.uniform(-0.7...0.7), random.uniform(-0.7...0.7))
                    let stretch = zone.stretch(atZ: place.y)
                    if zone.contains(place) {
                        inside += 1
                        #expect(stretch?.contains(place.x) == true)
                    }
                }
                #expect(inside > 20)
            }
        }
    }

    @Test(arguments: 0..<30) func simplificationKeepsTheOutlineWithinItsTolerance(number: Int) {
        var random = TestRandom(case: number)
        let corners = (0..<80).map { index -> Point2 in
            let angle = Double(index) / 80 * 2 * .pi
            return (1 + random.uniform(-0.02...0.02)) * Point2(cos(angle), sin(angle))
        }
        let simple = Polygon2(corners).simplified(tolerance: 0.05)
        #expect(simple.vertices.count < 30)
        for corner in corners {
            #expect(simple.edges.map { $0.distance(to: corner) }.min()! <= 0.05 + 1e-12)
        }
        let filled = Polygon2(corners).withoutDents(shallowerThan: 10)
        #expect(filled.isStrictlyConvex)
        #expect(filled.area >= Polygon2(corners).area)
    }

    /// A dent stays where another part of the outline reaches into it.
    @Test func aDentThatHoldsAPegStays() {
        let outline = Polygon2([
            Point2(0, 0), Point2(6, 0), Point2(6, 1.2), Point2(4, 0.8), Point2(2, 1.2), Point2(1, 3), Point2(3.9, 3),
            Point2(4, 1), Point2(4.1, 3), Point2(6, 3), Point2(6, 4), Point2(0, 4),
        ])
        #expect(outline.isSimple)
        let filled = outline.withoutDents(shallowerThan: 0.5)
        #expect(filled.isSimple)
        #expect(filled.vertices.contains(Point2(4, 0.8)))
    }

    /// Without its dents a simple outline stays simple, whatever its shape.
    @Test(arguments: 0..<200) func anOutlineWithoutDentsIsSimple(number: Int) {
        var random = TestRandom(case: number)
        let side = 16
        guard let piece = CellSetTests.largestPiece(of: CellSetTests.cells(side: side, filled: 0.65, &random)) else {
            return
        }
        let contour = CellContour(of: piece)
        // Corners in which cells touch are pulled apart.
        let outline = Polygon2(
            contour.corners.map { Point2(Double($0.x), Double($0.y)) + random.vector2(-0.2...0.2) })
        guard outline.isSimple else { return }
        #expect(outline.withoutDents(shallowerThan: random.uniform(0.3...3)).isSimple)
    }
}

extension SurfaceGrid {
    /// Counts two pictures that show something else at a place.
    fileprivate mutating func deny(_ place: Point2) {
        for picture in 1...2 { _ = look(at: place, reach: 0, agrees: false, in: picture) }
    }
}
