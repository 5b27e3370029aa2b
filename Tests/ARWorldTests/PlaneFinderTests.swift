// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

@Suite struct PlaneFinderTests {
    /// A hand goes around a table with things on it for 20 s: the table is found in its first two seconds and known well
    /// in the end, and whatever else is found is there.
    @Test(arguments: 0..<12) func aTableIsFoundAndMeasured(number: Int) throws {
        var random = TestRandom(case: number)
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        room.addClutter(sample.clutter)
        var watch = PlaneWatch(panels: sample.panels)
        watch.follow(&room, frames: 600, along: sample.aroundTable)
        let table = try #require(watch.planes.first { watch.panel(of: $0)?.name == "table" })
        let errors = PlaneErrors(table, of: sample.table)
        #expect(watch.foundAt["table"] ?? .infinity <= 2)
        #expect(watch.foundAt["floor"] ?? .infinity <= 10)
        #expect(errors.normal <= 0.5 * .pi / 180)
        #expect(abs(errors.offset) <= 0.01)
        #expect(errors.overlap >= 0.85)
        #expect(table.classification == .table)
        #expect(table.classificationConfidence >= 0.5)
        #expect(watch.longestPhantom <= 1)
    }

    /// A walk through the room finds the walls and the floor, and gives the table's and the floor's kinds.
    @Test(arguments: 0..<6) func aWalkFindsTheRoom(number: Int) throws {
        var random = TestRandom(case: number)
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        room.addClutter(sample.clutter)
        var watch = PlaneWatch(panels: sample.panels)
        watch.follow(&room, frames: 900, along: sample.walking)
        for name in ["floor", "wall", "side"] {
            let panel = try #require(sample.panels.first { $0.name == name })
            let plane = try #require(watch.planes.first { watch.panel(of: $0)?.name == name })
            let errors = PlaneErrors(plane, of: panel)
            // A wall of which less than half was seen may be off by a degree.
            #expect(errors.normal <= (errors.overlap > 0.4 ? 0.5 : 1) * .pi / 180)
            #expect(abs(errors.offset) <= 0.01)
            #expect(plane.classification == (name == "floor" ? .floor : .wall))
            #expect(plane.alignment == (name == "floor" ? .horizontal : .vertical))
        }
        #expect(watch.longestPhantom <= 1)
    }

    /// The tracker's world moves by a millimetre a second: the table stays the same plane and follows, also where most of
    /// its points were forgotten.
    @Test(arguments: 0..<3, [4096, 400]) func aPlaneFollowsTheTrackersDrift(number: Int, memory: Int) throws {
        var random = TestRandom(case: number)
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        room.drift = random.direction() * 0.001
        var watch = PlaneWatch(panels: sample.panels)
        var settings = PlaneFinderSettings()
        settings.memory = memory
        watch.finder = PlaneFinder(settings: settings)
        watch.follow(&room, frames: 900, along: sample.aroundTable)
        let tables = watch.planes.filter { watch.panel(of: $0)?.name == "table" }
        #expect(tables.count == 1)
        let table = try #require(tables.first)
        #expect(table.identifier == watch.firstIdentifier["table"])
        #expect(abs(PlaneErrors(table, of: sample.table, drift: room.driftNow).offset) <= 0.01)
    }

    /// After the tracker's world has jumped by 4 cm while it looked elsewhere, the table is the same plane in its new place.
    @Test func aPlaneIsTheSameAfterTheWorldMoved() throws {
        var random = TestRandom()
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        var watch = PlaneWatch(panels: sample.panels)
        watch.follow(&room, frames: 300, along: sample.aroundTable)
        let jump = Vector3(0.01, 0.04, -0.01)
        room.jump(by: jump)
        watch.follow(&room, frames: 300, along: sample.aroundTable)
        let tables = watch.planes.filter { watch.panel(of: $0)?.name == "table" }
        #expect(tables.map(\.identifier) == [watch.firstIdentifier["table"]])
        #expect(abs(PlaneErrors(try #require(tables.first), of: sample.table, drift: jump).offset) <= 0.01)
    }

    /// The ends of a long table are two planes until its middle is seen; then the older one is all of it.
    @Test func theNewerOfTwoPlanesThatAreOneGoes() throws {
        let panel = Panel(
            name: "counter", center: Point3(0, 0.9, 0), halfWidth: Vector3(1.6, 0, 0), halfHeight: Vector3(0, 0, -0.35),
            density: 300)
        var room = SyntheticRoom([panel], random: TestRandom())
        var watch = PlaneWatch(panels: [panel])
        func over(_ x: Double) -> (Double) -> RigidTransform {
            { .looking(from: Point3(x + 0.1 * sin(2 * $0), 1.4, 0.3 + 0.1 * cos(2 * $0)), at: Point3(x, 0.9, 0)) }
        }
        watch.follow(&room, frames: 60, along: over(-1.2))
        watch.follow(&room, frames: 60, along: over(1.2))
        try #require(watch.planes.count == 2)
        let (older, newer) = (watch.planes[0].identifier, watch.planes[1].identifier)
        for x in [0.4, 0, -0.4] { watch.follow(&room, frames: 60, along: over(x)) }
        #expect(watch.planes.map(\.identifier) == [older])
        #expect(watch.removed == [newer])
        let extent = try #require(watch.planes.first).extent
        #expect(max(extent.width, extent.height) > 2.8)
    }

    /// A surface that was contested for half a second is looked after at once, however many others wait.
    @Test func whatIsContestedDoesNotWaitForOthers() throws {
        var random = TestRandom()
        let points = (0..<4).flatMap { table in
            (0..<40).map { index -> EstimatedLandmark in
                let aside: Double = 1.5 * Double(table) + random.uniform(-0.3...0.3)
                return EstimatedLandmark(
                    id: UInt64(100 * table + index),
                    position: Point3(aside, 0, random.uniform(-0.3...0.3)),
                    covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
            }
        }
        var finder = PlaneFinder()
        func update(_ number: Int) {
            var frame = sampleFrame(
                worldFromCamera: .looking(from: Point3(2, 2, 2), at: Point3(2, 0, 0)),
                nanoseconds: Int64(number) * 33_333_333)
            frame.featurePoints = points
            _ = finder.update(with: frame)
        }
        for number in 0..<60 { update(number) }
        try #require(finder.surfaces.count == 4)
        finder.surfaces[0].contestedSince = Timestamp(nanoseconds: 0)
        finder.surfaces[0].lastUpkeep = .max
        for number in 60..<62 { update(number) }
        // What is seen agrees with it after all.
        #expect(finder.surfaces.count == 4 && finder.surfaces[0].contestedSince == nil)
    }

    /// Points that turn out to lie elsewhere take their plane with them within a second.
    @Test func aRefutedPlaneGoes() {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        let pose = RigidTransform.looking(from: Point3(0, 1, 0.8), at: .zero)
        let places = (0..<60).map { _ in random.vector2(-0.4...0.4) }
        for number in 0..<90 {
            var frame = sampleFrame(worldFromCamera: pose, nanoseconds: Int64(number) * 33_333_333)
            frame.featurePoints = places.enumerated().map { index, place in
                // After a second it shows that they lie all about.
                let height = number < 30 ? 0 : 0.3 * sin(Double(7 * index))
                return EstimatedLandmark(
                    id: UInt64(index), position: Point3(place.x, height, place.y),
                    covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
            }
            watch.note(finder.update(with: frame), at: Double(number) / 30)
            if number == 29 { #expect(watch.planes.count == 1) }
            if number == 59 { #expect(watch.planes.isEmpty) }
        }
        #expect(watch.planes.isEmpty)
    }

    /// A book on a desk of few marks shows more points than all of the desk. It lies on the desk, is too small for a plane, and does not refute the desk.
    @Test func aBookDoesNotRefuteTheDeskItLiesOn() throws {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        let pose = RigidTransform.looking(from: Point3(0, 1, 0.8), at: .zero)
        func landmark(_ id: Int, _ place: Point2, height: Double) -> EstimatedLandmark {
            EstimatedLandmark(
                id: UInt64(id), position: Point3(place.x, height, place.y),
                covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
        }
        let desk = (0..<60).map { landmark($0, random.vector2(-0.4...0.4), height: 0) }
            .filter { abs($0.position.x) > 0.08 || abs($0.position.z) > 0.07 }
        let print = (100..<200).map { id in
            landmark(id, Point2(random.uniform(-0.07...0.07), random.uniform(-0.06...0.06)), height: 0.022)
        }
        for number in 0..<120 {
            var frame = sampleFrame(worldFromCamera: pose, nanoseconds: Int64(number) * 33_333_333)
            frame.featurePoints = number < 30 ? desk : desk + print
            watch.note(finder.update(with: frame), at: Double(number) / 30)
        }
        #expect(watch.removed.isEmpty)
        #expect(watch.planes.count == 1)
    }

    /// What is heaped in the gap between two strips of a table does not refute the table, though it covers twice as much: it stands where the
    /// table was only bridged.
    @Test func clutterOnABridgedGapRefutesNothing() {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        let pose = RigidTransform.looking(from: Point3(0, 1.4, 0.9), at: .zero)
        func landmark(_ id: Int, _ place: Point3) -> EstimatedLandmark {
            EstimatedLandmark(
                id: UInt64(id), position: place, covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
        }
        let strips = (0..<120).map { id -> EstimatedLandmark in
            let side = id.isMultiple(of: 2) ? 0.33 : -0.33
            return landmark(id, Point3(random.uniform(-0.6...0.6), 0, side + random.uniform(-0.01...0.01)))
        }
        // Of points that are spread in height no part makes a plane of its own, and one in five lies as close above the table as counts.
        let heap = (1000..<2500).map { id in
            landmark(
                id, Point3(random.uniform(-0.5...0.5), random.uniform(0.013...0.12), random.uniform(-0.27...0.27)))
        }
        for number in 0..<90 {
            var frame = sampleFrame(worldFromCamera: pose, nanoseconds: Int64(number) * 33_333_333)
            frame.featurePoints = number < 30 ? strips : strips + heap
            watch.note(finder.update(with: frame), at: Double(number) / 30)
            if number == 29 { #expect(watch.planes.count == 1) }
        }
        #expect(watch.planes.count == 1)
        #expect(watch.removed.isEmpty)
    }

    /// A few points that happen to lie as high as a stool's seat, a third of a metre beside it, belong to no seat: between the marks of a
    /// wall there would be wall.
    @Test func whatIsBesideASmallThingIsNotBridged() throws {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        let pose = RigidTransform.looking(from: Point3(0, 1, 0.8), at: .zero)
        let seat = (0..<300).map { _ in random.vector2(-0.2...0.2) }
        let beside = (0..<4).map { _ in Point2(random.uniform(0.52...0.58), random.uniform(-0.05...0.05)) }
        let landmarks = (seat + beside).enumerated().map { id, place in
            EstimatedLandmark(
                id: UInt64(id), position: Point3(place.x, 0, place.y),
                covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
        }
        for number in 0..<60 {
            var frame = sampleFrame(worldFromCamera: pose, nanoseconds: Int64(number) * 33_333_333)
            frame.featurePoints = landmarks
            watch.note(finder.update(with: frame), at: Double(number) / 30)
        }
        #expect(watch.planes.count == 1)
        let area = Polygon2(try #require(watch.planes.first).boundary).area
        #expect((0.14...0.18).contains(area))
    }

    /// What lies on a wall as high as a seat before it speaks for the wall, on which most of what surrounds it lies, however close it is to
    /// the seat's plane.
    @Test func whereSurfacesCrossEvidenceDecides() throws {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        let pose = RigidTransform.looking(from: Point3(0, 1, 0.8), at: .zero)
        let seat = (0..<300).map { _ in
            let place = random.vector2(-0.2...0.2)
            return Point3(place.x, 0, place.y)
        }
        let wall = (0..<300).map { _ in Point3(random.uniform(-0.5...0.5), random.uniform(-0.4...0.4), -0.28) }
        let mark = (0..<12).map { _ in Point3(random.uniform(-0.2...0.2), 0, -0.278) }
        let landmarks = (seat + wall + mark).enumerated().map { id, place in
            EstimatedLandmark(
                id: UInt64(id), position: place, covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
        }
        for number in 0..<60 {
            var frame = sampleFrame(worldFromCamera: pose, nanoseconds: Int64(number) * 33_333_333)
            frame.featurePoints = landmarks
            watch.note(finder.update(with: frame), at: Double(number) / 30)
        }
        #expect(watch.planes.count == 2)
        let level = try #require(watch.planes.first { $0.alignment == .horizontal })
        let corners = level.boundary.map { level.worldFromAnchor * Point3($0.x, 0, $0.y) }
        #expect(corners.allSatisfy { abs($0.z) < 0.23 })
    }

    /// Settings that ask for few points or none are followed.
    @Test(arguments: [-1, 0, 1, 4]) func asFewPointsAsWantedAreAskedFor(count: Int) {
        var settings = PlaneFinderSettings()
        settings.minimumPoints = count
        #expect(settings.fewestPoints == max(1, count))
        var finder = PlaneFinder(settings: settings)
        for number in 0..<20 {
            let frame = sampleFrame(
                worldFromCamera: lookingDown(from: 1), nanoseconds: Int64(number) * 33_333_333)
            #expect(finder.update(with: frame).added.isEmpty)
        }
    }

    /// After a correction of the scale the same desk lies lower. Points that were seen before stay where they were; they do not
    /// keep the plane from following within seconds, though the camera stays.
    @Test func aPlaneFollowsACorrectionWhileTheCameraStays() throws {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        let pose = RigidTransform.looking(from: Point3(0, 1, 0.8), at: .zero)
        func landmarks(_ ids: Range<Int>, height: Double) -> [EstimatedLandmark] {
            ids.map { id in
                EstimatedLandmark(
                    id: UInt64(id), position: Point3(random.uniform(-0.4...0.4), height, random.uniform(-0.4...0.4)),
                    covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
            }
        }
        let (before, after) = (landmarks(0..<90, height: 0), landmarks(100..<160, height: -0.03))
        for number in 0..<210 {
            var frame = sampleFrame(worldFromCamera: pose, nanoseconds: Int64(number) * 33_333_333)
            frame.featurePoints = number < 30 ? before : after
            watch.note(finder.update(with: frame), at: Double(number) / 30)
            if number == 29 { #expect(watch.planes.count == 1) }
        }
        #expect(watch.planes.count == 1)
        #expect(abs(try #require(watch.planes.first).worldFromAnchor.translation.y + 0.03) < 0.002)
    }

    /// What lies behind a plane and is seen through it opens it, within seconds: each point speaks against a cell once.
    @Test func whatIsSeenThroughAPlaneOpensIt() {
        var random = TestRandom()
        var finder = PlaneFinder()
        var watch = PlaneWatch(panels: [])
        func landmark(_ id: Int, _ place: Point3) -> EstimatedLandmark {
            EstimatedLandmark(
                id: UInt64(id), position: place, covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6)))
        }
        let phantom = (0..<40).map { landmark($0, Point3(random.uniform(-0.3...0.3), 0.5, random.uniform(-0.3...0.3))) }
        let floor = (0..<150).map { landmark(100 + $0, Point3(random.uniform(), 0, random.uniform())) }
        for number in 0..<240 {
            let seconds = Double(number) / 30
            let eye = Point3(0.3 * sin(2 * seconds), 1.2, 0.3 * cos(1.3 * seconds))
            var frame = sampleFrame(
                worldFromCamera: .looking(from: eye, at: Point3(0, 0, -0.1)), nanoseconds: Int64(seconds * 1e9))
            frame.featurePoints = number < 20 ? phantom : floor
            watch.note(finder.update(with: frame), at: seconds)
            if number == 19 { #expect(watch.planes.count == 1) }
        }
        #expect(watch.planes.count == 1)
        #expect(watch.planes.allSatisfy { $0.classification == .floor })
    }

    /// While tracking is not normal nothing is learned and nothing is told.
    @Test func limitedTrackingChangesNothing() {
        var random = TestRandom()
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        var finder = PlaneFinder()
        for number in 0..<200 {
            let pose = sample.aroundTable(at: Double(number) / 30)
            let state: TrackingState = number % 2 == 0 ? .limited(.excessiveMotion) : .notAvailable
            #expect(finder.update(with: room.frame(at: pose, state: state)) == PlaneFindings())
        }
        #expect(finder.memory.points.isEmpty)
    }

    /// The first report of a plane is centred; later the axes keep their place in it and their heading.
    @Test func theAxesStayWhereTheyWereFirstPut() {
        var random = TestRandom()
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        var finder = PlaneFinder()
        var first: [UUID: PlaneAnchor] = [:]
        for number in 0..<600 {
            let findings = finder.update(with: room.frame(at: sample.aroundTable(at: Double(number) / 30)))
            for plane in findings.added {
                first[plane.identifier] = plane
                #expect(plane.center.x.magnitude < 1e-9 && plane.center.z.magnitude < 1e-9)
            }
            for plane in findings.updated {
                guard let before = first[plane.identifier] else {
                    Issue.record("an unknown plane was updated")
                    continue
                }
                let moved = before.worldFromAnchor.inverse * plane.worldFromAnchor
                #expect(Vector2(moved.translation.x, moved.translation.z).length < 0.002)
                #expect(abs((moved.rotation * Vector3(1, 0, 0)).z) < 1e-3 || plane.alignment == .vertical)
                #expect(Polygon2(plane.boundary).isSimple)
                #expect(Polygon2(plane.boundary).winding == .clockwise)
                #expect(plane.boundary.allSatisfy { plane.shrunk(by: -1e-9).extentContains($0) })
            }
        }
        #expect(!first.isEmpty)
    }

    /// Points that are nowhere change nothing, whatever their numbers are.
    @Test func pointsThatAreNowhereAreLeftOut() {
        var random = TestRandom()
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        var finders = [PlaneFinder(), PlaneFinder()]
        let wild: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e12, 200]
        for number in 0..<90 {
            let frame = room.frame(at: sample.aroundTable(at: Double(number) / 30))
            var spoiled = frame
            for (index, value) in wild.enumerated() {
                let id = UInt64(1_000_000 + index)
                spoiled.featurePoints += [
                    EstimatedLandmark(
                        id: id, position: Point3(0, value, 0),
                        covariance: Matrix3x3(diagonal: Vector3(repeating: 1e-6))),
                    EstimatedLandmark(
                        id: id + 100, position: .zero, covariance: Matrix3x3(diagonal: Vector3(repeating: .nan))),
                ]
            }
            #expect(finders[0].update(with: frame) == finders[1].update(with: spoiled))
        }
        #expect(finders[0].memory.points.count == finders[1].memory.points.count)
    }

    /// A point counts on one surface. Here some belong to a level by their place and to a lower one next to it by their
    /// uncertainty: the search takes the lower one first, which takes them in when it is fitted.
    @Test func eachPointCountsOnItsOwnSurfaceOnly() {
        var random = TestRandom()
        var finder = PlaneFinder()
        finder.cameraPlace = Point3(0, 1, 0)
        var count = 0
        func add(_ number: Int, _ x: ClosedRange<Double>, height: Double, deviation: Double) {
            for _ in 0..<number {
                let place = Point3(random.uniform(x), height, random.uniform(-0.25...0.25))
                let covariance = Matrix3x3(diagonal: Vector3(repeating: deviation * deviation))
                finder.remember(EstimatedLandmark(id: UInt64(count), position: place, covariance: covariance))
                count += 1
            }
        }
        add(600, -0.5...0.5, height: 0, deviation: 0.001)
        add(450, 0.55...1.3, height: 0.03, deviation: 0.001)
        add(16, 0.55...0.75, height: 0.02, deviation: 0.015)
        // One search tries heights 5 cm apart.
        for _ in 0..<2 { finder.searchLevelPlanes() }
        #expect(finder.surfaces.count == 2)
        for surface in finder.surfaces {
            let counted = surface.grid.cells.reduce(0) { $0 + $1.support }
            #expect(counted == finder.memory.points.count { $0.owner == surface.number })
        }
    }

    @Test func equalFramesGiveEqualFindings() {
        var random = TestRandom()
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        room.addClutter(sample.clutter)
        let frames = (0..<300).map { room.frame(at: sample.walking(at: Double($0) / 30)) }
        func findings() -> [PlaneFindings] {
            var finder = PlaneFinder()
            return frames.map { finder.update(with: $0) }
        }
        let first = findings()
        #expect(first == findings())
        #expect(first.contains { !$0.added.isEmpty })
    }

    /// In ten minutes, at ten frames a second, what is remembered keeps its bounds, and with it what a frame costs.
    @Test(.tags(.slow), .whenSlowTestsRun) func aLongSessionStaysInItsBounds() throws {
        var random = TestRandom()
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        var watch = PlaneWatch(panels: sample.panels)
        for number in 0..<6000 {
            let pose = sample.walking(at: Double(number) / 10)
            var frame = room.frame(at: pose)
            frame.timestamp = Timestamp(nanoseconds: Int64(number) * 100_000_000)
            watch.note(watch.finder.update(with: frame), at: Double(number) / 10)
        }
        #expect(watch.finder.memory.points.count == PlaneFinderSettings().memory)
        #expect(watch.finder.surfaces.count <= 6)
        #expect(watch.finder.surfaces.allSatisfy { $0.grid.columns <= 128 && $0.grid.rows <= 128 })
        for plane in watch.planes {
            let errors = PlaneErrors(plane, of: try #require(watch.panel(of: plane)))
            #expect(errors.normal <= 0.3 * .pi / 180)
            #expect(abs(errors.offset) <= 0.005)
        }
        for name in ["floor", "wall", "side"] {
            let planes = watch.planes.filter { watch.panel(of: $0)?.name == name }
            #expect(planes.map(\.identifier) == [watch.firstIdentifier[name]])
        }
        #expect(watch.longestPhantom <= 1)
    }
}

extension PlaneAnchor {
    /// The plane with a smaller extent.
    fileprivate func shrunk(by length: Double) -> PlaneAnchor {
        var plane = self
        plane.extent.width -= 2 * length
        plane.extent.height -= 2 * length
        return plane
    }
}
