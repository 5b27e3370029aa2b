// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

/// Two prints of one emblem on a wall, and what a session knows of them.
@Suite(.tags(.slow), .whenSlowTestsRun) struct ImageTargetSessionTests {
    /// A camera that goes by a wall with a print of 0.15 m and one of 0.3 m; frames in which nothing is rendered twice.
    private static func source() throws -> SceneSession {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            format: arsim-scene/1
            name: prints
            summary: Two prints of one emblem on a wall.
            seed: 7
            duration_s: 2
            camera: {size_px: [640, 480], rate_hz: 8, focal_px: [560, 560], principal_point_px: [319.5, 239.5]}
            camera_path:
              waypoints:
                - {at_s: 0, position_m: [-0.5, 1.3, 0.9], look_at_m: [0, 1.2, 0]}
                - {at_s: 2, position_m: [0.5, 1.1, 0.8], look_at_m: [0, 1.2, 0]}
            light: {direction: [0, 1, 1]}
            materials:
              - {name: wall, kind: plaster, color_srgb: [0.66, 0.68, 0.66], second_color_srgb: [0.5, 0.52, 0.5], scale_m: 0.1}
              - {name: emblem, kind: emblem, emblem: 14}
            quads: [{name: wall, center_m: [0, 1.2, 0], facing: [0, 0, 1], size_m: [4, 3], material: wall}]
            prints:
              - {name: small, center_m: [-0.22, 1.2, 0.001], facing: [0, 0, 1], size_m: [0.15, 0.15], material: emblem}
              - {name: large, center_m: [0.18, 1.2, 0.001], facing: [0, 0, 1], size_m: [0.3, 0.3], material: emblem}
            planes: [{name: wall, surface: wall, classification: wall}]
            """, to: "scene.yaml")
        return try SceneSession(scene: Scene(contentsOf: folder("scene.yaml")))
    }

    /// The frames of a session that knows the emblem by a width.
    private static func frames(width: Double?, estimatesScale: Bool = false) throws -> [SessionFrame] {
        let database = try TargetDatabase(building: [InventedClub(number: 14).reference(physicalWidth: width)])
        let search = ImageTargetSearch(databases: [("clubs", database)], estimatesScale: estimatesScale)
        var session = try Session(pinned: source(), configuration: SessionConfiguration(imageTargets: search))
        var frames: [SessionFrame] = []
        while let frame = try session.next() { frames.append(frame) }
        return frames
    }

    private static func anchors(_ frame: SessionFrame) -> [ImageAnchor] {
        frame.world.anchors.compactMap { if case .image(let anchor) = $0 { anchor } else { nil } }
    }

    @Test func bothPrintsAreNamedToldApartAndPlaced() throws {
        let frames = try Self.frames(width: 0.15, estimatesScale: true)
        let last = try #require(frames.last)
        let targets = try #require(last.targets)
        #expect(targets.map(\.identity.name) == ["emblem-14", "emblem-14"])
        #expect(Set(targets.map(\.identifier)).count == 2)
        #expect(targets[0].target.record["name"] == .string(InventedClub(number: 14).emblem.clubName))
        let anchors = Self.anchors(last).sorted { $0.worldFromAnchor.translation.x < $1.worldFromAnchor.translation.x }
        #expect(Set(anchors.map(\.identifier)) == Set(targets.map(\.identifier)))
        // The one as large as stated, and the one that is twice as large.
        for (anchor, (x, scale)) in zip(anchors, [(-0.22, 1.0), (0.18, 2.0)]) {
            #expect((anchor.worldFromAnchor.translation - Vector3(x, 1.2, 0.001)).length < 0.01, "\(anchor)")
            #expect((anchor.worldFromAnchor.rotation * Vector3(0, 1, 0)).dot(Vector3(0, 0, 1)) > 0.998)
            #expect((anchor.worldFromAnchor.rotation * Vector3(0, 0, -1)).dot(Vector3(0, 1, 0)) > 0.998)
            expectClose(anchor.estimatedScaleFactor / scale, 1, tolerance: 0.03)
        }
    }

    /// A size that nobody stated follows from the wall.
    @Test func sizesThatNobodyStated() throws {
        let frames = try Self.frames(width: nil)
        let sizes = Self.anchors(try #require(frames.last)).map(\.physicalSize.width).sorted()
        try #require(sizes.count == 2)
        expectClose(sizes[0], 0.15, tolerance: 0.006)
        expectClose(sizes[1], 0.3, tolerance: 0.012)
    }

    @Test func evaluationsOfFramesAndOfTracesAgree() throws {
        let folder = try TemporaryFolder()
        let source = try Self.source()
        let database = try TargetDatabase(building: [InventedClub(number: 14).reference(physicalWidth: 0.15)])
        let search = ImageTargetSearch(databases: [("clubs", database)], estimatesScale: true)
        var session = try Session(pinned: source, configuration: SessionConfiguration(imageTargets: search))
        let writer = try TraceWriter(creating: folder("trace.jsonl"), for: session)
        var answers = SessionAnswers(mode: "pinned")
        while let frame = try session.next() {
            answers.frames.append(FrameAnswers(frame))
            try writer.append(frame)
        }
        try writer.finish()
        let read = try SessionAnswers(contentsOf: folder("trace.jsonl"))
        for (read, answer) in zip(read.frames, answers.frames) {
            #expect(read.targets?.map(\.picture) == answer.targets?.map(\.picture))
            #expect(read.targets?.map(\.quad) == answer.targets?.map(\.quad))
            #expect(
                read.targets?.map { $0.cameraFromTarget?.translation }
                    == answer.targets?.map { $0.cameraFromTarget?.translation })
        }
        let world = try #require(
            try WorldEvaluation(of: read, against: source, truthFromSession: Similarity(.identity)))
        let targets = try #require(world.targets)
        #expect(targets.namedCount == 2 && targets.wrongNameCount == 0 && targets.misplacedCount == 0)
        #expect(try #require(targets.all.recall) > 0.7)
        #expect(try #require(targets.all.cornerPixels).median < 1)
        #expect(try #require(targets.all.turn).median < 0.04)
    }
}
