// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

/// The main job from end to end: a finger writes on a desk, the session follows it, the writing becomes solids.
@Suite(.tags(.slow), .whenSlowTestsRun) struct DrawSceneTests {
    /// The shipped scene, seen with few pixels: poses and strokes do not depend on them.
    private func session(threads: Int? = nil) throws -> (scene: SceneSession, session: Session) {
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        var scene = try Scene(contentsOf: package.appendingPathComponent("Scenes/draw.yaml"))
        let shrink = 8
        scene.camera.size = ImageSize(
            width: scene.camera.size.width / shrink, height: scene.camera.size.height / shrink)
        scene.camera.focalPixels /= Double(shrink)
        scene.camera.principalPointPixels = (scene.camera.principalPointPixels + 0.5) / Double(shrink) - 0.5
        let source = try SceneSession(scene: scene, threads: threads)
        return (source, try Session(pinned: source, configuration: SessionConfiguration(pen: .trueFingertip)))
    }

    @Test func theSolidsAreClosedAndHaveTheTrueVolume() throws {
        var (scene, session) = try session()
        while try session.next() != nil {}
        let strokes = session.drawing.strokes
        try #require(strokes.count == scene.groundTruthStrokes.count)
        let height = 0.01
        for (solid, truth) in zip(
            try session.drawing.solids(SolidOptions(height: height)), scene.groundTruthStrokes)
        {
            #expect(solid.mesh.topology.isSolid)
            let trueVolume = height * areaCovered(by: truth.pointsInPlane, width: Stroke.defaultWidth)
            let error = abs(solid.mesh.signedVolume - trueVolume) / trueVolume
            #expect(error < 0.02, "\(solid.name): volume off by \(100 * error) %")
        }
    }

    @Test func everyPointDrawnLiesOnTheTruePath() throws {
        var (scene, session) = try session()
        while try session.next() != nil {}
        for (stroke, truth) in zip(session.drawing.strokes, scene.groundTruthStrokes) {
            let path = scene.pointsInWorld(of: truth)
            let farthest = stroke.pointsInWorld.map { point in path.map { ($0 - point).length }.min() ?? .infinity }
                .max()
            // The finger is seen 30 times a second; between two frames the pen goes straight, the finger does not.
            #expect(try #require(farthest) < 0.001)
            #expect(abs(stroke.length - truth.length) < 0.02 * truth.length)
        }
    }

    @Test func theNumberOfThreadsChangesNothing() throws {
        var (_, one) = try session(threads: 1)
        var (_, two) = try session(threads: 2)
        for _ in 0..<30 {
            let (a, b) = (try #require(try one.next()), try #require(try two.next()))
            #expect(a.image == b.image)
            #expect(a.worldFromCamera == b.worldFromCamera)
            #expect(a.pen == b.pen)
        }
    }

    /// The area within half the width of a path, counted in cells of 0.1 mm: independent of polygons.
    private func areaCovered(by path: [Point2], width: Double) -> Double {
        let cell = 1e-4
        var covered: Set<SIMD2<Int32>> = []
        for (start, end) in zip(path, path.dropFirst()) {
            let segment = Segment2(start, end)
            let low = (pointwiseMin(start, end) - width / 2) / cell
            let high = (pointwiseMax(start, end) + width / 2) / cell
            for column in Int32(low.x.rounded(.down))...Int32(high.x.rounded(.up)) {
                for row in Int32(low.y.rounded(.down))...Int32(high.y.rounded(.up)) {
                    let center = Point2(Double(column) + 0.5, Double(row) + 0.5) * cell
                    if segment.distance(to: center) <= width / 2 { covered.insert(SIMD2(column, row)) }
                }
            }
        }
        return Double(covered.count) * cell * cell
    }
}
