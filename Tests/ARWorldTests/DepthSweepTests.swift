// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// Where things lie that pictures show and no corner tells of.
@Suite struct DepthSweepTests {
    private static let table = Panel(
        name: "table", center: Point3(0, 0.7, 0), halfWidth: Vector3(0.6, 0, 0), halfHeight: Vector3(0, 0, -0.4),
        density: 0)
    private static let floor = Panel(
        name: "floor", center: .zero, halfWidth: Vector3(3, 0, 0), halfHeight: Vector3(0, 0, -3), density: 0)
    private static let wall = Panel(
        name: "wall", center: Point3(0, 1, -0.8), halfWidth: Vector3(3, 0, 0), halfHeight: Vector3(0, 1, 0), density: 0)
    private static let panels = [table, floor, wall]
    private static let points = (0..<30).map { number -> Point3 in
        let (column, row) = (Double(number % 6), Double(number / 6))
        return Point3(0.1 * column - 0.3, 0.7, 0.1 * row - 0.3)
    }

    private static func pose(_ number: Int) -> RigidTransform {
        let angle = 0.03 * Double(number)
        return .looking(
            from: Point3(0.9 * sin(angle) - 0.3, 1.5, 0.75 + 0.1 * cos(angle)), at: Point3(0.3 * sin(angle), 0.7, 0))
    }

    /// A memory of pictures of a room, taken from places along a way.
    private static func memory(
        of room: PaintedRoom, along path: (Int) -> RigidTransform, noise: Double = 0
    ) -> PictureMemory {
        var memory = PictureMemory()
        var random = TestRandom()
        for number in stride(from: 0, through: 24, by: 2) {
            let frame = room.frame(number, at: path(number), following: points)
            let image = room.noisyPicture(from: path(number), deviation: noise, &random)
            memory.take(frame, FramePicture(image: image))
        }
        return memory
    }

    /// The places of a picture that are asked about.
    private static let places = stride(from: 20, to: 300, by: 14).flatMap { column in
        stride(from: 20, to: 220, by: 14).map { row in (column: column, row: row) }
    }

    /// What a memory of pictures says of places of the newest one.
    private static func findings(
        in room: PaintedRoom, along path: (Int) -> RigidTransform, noise: Double = 0
    ) -> (memory: PictureMemory, findings: [DepthFinding]) {
        let memory = memory(of: room, along: path, noise: noise)
        var comparison = PatchComparison()
        let findings = places.map { place in
            memory.depthFinding(atColumn: place.column, row: place.row, comparison: &comparison)
        }
        return (memory, findings)
    }

    /// Whatever a lens says of places that it does not show, a few hundred depths are tried at most; within a picture, none is left out.
    @Test(arguments: [1e-9, 1, 50, 800, 1e9, .infinity]) func aSweepEndsWhateverALensSays(pixels: Double) {
        var (depth, count) = (6.0, 0)
        while depth > 0.2, count < 1000 {
            let next = PictureMemory.depth(next: depth, pixels: pixels)
            if pixels <= 800 { #expect(pixels * (depth / next - 1) <= Double(PatchComparison.depths) * (1 + 1e-9)) }
            (depth, count) = (next, count + 1)
        }
        #expect(count < 700)
    }

    /// Of what has a pattern most places are found, on what is there, within three of the deviations that are stated: level and
    /// plumb, near and far.
    @Test func aPlaceIsFoundWhereItLies() throws {
        let found = try Found(in: PaintedRoom(panels: Self.panels), along: Self.pose)
        #expect(3 * found.count >= found.asked)
        #expect(found.byPanel.count == 3 && found.byPanel.values.allSatisfy { $0 >= 5 }, "\(found)")
        #expect(20 * found.good >= 19 * found.count, "\(found)")
    }

    /// The places that are found in a room, and how many of them lie where they should: within three of their deviations.
    private struct Found {
        let memory: PictureMemory
        var asked = 0
        var byPanel: [String: Int] = [:]
        var good = 0
        var count: Int { byPanel.values.reduce(0, +) }

        init(in room: PaintedRoom, along path: (Int) -> RigidTransform, noise: Double = 0) throws {
            let findings: [DepthFinding]
            (memory, findings) = DepthSweepTests.findings(in: room, along: path, noise: noise)
            let eye = try #require(memory.pictures.last).worldFromOptical.translation
            asked = findings.count
            for case .point(let point) in findings {
                let sight = try #require((point.position - eye).normalized())
                let crossings = room.panels.compactMap { panel in
                    panel.crossing(from: eye, to: eye + 10 * sight).map { (depth: 10 * $0, name: panel.name) }
                }
                let truth = try #require(crossings.min { $0.depth < $1.depth })
                byPanel[truth.name, default: 0] += 1
                let deviation = sight.dot(point.covariance * sight).squareRoot()
                if abs((point.position - eye).length - truth.depth) <= 3 * deviation { good += 1 }
            }
        }
    }

    /// A place of the newest picture of a memory, and the older picture in which it is looked for.
    private struct Sweep {
        private let memory: PictureMemory
        private let sight: Sight
        private let older: Int

        /// - Returns: nothing where the place, or a picture from far enough beside, is missing.
        init?(atColumn column: Int, row: Int, of memory: PictureMemory) {
            guard let newest = memory.pictures.last, let sight = Sight(ofColumn: column, row: row, in: newest),
                let older = memory.pictureToSweep(along: sight)
            else { return nil }
            (self.memory, self.sight, self.older) = (memory, sight, older)
        }

        func place(isCoarse: Bool, comparison: inout PatchComparison) -> PicturePoint? {
            memory.place(along: sight, in: older, isCoarse: isCoarse, comparison: &comparison)
        }
    }

    /// Patterns of two grey levels in a sensor's noise are too faint for patches of the pictures themselves, which tell where one in
    /// nine of the places lies; pictures of half the size tell it of a third.
    @Test func faintPatternsAreSweptAtHalfTheSize() throws {
        var room = PaintedRoom(panels: Self.panels)
        (room.contrast, room.grain) = (4.5, 2)
        let found = try Found(in: room, along: Self.pose, noise: 1.5)
        #expect(3 * found.count >= found.asked, "\(found)")
        #expect(20 * found.good >= 19 * found.count, "\(found)")
        var comparison = PatchComparison()
        let fineCount = Self.places.count { place in
            guard let sweep = Sweep(atColumn: place.column, row: place.row, of: found.memory) else { return false }
            return sweep.place(isCoarse: false, comparison: &comparison) != nil
        }
        #expect(6 * fineCount <= found.asked, "\(fineCount) of \(found.asked)")
    }

    /// Of posts that are hardly wider than a patch, and fainter than the wall behind them, a patch that is twice as wide shows more of
    /// the wall: it does not say that the posts' places lie there. Three of these 200 would, if their middle were not asked.
    @Test func whatLiesBesideANarrowThingIsNotItsDepth() throws {
        let posts = (0..<7).map { number in
            Panel(
                name: "post", center: Point3(0.26 * Double(number) - 0.7, 1, -0.2), halfWidth: Vector3(0.042, 0, 0),
                halfHeight: Vector3(0, 1, 0), density: 0)
        }
        var room = PaintedRoom(panels: posts + [Self.wall], faint: ["post"])
        room.grain = 2
        let path = { (number: Int) in
            RigidTransform(rotation: .identity, translation: Point3(0.03 * Double(number) - 0.4, 1, 0.85))
        }
        let memory = Self.memory(of: room, along: path, noise: 1.5)
        let newest = try #require(memory.pictures.last)
        var comparison = PatchComparison()
        var (asked, wrong) = (0, 0)
        for post in posts {
            let pixel = newest.pixel(of: post.center, from: newest.opticalFromWorld)
            guard let pixel, newest.holds(pixel, margin: 20) else { continue }
            for row in stride(from: 20, to: 220, by: 4) {
                guard let sweep = Sweep(atColumn: Int(pixel.x.rounded()), row: row, of: memory) else { continue }
                asked += 1
                let point = sweep.place(isCoarse: true, comparison: &comparison)
                if let point, point.position.z < -0.5 { wrong += 1 }
            }
        }
        #expect(asked >= 150)
        #expect(wrong == 0, "\(wrong) of \(asked)")
    }

    /// About the rim of a thing that stands before something plain, a patch shows the rim alone: what is found there lies on the thing, to
    /// a sample, wherever the patch's middle looks.
    @Test func whatIsFoundBesideARimIsTheRim() throws {
        let board = Panel(
            name: "board", center: Point3(0, 1, -0.2), halfWidth: Vector3(0.2, 0, 0), halfHeight: Vector3(0, 0.6, 0),
            density: 0)
        let room = PaintedRoom(panels: [board, Self.wall], plain: ["wall"])
        let memory = Self.memory(of: room) { number in
            RigidTransform(rotation: .identity, translation: Point3(0.03 * Double(number) - 0.4, 1, 0.85))
        }
        let newest = try #require(memory.pictures.last)
        let rim = board.center + board.halfWidth
        let pixel = try #require(newest.pixel(of: rim, from: newest.opticalFromWorld))
        let metresByPixel = (rim.z - newest.worldFromOptical.translation.z).magnitude / newest.pixelsByRadian
        var comparison = PatchComparison()
        var count = 0
        for row in stride(from: 40, to: 200, by: 4) {
            for aside in 2...6 {
                let finding = memory.depthFinding(
                    atColumn: Int(pixel.x.rounded()) + aside, row: row, comparison: &comparison)
                guard case .point(let point) = finding else { continue }
                count += 1
                #expect(abs(point.position.z - rim.z) <= 0.03)
                #expect(point.position.x <= rim.x + 2 * metresByPixel)
            }
        }
        #expect(count >= 20)
    }

    /// A camera that turns on the spot tells no depths, and plain things have none to tell.
    @Test func withoutParallaxOrPatternNothingIsFound() {
        let turning = Self.findings(in: PaintedRoom(panels: Self.panels)) { number in
            .looking(from: Point3(0, 1.5, 0.75), at: Point3(0.02 * Double(number), 0.7, 0))
        }
        for finding in turning.findings {
            guard case .unseen = finding else { return #expect(Bool(false), "\(finding)") }
        }
        let plain = Self.findings(
            in: PaintedRoom(panels: Self.panels, plain: ["table", "floor", "wall"]), along: Self.pose)
        var plainCount = 0
        for finding in plain.findings {
            switch finding {
            case .unseen: continue
            case .plain: plainCount += 1
            case .ambiguous, .point: #expect(Bool(false), "\(finding)")
            }
        }
        #expect(plainCount > 0)
    }

    /// A table on which three corners are followed is found by what pictures show of it, two thirds of it within four seconds, and not
    /// without them.
    @Test func aTableOfFewCornersIsFound() throws {
        let room = PaintedRoom(panels: [Self.table, Self.wall])
        let corners = [Point3(-0.2, 0.7, 0.1), Point3(0.25, 0.7, 0.2), Point3(0.1, 0.7, -0.2)]
        var (withPictures, without) = (PlaneWatch(panels: [Self.table]), PlaneWatch(panels: [Self.table]))
        for number in 0..<110 {
            let pose = Self.pose(number)
            let frame = room.frame(number, at: pose, following: corners)
            withPictures.note(
                withPictures.finder.update(with: frame, picture: FramePicture(image: room.picture(from: pose))),
                at: Double(number) / 30)
            without.note(without.finder.update(with: frame), at: Double(number) / 30)
        }
        #expect(without.planes.isEmpty)
        let level = withPictures.planes.filter { $0.alignment == .horizontal }
        #expect(level.count == 1)
        let errors = PlaneErrors(try #require(level.first), of: Self.table)
        #expect(errors.overlap >= 0.66)
        #expect(abs(errors.offset) <= 0.01)
    }

    /// Places that pictures show have a bounded memory beside the tracker's points, the newest of them: neither goes for the other.
    @Test func theNewestPlacesAreRemembered() {
        var memory = EvidenceMemory(capacity: 1000)
        for id in 0..<1000 {
            _ = memory.remember(
                EstimatedLandmark(id: UInt64(id), position: .zero, covariance: .identity), at: Moment()
            )
        }
        for number in 0..<1300 {
            let point = PicturePoint(position: Point3(Double(number), 0, 0), covariance: .identity)
            let slot = memory.remember(point, of: number / 10 + 1, at: Moment(instant: Timestamp(nanoseconds: 1))).slot
            #expect(memory[slot].position.x == Double(number))
        }
        #expect(memory.points.count == 1512)
        #expect((0..<1000).allSatisfy { memory.slot(of: UInt64($0)) == $0 })
        #expect(Set(memory.points.dropFirst(1000).map(\.position.x)) == Set((788..<1300).map(Double.init)))
        for id in 1000..<3000 {
            let landmark = EstimatedLandmark(id: UInt64(id), position: .zero, covariance: .identity)
            let forgotten = memory.remember(landmark, at: Moment(instant: Timestamp(nanoseconds: 2))).forgotten
            #expect(forgotten?.picture == nil && forgotten != nil)
        }
        #expect(memory.points.count == 1512)
        #expect(memory.points.count { $0.picture != nil } == 512)
    }

    /// Which points lie on a surface, on none, which were seen lately, and where pictures show some, the memory knows beside the points,
    /// whatever comes, goes and changes.
    @Test(arguments: 0..<8) func theMemoryKnowsWhoseItsPointsAre(number: Int) {
        var random = TestRandom(case: number)
        var memory = EvidenceMemory(capacity: 60)
        for step in 0..<2000 {
            let now = Timestamp(nanoseconds: Int64(step) * 10_000_000)
            let place = Point3(Double(step), 0, 0)
            let slot: Int
            if random.uniform(0...1) < 0.3 {
                let point = PicturePoint(position: place, covariance: .identity)
                slot = memory.remember(point, of: step / 20 + 1, at: Moment(instant: now)).slot
            } else {
                let id = UInt64(random.uniform(0...100))
                let landmark = EstimatedLandmark(id: id, position: place, covariance: .identity)
                slot = memory.remember(landmark, at: Moment(instant: now)).slot
            }
            memory[slot].owner = random.uniform(0...1) < 0.4 ? nil : Int(random.uniform(1...4))
            guard step.isMultiple(of: 50) else { continue }
            for owner in [nil, 1, 2, 3, 4] {
                #expect(memory.slots(of: owner) == memory.slots.filter { memory[$0].owner == owner })
            }
            #expect(
                memory.slots(seenWithin: 1, before: now)
                    == memory.slots.filter { now.seconds(since: memory[$0].lastSeen) <= 1 })
            let asked = Point3(random.uniform(0...Double(step + 10)), 0, 0)
            #expect(
                memory.hasPicturePoint(within: 0.8, of: asked)
                    == memory.points.contains { $0.picture != nil && ($0.position - asked).length <= 0.8 })
        }
    }

    /// What is seen of a surface is fitted in groups of what errs together: what is known from points that were forgotten, the tracker's
    /// points, and the places of each picture, which share half of their variance.
    @Test func pointsAreGroupedByWhatErrsTogether() {
        var finder = PlaneFinder()
        var surface = Surface(isHorizontal: true, worldFromLevel: .identity, cellSize: 0.05)
        let covariance = 1e-4 * Matrix3x3.identity
        surface.former.add(
            SurfaceFit.Sample(point: .zero, variance: 1e-4), beside: surface.fit, seenAt: Moment())
        for (number, picture) in [2, nil, 1, 1, nil, 2, 1].enumerated() {
            let place = Point3(Double(number), 0, Double(number % 3))
            if let picture {
                let point = PicturePoint(position: place, covariance: covariance)
                _ = finder.memory.remember(point, of: picture, at: finder.moment)
            } else {
                finder.remember(EstimatedLandmark(id: UInt64(number), position: place, covariance: covariance))
            }
        }
        var groups = finder.groups(of: Array(finder.memory.slots), on: surface)
        let former = groups.remove(at: 3)
        #expect(former.samples.isEmpty && former.known.information == surface.former.equations.information)
        #expect(groups.map { $0.samples.map(\.point.x) } == [[1, 4], [2, 3, 6], [0, 5]])
        for (group, sharedPart) in zip(groups, [0, PicturePoint.sharedPart, PicturePoint.sharedPart]) {
            let middle = group.samples.reduce(Vector3.zero) { $0 + $1.point } / Double(group.samples.count)
            let row = Vector3(1, middle.x, middle.z)
            #expect(abs(row.dot(group.shared * row) - sharedPart * 1e-4) < 1e-12)
            #expect(group.samples.allSatisfy { abs($0.variance - (1 - sharedPart) * 1e-4) < 1e-12 })
        }
    }

    /// Places that err together weigh as one in height, and as two arms of a lever in slope, however many they are.
    @Test func placesOfOnePictureErrTogether() throws {
        func fit(_ count: Int, sharing variance: Double) throws -> SurfaceFit {
            var group = SurfaceFit.Group(
                samples: (0..<count * count).map { number in
                    let place = Point2(Double(number % count), Double(number / count)) / Double(count - 1)
                    return SurfaceFit.Sample(point: Point3(place.x + 1, 0, place.y - 0.5), variance: 1e-4)
                })
            group.share(variance: variance)
            let start = SurfaceFit(offset: 0, slopes: .zero)
            return try #require(start.refined(to: [group], slopeErrors: Vector2(10, 10)))
        }
        let (few, many, free) = try (fit(5, sharing: 1e-4), fit(40, sharing: 1e-4), fit(40, sharing: 0))
        for fit in [few, many] {
            let middle = fit.deviation(at: Point2(1.5, 0))
            #expect(middle >= 0.01 && middle <= 0.0105, "\(middle)")
            // The places of a square lie a side by the root of six from its middle, in the mean.
            #expect(fit.slopeDeviations.max() >= 0.01 * 6.0.squareRoot() * 0.8)
            #expect(fit.slopeDeviations.max() <= 0.01 * 6.0.squareRoot() * 1.2)
        }
        #expect(free.deviation(at: Point2(1.5, 0)) < 0.001)
    }

    /// The vertex of a parabola is found between its samples; a peak at the rim, or a low one, is none.
    @Test(arguments: [-1.9, -0.4, 0, 0.3, 1.45]) func peaksAreFoundBetweenSamples(vertex: Double) throws {
        func samples(_ vertex: Double, height: Double) -> [Float] {
            (-3...3).map { Float(height - 0.05 * (Double($0) - vertex) * (Double($0) - vertex)) }
        }
        let peak = try #require(PatchComparison.peak(of: samples(vertex, height: 0.95)))
        #expect(abs(peak - vertex) < 1e-5)
        #expect(PatchComparison.peak(of: samples(vertex, height: 0.7)) == nil)
        #expect(PatchComparison.peak(of: samples(3.4, height: 0.95)) == nil)
    }
}
