// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

@Suite struct PictureEvidenceTests {
    /// Points in the middle of a table tell of a small plane; with pictures it is the table, and ends where the table ends though
    /// the floor beside it has a pattern like it. The floor, on which no point lies, is found besides, before the table and behind.
    @Test func picturesShowHowFarATableReaches() throws {
        var random = TestRandom()
        let points = (0..<60).map { _ in Point3(random.uniform(-0.2...0.2), 0.7, random.uniform(-0.15...0.15)) }
        let nothing = PlaneWatch(panels: [PaintedTable.table])
        var (withPictures, without) = (nothing, nothing)
        for number in 0..<125 {
            let pose = PaintedTable.pose(number)
            let frame = PaintedTable.room.frame(number, at: pose, following: points)
            let picture = FramePicture(image: PaintedTable.room.picture(from: pose))
            withPictures.note(withPictures.finder.update(with: frame, picture: picture), at: Double(number) / 30)
            without.note(without.finder.update(with: frame), at: Double(number) / 30)
        }
        let alone = PlaneErrors(try #require(without.planes.first), of: PaintedTable.table)
        let shown = PlaneErrors(try #require(withPictures.planes.first), of: PaintedTable.table)
        #expect(without.planes.count == 1)
        let besides = withPictures.planes.dropFirst()
        #expect(besides.count == 2)
        #expect(besides.allSatisfy { abs(PlaneErrors($0, of: PaintedTable.floor).offset) <= 0.01 })
        let depths = besides.map { plane in plane.boundary.map { (plane.worldFromAnchor * Point3($0.x, 0, $0.y)).z } }
        #expect(try #require(depths.first?.max()) < #require(depths.last?.min()))
        #expect(alone.overlap < 0.2)
        #expect(shown.overlap >= 0.85)
        #expect(shown.inside >= 0.93)
    }

    /// A box's top ends near its rim, though its sides hardly differ from it in the first centimetres, seen from where the camera goes.
    @Test func aTopEndsWhereItsSidesBegin() throws {
        var random = TestRandom()
        let (half, height) = (0.2, 0.4)
        func side(_ name: String, facing normal: Vector3) -> Panel {
            Panel(
                name: name, center: Point3(0, height / 2, 0) + half * normal,
                halfWidth: half * Vector3(0, 1, 0).cross(normal), halfHeight: Vector3(0, height / 2, 0), density: 0)
        }
        let top = Panel(
            name: "top", center: Point3(0, height, 0), halfWidth: Vector3(half, 0, 0), halfHeight: Vector3(0, 0, -half),
            density: 0)
        let sides = [
            side("front", facing: Vector3(0, 0, 1)), side("left", facing: Vector3(-1, 0, 0)),
            side("right", facing: Vector3(1, 0, 0)),
        ]
        let room = PaintedRoom(panels: [top, PaintedTable.floor] + sides)
        let points = (0..<60).map { _ in Point3(random.uniform(-0.15...0.15), height, random.uniform(-0.15...0.15)) }
        var watch = PlaneWatch(panels: [top])
        for number in 0..<300 {
            let angle = 0.6 * sin(0.02 * Double(number))
            let pose = RigidTransform.looking(
                from: Point3(1.6 * sin(angle), 1.4, 1.6 * cos(angle)), at: Point3(0, height, 0))
            let frame = room.frame(number, at: pose, following: points)
            watch.note(
                watch.finder.update(with: frame, picture: FramePicture(image: room.picture(from: pose))),
                at: Double(number) / 30)
        }
        let errors = PlaneErrors(try #require(watch.planes.first { watch.panel(of: $0)?.name == "top" }), of: top)
        // Where whole patches count, a seventeenth of the outline lies beyond.
        #expect(errors.inside >= 0.96)
        #expect(errors.overlap >= 0.7)
    }

    /// Each picture is asked first about what it shows small, on it and about it; what fills much of it is looked at with the rest.
    @Test func whatIsSmallIsAskedFirst() throws {
        var random = TestRandom()
        let half = 0.15
        let top = Panel(
            name: "top", center: Point3(0, 0.7, 0), halfWidth: Vector3(half, 0, 0), halfHeight: Vector3(0, 0, -half),
            density: 0)
        let room = PaintedRoom(panels: [top, PaintedTable.floor])
        let points =
            (0..<60).map { _ in Point3(random.uniform(-half...half), 0.7, random.uniform(-half...half)) }
            + (0..<60).map { _ in Point3(random.uniform(-1...1), 0, random.uniform(-1...1)) }
        var ride = PaintedRide(room)
        var finder = PlaneFinder()
        for number in 0..<30 {
            let (frame, picture) = ride.frame(number, following: points)
            _ = finder.update(with: frame, picture: picture)
        }
        let small = try #require(finder.surfaces.first { $0.isHorizontal && abs($0.plane.offset - 0.7) < 0.02 })
        #expect(finder.surfaces.count == 2)
        let looks = finder.looksAtSmallSurfaces(in: try #require(finder.pictures.pictures.last))
        #expect(looks.count >= 4)
        for look in looks {
            #expect(look.surface == small.number)
            #expect(small.outline.isNear(look.place, within: 0.06 * 2.0.squareRoot() + half))
        }
    }

    /// The floor beside a table is still the floor when the camera has gone to the table's other side, from where the table hides it.
    @Test func whatIsHiddenIsNotDenied() throws {
        var random = TestRandom()
        let onTable = (0..<60).map { _ in Point3(random.uniform(-0.5...0.5), 0.7, random.uniform(-0.3...0.3)) }
        let onFloor = (0..<60).map { _ in Point3(random.uniform(-1.2 ... -0.7), 0, random.uniform(-0.3...0.3)) }
        var finder = PlaneFinder()
        func evidentArea() throws -> Double {
            let floor = try #require(finder.surfaces.first { $0.isHorizontal && abs($0.plane.offset) < 0.1 })
            let places = floor.grid.supportedPlaces.map { floor.worldFromLevel * floor.pointInLevel($0) }
                .filter { (-1.0 ... -0.65).contains($0.x) && abs($0.z) < 0.3 }
            return Double(places.count) * floor.grid.cellSize * floor.grid.cellSize
        }
        var seen = 0.0
        for number in 0..<120 {
            let pose = RigidTransform.looking(
                from: Point3(-1.2 + 0.02 * Double(number), 1.4, 0.3), at: Point3(-0.6, 0.4, 0))
            let frame = PaintedTable.room.frame(number, at: pose, following: number < 50 ? onTable + onFloor : onTable)
            _ = finder.update(with: frame, picture: FramePicture(image: PaintedTable.room.picture(from: pose)))
            if number == 49 { seen = try evidentArea() }
        }
        // Of 0.21 m². If all patches count that look otherwise, half of it is lost at the rim that the camera goes past.
        #expect(seen > 0.1)
        #expect(try evidentArea() > 0.16)
    }

    /// Of a table without any pattern pictures show the rim alone: it grows there, and nowhere beyond, where the floor has
    /// a pattern; most of its middle stays unknown.
    @Test func aPlainTableGrowsAtItsRimOnly() throws {
        var random = TestRandom()
        let points = (0..<60).map { _ in Point3(random.uniform(-0.2...0.2), 0.7, random.uniform(-0.15...0.15)) }
        let room = PaintedRoom(panels: [PaintedTable.table, PaintedTable.floor], plain: ["table"])
        let nothing = PlaneWatch(panels: [PaintedTable.table])
        var (withPictures, without) = (nothing, nothing)
        for number in 0..<110 {
            let frame = room.frame(number, at: PaintedTable.pose(number), following: points)
            let picture = FramePicture(image: room.picture(from: PaintedTable.pose(number)))
            withPictures.note(withPictures.finder.update(with: frame, picture: picture), at: Double(number) / 30)
            without.note(without.finder.update(with: frame), at: Double(number) / 30)
        }
        let alone = PlaneErrors(try #require(without.planes.first), of: PaintedTable.table)
        let shown = PlaneErrors(try #require(withPictures.planes.first), of: PaintedTable.table)
        // A patch holds the rim if that is at most 8 pixels from its middle, here 3 to 5 cm: a sixth of the table.
        #expect(shown.overlap <= alone.overlap + 0.17)
        #expect(shown.inside >= 0.93)
    }

    /// As long as pictures tell something new, a frame asks many questions; of a table that is known, few; of one that is
    /// taken away, many again within a second.
    @Test func whatIsKnownIsAskedLess() {
        var random = TestRandom()
        let points = (0..<60).map { _ in Point3(random.uniform(-0.2...0.2), 0.7, random.uniform(-0.15...0.15)) }
        var finder = PlaneFinder()
        func follow(_ frames: Range<Int>, in room: PaintedRoom) -> [(new: Int, known: Int, depths: Int)] {
            var ride = PaintedRide(room)
            return frames.map { number in
                let (frame, picture) = ride.frame(number, following: points)
                _ = finder.update(with: frame, picture: picture)
                return (finder.newPlaces.questions, finder.knownPlaces.questions, finder.depths.questions)
            }
        }
        let growing = follow(0..<40, in: PaintedTable.room)
        let (new, known, depths) = (finder.newPlaces, finder.knownPlaces, finder.depths)
        #expect(growing.allSatisfy { $0.new == new.most })
        let settled = follow(40..<800, in: PaintedTable.room).suffix(200)
        #expect(settled.reduce(0) { $0 + $1.new } <= 200 * new.most / 3)
        #expect(settled.reduce(0) { $0 + $1.known } <= 200 * known.most / 3)
        #expect(settled.reduce(0) { $0 + $1.depths } <= 200 * depths.most / 3)
        let gone = follow(800..<830, in: PaintedRoom(panels: [PaintedTable.floor]))
        #expect(gone.contains { $0.known == known.most })
    }

    /// A slope is no plane that is looked for, so that nothing ever explains it: its places are found, and then seldom looked for again.
    @Test func whatIsNoPlaneIsNotSweptForever() {
        let slope = Panel(
            name: "slope", center: Point3(0, 0.7, 0), halfWidth: Vector3(0.6, 0, 0), halfHeight: Vector3(0, 0.3, -0.3),
            density: 0)
        var ride = PaintedRide(PaintedRoom(panels: [slope]))
        var finder = PlaneFinder()
        let sweeps = (0..<400).map { number in
            let (frame, picture) = ride.frame(number, following: [Point3(0, 0.7, 0)])
            _ = finder.update(with: frame, picture: picture)
            return finder.depths.questions
        }
        #expect(finder.memory.slots.count > 50 && finder.surfaces.isEmpty)
        #expect(sweeps.prefix(20).allSatisfy { $0 == finder.depths.most })
        // A third of them is left: depths that are found again scatter, and now and then one lies beyond what counts as the same.
        #expect(sweeps.suffix(160).reduce(0, +) <= 160 * finder.depths.most / 2)
    }

    /// The latest pictures show a place if one of them does, or if earlier ones left no doubt: neither those that tell nothing of
    /// it nor those that show something else.
    @Test func theLatestPicturesShowWhatTheySaw() {
        let place = Point2(0.01, 0.01)
        func isShown(_ grid: SurfaceGrid, in picture: Int) -> Bool {
            !grid.placesShown(byLatest: 4, upTo: picture).isEmpty
        }
        func grid(agreeing pictures: ClosedRange<Int>) -> SurfaceGrid {
            var grid = SurfaceGrid(cellSize: 0.025)
            for picture in pictures { _ = grid.look(at: place, reach: 0, agrees: true, in: picture) }
            return grid
        }
        var seenTwice = grid(agreeing: 1...2)
        #expect(isShown(seenTwice, in: 5) && !isShown(seenTwice, in: 6))
        seenTwice.skip(place, reach: 0, in: 6)
        #expect(!isShown(seenTwice, in: 6))

        var seenOften = grid(agreeing: 1...4)
        #expect(isShown(seenOften, in: 20) && !isShown(seenOften, in: 24))
        for picture in 25...26 { _ = seenOften.look(at: place, reach: 0, agrees: false, in: picture) }
        #expect(!isShown(seenOften, in: 26))
    }

    /// A cell needs two pictures that show it, and loses it by as many that do not; one picture counts once.
    @Test func twoPicturesMakeEvidence() {
        var grid = SurfaceGrid(cellSize: 0.025)
        let place = Point2(0.1, 0.2)
        func look(_ agrees: Bool, _ picture: Int) -> Bool {
            grid.look(at: place, reach: 0, agrees: agrees, in: picture)
        }
        #expect(!look(true, 1))
        #expect(!look(true, 1))
        #expect(grid[place]?.isSupported == false)
        #expect(look(true, 2))
        #expect(grid[place]?.isSupported == true)
        #expect(look(false, 3))
        #expect(grid[place]?.isSupported == false)
    }

    /// How far pictures show a plane aside is forgotten when the surface moves.
    @Test func aMovedSurfaceIsShownWhereItIs() {
        var surface = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.025)
        surface.shownOffset = 0.01
        surface.move(to: Plane(unitNormal: Vector3(0, 1, 0), offset: 0.02))
        #expect(surface.plane.offset == 0.02 && surface.shownOffset == 0)
    }

    /// What pictures said against a surface is known still when its grid grows, and when its cells do.
    @Test func evidenceAgainstASurfaceOutlastsGrowth() {
        var grid = SurfaceGrid(cellSize: 0.025)
        let place = Point2(0.1, 0.2)
        grid.support(place)
        for picture in 1...4 { _ = grid.look(at: place, reach: 0, agrees: false, in: picture) }
        grid.support(Point2(1.5, -1))
        #expect(grid.cellSize == 0.025)
        #expect(grid[place]?.looks == -4)
        grid.support(Point2(5, 0.2))
        #expect(grid.cellSize > 0.025)
        #expect(grid[place]?.looks == -4)
    }
}
