// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

@Suite struct PatchComparisonTests {
    /// Patches of the table agree on its plane, and on no plane 6 cm above or below it; on plain things they say nothing.
    @Test func patchesAgreeOnTheirPlaneOnly() {
        let (older, newer) = (PaintedTable.keyPicture(0), PaintedTable.keyPicture(9))
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
        let plain = PaintedRoom(panels: [PaintedTable.table, PaintedTable.floor], plain: ["table", "floor"])
        let silent = counts(0.7, PaintedTable.keyPicture(0, of: plain), PaintedTable.keyPicture(9, of: plain))
        #expect(silent.agree == 0 && silent.differ == 0 && silent.silent > 60)
    }

    /// A coarse pattern of two grey levels in the noise of a sensor is too faint for patches of the pictures themselves; of half their
    /// size it agrees on its plane, and on no plane 6 cm above or below it.
    @Test func faintPatternsAgreeAtHalfTheSize() {
        var random = TestRandom()
        var room = PaintedTable.room
        (room.contrast, room.grain) = (4.5, 2)
        func keyPicture(_ number: Int) -> KeyPicture {
            let image = room.noisyPicture(from: PaintedTable.pose(number), deviation: 1.5, &random)
            return KeyPicture(
                number: number, picture: SmoothedPicture(image), camera: PaintedRoom.camera,
                worldFromOptical: PaintedTable.pose(number) * .cameraFromOptical, motion: .zero, readoutSeconds: 0)
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
        var room = PaintedTable.room
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
        var room = PaintedTable.room
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
            var image = room.picture(from: PaintedTable.pose(number))
            for row in 0..<image.size.height {
                for column in 0..<image.size.width {
                    let byte = row * image.bytesPerRow + column
                    let light = changed(Double(image.bytes[byte]), number, PixelPoint(Double(column), Double(row)))
                    image.bytes[byte] = UInt8(light.rounded())
                }
            }
            return KeyPicture(
                number: number, picture: SmoothedPicture(image), camera: PaintedRoom.camera,
                worldFromOptical: PaintedTable.pose(number) * .cameraFromOptical, motion: .zero, readoutSeconds: 0)
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
        let (older, newer) = (Self.picture(1, at: .zero), Self.picture(2, at: .zero))
        let patch = try #require(PlanePatch(of: wall, atColumn: column, row: row, in: newer))
        let view = try #require(PatchView(of: patch, in: older, sensitivity: 0)).halved(patch)
        #expect((view.center - Vector2(Double(column / 2), Double(row / 2))).length < 1e-9)
    }

    /// A picture from a place in the world, with OpenCV's axes; of nothing by default.
    private static func picture(
        _ number: Int, at place: Vector3,
        showing image: ImageBuffer = ImageBuffer(size: PaintedRoom.imageSize, format: .gray8)
    ) -> KeyPicture {
        KeyPicture(
            number: number, picture: SmoothedPicture(image),
            camera: PaintedRoom.camera, worldFromOptical: RigidTransform(rotation: .identity, translation: place),
            motion: .zero, readoutSeconds: 0)
    }

    /// A patch's pattern is where its edges are, whatever plain things they part: at a rim beside the patch's middle, at most a sample
    /// aside, however blurred the rim is.
    @Test(arguments: [(-4, 0), (-2, 6), (0, 0), (0, 8), (3, 4)], [false, true])
    func aPatternIsWhereItsEdgesAre(rim: (aside: Int, blur: Int), isUpright: Bool) {
        let (middle, aside) = (100, rim.aside)
        var image = ImageBuffer(size: PaintedRoom.imageSize, format: .gray8)
        for row in 0..<image.size.height {
            for column in 0..<image.size.width {
                let beyond = Double((isUpright ? column : row) - middle - aside) + 0.5
                let part = min(max(beyond / Double(max(1, rim.blur)) + 0.5, 0), 1)
                image.bytes[row * image.bytesPerRow + column] = UInt8(60 + 90 * part)
            }
        }
        var comparison = PatchComparison()
        let hasPattern = comparison.hasPattern(atColumn: middle, row: middle, of: SmoothedPicture(image))
        #expect(hasPattern)
        let found = comparison.patternMiddle
        let (across, along) = isUpright ? (found.x, found.y) : (found.y, found.x)
        #expect(abs(across - (Double(aside) - 0.5)) <= 1)
        #expect(abs(along) < 1e-4)
        // Nothing is said of what is plain on either side: along the edge, every second pixel speaks.
        let places = comparison.patternPlaces
        #expect(places.allSatisfy { abs((isUpright ? $0.x : $0.y) - (Double(aside) - 0.5)) < 2 })
        #expect(Set(places.map { isUpright ? $0.y : $0.x }) == Set(stride(from: -4, through: 4, by: 2)))
    }

    /// Of what a patch about a rim shows, only what the older picture shows there, too, is its pattern: not what lies beside the rim and looks
    /// otherwise, though the patch as a whole is alike.
    @Test(arguments: 0..<4) func whatAPatchShowsBesideIsNotItsPattern(number: Int) throws {
        var random = TestRandom(case: number)
        let rim = 101
        // A metre ahead, where 260 pixels are a metre: from a tenth of a metre aside all of it lies 26 pixels aside.
        let shift = 26
        var newer = ImageBuffer(size: PaintedRoom.imageSize, format: .gray8)
        var older = newer
        for row in 0..<newer.size.height {
            for column in 0..<newer.size.width - shift {
                let contrast = column > rim ? 75.0 : 120
                let shown = UInt8(128 + contrast * random.uniform(-1...1))
                newer.bytes[row * newer.bytesPerRow + column] = shown
                older.bytes[row * older.bytesPerRow + column + shift] =
                    column > rim ? UInt8(128 + contrast * random.uniform(-1...1)) : shown
            }
        }
        let old = Self.picture(1, at: .zero, showing: older)
        let new = Self.picture(2, at: Vector3(0.1, 0, 0), showing: newer)
        let wall = Plane(unitNormal: Vector3(0, 0, -1), offset: -1)
        var (own, ownAlike, beside, besideAlike) = (0, 0, 0, 0)
        for row in stride(from: 12, to: PaintedRoom.imageSize.height - 12, by: 6) {
            var comparison = PatchComparison()
            let patch = try #require(PlanePatch(of: wall, atColumn: 100, row: row, in: new))
            let view = try #require(PatchView(of: patch, in: old, sensitivity: 10))
            guard case .shows(0) = comparison.verdict(on: patch, in: new.picture, as: view, in: old.picture) else {
                continue
            }
            // The picture is smoothed: two pixels beside the rim hold some of both.
            func isBeside(_ place: Vector2) -> Bool { place.x > Double(rim - 100) + 2 }
            let all = comparison.patternPlaces
            let alike = comparison.patternPlaces(shown: 0, as: view, in: old.picture, pixelStep: 1)
            own += all.count { !isBeside($0) }
            ownAlike += alike.count { !isBeside($0) }
            beside += all.count(where: isBeside)
            besideAlike += alike.count(where: isBeside)
        }
        #expect(own >= 60 && beside >= 5)
        #expect(Double(ownAlike) >= 0.8 * Double(own))
        #expect(Double(besideAlike) <= 0.4 * Double(beside), "\(besideAlike) of \(beside)")
    }

    /// A patch is read in the older picture only if its lowest samples have a row below them, with a hundredth of a pixel to
    /// spare for rounding.
    @Test(arguments: [(0.005, false), (0.015, true)]) func patchesKeepOffTheRim(spare: Double, isRead: Bool) throws {
        // A wall a metre ahead, where 260 pixels are a metre. The patch reaches 8 rows down, and 3 pixels are tried around.
        let wall = Plane(unitNormal: Vector3(0, 0, -1), offset: -1)
        let lowest = Double(PaintedRoom.imageSize.height - 1) - 8 - 3 - spare
        let older = Self.picture(1, at: .zero)
        let newer = Self.picture(2, at: Vector3(0.1, (lowest - 220) / 260, 0))
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
        let newer = Self.picture(2, at: .zero)
        var greatestRatio = 0.0
        for step in 0..<24 {
            let angle = Double(step) * .pi / 12
            let older = Self.picture(1, at: Vector3(0.1 * cos(angle), 0.1 * sin(angle), 0))
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
}
