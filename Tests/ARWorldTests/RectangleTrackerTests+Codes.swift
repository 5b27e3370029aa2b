// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARVision
import Foundation
import TestSupport
import Testing
@testable import ARWorld

/// What codes say of the rectangles that they are on.
extension RectangleTrackerTests {
    /// A code is read in some pictures: it names the card and its corners, whichever way the picture shows them, for good.
    @Test(arguments: [0.35, 1.9, -2.8, -1.2]) func codesNameTheCard(heading: Double) throws {
        var random = TestRandom()
        let card = sampleCard.turned(toHeading: heading)
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
        let card = sampleCard.turned(toHeading: heading)
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

    /// The picture in which the code is read also shows the card beside its place, and does not count: the corners that are
    /// reported are named as the code is all the same.
    @Test func codesNameCornersInPicturesThatAreLeftOut() throws {
        var random = TestRandom()
        let card = sampleCard.turned(toHeading: -1.2)
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
}
