// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct MonotoneCurveTests {
    private static func times(_ random: inout TestRandom) -> [Double] {
        (0..<6).reduce([random.uniform(0...1)]) { times, _ in times + [times[times.count - 1] + random.uniform(0.1...2)]
        }
    }

    /// The curve passes through its values, stays between neighbours, and rests outside.
    @Test(arguments: 0..<30) func staysBetweenItsValues(number: Int) {
        var random = TestRandom(case: number)
        let times = Self.times(&random)
        var values = times.map { _ in random.vector2() }
        values[3] = values[2]
        let curve = MonotoneCurve(through: values, at: times)
        for (value, time) in zip(values, times) { expectClose(curve.value(at: time), value, tolerance: 1e-12) }
        #expect(curve.value(at: times[0] - 1) == values[0])
        #expect(curve.value(at: times[6] + 1) == values[6])
        for segment in 0..<6 {
            for step in 0...20 {
                let time = times[segment] + (times[segment + 1] - times[segment]) * Double(step) / 20
                let value = curve.value(at: time)
                for axis in 0..<2 {
                    let (a, b) = (values[segment][axis], values[segment + 1][axis])
                    #expect(value[axis] >= min(a, b) - 1e-12 && value[axis] <= max(a, b) + 1e-12)
                }
            }
        }
    }

    /// The slope just before a time is that just after it.
    @Test(arguments: 0..<30) func hasNoCorners(number: Int) {
        var random = TestRandom(case: number)
        let times = Self.times(&random)
        let curve = MonotoneCurve(through: times.map { _ in random.vector3() }, at: times)
        let step = 1e-6
        for time in times {
            let before = (curve.value(at: time) - curve.value(at: time - step)) / step
            let after = (curve.value(at: time + step) - curve.value(at: time)) / step
            // Second derivatives of up to 6 · 2 / 0.1² times the step.
            expectClose(after, before, tolerance: 2e-3)
        }
    }
}

@Suite struct ObjectMotionTests {
    private static func motion(_ random: inout TestRandom) -> Scene.Motion {
        var motion = Scene.Motion()
        motion.keyframes = (0..<4).map { index in
            var keyframe = Scene.MotionKeyframe()
            keyframe.seconds = Double(index) + random.uniform(0...0.5)
            keyframe.offset = random.vector3()
            keyframe.turnRadians = random.vector3(-2...2)
            return keyframe
        }
        return motion
    }

    @Test(arguments: 0..<10) func keyframesAreWhereTheyAre(number: Int) {
        var random = TestRandom(case: number)
        let rest = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let motion = Self.motion(&random)
        let object = ObjectMotion(worldFromRest: rest, motion)
        for keyframe in motion.keyframes {
            expectClose(
                object.worldFromObject(at: keyframe.seconds),
                RigidTransform(
                    rotation: rest.rotation * Rotation(rotationVector: keyframe.turnRadians),
                    translation: rest.translation + keyframe.offset), radians: 1e-12, metres: 1e-12)
        }
        #expect(ObjectMotion(worldFromRest: rest).worldFromObject(at: 3) == rest)
    }

    /// With keyframes, spin and swing together, velocity and angular velocity have no jumps.
    @Test(arguments: 0..<10) func motionIsSmooth(number: Int) {
        var random = TestRandom(case: number)
        var motion = Self.motion(&random)
        motion.spinRadiansPerSecond = random.vector3()
        var swing = Scene.Swing()
        (swing.offset, swing.turnRadians, swing.periodSeconds) = (random.vector3(), random.vector3(), 1.3)
        motion.swing = swing
        let object = ObjectMotion(worldFromRest: random.rigidTransform(), motion)
        let step = 1e-5
        func velocity(_ time: Double) -> (Vector3, Vector3) {
            let (a, b) = (object.worldFromObject(at: time - step), object.worldFromObject(at: time + step))
            return (
                (b.translation - a.translation) / (2 * step),
                (a.rotation.inverse * b.rotation).rotationVector / (2 * step)
            )
        }
        for time in stride(from: -0.5, to: 5, by: 0.01) {
            let (before, after) = (velocity(time), velocity(time + 1e-3))
            // Accelerations of up to some 200 m/s² (rad/s²) over a millisecond; a corner would jump by metres a second.
            expectClose(after.0, before.0, tolerance: 0.25)
            expectClose(after.1, before.1, tolerance: 0.25)
        }
    }

    @Test func spinAndSwingDoWhatTheySay() {
        var motion = Scene.Motion()
        motion.spinRadiansPerSecond = Vector3(0, 2, 0)
        var swing = Scene.Swing()
        (swing.offset, swing.periodSeconds, swing.phaseRadians) = (Vector3(0.5, 0, 0), 4, .pi / 2)
        motion.swing = swing
        let object = ObjectMotion(worldFromRest: .identity, motion)
        expectClose(object.worldFromObject(at: 0).translation, Vector3(0.5, 0, 0), tolerance: 1e-12)
        expectClose(object.worldFromObject(at: 2).translation, Vector3(-0.5, 0, 0), tolerance: 1e-12)
        expectClose(
            object.worldFromObject(at: 0.25).rotation, Rotation(rotationVector: Vector3(0, 0.5, 0)), tolerance: 1e-12)
    }

    @Test func headsFollowTheirPoses() {
        var head = Scene.Head()
        (head.position, head.facing) = (Point3(1, 2, 3), Vector3(1, 0, 0))
        var pose = Scene.HeadPose()
        (pose.seconds, pose.offset, pose.yawRadians, pose.pitchRadians) = (1, Vector3(0, 0.1, 0), 0.4, 0.3)
        head.poses = [Scene.HeadPose(), pose]
        let motion = HeadMotion(head)
        let forward = Vector3(0, 0, 1)
        expectClose(motion.worldFromHead(at: 0).rotation * forward, Vector3(1, 0, 0), tolerance: 1e-12)
        expectClose(motion.worldFromHead(at: 0).rotation * Vector3(1, 0, 0), Vector3(0, 0, -1), tolerance: 1e-12)
        expectClose(motion.worldFromHead(at: 2).translation, Point3(1, 2.1, 3), tolerance: 1e-12)
        // Turned to its left, towards −Z, and nodding.
        let looks = motion.worldFromHead(at: 2).rotation * forward
        expectClose(looks, Vector3(cos(0.4) * cos(0.3), -sin(0.3), -sin(0.4) * cos(0.3)), tolerance: 1e-12)
        expectClose(motion.worldFromBust(at: 2).rotation * forward, Vector3(1, 0, 0), tolerance: 1e-12)
    }
}

@Suite struct LightCurveTests {
    private func change(_ seconds: Double, _ sun: Double, _ ambient: Double) -> Scene.LightChange {
        var change = Scene.LightChange()
        (change.seconds, change.sun, change.ambient) = (seconds, sun, ambient)
        return change
    }

    @Test func rampsAndSteps() {
        var light = Scene.Light()
        #expect(LightCurve(light).irradiance(at: 5) == Irradiance())
        light.changes = [change(1, 1, 1), change(2, 0, 0.5), change(3, 0, 0.5), change(3, 2, 0.1)]
        let curve = LightCurve(light)
        for (time, sun, ambient) in [
            (0.0, 1.0, 1.0), (1, 1, 1), (1.5, 0.5, 0.75), (2.5, 0, 0.5), (2.999999999, 0, 0.5), (3, 2, 0.1),
            (9, 2, 0.1),
        ] {
            expectClose(curve.irradiance(at: time).sun, sun, tolerance: 1e-12)
            expectClose(curve.irradiance(at: time).ambient, ambient, tolerance: 1e-12)
        }
    }

    @Test func lampsFlicker() {
        var light = Scene.Light()
        var flicker = Scene.Flicker()
        (flicker.rateInHertz, flicker.depth) = (100, 0.2)
        light.flicker = flicker
        let curve = LightCurve(light)
        #expect(curve.irradiance(at: 0.0025) == Irradiance())
        expectClose(curve.flicker(around: 0.0025, exposureSeconds: 0), 1.2, tolerance: 1e-12)
        expectClose(curve.flicker(around: 0.0075, exposureSeconds: 0), 0.8, tolerance: 1e-12)
        expectClose(curve.flicker(around: 0.1, exposureSeconds: 0), 1, tolerance: 1e-9)
        // Over whole periods nothing is left; over others the mean is that of many instants.
        expectClose(curve.flicker(around: 0.0025, exposureSeconds: 0.03), 1, tolerance: 1e-12)
        for (middle, exposure) in [(0.0025, 0.004), (0.001, 0.017), (0.0061, 0.0003)] {
            let mean = (0..<1000).reduce(0) { sum, index in
                let time = middle + exposure * ((Double(index) + 0.5) / 1000 - 0.5)
                return sum + curve.flicker(around: time, exposureSeconds: 0) / 1000
            }
            expectClose(curve.flicker(around: middle, exposureSeconds: exposure), mean, tolerance: 1e-6)
        }
    }

    /// A rolling shutter sees a lamp's flicker as stripes: 100 Hz over a readout of 30 ms are three of them.
    @Test func flickerMakesStripes() throws {
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.finger = nil
        (scene.quads, scene.planes) = ([], [])
        scene.camera.size = ImageSize(width: 16, height: 240)
        scene.camera.principalPointPixels = Vector2(7.5, 119.5)
        scene.camera.transfer = .linear
        scene.camera.pixelFormat = .gray8
        scene.camera.readoutMilliseconds = 30
        scene.camera.exposureMilliseconds = 4
        scene.camera.saturationMilliseconds = 4
        scene.light.background = Vector3(repeating: 0.7)
        let steady = try SceneSession(scene: scene, threads: 1).image(ofFrame: 1)
        var flicker = Scene.Flicker()
        (flicker.rateInHertz, flicker.depth) = (100, 0.3)
        scene.light.flicker = flicker
        let session = try SceneSession(scene: scene, threads: 1)
        let striped = session.image(ofFrame: 1)
        let curve = LightCurve(scene.light)
        let instant = session.timestamp(ofFrame: 1).seconds(since: SceneSession.start)
        for row in 0..<240 {
            let time = instant + session.shutter.offsetSeconds(ofRow: Double(row))
            let expected = Double(steady.bytes[row * 16]) * curve.flicker(around: time, exposureSeconds: 0.004)
            #expect(abs(Double(striped.bytes[row * 16]) - expected) < 1.5)
        }
    }
}
