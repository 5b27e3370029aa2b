// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARVision
import Foundation
import TestSupport
import Testing
@testable import ARWorld

/// Cards that are looked at from picture to picture.
@Suite struct RectangleTrackerTests {
    private static let center = sampleCard.worldFromRectangle.translation

    /// From where cards are seen, in metres.
    private static let distance = 0.45

    /// The camera at a moment: it swings about the card by 0.5 rad in a second.
    private static func frame(_ number: Int, state: TrackingState = .normal) -> TrackedFrame {
        let seconds = Double(number) / 30
        let eye = stand(
            around: center, distance: distance, elevation: 0.8 + 0.1 * sin(2 * seconds), azimuth: 0.5 * sin(seconds))
        return sampleFrame(from: eye, lookingAt: center, seconds: seconds, state: state)
    }

    /// The camera turned so far that it does not see the cards any more.
    private static func aside(_ frame: TrackedFrame) -> TrackedFrame {
        var frame = frame
        frame.worldFromCamera.rotation = frame.worldFromCamera.rotation * Rotation(rotationVector: Vector3(0, 1, 0))
        return frame
    }

    /// The table on which cards lie, so much too high.
    private static func table(tooHighBy error: Double) -> PlaneAnchor {
        samplePlane(
            "table", worldFromAnchor: RigidTransform(translation: Vector3(0, 0.74 + error, 0)), width: 2, depth: 2)
    }

    /// What a picture shows of a rectangle, with corners named as the picture has them.
    private static func detection(
        of shape: RectangleShape, in frame: TrackedFrame, _ random: inout TestRandom
    ) -> DetectedRectangle? {
        shape.quad(in: frame).map {
            DetectedRectangle(quad: $0.withNoise(0.2, &random).upright, confidence: 1, cornerDeviationPixels: 0.2)
        }
    }

    /// A code in the middle of a card, its top along the card's.
    private static func code(_ payload: String, on shape: RectangleShape, in frame: TrackedFrame) -> DetectedCode? {
        var inner = shape
        inner.size = RectangleSize(width: 0.034, height: 0.034)
        return inner.quad(in: frame).map {
            DetectedCode(payload: payload, payloadBytes: Array(payload.utf8), symbology: .qr, quad: $0)
        }
    }

    /// A search for rectangles of all shapes and sizes.
    private static let anyShape: RectangleDetector.Configuration = {
        var configuration = RectangleDetector.Configuration()
        configuration.minimumAspectRatio = 0.1
        configuration.quadratureTolerance = 1.2
        configuration.minimumSize = 0.02
        configuration.maximumObservations = 0
        return configuration
    }()

    private static func detections(_ rectangles: [DetectedRectangle?], codes: [DetectedCode?] = []) -> Detections {
        var detections = Detections()
        detections.rectangles = rectangles.compactMap { $0 }
        detections.codes = codes.compactMap { $0 }
        detections.searched = Self.anyShape
        return detections
    }

    private static func error(of found: TrackedRectangle, from truth: RectangleShape) -> Double {
        (0..<4).map { turn in
            zip(found.rectangle.corners, truth.turned(by: turn).corners).map { ($0 - $1).length }.max() ?? .infinity
        }.min() ?? .infinity
    }

    /// With a plane that is a centimetre too high, with none, and with a good one: within a second the size is right to 1 %, and
    /// it is reported at once where a plane tells it.
    @Test(arguments: [0.01, -0.01, 0, nil]) func sizesAreNotThePlanesAlone(error: Double?) throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        var last: TrackedRectangle?
        for number in 0..<45 {
            let frame = Self.frame(number)
            let snapshot = WorldSnapshot(frame: frame, planes: error.map { [Self.table(tooHighBy: $0)] } ?? [])
            let found = tracker.update(
                with: Self.detections([Self.detection(of: sampleCard, in: frame, &random)]), in: snapshot)
            #expect(found.count <= 1)
            if error != nil, number == 2 { #expect(found.count == 1) }
            last = found.first
        }
        let card = try #require(last)
        #expect(card.state == .tracked)
        #expect(Self.error(of: card, from: sampleCard) < 0.002)
        let sides = [card.rectangle.size.width, card.rectangle.size.height].sorted()
        #expect(abs(sides[0] / 0.063 - 1) < 0.01, "\(sides)")
        #expect(abs(sides[1] / 0.088 - 1) < 0.01, "\(sides)")
        #expect(card.rectangle.largestAngleDeviation < 1e-9)
        #expect(card.rectangle.normal.y > 0.999)
    }

    /// From one stand a plane alone tells the size: a card as well as one that is ten times as large and as far away.
    @Test func whatAPlaneTellsOfASizeIsAsGoodFromAnywhere() throws {
        let table = Self.table(tooHighBy: 0)
        func deviation(_ scale: Double) throws -> Double {
            var random = TestRandom()
            var shape = sampleCard
            shape.size = RectangleSize(width: scale * shape.size.width, height: scale * shape.size.height)
            let eye = stand(around: Self.center, distance: scale * Self.distance, elevation: 0.8, azimuth: 0.3)
            var tracker = RectangleTracker()
            var found: [TrackedRectangle] = []
            for number in 0..<3 {
                let frame = sampleFrame(from: eye, lookingAt: Self.center, seconds: Double(number) / 30)
                found = tracker.update(
                    with: Self.detections([Self.detection(of: shape, in: frame, &random)]),
                    in: WorldSnapshot(frame: frame, planes: [table]))
            }
            let rectangle = try #require(found.first).rectangle
            return rectangle.sizeDeviation.width / rectangle.size.width
        }
        let (near, far) = (try deviation(1), try deviation(10))
        #expect(near > 0.005)
        #expect(abs(far / near - 1) < 0.05, "\(near), \(far)")
    }

    /// On a table above a floor, both of which are known: the card lies on the table, from the first report on, whether the
    /// camera moves or not.
    @Test(arguments: [true, false]) func cardsLieOnTheNearerPlane(isStill: Bool) throws {
        var random = TestRandom()
        for _ in 0..<8 {
            var tracker = RectangleTracker()
            let floor = samplePlane("floor", width: 10, depth: 10)
            for number in 0..<10 {
                let frame = Self.frame(isStill ? 0 : number)
                let found = tracker.update(
                    with: Self.detections([Self.detection(of: sampleCard, in: frame, &random)]),
                    in: WorldSnapshot(frame: frame, planes: [floor, Self.table(tooHighBy: 0)]))
                guard number >= 2 else { continue }
                #expect(Self.error(of: try #require(found.first), from: sampleCard) < 0.006, "\(number)")
            }
        }
    }

    /// With only the floor known, 0.74 m below the card, views from several stands refute it; the wrong size is forgotten.
    @Test func planesFarBelowAreRefuted() throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        let floor = samplePlane("floor", width: 10, depth: 10)
        var last: TrackedRectangle?
        for number in 0..<60 {
            let frame = Self.frame(number)
            last =
                tracker.update(
                    with: Self.detections([Self.detection(of: sampleCard, in: frame, &random)]),
                    in: WorldSnapshot(frame: frame, planes: [floor])
                ).first
            if number >= 30 { #expect(Self.error(of: try #require(last), from: sampleCard) < 0.006, "\(number)") }
        }
        #expect(Self.error(of: try #require(last), from: sampleCard) < 0.003)
    }

    /// The floor is known first, and the table when the camera has not yet moved: the card is lifted to the table at once.
    @Test func tablesFoundLaterLiftTheCard() throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        let floor = samplePlane("floor", width: 10, depth: 10)
        for number in 0..<30 {
            var frame = Self.frame(0)
            frame.timestamp = Self.frame(number).timestamp
            let found = tracker.update(
                with: Self.detections([Self.detection(of: sampleCard, in: frame, &random)]),
                in: WorldSnapshot(frame: frame, planes: number < 15 ? [floor] : [floor, Self.table(tooHighBy: 0)]))
            if number == 14 { #expect(try #require(found.first).rectangle.worldFromRectangle.translation.y < 0.1) }
            if number > 17 { #expect(Self.error(of: try #require(found.first), from: sampleCard) < 0.006, "\(number)") }
        }
    }

    /// A camera that rests above a plane that is too high by twice the plane's deviation sees the card 2 % too small for a
    /// minute: it gets no surer of it than it was. (What is measured counts twice at most: now, and as remembered.)
    @Test func standingStillTeachesNothing() throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        let height = 2 * tracker.settings.planeOffsetShare * Self.distance
        for number in 0..<600 {
            var frame = Self.frame(0)
            // As many seconds as would take far more pictures.
            frame.timestamp = Timestamp(nanoseconds: Int64(number) * 100_000_000)
            let found = tracker.update(
                with: Self.detections([Self.detection(of: sampleCard, in: frame, &random)]),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: height)]))
            guard number >= 5 else { continue }
            let card = try #require(found.first).rectangle
            let error = log(card.size.width * card.size.height / (0.063 * 0.088)) / 2
            #expect(abs(error) < 3.5 * card.sizeDeviation.width / card.size.width, "\(number)")
        }
    }

    /// Two cards side by side, out of sight for two seconds, in another order in the list.
    @Test func cardsKeepTheirIdentities() throws {
        var random = TestRandom()
        var other = sampleCard
        other.worldFromRectangle.translation += Vector3(0.12, 0, 0.02)
        var tracker = RectangleTracker()
        var identifiers: [UUID] = []
        for number in 0..<120 {
            let isHidden = (30..<90).contains(number)
            let frame = isHidden ? Self.aside(Self.frame(number)) : Self.frame(number)
            var seen = [sampleCard, other].map { Self.detection(of: $0, in: frame, &random) }
            if number >= 90 { seen.reverse() }
            let found = tracker.update(
                with: Self.detections(isHidden ? [] : seen),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            guard number >= 5 else { continue }
            try #require(found.count == 2, "\(number)")
            if identifiers.isEmpty { identifiers = found.map(\.identifier) }
            #expect(found.map(\.identifier) == identifiers)
            #expect(Set(identifiers).count == 2)
            #expect(Self.error(of: found[0], from: sampleCard) < 0.003)
            #expect(Self.error(of: found[1], from: other) < 0.003)
            #expect(found.allSatisfy { ($0.quad == nil) == isHidden })
            if number == 89 { #expect(found.allSatisfy { $0.state == .remembered }) }
            if !isHidden { #expect(found.allSatisfy { $0.state == .tracked }) }
        }
    }

    /// A card that glides over the table by 30 cm/s and turns is where it is, and rests where it is left.
    @Test func movedCardsAreFollowed() throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        var identifier: UUID?
        for number in 0..<90 {
            let frame = Self.frame(number)
            var card = sampleCard
            let way = Double(min(max(number - 30, 0), 20))
            card.worldFromRectangle.translation += Vector3(0.01 * way, 0, -0.003 * way)
            card.worldFromRectangle.rotation =
                Rotation(rotationVector: Vector3(0, 0.03 * way, 0)) * card.worldFromRectangle.rotation
            let found = tracker.update(
                with: Self.detections([Self.detection(of: card, in: frame, &random)]),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0.005)]))
            guard number >= 20 else { continue }
            try #require(found.count == 1, "\(number)")
            identifier = identifier ?? found[0].identifier
            #expect(found[0].identifier == identifier)
            // One step of lag at most: the first picture of a motion may be a mistake.
            #expect(Self.error(of: found[0], from: card) < ((31...51).contains(number) ? 0.014 : 0.006), "\(number)")
            if number > 80 { #expect(Self.error(of: found[0], from: card) < 0.003) }
        }
    }

    /// A code is read in some pictures: it names the card and its corners, whichever way the picture shows them, for good.
    @Test(arguments: [0.35, 1.9, -2.8, -1.2]) func codesNameTheCard(heading: Double) throws {
        var random = TestRandom()
        var card = sampleCard
        card.worldFromRectangle.rotation = Rotation(rotationVector: Vector3(0, heading, 0))
        var tracker = RectangleTracker()
        for number in 0..<40 {
            let frame = Self.frame(number)
            let read = number == 10 || number == 25 ? Self.code("queen", on: card, in: frame) : nil
            let found = tracker.update(
                with: Self.detections([Self.detection(of: card, in: frame, &random)], codes: [read]),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            guard number >= 3 else { continue }
            let rectangle = try #require(found.first)
            #expect(found.count == 1)
            guard number >= 10 else {
                #expect(rectangle.code == nil)
                continue
            }
            #expect(rectangle.code == TrackedRectangle.Code(payload: "queen", symbology: .qr))
            #expect(rectangle.anchor.name == "queen")
            for (a, b) in zip(rectangle.rectangle.corners, card.corners) { #expect((a - b).length < 0.003) }
            let error = try #require(rectangle.rectangle.heading) - heading
            #expect(abs(atan2(sin(error), cos(error))) < 0.02)
            #expect(abs(rectangle.rectangle.size.width - 0.063) < 0.002)
            let quad = try #require(rectangle.quad)
            #expect(
                zip(quad.corners, try #require(card.quad(in: frame)).corners).allSatisfy { $0.distance(to: $1) < 2 })
        }
    }

    /// A code of 34 mm in the middle of a card has its own place and size, also in pictures in which it is not read.
    @Test(arguments: [0.35, -2.8]) func codesHaveTheirPlace(heading: Double) throws {
        var random = TestRandom()
        var card = sampleCard
        card.worldFromRectangle.rotation = Rotation(rotationVector: Vector3(0, heading, 0))
        var tracker = RectangleTracker()
        for number in 0..<30 {
            let frame = Self.frame(number)
            let found = tracker.update(
                with: Self.detections(
                    [Self.detection(of: card, in: frame, &random)],
                    codes: [number % 10 == 9 ? Self.code("queen", on: card, in: frame) : nil]),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            guard number >= 9 else {
                #expect(found.allSatisfy { $0.codeAnchor == nil })
                continue
            }
            let code = try #require(found.first?.codeAnchor)
            #expect(code.payload == "queen")
            #expect(code.isTracked == (number % 10 == 9))
            #expect((code.worldFromAnchor.translation - card.worldFromRectangle.translation).length < 0.003)
            #expect(code.worldFromAnchor.rotation.angle(to: card.worldFromRectangle.rotation) < 0.05)
            #expect(abs(code.size.width - 0.034) < 0.001)
            #expect(abs(code.size.height - 0.034) < 0.001)
        }
    }

    /// A card with a code that comes back somewhere else is the same card; one with another code in its place is another.
    @Test func codesTellCardsApart() throws {
        var random = TestRandom()
        var moved = sampleCard
        moved.worldFromRectangle.translation += Vector3(-0.15, 0, 0.05)
        var tracker = RectangleTracker()
        var found: [TrackedRectangle] = []
        func show(_ cards: [(RectangleShape, String)], from first: Int, _ random: inout TestRandom) {
            for number in first..<first + 20 {
                let frame = Self.frame(number)
                found = tracker.update(
                    with: Self.detections(
                        cards.map { Self.detection(of: $0.0, in: frame, &random) },
                        codes: cards.map { Self.code($0.1, on: $0.0, in: frame) }),
                    in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            }
        }
        show([(sampleCard, "queen")], from: 0, &random)
        let queen = try #require(found.first?.identifier)
        show([], from: 20, &random)
        #expect(found.map(\.state) == [.remembered])
        show([(moved, "queen"), (sampleCard, "king")], from: 40, &random)
        #expect(found.count == 2)
        #expect(found[0].identifier == queen)
        #expect(found.map(\.code?.payload) == ["queen", "king"])
        #expect(Self.error(of: found[0], from: moved) < 0.003)
        #expect(Self.error(of: found[1], from: sampleCard) < 0.003)
    }

    /// Around a code on a card pictures show the code's own outline in all of them, the card in four of five, and what the card lies on in
    /// three of five: the code is the card's. Another card with the same code has it besides.
    @Test func aCodeIsOfOneRectangle() throws {
        var random = TestRandom()
        func sized(_ width: Double, _ height: Double) -> RectangleShape {
            var shape = sampleCard
            shape.size = RectangleSize(width: width, height: height)
            return shape
        }
        let (outline, sheet) = (sized(0.034, 0.034), sized(0.1, 0.14))
        var other = sampleCard
        other.worldFromRectangle.translation += Vector3(-0.15, 0, 0.05)
        var tracker = RectangleTracker()
        var found: [TrackedRectangle] = []
        for number in 0..<30 {
            let frame = Self.frame(number)
            var shapes = [outline, other]
            if number % 5 > 0 { shapes.append(sampleCard) }
            if number % 5 < 3 { shapes.append(sheet) }
            found = tracker.update(
                with: Self.detections(
                    shapes.map { Self.detection(of: $0, in: frame, &random) },
                    codes: [sampleCard, other].map { Self.code("queen", on: $0, in: frame) }),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
        }
        #expect(found.count == 4)
        let cards = found.filter { $0.code != nil }
        #expect(cards.count == 2 && cards.allSatisfy { $0.code?.payload == "queen" && $0.codeAnchor != nil })
        #expect(found.allSatisfy { $0.code != nil || $0.codeAnchor == nil })
        for card in [sampleCard, other] {
            #expect(cards.contains { Self.error(of: $0, from: card) < 0.003 })
        }
    }

    /// What hangs above a card and is seen around its code from here, now and then less often, has no code of its own, though the code's
    /// place in it is another than on the card.
    @Test func whatIsSeenAroundACodeSharesIt() throws {
        var random = TestRandom()
        var above = sampleCard
        above.worldFromRectangle.translation += 0.2 * (Self.frame(0).worldFromCamera.translation - Self.center)
        above.size = RectangleSize(width: 0.1, height: 0.14)
        var tracker = RectangleTracker()
        for number in 0..<40 {
            let frame = Self.frame(number)
            let found = tracker.update(
                with: Self.detections(
                    (number % 10 == 5 ? [sampleCard] : [above, sampleCard]).map {
                        Self.detection(of: $0, in: frame, &random)
                    },
                    codes: [Self.code("queen", on: sampleCard, in: frame)]),
                in: WorldSnapshot(frame: frame, planes: []))
            guard number >= 20 else { continue }
            #expect(found.count == 2, "\(number)")
            let cards = found.filter { $0.code != nil }
            #expect(cards.count == 1 && cards.allSatisfy { Self.error(of: $0, from: sampleCard) < 0.01 }, "\(number)")
        }
    }

    /// A trapezoid is never taken for a rectangle, and what was seen twice only is forgotten.
    @Test func whatIsNoRectangleIsNotReported() throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        for number in 0..<40 {
            let frame = Self.frame(number)
            var corners = sampleCard.corners
            corners[0] += 0.4 * (corners[1] - corners[0])
            let quad = PixelQuad(corners: corners.compactMap { frame.project($0) }).withNoise(0.2, &random)
            let seen = DetectedRectangle(quad: quad.upright, confidence: 1, cornerDeviationPixels: 0.2)
            let found = tracker.update(
                with: Self.detections([seen]), in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            #expect(found.isEmpty)
        }
        for number in 40..<60 {
            _ = tracker.update(with: Detections(), in: WorldSnapshot(frame: Self.frame(number), planes: []))
        }
        #expect(tracker.tracks.isEmpty)
    }

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

    /// A card that few searches show, around a code whose own outline all of them show, has the code all the same; and of two cards with
    /// one code, one that is covered for long keeps it.
    @Test func hiddenCardsKeepTheirCodes() throws {
        var random = TestRandom()
        var outline = sampleCard
        outline.size = RectangleSize(width: 0.034, height: 0.034)
        var other = sampleCard
        other.worldFromRectangle.translation += Vector3(-0.15, 0, 0.05)
        var tracker = RectangleTracker()
        var found: [TrackedRectangle] = []
        for number in 0..<90 {
            let frame = Self.frame(number)
            let shapes = [outline] + (number % 5 < 2 ? [sampleCard] : []) + (number < 20 ? [other] : [])
            found = tracker.update(
                with: Self.detections(
                    shapes.map { Self.detection(of: $0, in: frame, &random) },
                    codes: ([sampleCard] + (number < 20 ? [other] : [])).map { Self.code("queen", on: $0, in: frame) }),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
        }
        let cards = found.filter { $0.code != nil }
        #expect(cards.count == 2)
        for card in [sampleCard, other] {
            #expect(cards.contains { Self.error(of: $0, from: card) < 0.003 })
        }
    }

    /// Whatever limited frames show, only the quad goes at once, and the state after 0.3 s.
    @Test func rectanglesAreRememberedWhileTrackingIsLimited() throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        var before: [TrackedRectangle] = []
        for number in 0..<30 {
            let frame = Self.frame(number, state: number < 10 ? .normal : .limited(.excessiveMotion))
            var card = sampleCard
            if number >= 10 { card.worldFromRectangle.translation.x += 0.1 }
            let found = tracker.update(
                with: Self.detections([Self.detection(of: card, in: frame, &random)]),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            guard number >= 9 else { continue }
            if number == 9 { before = found }
            let expected = before.map { card in
                var card = card
                if number > 9 { card.quad = nil }
                if frame.timestamp.nanoseconds - card.lastSeen.nanoseconds > 300_000_000 { card.state = .remembered }
                return card
            }
            #expect(found == expected, "\(number)")
        }
        #expect(before.map(\.state) == [.tracked])
    }

    /// The picture in which the code is read also shows the card beside its place, and does not count: the corners that are
    /// reported are named as the code is all the same.
    @Test func codesNameCornersInPicturesThatAreLeftOut() throws {
        var random = TestRandom()
        var card = sampleCard
        card.worldFromRectangle.rotation = Rotation(rotationVector: Vector3(0, -1.2, 0))
        var tracker = RectangleTracker()
        for number in 0...20 {
            let frame = Self.frame(number)
            var seen = card
            if number == 20 { seen.worldFromRectangle.translation.x += 0.004 }
            let found = tracker.update(
                with: Self.detections(
                    [Self.detection(of: seen, in: frame, &random)],
                    codes: [number == 20 ? Self.code("queen", on: seen, in: frame) : nil]),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            guard number == 20 else { continue }
            #expect(tracker.tracks[0].views.count == 20)
            let rectangle = try #require(found.first).rectangle
            for (a, b) in zip(rectangle.corners, card.corners) { #expect((a - b).length < 0.003) }
            #expect(abs(rectangle.size.width - 0.063) < 0.002)
            #expect(abs(try #require(rectangle.heading) + 1.2) < 0.02)
        }
    }

    /// When the world is corrected, rectangles keep their places in it, and so does what they follow from.
    @Test func correctionsMoveEverything() throws {
        var random = TestRandom()
        var tracker = RectangleTracker()
        let correction = WorldCorrection(
            worldFromOldWorld: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0, 0.3, 0)), translation: Vector3(1, 0.2, -0.5)))
        for number in 0..<30 {
            var frame = Self.frame(number)
            let detected = Self.detection(of: sampleCard, in: frame, &random)
            var card = sampleCard
            if number >= 15 {
                frame.worldFromCamera = correction.worldFromOldWorld * frame.worldFromCamera
                card.worldFromRectangle = correction.worldFromOldWorld * card.worldFromRectangle
            }
            let snapshot = WorldSnapshot(frame: frame, anchors: [], correction: number == 15 ? correction : nil)
            let found = tracker.update(with: Self.detections([detected]), in: snapshot)
            guard number >= 14 else { continue }
            #expect(found.count == 1)
            #expect(Self.error(of: try #require(found.first), from: card) < 0.004, "\(number)")
            #expect(tracker.tracks[0].views.count == min(number + 1, tracker.settings.viewLimit))
        }
    }

    /// A card that is known by its code is not forgotten for the clutter that is seen later.
    @Test func whatHasACodeIsRememberedForLonger() throws {
        var random = TestRandom()
        var settings = RectangleTracker.Settings()
        settings.trackLimit = 4
        settings.leastSightingShare = 0
        var tracker = RectangleTracker(settings: settings)
        var found: [TrackedRectangle] = []
        for number in 0..<100 {
            let frame = Self.frame(number)
            var clutter = sampleCard
            // Every ten pictures, something else somewhere else.
            clutter.worldFromRectangle.translation += Vector3(-0.5 + 0.1 * Double(number / 10), 0, -0.15)
            let isCard = number < 10
            found = tracker.update(
                with: Self.detections(
                    [Self.detection(of: isCard ? sampleCard : clutter, in: frame, &random)],
                    codes: isCard ? [Self.code("queen", on: sampleCard, in: frame)] : []),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            #expect(tracker.tracks.count <= 4)
        }
        #expect(found.count == 4)
        #expect(found.first?.code?.payload == "queen")
    }

    /// A picture full of other things does not make a card forgotten that was reported, even without a code.
    @Test func clutterDoesNotPushOutWhatIsKnown() throws {
        var random = TestRandom()
        var settings = RectangleTracker.Settings()
        settings.trackLimit = 8
        settings.newcomerLimit = 6
        settings.leastSightingShare = 0
        var tracker = RectangleTracker(settings: settings)
        var identifier: UUID?
        for number in 0..<20 {
            let frame = Self.frame(number)
            let clutter = (0..<12).map { place in
                var thing = sampleCard
                thing.size.width *= 0.4 + 0.03 * Double(place)
                thing.worldFromRectangle.translation += Vector3(
                    0.08 * Double(place % 6) - 0.2, 0, place < 6 ? -0.15 : 0.13)
                return thing
            }
            let things = number < 10 ? [sampleCard] : number == 12 ? clutter : []
            let found = tracker.update(
                with: Self.detections(things.map { Self.detection(of: $0, in: frame, &random) }),
                in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            if number == 9 { identifier = found.first?.identifier }
            if number > 9 { #expect(found.map(\.identifier) == [try #require(identifier)], "\(number)") }
            if number == 12 { #expect(tracker.tracks.count == 7) }
        }
    }

    @Test func theSameInputGivesTheSameRectangles() {
        func run() -> [TrackedRectangle] {
            var random = TestRandom()
            var tracker = RectangleTracker()
            var found: [TrackedRectangle] = []
            for number in 0..<20 {
                let frame = Self.frame(number)
                found = tracker.update(
                    with: Self.detections([Self.detection(of: sampleCard, in: frame, &random)]),
                    in: WorldSnapshot(frame: frame, planes: [Self.table(tooHighBy: 0)]))
            }
            return found
        }
        #expect(run() == run())
    }
}
