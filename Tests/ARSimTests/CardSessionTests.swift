// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

/// The card's program from a scene: a rectangle with a code in it is found, measured, read and copied.
@Suite(.tags(.slow), .whenSlowTestsRun) struct CardSessionTests {
    /// Thirty frames of the card's scene from near by, with exact poses: the hand needs a second to show the desk from two sides.
    private static func session() throws -> (Session, any TruthStream) {
        let scenes = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Scenes").standardized
        let scene = try Scene(
            contentsOf: scenes.appendingPathComponent("card.yaml"),
            settings: [
                SceneSetting("duration_s=1.2"), SceneSetting("camera.rate_hz=25"),
                SceneSetting("camera_path.distance_m=0.2"),
            ])
        let source = try SceneSession(scene: scene)
        let session = try Session(
            pinned: source, configuration: SessionConfiguration(pictureSearch: .cards))
        return (session, source.makeTruthStream())
    }

    @Test func theCardIsFoundMeasuredReadAndCopied() throws {
        var (session, truths) = try Self.session()
        var last: SessionFrame?
        while let frame = try session.next() { last = frame }
        let frame = try #require(last)
        let truth = try #require(try truths.truth(at: frame.timestamp))
        let (trueCorners, payload) = (
            try #require(truth.rectangles.first { $0.name == "queen" }).corners.inWorld,
            try #require(truth.codes.first).payload
        )
        let cards = (frame.rectangles ?? []).filter { $0.code?.payload == payload }
        let card = try #require(
            cards.first { ($0.rectangle.corners[0] - trueCorners[0]).length < 0.002 }, "no card where the card is")
        for (found, known) in zip(card.rectangle.corners, trueCorners) { #expect((found - known).length < 0.001) }
        #expect(abs(card.rectangle.size.width - 0.063) < 0.001 && abs(card.rectangle.size.height - 0.088) < 0.001)
        #expect(
            frame.world.anchors.contains {
                if case .rectangle(let anchor) = $0 { anchor.identifier == card.identifier } else { false }
            })

        let codes = frame.world.anchors.compactMap { if case .code(let anchor) = $0 { anchor } else { nil } }
        #expect(
            codes.contains {
                $0.payload == payload && ($0.worldFromAnchor.translation - card.rectangle.center).length < 0.03
            })

        // What is copied from the frame can be read again, and the quadrilateral lies where the card does.
        let copy = try #require(RectangleCopy(of: card, in: frame))
        #expect(CodeReader().read(in: copy.texture).map(\.payload) == [payload])
        let folder = try TemporaryFolder()
        try copy.write(placedAs: card.rectangle, to: folder("card.obj"))
        let model = try String(contentsOf: folder("card.obj"), encoding: .utf8)
        let vertices = model.split(separator: "\n").filter { $0.hasPrefix("v ") }.map { line in
            let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
            return Point3(numbers[0], numbers[1], numbers[2])
        }
        #expect(vertices.count == 4)
        for (vertex, known) in zip(vertices, trueCorners) { #expect((vertex - known).length < 0.001) }
        // Seen from above, against +Y, the face goes anticlockwise: corners are clockwise, and the face runs backwards.
        #expect(model.contains("f 4/4/1 3/3/1 2/2/1 1/1/1"))
        #expect(try ImageFile.read(folder("card.png")) == copy.texture)
        #expect(try String(contentsOf: folder("card.mtl"), encoding: .utf8).contains("map_Kd card.png"))

        // Drawn where it lies, the copy changes little of what it covers, and something: there it has its own resolution.
        let plain = frame.picture(with: session.drawing, showing: [])
        let drawn = frame.picture(with: session.drawing, showing: [], copies: [copy])
        let code = try #require(frame.detections?.codes.first).quad
        var differences: [Int] = []
        for row in 0..<plain.size.height {
            for column in 0..<plain.size.width where code.contains(PixelPoint(Double(column), Double(row))) {
                let byte = row * plain.bytesPerRow + 3 * column
                differences.append(abs(Int(plain.bytes[byte]) - Int(drawn.bytes[byte])))
            }
        }
        #expect(differences.count > 1000 && differences.contains { $0 > 0 })
        #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 20)
    }

    /// What is not looked for is not found, and costs nothing.
    @Test func withoutASearchNothingIsFound() throws {
        var (session, _) = try Self.session()
        var plain = try Session(
            pinned: SceneSession(
                scene: Scene(
                    contentsOf: URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Scenes/card.yaml")
                        .standardized, settings: [SceneSetting("duration_s=0.1")])))
        let (looked, not) = (try #require(try session.next()), try #require(try plain.next()))
        #expect(looked.detections?.codes.isEmpty == false && looked.rectangles != nil)
        #expect(not.detections == nil && not.rectangles == nil)
    }

    /// The camera stops for a third of a second while the hand moves on: these frames show what the one before has shown, and nothing in the
    /// world changes, though the pose does.
    @Test func anOldPictureTellsNothingNew() throws {
        let scenes = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Scenes").standardized
        let scene = try Scene(
            contentsOf: scenes.appendingPathComponent("card.yaml"),
            settings: [
                SceneSetting("duration_s=3.4"), SceneSetting("faults=[{frozen_frames: {from_s: 2.8, to_s: 3.13}}]"),
            ])
        var session = try Session(
            tracking: SceneSession(scene: scene).faulted(), configuration: SessionConfiguration(pictureSearch: .cards))
        var (before, last, oldCount): (SessionFrame?, SessionFrame?, Int) = (nil, nil, 0)
        while let frame = try session.next() {
            if frame.showsOldPicture, let before {
                oldCount += 1
                // What the last new picture told takes effect in the frame after it.
                #expect(frame.trackingState == .normal && (oldCount == 1 || frame.world.changes.isEmpty))
                #expect(frame.detections == before.detections && frame.rectangles == before.rectangles)
                #expect(frame.worldFromCamera != before.worldFromCamera)
            }
            (before, last) = (frame, frame)
        }
        #expect(oldCount >= 9 && session.counts.repeatedPictures == oldCount)
        #expect(try #require(last).rectangles?.contains { $0.code != nil } == true)
    }
}
