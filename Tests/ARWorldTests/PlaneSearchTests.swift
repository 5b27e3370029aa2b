// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// Which surfaces are found among which points.
@Suite struct PlaneSearchTests {
    private static let eye = Point3(0, 1.5, 0)

    /// A frame at an instant that shows points; those with equal numbers are the same in all frames.
    private static func frame(
        _ number: Int, showing points: [(id: UInt64, position: Point3)], deviation: Double = 1e-3,
        sharedPart: Double = 0
    ) -> TrackedFrame {
        var frame = TrackedFrame(
            timestamp: Timestamp(nanoseconds: Int64(number) * 33_333_333), trackingState: .normal,
            worldFromCamera: RigidTransform(rotation: .identity, translation: eye), camera: PaintedRoom.camera,
            imageSize: PaintedRoom.imageSize)
        frame.featurePoints = points.map {
            EstimatedLandmark(
                id: $0.id, position: $0.position,
                covariance: Matrix3x3(diagonal: Vector3(deviation * deviation, 1e-6, 1e-6)), sharedPart: sharedPart)
        }
        return frame
    }

    /// Points of a wall two metres to the right.
    private static func wall(_ random: inout TestRandom) -> [(UInt64, Point3)] {
        (0..<40).map { index in
            (UInt64(1000 + index), Point3(2, random.uniform(0.8...2), random.uniform(-1...1)))
        }
    }

    /// Whether one plane was found, and it is that wall.
    private static func isWall(_ planes: some Collection<PlaneAnchor>) -> Bool {
        planes.count == 1 && planes.allSatisfy { abs($0.worldFromAnchor.translation.x - 2) < 0.01 }
    }

    /// Points of which so many lie in one plumb plane, and the others before and behind it.
    private static func heap(
        _ flatCount: Int, of count: Int, beside depths: ClosedRange<Double>, about place: Point3, reach: Double,
        _ random: inout TestRandom
    ) -> [(UInt64, Point3)] {
        (0..<count).map { index in
            let side: Double = index < flatCount ? 0 : index % 2 == 0 ? 1 : -1
            let depth = side * random.uniform(depths)
            let across = Vector3(random.uniform(-reach...reach), random.uniform(-reach...reach), depth)
            return (UInt64(index), place + across)
        }
    }

    /// A wall along which the camera looks, 2 to 4 m ahead and 4 cm aside: the headings that two of its points give pass the camera
    /// on either side, but it is seen from its front.
    @Test(arguments: 0..<10) func wallsFaceTheCamera(number: Int) {
        var random = TestRandom(case: number)
        let points = (0..<120).map { index -> (UInt64, Point3) in
            let noise = random.uniform() + random.uniform() + random.uniform()
            return (UInt64(index), Point3(0.04 + 0.02 * noise, random.uniform(0.8...2), random.uniform(-4 ... -2)))
        }
        var finder = PlaneFinder()
        for number in 0..<60 { _ = finder.update(with: Self.frame(number, showing: points, deviation: 0.02)) }
        #expect(finder.surfaces.count == 1)
        #expect(finder.surfaces.allSatisfy { $0.plane.signedDistance(to: Self.eye) > 0 })
    }

    /// Many points of a wall that are known to 4 cm each make a wall; points known to 6 cm do not, nor a heap that is 80 cm deep, nor points that
    /// err together: nobody knows yet where those lie.
    @Test(arguments: 0..<5) func manyVaguePointsMakeAWall(number: Int) {
        var random = TestRandom(case: number)
        func planes(deviation: Double, depth: Double = 0, sharedPart: Double = 0) -> some Collection<PlaneAnchor> {
            let points = (0..<120).map { index -> (UInt64, Point3) in
                let noise = random.uniform() + random.uniform() + random.uniform()
                let aside = deviation * noise + random.uniform() * depth / 2
                return (UInt64(index), Point3(2 + aside, random.uniform(0.8...2), random.uniform(-1...1)))
            }
            var finder = PlaneFinder()
            var watch = PlaneWatch(panels: [])
            for number in 0..<60 {
                let frame = Self.frame(number, showing: points, deviation: deviation, sharedPart: sharedPart)
                watch.note(finder.update(with: frame), at: 0)
            }
            return watch.planes
        }
        let found = planes(deviation: 0.04)
        #expect(found.count == 1)
        for plane in found {
            // Three deviations of what the choice of the points leaves: 1 cm.
            #expect(abs(plane.worldFromAnchor.translation.x - 2) < 0.03)
            #expect(plane.worldFromAnchor.rotation.matrix[1].x < -0.998)
        }
        #expect(planes(deviation: 0.06).isEmpty)
        #expect(planes(deviation: 0.04, depth: 0.8).isEmpty)
        #expect(planes(deviation: 0.04, sharedPart: 0.5).isEmpty)
    }

    /// A heap before the one wall has more points in one plane than the other wall has, but no surface; long after it was
    /// seen, the other wall is found at once.
    @Test(arguments: 0..<5) func whatWasSeenLongAgoDoesNotHideAWall(number: Int) {
        var random = TestRandom(case: number)
        let heap = Self.heap(120, of: 240, beside: 0.015...0.035, about: Point3(0, 1.5, -3), reach: 1, &random)
        let wall = Self.wall(&random)
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        for number in 0..<30 { watch.note(finder.update(with: Self.frame(number, showing: heap)), at: 0) }
        #expect(watch.planes.isEmpty)
        for number in 150..<182 { watch.note(finder.update(with: Self.frame(number, showing: wall)), at: 0) }
        #expect(Self.isWall(watch.planes))
    }

    /// A heap in view does not hide a wall that fewer points show: what is nowhere flat is left out at the next try.
    @Test(arguments: 0..<5) func aHeapInViewDoesNotHideAWall(number: Int) {
        var random = TestRandom(case: number)
        let heap = Self.heap(50, of: 120, beside: 0.015...0.024, about: Point3(0, 1.5, -2), reach: 0.3, &random)
        let wall = Self.wall(&random)
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        for number in 0..<32 { watch.note(finder.update(with: Self.frame(number, showing: heap + wall)), at: 0) }
        #expect(Self.isWall(watch.planes))
    }

    /// A floor that is seen no more ends at a wall from when that is found, and goes on behind it when the wall is gone.
    @Test func aFloorEndsAtAWallAsLongAsThereIsOne() throws {
        var random = TestRandom()
        let floor = (0..<400).map { index -> (UInt64, Point3) in
            let (column, row) = (Double(index % 20), Double(index / 20))
            return (UInt64(index), Point3(0.1 * column - 0.95, 0, 0.1 * row - 2.95))
        }
        let wall = (0..<120).map { index -> (UInt64, Point3) in
            (UInt64(1000 + index), Point3(random.uniform(-0.5...0.5), random.uniform(0.05...1.5), -2))
        }
        let heap = wall.map { id, place -> (UInt64, Point3) in
            (id, place + Vector3(0, 0.3, random.uniform(-0.4...0.4)))
        }
        var finder = PlaneFinder()
        func floorIsBehindTheWall() throws -> Bool {
            let level = finder.surfaces.first { $0.isHorizontal }
            let floor = try #require(level)
            return floor.outline.contains(floor.place(of: Point3(0, 0, -2.2)))
        }
        for number in 0..<30 { _ = finder.update(with: Self.frame(number, showing: floor)) }
        #expect(try floorIsBehindTheWall())
        for number in 30..<60 { _ = finder.update(with: Self.frame(number, showing: wall)) }
        try #require(finder.surfaces.contains { !$0.isHorizontal })
        #expect(try !floorIsBehindTheWall())
        for number in 60..<100 { _ = finder.update(with: Self.frame(number, showing: heap)) }
        try #require(!finder.surfaces.contains { !$0.isHorizontal })
        #expect(try floorIsBehindTheWall())
    }

    private static let table = Panel(
        name: "table", center: Point3(0, 0.7, 0), halfWidth: Vector3(0.6, 0, 0), halfHeight: Vector3(0, 0, -0.4),
        density: 0)
    private static let floor = Panel(
        name: "floor", center: .zero, halfWidth: Vector3(3, 0, 0), halfHeight: Vector3(0, 0, -3), density: 0)

    private static func pose(_ number: Int) -> RigidTransform {
        let angle = 0.03 * Double(number)
        return .looking(
            from: Point3(0.9 * sin(angle) - 0.3, 1.5, 0.75 + 0.1 * cos(angle)), at: Point3(0.3 * sin(angle), 0.7, 0))
    }

    /// Pictures show the table where it is, and no surface six centimetres above it or below, nor where it is plain.
    @Test(arguments: [(0.7, false, true), (0.76, false, false), (0.64, false, false), (0.7, true, false)])
    func picturesConfirmASurfaceWhereItIs(height: Double, isPlain: Bool, isConfirmed: Bool) throws {
        let room = PaintedRoom(panels: [Self.table, Self.floor], plain: isPlain ? ["table"] : [])
        var finder = PlaneFinder()
        for number in 0..<40 {
            let frame = room.frame(number, at: Self.pose(number), following: [])
            _ = finder.update(with: frame, picture: FramePicture(image: room.picture(from: Self.pose(number))))
        }
        var surface = Surface(
            isHorizontal: true, worldFromLevel: RigidTransform(rotation: .identity, translation: Point3(0, height, 0)),
            cellSize: 0.025)
        for column in -8...8 {
            for row in -6...6 { surface.grid.support(Point2(0.025 * Double(column), 0.025 * Double(row))) }
        }
        surface.outline = try #require(SurfaceOutline(surface.grid, reach: 0.35))
        #expect(finder.isShown(surface) == isConfirmed)
    }

    /// A floor ends where it would pass behind a wall: patches across the edge and bridged gaps do not carry it on,
    /// though the last points lie some centimetres before the edge.
    @Test func surfacesEndWhereTheyMeet() throws {
        var grid = SurfaceGrid(cellSize: 0.025)
        for column in -24...24 {
            let x = 0.05 * Double(column)
            for row in -20...(-1) { grid.support(Point2(x, 0.05 * Double(row) - 0.05)) }
        }
        var wall = Surface(
            isHorizontal: false,
            worldFromLevel: try #require(Surface.levelAxes(at: .zero, normal: Vector3(0, 0, -1))), cellSize: 0.025)
        wall.grid = grid
        wall.outline = try #require(SurfaceOutline(grid, reach: 0.35))
        var floor = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.025)
        for column in -20...20 {
            for row in -20...(-1) { floor.grid.support(Point2(0.05 * Double(column), 0.05 * Double(row))) }
            // What pictures seem to show behind the wall.
            for picture in 1...2 {
                _ = floor.grid.look(at: Point2(0.05 * Double(column), 0.08), reach: 0.05, agrees: true, in: picture)
            }
        }
        let seam = try #require(Seam(of: wall, with: floor))
        func end(_ outline: SurfaceOutline?) throws -> Double { try #require(outline).corners.map(\.y).max() ?? .nan }
        #expect(try end(SurfaceOutline(floor.grid, reach: 0.35)) > 0.1)
        let ended = SurfaceOutline(floor.grid, reach: 0.35, endingAt: [seam])
        #expect(abs(try end(ended)) <= 0.025)
        // Beside the wall the floor goes on.
        #expect(!seam.hidden.contains(Point2(1.6, 0.1)))
    }

    /// A box's top hides nothing of its side, nor the side anything of the top: they meet at an edge that stands out.
    @Test func whatMeetsAtAnEdgeThatStandsOutHidesNothing() throws {
        func surface(_ worldFromLevel: RigidTransform?, isHorizontal: Bool) throws -> Surface {
            var surface = Surface(
                isHorizontal: isHorizontal, worldFromLevel: try #require(worldFromLevel), cellSize: 0.025)
            for column in -8...8 {
                for row in -8...8 { surface.grid.support(Point2(0.025 * Double(column), 0.025 * Double(row))) }
            }
            surface.outline = try #require(SurfaceOutline(surface.grid, reach: 0.35))
            return surface
        }
        let top = try surface(Surface.levelAxes(at: .zero, normal: Vector3(0, 1, 0)), isHorizontal: true)
        let side = try surface(
            Surface.levelAxes(at: Point3(0, -0.2, 0.2), normal: Vector3(0, 0, 1)), isHorizontal: false)
        #expect(Seam(of: top, with: side) == nil)
        #expect(Seam(of: side, with: top) == nil)
        // The same side as a wall behind the top ends at the top, and the top at it.
        let wall = try surface(
            Surface.levelAxes(at: Point3(0, 0.1, -0.2), normal: Vector3(0, 0, 1)), isHorizontal: false)
        #expect(Seam(of: top, with: wall) != nil)
        #expect(Seam(of: wall, with: top) != nil)
    }
}
