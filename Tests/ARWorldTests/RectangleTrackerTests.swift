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
    static let center = sampleCard.worldFromRectangle.translation

    /// From where cards are seen, in metres.
    static let distance = 0.45

    /// The camera at a moment: it swings about the card by 0.5 rad in a second.
    static func frame(_ number: Int, state: TrackingState = .normal) -> TrackedFrame {
        let seconds = Double(number) / 30
        let eye = stand(
            around: center, distance: distance, elevation: 0.8 + 0.1 * sin(2 * seconds), azimuth: 0.5 * sin(seconds))
        return sampleFrame(from: eye, lookingAt: center, seconds: seconds, state: state)
    }

    /// The camera turned so far that it does not see the cards any more.
    static func aside(_ frame: TrackedFrame) -> TrackedFrame {
        var frame = frame
        frame.worldFromCamera.rotation = frame.worldFromCamera.rotation * Rotation(rotationVector: Vector3(0, 1, 0))
        return frame
    }

    /// The table on which cards lie, so much too high.
    static func table(tooHighBy error: Double) -> PlaneAnchor {
        samplePlane(
            "table", worldFromAnchor: RigidTransform(translation: Vector3(0, 0.74 + error, 0)), width: 2, depth: 2)
    }

    /// What a picture shows of a rectangle, with corners named as the picture has them.
    static func detection(
        of shape: RectangleShape, in frame: TrackedFrame, _ random: inout TestRandom
    ) -> DetectedRectangle? {
        shape.quad(in: frame).map {
            DetectedRectangle(quad: $0.withNoise(0.2, &random).upright, confidence: 1, cornerDeviationPixels: 0.2)
        }
    }

    /// A code in the middle of a card, its top along the card's.
    static func code(_ payload: String, on shape: RectangleShape, in frame: TrackedFrame) -> DetectedCode? {
        var inner = shape
        inner.size = RectangleSize(width: 0.034, height: 0.034)
        return inner.quad(in: frame).map {
            DetectedCode(payload: payload, payloadBytes: Array(payload.utf8), symbology: .qr, quad: $0)
        }
    }

    /// A search for rectangles of all shapes and sizes.
    static let anyShape: RectangleDetector.Configuration = {
        var configuration = RectangleDetector.Configuration()
        configuration.minimumAspectRatio = 0.1
        configuration.quadratureTolerance = 1.2
        configuration.minimumSize = 0.02
        configuration.maximumObservations = 0
        return configuration
    }()

    static func detections(_ rectangles: [DetectedRectangle?], codes: [DetectedCode?] = []) -> Detections {
        var detections = Detections()
        detections.rectangles = rectangles.compactMap { $0 }
        detections.codes = codes.compactMap { $0 }
        detections.searched = Self.anyShape
        return detections
    }

    static func error(of found: TrackedRectangle, from truth: RectangleShape) -> Double {
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
