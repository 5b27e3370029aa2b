// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARSimulation

/// One rendering for several seeds of the sensors.
@Suite struct SharedCameraTests {
    static let seeds: [UInt64] = [7, 1, .max]

    /// The small scene with everything on that a camera and an inertial sensor add by chance, in motion, with blur and
    /// rolling rows, and an exposure that follows the view.
    private static func scene(sensorSeed: UInt64? = nil) throws -> Scene {
        var scene = try Scene(yaml: smallScene, file: "small")
        let ideal = scene.camera
        scene.durationSeconds = 1.5
        scene.sensorSeed = sensorSeed
        scene.materials[0].kind = .noise
        scene.camera = Scene.CameraSettings(.phone)
        (scene.camera.size, scene.camera.rateInHertz) = (ideal.size, ideal.rateInHertz)
        (scene.camera.focalPixels, scene.camera.principalPointPixels) = (ideal.focalPixels, ideal.principalPointPixels)
        scene.camera.exposureControl = .auto
        scene.cameraPath.waypoints[1].position = Point3(0.3, 0.6, 0.4)
        scene.imu = Scene.ImuSettings(.phone)
        return scene
    }

    private static func events(_ stream: any SensorStream) throws -> [SensorEvent] {
        var stream = stream
        var events: [SensorEvent] = []
        while let event = try stream.next() { events.append(event) }
        return events
    }

    private static func images(_ events: [SensorEvent]) -> [ImageBuffer] {
        events.compactMap { if case .frame(let frame) = $0 { frame.image } else { nil } }
    }

    /// Every event of each seed alone, in a session of its own.
    private static func separateEvents() throws -> [[SensorEvent]] {
        try seeds.map { seed in
            try events(SceneSession(scene: scene(sensorSeed: seed), threads: 1).makeStream())
        }
    }

    @Test(arguments: [1, 3]) func sharedAndSeparateSessionsAreTheSame(threads: Int) throws {
        let separate = try Self.separateEvents()
        #expect(separate.allSatisfy { Self.images($0).count == 15 })
        let session = try SceneSession(scene: Self.scene(), threads: threads)
        // In step, as they should be read.
        var streams = session.makeStreams(sensorSeeds: Self.seeds)
        var shared = Self.seeds.map { _ in [SensorEvent]() }
        var isOver = false
        while !isOver {
            isOver = true
            for index in streams.indices {
                guard let event = try streams[index].next() else { continue }
                shared[index].append(event)
                isOver = false
            }
        }
        #expect(shared == separate)
        // One after the other, the last first.
        let waiting = session.makeStreams(sensorSeeds: Self.seeds)
        #expect(try waiting.reversed().map(Self.events) == separate.reversed())
    }

    /// A seed of the sensors is not the scene's: neither differs in what belongs to the other.
    @Test func sensorSeedsChangeTheSensorsAlone() throws {
        let separate = try Self.separateEvents()
        let session = try SceneSession(scene: Self.scene(), threads: 1)
        for (first, second) in [(0, 1), (1, 2)] {
            let pairs = zip(Self.images(separate[first]), Self.images(separate[second]))
            for (one, other) in pairs {
                #expect(one != other)
                // The same picture but for noise, and equally bright: the exposures are the same.
                let differences = zip(one.bytes, other.bytes).map { Double($0) - Double($1) }
                let mean: Double = differences.reduce(0, +) / Double(differences.count)
                #expect(abs(mean) < 1)
            }
            let biases = [first, second].map {
                session.withSensorSeed(Self.seeds[$0]).inertialSensor?.makeReadings().first { _ in true }?.biases
            }
            #expect(biases[0] != nil && biases[0] != biases[1])
        }
        // The scene's own seed is the sensors', too, where nothing else is said.
        #expect(session.scene.seed == Self.seeds[1])
        #expect(try Self.events(session.makeStream()) == separate[1])
        var other = try Self.scene(sensorSeed: 1)
        other.seed = 2
        let retextured = try Self.events(SceneSession(scene: other, threads: 1).makeStream())
        #expect(Self.images(retextured) != Self.images(separate[1]))
    }

    /// Automatic exposure measures the charges before noise: the most noisy sensor is exposed as a clean one is.
    @Test func noiseDoesNotChangeTheExposure() throws {
        func exposures(isNoisy: Bool) throws -> [Exposure] {
            var scene = try Self.scene()
            scene.camera.hasShotNoise = isNoisy
            scene.camera.readNoiseElectrons = isNoisy ? 200 : 0
            scene.camera.darkVariationElectrons = isNoisy ? 200 : 0
            scene.camera.sensitivityVariation = isNoisy ? 0.1 : 0
            let session = try SceneSession(scene: scene, threads: 1)
            let camera = session.makeCamera()
            return (0..<15).map { number in
                _ = session.image(ofFrame: number, by: camera)
                return camera.exposure
            }
        }
        let clean = try exposures(isNoisy: false)
        #expect(Set(clean).count > 1)
        #expect(try exposures(isNoisy: true) == clean)
    }
}
