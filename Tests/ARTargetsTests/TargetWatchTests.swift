// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
@testable import ARTargets
import TestSupport
import Testing

struct TargetWatchTests {
    /// A sighting of a square.
    private func sighting(
        _ name: String, at x: Double, _ y: Double, side: Double = 50, confidence: Double = 0.9
    ) -> TargetSighting {
        let corners = PixelQuad(
            topLeft: PixelPoint(x, y), topRight: PixelPoint(x + side, y),
            bottomRight: PixelPoint(x + side, y + side), bottomLeft: PixelPoint(x, y + side))
        return TargetSighting(
            target: TargetIdentity(database: "clubs", name: name), confidence: confidence,
            pixelFromPrint: Matrix3x3(Vector3(side, 0, 0), Vector3(0, side, 0), Vector3(x, y, 1)), corners: corners,
            inlierCount: 20, cameraFromTarget: nil, covariance: nil, isInverse: false)
    }

    @Test func statesOfOneThing() {
        var watch = TargetWatch()
        let shown = [true, true, false, false, true, true].map { isShown in
            watch.update(with: isShown ? [sighting("a", at: 100, 100)] : [])
            return watch.targets[0].status
        }
        #expect(shown == [.detected, .tracked, .lost, .lost, .detected, .tracked])
        #expect(watch.targets.count == 1 && watch.targets[0].age == 0)
        watch.update(with: [], keeping: [0])
        #expect(watch.targets[0].status == .extendedTracked)
        #expect(TargetStatus.allCases.map(\.isTracked) == [true, true, false, false])
    }

    /// One print that moves by more than its own size from frame to frame stays one.
    @Test func aJumpDoesNotMakeTwoThings() {
        var watch = TargetWatch()
        for x in [100.0, 160, 240, 150] {
            let seen = watch.update(with: [sighting("a", at: x, 100)])
            #expect(seen.map(\.identifier) == [0], "at \(x)")
        }
        #expect(watch.targets.map(\.status) == [.tracked])
    }

    /// What stays out of sight is forgotten, unless the world knows its place; identifiers are never given again.
    @Test func whatStaysAwayIsForgotten() {
        var watch = TargetWatch()
        watch.update(with: [sighting("a", at: 0, 0), sighting("b", at: 100, 0)])
        for _ in 1..<TargetWatch.patience { watch.update(with: [], keeping: [1]) }
        #expect(watch.targets.map(\.identifier) == [0, 1])
        watch.update(with: [], keeping: [1])
        #expect(watch.targets.map(\.identifier) == [1])
        let found = watch.update(with: [sighting("a", at: 0, 0), sighting("b", at: 100, 0)])
        #expect(found.map(\.identifier) == [1, 2])
    }

    /// Two things with one picture keep their identities while they move, however the sightings are ordered.
    @Test func twoThingsWithOnePicture() throws {
        var random = TestRandom()
        var watch = TargetWatch()
        var places = [Vector2(100, 100), Vector2(400, 120)]
        for frame in 0..<60 {
            for index in places.indices { places[index] += random.vector2(-8...8) }
            let sightings = places.map { sighting("a", at: $0.x, $0.y) }
            let seen = watch.update(with: random.uniform(0...1) < 0.5 ? sightings : sightings.reversed())
            #expect(watch.targets.count == 2, "frame \(frame)")
            if frame == 0 { places = seen.map { $0.sighting.corners.topLeft.vector } }
            for (thing, place) in zip(seen, places) {
                expectClose(thing.sighting.corners.topLeft.vector.x, place.x, tolerance: 1e-9)
            }
        }
    }

    @Test func lostAndFoundElsewhereIsTheSame() {
        var watch = TargetWatch()
        watch.update(with: [sighting("a", at: 100, 100)])
        watch.update(with: [])
        let found = watch.update(with: [sighting("a", at: 500, 300)])
        #expect(found.map(\.identifier) == [0] && found[0].status == .detected)
        // What is in sight stays what it is; the one far away is another.
        let both = watch.update(with: [sighting("a", at: 40, 30), sighting("a", at: 505, 301)])
        #expect(both.map(\.identifier) == [0, 1])
        #expect(both.map { $0.sighting.corners.topLeft.x } == [505, 40])
    }

    @Test func namesAreToldApart() {
        var watch = TargetWatch()
        watch.update(with: [sighting("a", at: 100, 100)])
        let seen = watch.update(with: [sighting("b", at: 100, 100)])
        #expect(seen.map(\.identifier) == [1] && watch.targets.count == 2)
    }

    @Test func noMoreThanTheMaximum() {
        var watch = TargetWatch(maximumCount: 2)
        watch.update(with: [sighting("a", at: 0, 0, confidence: 0.5)])
        // What is shown stays, however sure the others are; of those the surest.
        let seen = watch.update(
            with: [
                sighting("b", at: 100, 0, confidence: 0.7), sighting("c", at: 200, 0, confidence: 0.9),
                sighting("a", at: 0, 0, confidence: 0.5),
            ])
        #expect(seen.map(\.sighting.target.name) == ["a", "c"])
    }

    @Test func deactivatedDatabasesAreOutOfSight() {
        var watch = TargetWatch()
        watch.update(with: [sighting("a", at: 0, 0)])
        watch.loseSight(of: "clubs")
        #expect(watch.targets[0].status == .lost)
    }
}
