// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// The parts of which planes are made: fit, grid, masks and outlines.
@Suite struct SurfaceTests {
    /// The fit is the plane of the samples, whatever a tenth of them says, and gravity decides where they do not.
    @Test(arguments: 0..<50) func theFitIsThePlaneOfItsSamples(number: Int) throws {
        var random = TestRandom(case: number)
        let (offset, slopes) = (random.uniform(-0.01...0.01), random.vector2(-0.01...0.01))
        let deviation = 0.005
        let samples = (0..<300).map { index -> SurfaceFit.Sample in
            let place = random.vector2(-0.5...0.5)
            let error = index % 10 == 0 ? random.uniform(0.05...0.3) : deviation * random.normal()
            return SurfaceFit.Sample(
                point: Point3(place.x, offset + slopes.dot(place) + error, place.y), variance: deviation * deviation)
        }
        let start = SurfaceFit(offset: 0, slopes: .zero)
        let free = try #require(start.refined(to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(1, 1)))
        #expect(abs(free.offset - offset) < 5 * deviation / Double(samples.count).squareRoot())
        #expect((free.slopes - slopes).length < 0.01)
        let level = try #require(
            start.refined(to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(1e-5, 1e-5)))
        #expect(level.slopes.length < 1e-4)
        #expect(abs(level.fittedHeight(at: .zero) - offset) < 0.003)
    }

    /// A painting with more points than all of the wall on which it hangs, 15 mm before it, turns and moves the wall's plane
    /// by less than half of what it does where each point counts for itself.
    @Test func whatStandsOnASurfaceErrsTogether() throws {
        var random = TestRandom()
        func samples(_ count: Int, x: ClosedRange<Double>, z: ClosedRange<Double>, height: Double) -> [SurfaceFit
            .Sample]
        {
            (0..<count).map { _ in
                let place = Point3(random.uniform(x), height + random.uniform(-0.007...0.007), random.uniform(z))
                return SurfaceFit.Sample(point: place, variance: 0.004 * 0.004)
            }
        }
        let wall = samples(120, x: -2...2, z: -1...1, height: 0)
        let painting = samples(240, x: 0.8...1.4, z: 0.2...0.8, height: 0.015)
        func errors(_ samples: [SurfaceFit.Sample]) throws -> (offset: Double, slope: Double) {
            let fit = try #require(
                SurfaceFit(offset: 0, slopes: .zero).refined(
                    to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(1, 1)))
            return (abs(fit.offset), fit.slopes.length)
        }
        let alone = try errors(wall + painting)
        let together = try errors(SurfaceFit.sharingRelief(wall + painting, seenFrom: 1.5))
        #expect(2 * together.offset < alone.offset && 2 * together.slope < alone.slope, "\(together), \(alone)")
        // Spots with a point each lose little, and alike.
        let sparse = samples(40, x: -8...8, z: -8...8, height: 0)
        let shares = SurfaceFit.sharingRelief(sparse, seenFrom: 0.5).map(\.share)
        #expect(shares.allSatisfy { $0 > 0.7 })
    }

    /// Things that lie on a desk, 3 to 15 mm high, in a quarter of its spots, lift its plane by less than half a millimetre where its own points lie
    /// closer than is expected of points.
    @Test(arguments: 0..<10) func whatLiesOnASurfaceDoesNotLiftIt(number: Int) throws {
        var random = TestRandom(case: number)
        let samples = (0..<400).map { index -> SurfaceFit.Sample in
            let height = (index.isMultiple(of: 4) ? random.uniform(0.003...0.015) : 0) + 0.001 * random.normal()
            return SurfaceFit.Sample(
                point: Point3(random.uniform(-0.5...0.5), height, random.uniform(-0.5...0.5)),
                variance: 0.003 * 0.003)
        }
        let level = 0.2 * Double.pi / 180
        let fit = try #require(
            SurfaceFit(offset: 0, slopes: .zero).refined(
                to: [SurfaceFit.Group(samples: samples)], slopeErrors: Vector2(level, level)))
        #expect(abs(fit.offset) < 0.0005)
    }

    /// Of a plane that has moved since all of them were seen, groups that say the same tell no more than its movement leaves, however many they
    /// are: beside what is seen now and errs by as much as the plane moved, they count as one.
    @Test func whatTheWorldHasMovedBySinceErrsTogether() throws {
        let movement = 0.01 * 0.01
        func group(height: Double, movingBy variance: Double) -> SurfaceFit.Group {
            let samples = (0..<100).map { number in
                SurfaceFit.Sample(
                    point: Point3(0.1 * Double(number % 10), height, 0.1 * Double(number / 10)), variance: 1e-6)
            }
            return SurfaceFit.Group(samples: samples, wander: Matrix3x3(diagonal: Vector3(variance, 0, 0)))
        }
        func fit(_ groups: [SurfaceFit.Group]) throws -> SurfaceFit {
            try #require(SurfaceFit(offset: 0, slopes: .zero).refined(to: groups, slopeErrors: Vector2(1e-5, 1e-5)))
        }
        for count in [1, 4, 20] {
            let groups = (1...count).map { group(height: 0, movingBy: $0 == count ? movement : 0) }
            let variance = pow(try fit(groups).deviation(at: .zero), 2)
            #expect(variance > movement && variance < 1.01 * movement)
        }
        var now = group(height: 0, movingBy: 0)
        now.shared = Matrix3x3(diagonal: Vector3(movement, 0, 0))
        let before = (1...4).map { group(height: 0.01, movingBy: $0 == 4 ? movement : 0) }
        #expect(abs(try fit(before + [now]).offset - 0.005) < 1e-4)
        // What is known without points moves as they do.
        let plane = try fit([group(height: 0.01, movingBy: 0)])
        let information = try #require(plane.covariance.inverse)
        let known = SurfaceFit.Group(
            known: NormalEquations(
                information: information, right: information * Vector3(plane.offset, plane.slopes.x, plane.slopes.y)),
            wander: Matrix3x3(diagonal: Vector3(movement, 0, 0)))
        #expect(abs(try fit([known, now]).offset - 0.005) < 1e-4)
    }

    @Test func farPointsThatAreKnownBadlyDoNotBendThePlane() throws {
        let near = [-0.2, 0, 0.2].flatMap { x in
            [-0.2, 0, 0.2].map { SurfaceFit.Sample(point: Point3(x, 0, $0), variance: 1e-6) }
        }
        var random = TestRandom()
        let far = (0..<40).map {
            SurfaceFit.Sample(point: Point3(3, 0.05 * random.normal(), Double($0) / 40), variance: 0.05 * 0.05)
        }
        let level = 0.2 * Double.pi / 180
        let fit = try #require(
            SurfaceFit(offset: 0, slopes: .zero).refined(
                to: [SurfaceFit.Group(samples: near + far)], slopeErrors: Vector2(level, level)))
        #expect(acos(fit.normal.y) < 0.2 * .pi / 180)
        #expect(abs(fit.offset) < 0.002)
    }

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
                for picture in 1...2 { _ = grid.look(at: Point2(x, z), reach: 0, agrees: false, in: picture) }
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
                for picture in 1...2 { _ = grid.look(at: Point2(x, z), reach: 0, agrees: false, in: picture) }
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

    /// Room that is made at once for many places changes nothing of what is counted there, and bears all of them.
    @Test(arguments: 0..<10) func roomIsMadeForAllPlacesAtOnce(number: Int) {
        var random = TestRandom(case: number)
        let size = random.uniform(0.2...2.5)
        let places = (0..<40).map { _ in Point2(random.uniform(-size...size), random.uniform(-size...size)) }
        var (grown, roomy) = (SurfaceGrid(cellSize: 0.05), SurfaceGrid(cellSize: 0.05))
        roomy.makeRoom(for: places)
        let side = (roomy.columns, roomy.rows)
        for place in places {
            grown.support(place)
            roomy.support(place)
        }
        #expect(side == (roomy.columns, roomy.rows))
        #expect(roomy.supportedPlaces == grown.supportedPlaces)
        for place in places { #expect(roomy[place]?.support == grown[place]?.support) }
    }

    /// What a patch shows counts in its own cell, and in all whose middles lie within its reach: nothing is rounded away.
    @Test(arguments: [(0.0, 1), (0.024, 1), (0.026, 9), (0.051, 25)]) func aPatchCountsWhereItReachesMiddles(
        reach: Double, cells: Int
    ) {
        var grid = SurfaceGrid(cellSize: 0.025)
        let corner = Point2(0.5, 0.5)
        grid.makeRoom(for: [Point2.zero, Point2(1, 1)])
        let middle = corner + Point2(0.0125, 0.0125)
        for picture in 1...2 { _ = grid.look(at: middle, reach: reach, agrees: true, in: picture) }
        #expect(grid.supportedPlaces.count == cells)
        // From a cell's corner, those middles are no farther than half a cell that lie around it.
        var aside = SurfaceGrid(cellSize: 0.025)
        aside.makeRoom(for: [Point2.zero, Point2(1, 1)])
        for picture in 1...2 {
            _ = aside.look(at: corner + Point2(0.0001, 0.0001), reach: 0.013, agrees: true, in: picture)
        }
        #expect(aside.supportedPlaces.count == 4)
    }

    /// Supports stay counted when the grid grows and when its cells double, and none is lost when all are taken back.
    @Test func theGridGrowsWithinItsBounds() {
        var random = TestRandom()
        var grid = SurfaceGrid(cellSize: 0.025)
        let places = (0..<500).map { _ in random.vector2(-8...8) }
        for place in places {
            grid.support(place)
            #expect(grid[place]?.support ?? 0 > 0)
            #expect(grid.columns <= SurfaceGrid.maximumSide && grid.rows <= SurfaceGrid.maximumSide)
        }
        #expect(grid.cells.reduce(0) { $0 + $1.support } == places.count)
        #expect(grid.cellSize == 0.2)
        for place in places { grid.withdraw(place) }
        #expect(grid.cells.allSatisfy { $0.support == 0 })
    }

    /// What a set grows by is within 2 % of the Euclidean distance, and within half a cell.
    @Test(arguments: [41, 64, 65, 150]) func cellsWithinARadius(columns: Int) {
        var random = TestRandom(case: columns)
        let rows = 33
        let marks = (0..<6).map { _ in
            (Int(random.uniform(0...Double(columns - 1))), Int(random.uniform(0...Double(rows - 1))))
        }
        var marked = CellSet(columns: columns, rows: rows)
        for (column, row) in marks { marked[column, row] = true }
        for radius in [0, 1, 5, 8, 9, 10, 12, 70] {
            let near = marked.grown(by: radius)
            for row in 0..<rows {
                for column in 0..<columns {
                    let distance = marks.map { hypot(Double($0.0 - column), Double($0.1 - row)) }.min()!
                    if distance < 0.98 * Double(radius) - 0.5 { #expect(near[column, row]) }
                    if distance > 1.02 * Double(radius) + 0.5 { #expect(!near[column, row]) }
                }
            }
            #expect(near.complement.complement == near)
            for column in [0, 1, columns / 2, columns - 1] {
                var one = CellSet(columns: columns, rows: rows)
                one[column, rows / 2] = true
                let disk = one.grown(by: radius)
                #expect((0..<rows).allSatisfy { disk.runs(inRow: $0).count <= 1 })
            }
        }
    }

    /// A set holds what was put in, in runs as single cells, whatever the number of columns.
    @Test(arguments: 0..<40) func setsHoldTheirCells(number: Int) {
        var random = TestRandom(case: number)
        let (columns, rows) = (Int(random.uniform(1...200)), 5)
        var (set, cells) = (CellSet(columns: columns, rows: rows), Set<SIMD2<Int>>())
        for _ in 0..<300 {
            let cell = SIMD2(
                Int(random.uniform(0...Double(columns) - 0.01)), Int(random.uniform(0...Double(rows) - 0.01)))
            let belongs = random.uniform(0...1) < 0.7
            set[cell.x, cell.y] = belongs
            if belongs { cells.insert(cell) } else { cells.remove(cell) }
        }
        let inRuns = (0..<rows).flatMap { row in set.runs(inRow: row).flatMap { $0.map { SIMD2($0, row) } } }
        #expect(inRuns.count == cells.count && Set(inRuns) == cells && set.count == cells.count)
        for row in 0..<rows {
            for (run, next) in zip(set.runs(inRow: row), set.runs(inRow: row).dropFirst()) {
                #expect(run.upperBound < next.lowerBound)
            }
        }
        let other = set.grown(by: 2).subtracting(set)
        #expect(set.intersection(other).count == 0 && set.complement.count + set.count == columns * rows)
        set.removeAll { column, row in (column + row).isMultiple(of: 2) }
        #expect(set.count == cells.count { !($0.x + $0.y).isMultiple(of: 2) })
    }

    /// Opening takes away and closing adds, what they leave they leave once more, and one is the other of what is not there. A bar as wide as
    /// the disk stays, a narrower one goes, and a gap as narrow is closed.
    @Test(arguments: 0..<20) func openingAndClosing(number: Int) {
        var random = TestRandom(case: number)
        let cells = Self.cells(side: 60, filled: 0.6, &random)
        let radius = number % 4
        let (opened, closed) = (cells.opened(by: radius), cells.closed(by: radius))
        #expect(opened.subtracting(cells).count == 0 && cells.subtracting(closed).count == 0)
        #expect(opened.opened(by: radius) == opened && closed.closed(by: radius) == closed)
        #expect(cells.complement.opened(by: radius) == closed.complement)
        for width in 1...9 {
            var bar = CellSet(columns: 60, rows: 60)
            for row in 10..<50 { bar.insert(20..<20 + width, inRow: row) }
            #expect((bar.opened(by: radius).count > 0) == (width > 2 * radius))
        }
    }

    /// A square of cells of which that share is filled, none at its rim.
    private static func cells(side: Int, filled share: Double, _ random: inout TestRandom) -> CellSet {
        var cells = CellSet(columns: side, rows: side)
        for row in 1..<side - 1 {
            for column in 1..<side - 1 where random.uniform(0...1) < share { cells[column, row] = true }
        }
        return cells
    }

    /// The piece with most cells.
    private static func largestPiece(of cells: CellSet) -> CellSet? {
        CellPieces(of: cells).heaviest(
            (0..<cells.rows).flatMap { row in
                cells.runs(inRow: row).flatMap { $0.map { (column: $0, row: row, weight: 1) } }
            })
    }

    /// The pieces of a set are what is reached cell by cell; the heaviest one holds most weight.
    @Test(arguments: 0..<60) func piecesAreWhatIsReached(number: Int) {
        var random = TestRandom(case: number)
        let cells = Self.cells(side: 16, filled: random.uniform(0.4...0.8), &random)
        var (rest, sizes) = (cells, [Int]())
        while let row = (0..<16).first(where: { !rest.runs(inRow: $0).isEmpty }) {
            var (open, size) = ([SIMD2(rest.runs(inRow: row)[0].lowerBound, row)], 0)
            while let cell = open.popLast() {
                guard rest[cell.x, cell.y] else { continue }
                rest[cell.x, cell.y] = false
                size += 1
                open += [SIMD2(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)].map { cell &+ $0 }
            }
            sizes.append(size)
        }
        #expect(CellPieces(of: cells).count == sizes.count)
        let piece = Self.largestPiece(of: cells)
        #expect(piece?.count == sizes.max())
        #expect(piece.map { CellPieces(of: $0).count } == 1)
        #expect(CellPieces(of: cells).heaviest([]) == nil)
    }

    /// The contour of cells encloses as much as they do, with them to its left, also where they touch in corners.
    @Test(arguments: 0..<40) func theContourEnclosesTheCells(number: Int) {
        var random = TestRandom(case: number)
        let side = 12
        guard let piece = Self.largestPiece(of: Self.cells(side: side, filled: 0.6, &random)) else { return }
        let polygon = Polygon2(CellContour(of: piece).corners.map { Point2(Double($0.x), Double($0.y)) })
        // Holes belong to what an outer contour encloses.
        let outside = CellPieces(of: piece.complement).heaviest([(column: 0, row: 0, weight: 1)])
        #expect(polygon.area >= Double(piece.count) - 1e-9)
        #expect(polygon.area <= Double(side * side - (outside?.count ?? 0)) + 1e-9)
        #expect(polygon.winding == .clockwise)
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
                for picture in 1...2 { _ = grid.look(at: Point2(x, z), reach: 0, agrees: false, in: picture) }
            }
        }
        let outline = try #require(SurfaceOutline(grid, reach: 0.2))
        #expect(outline.contains(Point2(0.65, 0.2)) != isDenied)
        #expect(outline.contains(Point2(0.2, 0.2)))
        let area = Polygon2(outline.corners).area
        #expect(abs(area - (isDenied ? 0.16 : 0.28)) < 0.025)
    }

    /// What is seen where a top's plane meets a wall, a hand's breadth beside the top, makes the top no larger; a top that touches the wall
    /// ends there.
    @Test(arguments: [(0.15, false), (0.08, false), (0.01, true)]) func whatIsSeenAtASeamBridgesNothing(
        gap: Double, touches: Bool
    )
        throws
    {
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
        }
        top.outline = try #require(SurfaceOutline(top.grid, reach: 0.2))
        let seam = try #require(Seam(of: wall, with: top))
        let outline = try #require(SurfaceOutline(top.grid, reach: 0.2, endingAt: [seam]))
        #expect(top.outline.contains(Point2(wallPlace, 0.2)))
        #expect(outline.contains(Point2(wallPlace, 0.2)) == touches)
        #expect(outline.contains(Point2(0.39, 0.2)))
        #expect(abs(Polygon2(outline.corners).area - 0.16) < 0.02)
    }

    /// A surface that begins where another one ends, hardly turned, is the same one, though its middle lies off the other's plane; one that
    /// is turned by more, or begins beside the other's plane, is another.
    @Test(arguments: [(1.3, 0, true), (-1.3, 0, true), (2.6, 0, false), (0, 0.03, false), (1.3, 0.03, false)])
    func aSurfaceGoesOnWhereAnotherBegins(degrees: Double, aside: Double, isSame: Bool) throws {
        func surface(_ number: Int, from start: Double, to end: Double) throws -> Surface {
            var surface = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.025)
            surface.number = number
            for x in stride(from: start, to: end, by: 0.02) {
                for z in stride(from: 0, to: 1, by: 0.02) { surface.grid.support(Point2(x, z)) }
            }
            surface.outline = try #require(SurfaceOutline(surface.grid, reach: 0.2))
            return surface
        }
        let older = try surface(1, from: 0, to: 1)
        var newer = try surface(2, from: 1.05, to: 3)
        let slope = tan(degrees * .pi / 180)
        newer.fit = SurfaceFit(offset: aside - slope, slopes: Vector2(slope, 0))
        let settings = PlaneFinderSettings()
        #expect(older.isSame(as: newer, settings: settings) == isSame)
    }

    /// Points behind a surface, seen through it in turn, are one witness each, however often they are seen from about the
    /// same place; from elsewhere they speak of other cells.
    @Test func aPointSeenThroughASurfaceCountsOnce() throws {
        var random = TestRandom()
        var surface = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.025)
        surface.number = 1
        for _ in 0..<2000 { surface.grid.support(random.vector2(-0.5...0.5)) }
        surface.outline = try #require(SurfaceOutline(surface.grid, reach: 0.2))
        let points = [Point3(0.05, -0.5, 0), Point3(-0.05, -0.5, 0.03)].enumerated().map { index, place in
            Evidence(
                id: UInt64(index), position: place, covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)),
                lastSeen: Timestamp(nanoseconds: 0))
        }
        var passages = points.map { _ in [Passage]() }
        func look(from camera: Point3) {
            for index in points.indices {
                surface.countPassage(from: camera, to: points[index], besides: &passages[index])
            }
        }
        // The hand trembles by less than a cell.
        for frame in 0..<300 { look(from: Point3(0.01 * sin(Double(frame)), 1, 0.01 * cos(Double(frame)))) }
        #expect(surface.grid.cells.allSatisfy { $0.passages <= 2 })
        #expect(surface.grid.cells.reduce(0) { $0 + $1.passages } == 18)
        for _ in 0..<300 { look(from: Point3(0.6, 1, 0)) }
        #expect(surface.grid.cells.reduce(0) { $0 + $1.passages } == 36)
        #expect(surface.grid.cells.allSatisfy { !$0.isOpen })
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
        guard let piece = Self.largestPiece(of: Self.cells(side: side, filled: 0.65, &random)) else { return }
        let contour = CellContour(of: piece)
        // Corners in which cells touch are pulled apart.
        let outline = Polygon2(
            contour.corners.map { Point2(Double($0.x), Double($0.y)) + random.vector2(-0.2...0.2) })
        guard outline.isSimple else { return }
        #expect(outline.withoutDents(shallowerThan: random.uniform(0.3...3)).isSimple)
    }
}

extension SurfaceFit {
    fileprivate func fittedHeight(at place: Point2) -> Double { offset + slopes.dot(place) }
}
