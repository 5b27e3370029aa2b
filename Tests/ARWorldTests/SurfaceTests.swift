// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// The grid in which evidence is counted, and which surfaces are one.
@Suite struct SurfaceTests {
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
}
