// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct MotionBlurTests {
    /// A white strip on black, 0.5 m below a camera that moves sideways at an even speed.
    private static func session(
        speed: Double, change: (inout Scene.CameraSettings) -> Void
    ) throws -> SceneSession {
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.finger = nil
        scene.materials[0].kind = .plain
        scene.materials[0].color = Vector3(1, 1, 1)
        scene.quads[0].size = Vector2(0.2, 2)
        scene.light.sun = 0
        scene.light.ambient = 1
        scene.light.background = .zero
        scene.camera.size = ImageSize(width: 320, height: 64)
        scene.camera.focalPixels = Vector2(250, 250)
        scene.camera.principalPointPixels = Vector2(159.5, 31.5)
        scene.camera.rateInHertz = 20
        scene.camera.pixelFormat = .gray8
        scene.camera.transfer = .linear
        scene.camera.hasMotionBlur = true
        change(&scene.camera)
        scene.durationSeconds = 0.2
        scene.cameraPath.intervalSeconds = 0.2
        scene.cameraPath.waypoints = [-0.1, 0.1].map { time in
            var waypoint = Scene.Waypoint()
            waypoint.position = Point3(time * speed, 0.5, 1e-6)
            waypoint.lookAt = Point3(time * speed, 0, 0)
            return waypoint
        }
        return try SceneSession(scene: scene, threads: 1)
    }

    /// An edge that moves is as wide as its speed times the exposure: its slope has the variance of a box of that width,
    /// and of two pixels.
    @Test(arguments: [(0.4, 20.0), (0.8, 20), (1.2, 30)])
    func edgesAreAsWideAsTheirMotion(speed: Double, milliseconds: Double) throws {
        let session = try Self.session(speed: speed) {
            $0.exposureMilliseconds = milliseconds
            $0.saturationMilliseconds = milliseconds
        }
        let image = session.image(ofFrame: 2, by: session.makeCamera())
        let row = image.bytes[(31 * 320)..<(32 * 320)].map { Double($0) / 255 }
        // From the black on the left to the white in the middle.
        let slopes = (1..<160).map { row[$0] - row[$0 - 1] }
        let rise: Double = slopes.reduce(0, +)
        let mean = slopes.indices.reduce(0) { $0 + Double($1) * slopes[$1] } / rise
        let variance = slopes.indices.reduce(0) { $0 + pow(Double($1) - mean, 2) * slopes[$1] } / rise
        let width = speed * milliseconds * 1e-3 * 250 / 0.5
        // The picture of the edge is a mean over n places in the width, and over the pixel; so is a slope between pixels.
        let shots = Double(MotionBlur(maximumCount: 24).shotCount(pixels: width))
        let expected = width * width * (1 - 1 / (shots * shots)) / 12 + 2.0 / 12
        #expect(abs(rise - 1) < 1e-9)
        // The edge of a shot lies at an eighth of a pixel, for an edge's pixels have eight samples. Shots that are nearly a
        // pixel apart have roundings that grow with the place: up to 1 / (4 · width) of the variance, 3 % at 8 pixels.
        #expect(abs(variance / expected - 1) < 0.04, "\(variance) instead of \(expected)")
    }

    /// A thing that fills the picture and moves is blurred, though its corners are all outside.
    @Test func whatFillsThePictureIsSeenMoving() throws {
        var scene = try Self.session(speed: 0) { $0.exposureMilliseconds = 30 }.scene
        scene.quads[0].size = Vector2(5, 5)
        var motion = Scene.Motion()
        motion.keyframes = [0, 1].map { time in
            var keyframe = Scene.MotionKeyframe()
            keyframe.seconds = time
            keyframe.offset = Vector3(0.8 * time, 0, 0)
            return keyframe
        }
        scene.quads[0].motion = motion
        let session = try SceneSession(scene: scene, threads: 1)
        let camera = session.makeCamera()
        let shots = [-0.015, 0, 0.015].map { session.shot(at: 0.1 + $0) }
        camera.renderer.render(shots[1], into: RadianceImage(size: scene.camera.size))
        let pixels = camera.renderer.imageMotion(
            through: scene.camera.model, outlines: session.stage.model.surfaces.map(\.movingOutline), in: shots[1],
            from: shots[0], to: shots[2])
        // The motion starts and ends gently: in the middle of it, it is as fast as keyframes let it be; here it is slower.
        let way =
            shots[2].movements[0].worldFromObject.translation.x - shots[0].movements[0].worldFromObject.translation.x
        #expect(way > 0.001)
        #expect(abs(pixels - way * 250 / 0.5) < 1e-3 * pixels)
    }

    /// A camera that stands still sees the same with blur and without.
    @Test func standstillIsSharp() throws {
        let blurred = try Self.session(speed: 0) { $0.exposureMilliseconds = 30 }
        let sharp = try Self.session(speed: 0) {
            $0.exposureMilliseconds = 30
            $0.hasMotionBlur = false
        }
        #expect(
            blurred.image(ofFrame: 2, by: blurred.makeCamera()) == sharp.image(ofFrame: 2, by: sharp.makeCamera()))
    }

    /// Blur moves light, it makes none: where the strip stays inside the picture, the sum of all values is the same.
    @Test func lightIsKept() throws {
        func sum(_ hasBlur: Bool) throws -> Double {
            let session = try Self.session(speed: 0.8) { $0.hasMotionBlur = hasBlur }
            return Double(session.image(ofFrame: 2, by: session.makeCamera()).bytes.reduce(0) { $0 + Int($1) })
        }
        let (blurred, sharp) = (try sum(true), try sum(false))
        #expect(abs(blurred / sharp - 1) < 0.003)
    }

    /// Each row's blur is about its own instant: a rolling picture is blurred, sheared, and its edges' middles are where
    /// the edge is projected.
    @Test func rowsAndBlurTogether() throws {
        let session = try Self.session(speed: 1) {
            $0.readoutMilliseconds = 40
            $0.exposureMilliseconds = 20
            $0.saturationMilliseconds = 20
        }
        let image = session.image(ofFrame: 2, by: session.makeCamera())
        let time = session.timestamp(ofFrame: 2)
        for row in [3, 20, 45, 60] {
            let values = image.bytes[(row * 320)..<(row * 320 + 160)].map { Double($0) / 255 }
            // The column up to which the row would be black if the edge were sharp.
            let edge = Double(values.count) - values.reduce(0, +) - 0.5
            let depth = (Double(row) - 31.5) / 250 * 0.5
            let projected = try #require(session.project(Point3(-0.1, 0, depth), inFrameAt: time))
            #expect(abs(projected.y - Double(row)) < 0.01)
            #expect(abs(projected.x - edge) < 0.1)
        }
    }

    @Test func shotsAreOddBoundedAndEnough() {
        let blur = MotionBlur(maximumCount: 24)
        for pixels in stride(from: 0.0, through: 60, by: 0.1) {
            let count = blur.shotCount(pixels: pixels)
            #expect(count % 2 == 1 && count <= 23)
            #expect(Double(count) >= pixels || count == 23 || pixels <= 0.5 || Double(count) >= pixels - 1e-9)
        }
        #expect(blur.shotCount(pixels: 0.4) == 1)
        #expect(blur.shotCount(pixels: .infinity) == 23)
        #expect(MotionBlur(maximumCount: 1).shotCount(pixels: 9) == 1)
        for count in [1, 3, 7, 23] {
            let fractions = MotionBlur.fractions(count: count)
            #expect(abs(fractions.reduce(0, +)) < 1e-12 && fractions.contains(0) && fractions.count == count)
        }
    }
}
