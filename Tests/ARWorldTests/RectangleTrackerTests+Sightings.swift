// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARVision
import Foundation
import TestSupport
import Testing
@testable import ARWorld

/// What is reported of what was seen, and for how long.
extension RectangleTrackerTests {
    /// Of two rectangles one is shown by two searches in three, the other by the third. After the first few the one is reported always, the
    /// other never; the pictures between searches, in which what was found is followed, say nothing.
    @Test(arguments: [1, 3]) func whatIsSeldomSeenIsNotReported(interval: Int) throws {
        var random = TestRandom(case: interval)
        var rare = sampleCard
        rare.worldFromRectangle.translation += Vector3(-0.15, 0, 0.05)
        var tracker = RectangleTracker()
        var (often, seldom) = (0, 0)
        for number in 0..<40 * interval {
            let frame = Self.frame(number)
            let search = number / interval
            let shapes = search % 3 == 0 ? [rare] : [sampleCard]
            var detections = Self.detections(shapes.map { Self.detection(of: $0, in: frame, &random) })
            if number % interval > 0 { detections.searched = nil }
            let found = tracker.update(
                with: detections, in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            guard search >= 6 else { continue }
            often += found.contains { Self.error(of: $0, from: sampleCard) < 0.01 } ? 1 : 0
            seldom += found.contains { Self.error(of: $0, from: rare) < 0.01 } ? 1 : 0
        }
        #expect(often == 34 * interval && seldom == 0)
    }

    /// Where no more rectangles are asked for than a picture shows, what is missing may only have been left out; and where nobody says what
    /// was looked for, nothing is missed.
    @Test(arguments: [1, nil]) func whatMayBeLeftOutIsNotMissed(limit: Int?) throws {
        var random = TestRandom()
        var other = sampleCard
        other.worldFromRectangle.translation += Vector3(-0.15, 0, 0.05)
        var tracker = RectangleTracker()
        var found: [TrackedRectangle] = []
        for number in 0..<60 {
            let frame = Self.frame(number)
            var detections = Self.detections([Self.detection(of: number < 20 ? sampleCard : other, in: frame, &random)])
            detections.searched = limit.map { limit in
                var configuration = Self.anyShape
                configuration.maximumObservations = limit
                return configuration
            }
            found = tracker.update(
                with: detections, in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            #expect(found.count == (number < 2 ? 0 : number < 22 ? 1 : 2), "\(number)")
        }
    }

    /// What is smaller, narrower or more askew than what is looked for is not missed.
    @Test func whatIsNotLookedForIsNotMissed() throws {
        let limits: [(inout RectangleDetector.Configuration) -> Void] = [
            { $0.minimumSize = 0.5 }, { $0.minimumAspectRatio = 0.95 }, { $0.quadratureTolerance = 0.01 },
            { $0.maximumAspectRatio = 0.3 },
        ]
        for limit in limits {
            var random = TestRandom()
            var tracker = RectangleTracker()
            var found: [TrackedRectangle] = []
            for number in 0..<60 {
                let frame = Self.frame(number)
                var detections = Self.detections(
                    number < 20 ? [Self.detection(of: sampleCard, in: frame, &random)] : [])
                if number >= 20 {
                    var searched = Self.anyShape
                    limit(&searched)
                    detections.searched = searched
                }
                found = tracker.update(
                    with: detections, in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            }
            #expect(found.count == 1)
        }
    }

    /// A card that is taken away after thirty searches is still reported after ten more, not after forty; while nobody looks at its place it
    /// is remembered, and with its code always. When it lies there again, it is back after three searches, the same as before.
    @Test(arguments: [false, true]) func whatWasTakenAwayIsGone(hasCode: Bool) throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        var found: [TrackedRectangle] = []
        func look(_ numbers: Range<Int>, isThere: Bool, isAside: Bool = false) {
            for number in numbers {
                let frame = isAside ? Self.aside(Self.frame(number)) : Self.frame(number)
                let codes = hasCode && isThere ? [Self.code("queen", on: sampleCard, in: frame)] : []
                found = tracker.update(
                    with: Self.detections(
                        isThere ? [Self.detection(of: sampleCard, in: frame, &random)] : [], codes: codes),
                    in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            }
        }
        look(0..<30, isThere: true)
        let identifier = try #require(found.first?.identifier)
        look(30..<130, isThere: false, isAside: true)
        #expect(found.map(\.identifier) == [identifier])
        look(130..<140, isThere: false)
        #expect(found.map(\.identifier) == [identifier])
        look(140..<230, isThere: false)
        #expect(found.map(\.identifier) == (hasCode ? [identifier] : []))
        look(230..<233, isThere: true)
        #expect(found.map(\.identifier) == [identifier])
    }
}
