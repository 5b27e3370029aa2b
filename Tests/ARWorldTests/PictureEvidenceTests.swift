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
    private static let table = Panel(
        name: "table", center: Point3(0, 0.7, 0), halfWidth: Vector3(0.6, 0, 0), halfHeight: Vector3(0, 0, -0.4),
        density: 0)
    private static let floor = Panel(
        name: "floor", center: .zero, halfWidth: Vector3(3, 0, 0), halfHeight: Vector3(0, 0, -3), density: 0)
    private static let room = PaintedRoom(panels: [table, floor])

    private static func pose(_ number: Int) -> RigidTransform {
        let angle = 0.03 * Double(number)
        return .looking(
            from: Point3(0.9 * sin(angle) - 0.3, 1.5, 0.75 + 0.1 * cos(angle)), at: Point3(0.3 * sin(angle), 0.7, 0))
    }

    private static func keyPicture(
        _ number: Int, of room: PaintedRoom, sightings: [UInt64: PixelPoint] = [:], believedOffBy error: Twist = .zero
    ) -> KeyPicture {
        KeyPicture(
            number: number, picture: SmoothedPicture(room.picture(from: pose(number))), camera: PaintedRoom.camera,
            worldFromOptical: pose(number) * .cameraFromOptical * RigidTransform(error), motion: .zero,
            readoutSeconds: 0, sightings: sightings)
    }

    /// Points in the middle of a table tell of a small plane; with pictures it is the table, and ends where the table ends though
    /// the floor beside it has a pattern like it. The floor, on which no point lies, is found besides, before the table and behind.
    @Test func picturesShowHowFarATableReaches() throws {
        var random = TestRandom()
        let points = (0..<60).map { _ in Point3(random.uniform(-0.2...0.2), 0.7, random.uniform(-0.15...0.15)) }
        var (withPictures, without) = (PlaneWatch(panels: [Self.table]), PlaneWatch(panels: [Self.table]))
        for number in 0..<110 {
            let pose = Self.pose(number)
            let frame = Self.room.frame(number, at: pose, following: points)
            let picture = FramePicture(image: Self.room.picture(from: pose))
            withPictures.note(withPictures.finder.update(with: frame, picture: picture), at: Double(number) / 30)
            without.note(without.finder.update(with: frame), at: Double(number) / 30)
        }
        let alone = PlaneErrors(try #require(without.planes.first), of: Self.table)
        let shown = PlaneErrors(try #require(withPictures.planes.first), of: Self.table)
        #expect(without.planes.count == 1)
        let besides = withPictures.planes.dropFirst()
        #expect(besides.count == 2 && besides.allSatisfy { abs(PlaneErrors($0, of: Self.floor).offset) <= 0.01 })
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
        let room = PaintedRoom(panels: [top, Self.floor] + sides)
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

    /// Of a table without any pattern pictures show the rim alone: it grows there, and nowhere beyond, where the floor has
    /// a pattern; most of its middle stays unknown.
    @Test func aPlainTableGrowsAtItsRimOnly() throws {
        var random = TestRandom()
        let points = (0..<60).map { _ in Point3(random.uniform(-0.2...0.2), 0.7, random.uniform(-0.15...0.15)) }
        let room = PaintedRoom(panels: [Self.table, Self.floor], plain: ["table"])
        var (withPictures, without) = (PlaneWatch(panels: [Self.table]), PlaneWatch(panels: [Self.table]))
        for number in 0..<110 {
            let frame = room.frame(number, at: Self.pose(number), following: points)
            let picture = FramePicture(image: room.picture(from: Self.pose(number)))
            withPictures.note(withPictures.finder.update(with: frame, picture: picture), at: Double(number) / 30)
            without.note(without.finder.update(with: frame), at: Double(number) / 30)
        }
        let alone = PlaneErrors(try #require(without.planes.first), of: Self.table)
        let shown = PlaneErrors(try #require(withPictures.planes.first), of: Self.table)
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
            frames.map { number in
                let pose = Self.pose(abs(number % 160 - 80))
                let frame = room.frame(number, at: pose, following: points)
                _ = finder.update(with: frame, picture: FramePicture(image: room.picture(from: pose)))
                return (finder.newPlaces.questions, finder.knownPlaces.questions, finder.depths.questions)
            }
        }
        let growing = follow(0..<40, in: Self.room)
        let (new, known, depths) = (finder.newPlaces, finder.knownPlaces, finder.depths)
        #expect(growing.allSatisfy { $0.new == new.most })
        let settled = follow(40..<800, in: Self.room).suffix(200)
        #expect(settled.reduce(0) { $0 + $1.new } <= 200 * new.most / 3)
        #expect(settled.reduce(0) { $0 + $1.known } <= 200 * known.most / 3)
        #expect(settled.reduce(0) { $0 + $1.depths } <= 200 * depths.most / 3)
        let gone = follow(800..<830, in: PaintedRoom(panels: [Self.floor]))
        #expect(gone.contains { $0.known == known.most })
    }

    /// A slope is no plane that is looked for, so that nothing ever explains it: its places are found, and then seldom looked for again.
    @Test func whatIsNoPlaneIsNotSweptForever() {
        let slope = Panel(
            name: "slope", center: Point3(0, 0.7, 0), halfWidth: Vector3(0.6, 0, 0), halfHeight: Vector3(0, 0.3, -0.3),
            density: 0)
        let room = PaintedRoom(panels: [slope])
        var finder = PlaneFinder()
        let sweeps = (0..<400).map { number in
            let pose = Self.pose(abs(number % 160 - 80))
            let frame = room.frame(number, at: pose, following: [Point3(0, 0.7, 0)])
            _ = finder.update(with: frame, picture: FramePicture(image: room.picture(from: pose)))
            return finder.depths.questions
        }
        #expect(finder.memory.slots.count > 50 && finder.surfaces.isEmpty)
        #expect(sweeps.prefix(20).allSatisfy { $0 == finder.depths.most })
        // A third of them is left: depths that are found again scatter, and now and then one lies beyond what counts as the same.
        #expect(sweeps.suffix(160).reduce(0, +) <= 160 * finder.depths.most / 2)
    }

    /// Patches of the table agree on its plane, and on no plane 6 cm above or below it; on plain things they say nothing.
    @Test func patchesAgreeOnTheirPlaneOnly() {
        let (older, newer) = (Self.keyPicture(0, of: Self.room), Self.keyPicture(9, of: Self.room))
        func counts(_ height: Double, _ older: KeyPicture, _ newer: KeyPicture) -> (
            agree: Int, differ: Int, silent: Int
        ) {
            var comparison = PatchComparison()
            var counts = (agree: 0, differ: 0, silent: 0)
            for column in stride(from: 90, to: 230, by: 12) {
                for row in stride(from: 80, to: 170, by: 12) {
                    let plane = Plane(unitNormal: Vector3(0, 1, 0), offset: height)
                    guard let patch = PlanePatch(of: plane, atColumn: column, row: row, in: newer),
                        let view = PatchView(of: patch, in: older, sensitivity: 40),
                        let verdict = comparison.verdict(on: patch, in: newer.picture, as: view, in: older.picture)
                    else { continue }
                    switch verdict {
                    case .shows(let shift) where abs(shift) <= 1: counts.agree += 1
                    case .shows, .disagrees: counts.differ += 1
                    case .isPlain, .isAmbiguous: counts.silent += 1
                    }
                }
            }
            return counts
        }
        let on = counts(0.7, older, newer)
        #expect(on.agree >= 60 && on.differ == 0)
        for height in [0.64, 0.76] {
            let beside = counts(height, older, newer)
            #expect(50 * beside.agree <= beside.differ)
        }
        let plain = PaintedRoom(panels: [Self.table, Self.floor], plain: ["table", "floor"])
        let silent = counts(0.7, Self.keyPicture(0, of: plain), Self.keyPicture(9, of: plain))
        #expect(silent.agree == 0 && silent.differ == 0 && silent.silent > 60)
    }

    /// A coarse pattern of two grey levels in the noise of a sensor is too faint for patches of the pictures themselves; of half their
    /// size it agrees on its plane, and on no plane 6 cm above or below it.
    @Test func faintPatternsAgreeAtHalfTheSize() {
        var random = TestRandom()
        var room = Self.room
        (room.contrast, room.grain) = (4.5, 2)
        func keyPicture(_ number: Int) -> KeyPicture {
            let image = room.noisyPicture(from: Self.pose(number), deviation: 1.5, &random)
            return KeyPicture(
                number: number, picture: SmoothedPicture(image), camera: PaintedRoom.camera,
                worldFromOptical: Self.pose(number) * .cameraFromOptical, motion: .zero, readoutSeconds: 0)
        }
        let (older, newer) = (keyPicture(0), keyPicture(12))
        func countAgreeing(_ height: Double, isCoarse: Bool) -> Int {
            var (comparison, count) = (PatchComparison(), 0)
            for column in stride(from: 90, to: 230, by: 12) {
                for row in stride(from: 80, to: 170, by: 12) {
                    let plane = Plane(unitNormal: Vector3(0, 1, 0), offset: height)
                    guard let patch = PlanePatch(of: plane, atColumn: column, row: row, in: newer),
                        let view = PatchView(of: patch, in: older, sensitivity: 40)
                    else { continue }
                    let verdict =
                        isCoarse
                        ? comparison.coarseVerdict(
                            on: patch, in: newer.picture, as: view, in: older.picture, pixelStep: 2)
                        : comparison.verdict(on: patch, in: newer.picture, as: view, in: older.picture, pixelStep: 1)
                    if case .shows(let shift) = verdict, abs(shift) <= 1 { count += 1 }
                }
            }
            return count
        }
        let (fine, coarse) = (countAgreeing(0.7, isCoarse: false), countAgreeing(0.7, isCoarse: true))
        #expect(coarse >= 40 && coarse >= 3 * fine)
        for height in [0.64, 0.76] { #expect(20 * countAgreeing(height, isCoarse: true) <= coarse) }
    }

    /// Faint, smooth patterns on a bright ground say what they say on a dark one, at each depth.
    @Test func brightnessChangesNothing() {
        var room = Self.room
        (room.contrast, room.grain) = (4.5, 3)
        func verdicts(brighterBy change: Double) -> [String] {
            let (older, newer) = Self.pictures(of: room) { light, _, _ in light + change }
            return [0.67, 0.7, 0.73].flatMap { height in
                Self.verdicts(older, newer, ofTableAt: height).map { "\($0)" }
            }
        }
        let (dark, bright) = (verdicts(brighterBy: -115), verdicts(brighterBy: 115))
        #expect(dark.count > 500)
        #expect(Set(dark).count >= 3)
        #expect(dark == bright)
    }

    /// A lens that darkens towards a corner, where the newer picture shows what the older one shows in its middle, changes faint patterns by
    /// more from rim to rim of a patch than they vary. Most places show the surface as before, by their detail; where there is nothing, none.
    @Test func aLensThatDarkensHidesLittle() {
        var room = Self.room
        (room.contrast, room.grain) = (8, 2)
        func agreeing(slope: Double, height: Double) -> Int {
            let (older, newer) = Self.pictures(of: room) { light, number, pixel in
                light + (number > 0 ? slope * (pixel.x - 160 + pixel.y - 120) : 0)
            }
            return Self.verdicts(older, newer, ofTableAt: height).count {
                if case .shows(let shift) = $0 { abs(shift) <= 1 } else { false }
            }
        }
        let even = agreeing(slope: 0, height: 0.7)
        #expect(even > 150)
        for slope in [-0.4, 0.4] {
            #expect(3 * agreeing(slope: slope, height: 0.7) > 2 * even)
            for height in [0.64, 0.76] { #expect(20 * agreeing(slope: slope, height: height) < even) }
        }
    }

    /// The first and the tenth picture of a room, each pixel's light changed by what its picture and place say.
    private static func pictures(
        of room: PaintedRoom, changed: (_ light: Double, _ number: Int, _ pixel: PixelPoint) -> Double
    ) -> (older: KeyPicture, newer: KeyPicture) {
        func picture(_ number: Int) -> KeyPicture {
            var image = room.picture(from: pose(number))
            for row in 0..<image.size.height {
                for column in 0..<image.size.width {
                    let byte = row * image.bytesPerRow + column
                    let light = changed(Double(image.bytes[byte]), number, PixelPoint(Double(column), Double(row)))
                    image.bytes[byte] = UInt8(light.rounded())
                }
            }
            return KeyPicture(
                number: number, picture: SmoothedPicture(image), camera: PaintedRoom.camera,
                worldFromOptical: pose(number) * .cameraFromOptical, motion: .zero, readoutSeconds: 0)
        }
        return (picture(0), picture(9))
    }

    /// What two pictures say of patches all over the newer one's middle, if a table of that height were there.
    private static func verdicts(
        _ older: KeyPicture, _ newer: KeyPicture, ofTableAt height: Double
    ) -> [PatchVerdict] {
        let plane = Plane(unitNormal: Vector3(0, 1, 0), offset: height)
        var comparison = PatchComparison()
        return stride(from: 90, to: 230, by: 7).flatMap { column in
            stride(from: 80, to: 170, by: 7).compactMap { row in
                guard let patch = PlanePatch(of: plane, atColumn: column, row: row, in: newer),
                    let view = PatchView(of: patch, in: older, sensitivity: 40)
                else { return nil }
                return comparison.verdict(on: patch, in: newer.picture, as: view, in: older.picture)
            }
        }
    }

    /// A patch of half the size shows the same place: the view of a patch in its own picture is that patch, about whichever pixel.
    @Test(arguments: [(100, 101), (101, 100), (150, 120), (151, 121)]) func halvedViewsAreOfTheSamePlace(
        column: Int, row: Int
    ) throws {
        let wall = Plane(unitNormal: Vector3(0, 0, -1), offset: -1)
        let (older, newer) = (Self.blankPicture(1, at: .zero), Self.blankPicture(2, at: .zero))
        let patch = try #require(PlanePatch(of: wall, atColumn: column, row: row, in: newer))
        let view = try #require(PatchView(of: patch, in: older, sensitivity: 0)).halved(patch)
        #expect((view.center - Vector2(Double(column / 2), Double(row / 2))).length < 1e-9)
    }

    /// A picture of nothing, from a place in the world, with OpenCV's axes.
    private static func blankPicture(_ number: Int, at place: Vector3) -> KeyPicture {
        KeyPicture(
            number: number, picture: SmoothedPicture(ImageBuffer(size: PaintedRoom.imageSize, format: .gray8)),
            camera: PaintedRoom.camera, worldFromOptical: RigidTransform(rotation: .identity, translation: place),
            motion: .zero, readoutSeconds: 0)
    }

    /// A patch is read in the older picture only if its lowest samples have a row below them, with a hundredth of a pixel to
    /// spare for rounding.
    @Test(arguments: [(0.005, false), (0.015, true)]) func patchesKeepOffTheRim(spare: Double, isRead: Bool) throws {
        // A wall a metre ahead, where 260 pixels are a metre. The patch reaches 8 rows down, and 3 pixels are tried around.
        let wall = Plane(unitNormal: Vector3(0, 0, -1), offset: -1)
        let lowest = Double(PaintedRoom.imageSize.height - 1) - 8 - 3 - spare
        let older = Self.blankPicture(1, at: .zero)
        let newer = Self.blankPicture(2, at: Vector3(0.1, (lowest - 220) / 260, 0))
        let patch = try #require(PlanePatch(of: wall, atColumn: 100, row: 220, in: newer))
        let view = try #require(PatchView(of: patch, in: older, sensitivity: 10))
        #expect(abs(view.center.y - lowest) < 1e-9)
        var comparison = PatchComparison()
        let verdict = comparison.verdict(on: patch, in: newer.picture, as: view, in: older.picture)
        #expect((verdict != nil) == isRead)
    }

    /// Nowhere in a picture a patch moves farther aside than the greatest shift; at a corner of a wide view by nearly as much.
    @Test func noPatchIsShownFartherAsideThanTheGreatestShift() throws {
        let wall = Plane(unitNormal: Vector3(0, 0, -1), offset: -1)
        let newer = Self.blankPicture(2, at: .zero)
        var greatestRatio = 0.0
        for step in 0..<24 {
            let angle = Double(step) * .pi / 12
            let older = Self.blankPicture(1, at: Vector3(0.1 * cos(angle), 0.1 * sin(angle), 0))
            for column in stride(from: 8, to: 312, by: 16) {
                for row in stride(from: 8, to: 232, by: 16) {
                    let patch = try #require(PlanePatch(of: wall, atColumn: column, row: row, in: newer))
                    guard let view = PatchView(of: patch, in: older, sensitivity: 0) else { continue }
                    greatestRatio = max(greatestRatio, view.shiftByMetre.length / older.greatestShift(of: patch))
                }
            }
        }
        #expect(greatestRatio <= 1)
        #expect(greatestRatio > 0.9)
    }

    /// A picture whose pose was believed to be a little elsewhere is put where it saw the points.
    @Test(arguments: 0..<5) func aPictureIsAlignedToThePoints(number: Int) {
        var random = TestRandom(case: number)
        let places = (0..<40).map { _ in
            Point3(random.uniform(-0.5...0.5), random.uniform(0.6...0.9), random.uniform(-0.3...0.3))
        }
        let frame = Self.room.frame(0, at: Self.pose(0), following: places)
        var picture = Self.keyPicture(
            0, of: Self.room, sightings: Dictionary(uniqueKeysWithValues: frame.sightings.map { ($0.id, $0.pixel) }),
            believedOffBy: Twist(translation: 0.005 * random.direction(), rotation: 0.004 * random.direction()))
        let truth = Self.pose(0) * .cameraFromOptical
        func worstError(_ picture: KeyPicture) -> Double {
            let errors = places.compactMap { place -> Double? in
                guard let seen = PaintedRoom.camera.project(truth.inverse * place),
                    let shown = PaintedRoom.camera.project(picture.opticalFromWorld * place)
                else { return nil }
                return seen.distance(to: shown)
            }
            return errors.max() ?? .infinity
        }
        #expect(worstError(picture) > 0.6)
        // One point in ten is wrong altogether.
        var points = frame.featurePoints
        for index in points.indices where index % 10 == 0 { points[index].position += 0.1 * random.direction() }
        picture.align(to: points)
        // How the camera moved and how it turned are hardly told apart: what the picture shows counts.
        #expect(worstError(picture) <= 0.3)
    }

    /// However often a picture is aligned to a few points close together, which were drawn aside: it stays near where it
    /// was believed to be.
    @Test(arguments: 0..<5) func aPictureDoesNotWalkAway(number: Int) {
        var random = TestRandom(case: number)
        let places = (0..<8).map { _ in
            Point3(random.uniform(-0.03...0.03), random.uniform(0.69...0.71), random.uniform(-0.03...0.03))
        }
        let frame = Self.room.frame(0, at: Self.pose(0), following: places)
        var picture = Self.keyPicture(
            0, of: Self.room, sightings: Dictionary(uniqueKeysWithValues: frame.sightings.map { ($0.id, $0.pixel) }))
        let believed = picture.worldFromOptical
        let drift = 0.004 * random.direction()
        var points = frame.featurePoints
        for index in points.indices { points[index].position += drift + 0.003 * random.direction() }
        for _ in 0..<30 { picture.align(to: points) }
        let error = (believed.inverse * picture.worldFromOptical).twist
        // Two of the standard deviations with which it was believed.
        #expect(error.translation.length <= 0.01 && error.rotation.length <= 0.007)
    }

    /// Where tracking was lost, pictures that show today's points are kept, and those that show fewer than six of them go.
    @Test(arguments: [true, false]) func picturesOfAnotherTimeGo(pointsAreFoundAgain: Bool) {
        var random = TestRandom()
        let places = (0..<20).map { _ in Point3(random.uniform(-0.3...0.3), 0.7, random.uniform(-0.2...0.2)) }
        var memory = PictureMemory()
        func take(_ number: Int, idsFrom firstID: UInt64) {
            var frame = Self.room.frame(number, at: Self.pose(3 * number), following: places)
            for index in frame.featurePoints.indices {
                frame.featurePoints[index].id += firstID
                frame.sightings[index].id += firstID
            }
            memory.take(
                frame, FramePicture(image: ImageBuffer(size: PaintedRoom.imageSize, format: .gray8), readoutSeconds: 0))
        }
        for number in 0..<12 { take(number, idsFrom: 0) }
        let kept = memory.pictures.map(\.number)
        #expect(kept.count == 4)
        memory.pause()
        for number in 12..<15 { take(number, idsFrom: pointsAreFoundAgain ? 0 : 1000) }
        #expect(memory.pictures.map(\.number) == (pointsAreFoundAgain ? kept : []) + [5])
    }

    /// The older pictures are, the farther apart are those that are kept: sixteen of them reach back by thirty.
    @Test func picturesThinOutWithTheirAge() {
        var memory = PictureMemory()
        let picture = FramePicture(
            image: ImageBuffer(size: PaintedRoom.imageSize, format: .gray8), readoutSeconds: 0)
        for number in 0..<300 {
            memory.take(Self.room.frame(number, at: Self.pose(2 * number), following: [Point3(0, 0.7, 0)]), picture)
            let kept = memory.pictures.map(\.number)
            guard let newest = kept.last, newest > 32 else { continue }
            #expect(kept.count <= 16 && kept.suffix(8).elementsEqual(newest - 7...newest))
            #expect(newest - kept[0] >= 28 && zip(kept, kept.dropFirst()).allSatisfy { (1...4).contains($1 - $0) })
        }
        #expect((memory.pictures.last?.number ?? 0) > 40)
    }

    /// A picture without a readout needs no motion, and counts however slowly frames come; others do not.
    @Test(arguments: [(0.0, 4), (0.02, 0)]) func slowFramesCountWithoutReadout(readout: Double, kept: Int) {
        var memory = PictureMemory()
        let picture = FramePicture(
            image: ImageBuffer(size: PaintedRoom.imageSize, format: .gray8), readoutSeconds: readout)
        // A picture is kept in every third frame at most.
        for number in 0..<12 {
            var frame = Self.room.frame(number, at: Self.pose(3 * number), following: [Point3(0, 0.7, 0)])
            frame.timestamp = Timestamp(nanoseconds: Int64(number) * 250_000_000)
            memory.take(frame, picture)
        }
        #expect(memory.pictures.count == kept)
    }

    /// Each row has the pose of its instant: the rows above the middle were exposed before it, those below after it.
    @Test func rowsHaveTheirOwnPoses() {
        let motion = Twist(translation: Vector3(0.5, 0, 0), rotation: Vector3(0, 1, 0))
        let picture = KeyPicture(
            number: 1, picture: SmoothedPicture(ImageBuffer(size: PaintedRoom.imageSize, format: .gray8)),
            camera: PaintedRoom.camera, worldFromOptical: .identity, motion: motion, readoutSeconds: 0.02)
        for row in [0, 119, 120, 239] {
            let part = (Double(row) + 0.5) / 240 - 0.5
            let pose = picture.worldFromOptical(atRow: Double(row)).twist
            #expect(abs(pose.rotation.y - 0.02 * part) < 1e-12)
            #expect(abs(pose.translation.x - 0.01 * part) < 1e-12)
        }
        #expect(picture.worldFromOptical(atRow: 17.4) == picture.worldFromOptical(atRow: 17))
        #expect(picture.worldFromOptical(atRow: 300) == picture.worldFromOptical(atRow: 239))
        #expect(picture.worldFromOptical(atRow: -1) == picture.worldFromOptical(atRow: 0))
    }

    /// Pictures are reduced to at most 800 columns; their pixels and the frame's name the same places.
    @Test(arguments: [(640, 1), (1280, 2), (1920, 3)]) func picturesAreReduced(width: Int, step: Int) {
        var image = ImageBuffer(size: ImageSize(width: width, height: 48), format: .rgb8)
        for row in 0..<48 {
            for column in 0..<width { image.bytes[3 * (row * width + column) + 1] = UInt8(column * 250 / width) }
        }
        let picture = SmoothedPicture(image)
        #expect(picture.step == step && picture.width == width / step && picture.height == 48 / step)
        for column in stride(from: 2, to: picture.width - 2, by: 17) {
            let pixel = PixelPoint(Double(column), 5)
            let frame = picture.framePixel(of: pixel)
            #expect(picture.pixel(ofFrame: frame).distance(to: pixel) < 1e-9)
            let value = Double(picture.fine.values[5 * picture.width + column]) * Double(GreyPixels.shareOfGrey)
            #expect(abs(value - frame.x * 250 / Double(width)) <= 1.5)
        }
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
