// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct AutomaticExposureTests {
    private static var settings: Scene.CameraSettings {
        var settings = Scene.CameraSettings()
        settings.exposureControl = .auto
        settings.meteringLagSeconds = 0.4
        settings.minimumExposureMilliseconds = 0.1
        settings.maximumExposureMilliseconds = 20
        settings.maximumGainDecibels = 20
        return settings
    }

    /// What lacks to the target, in stops, shrinks by e^(−Δt/τ) a frame: to 37 % after the lag.
    @Test func convergesWithItsTimeConstant() {
        let settings = Self.settings
        var automatic = AutomaticExposure(settings)
        automatic.settle { min(0.5 * settings.brightness(of: $0), 1) }
        #expect(abs(0.5 * settings.brightness(of: automatic.exposure) - 0.18) < 1e-9)
        // The light drops to a fifth: 2.32 stops are missing.
        func lack() -> Double { log2(0.18 / (0.1 * settings.brightness(of: automatic.exposure))) }
        let atFirst = lack()
        #expect(abs(atFirst - log2(5)) < 1e-9)
        for frame in 1...60 {
            automatic.follow(0.1 * settings.brightness(of: automatic.exposure), afterSeconds: 1.0 / 30)
            #expect(abs(lack() - atFirst * exp(-Double(frame) / 30 / 0.4)) < 1e-9)
        }
    }

    /// The gain stays at 1 until the exposure is as long as it may be; the limits are kept.
    @Test func gainComesLast() {
        let settings = Self.settings
        var automatic = AutomaticExposure(settings)
        var hadGain = false
        for step in 0...400 {
            let light = pow(10, 2 - Double(step) / 50)
            automatic.settle { min(light * settings.brightness(of: $0), 1) }
            let exposure = automatic.exposure
            #expect((0.1e-3...20e-3).contains(exposure.seconds) && (1...10).contains(exposure.gain))
            #expect(exposure.gain == 1 || exposure.seconds == 20e-3)
            hadGain = hadGain || exposure.gain > 9.99
            let reached = light * settings.brightness(of: exposure)
            // Within the limits the target is met, beyond them the nearest limit holds.
            let (darkest, brightest) = (light * 0.01, light * 20)
            let expected = min(max(0.18, darkest), brightest)
            #expect(abs(min(reached, 1) - min(expected, 1)) < 1e-6)
        }
        #expect(hadGain)
    }

    @Test func metersMeansAndPercentiles() {
        let charges = RadianceImage(size: ImageSize(width: 100, height: 100))
        for row in 0..<100 { charges[row: row].update(repeating: SIMD4(repeating: Float(row) / 100)) }
        var settings = Self.settings
        settings.metering = .mean
        #expect(abs(LightMeter(settings).brightness(of: charges, gain: 1) - 0.495) < 1e-6)
        // Rows from 50 on are full.
        #expect(abs(LightMeter(settings).brightness(of: charges, gain: 2) - (0.245 + 0.5)) < 1e-2)
        settings.metering = .percentile
        settings.meteringPercentile = 90
        #expect(abs(LightMeter(settings).brightness(of: charges, gain: 1) - 0.90) < 0.011)
    }

    /// A camera turns from a dark half of a floor to a bright one: its first picture is settled, the first bright pictures
    /// are too bright, and after a while the target is met again.
    @Test func followsTheLightWithALag() throws {
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.finger = nil
        scene.materials[0].kind = .plain
        scene.materials[0].color = Vector3(repeating: 0.25)
        var bright = scene.materials[0]
        bright.name = "bright"
        bright.color = Vector3(repeating: 0.95)
        scene.materials.append(bright)
        scene.quads[0].size = Vector2(20, 20)
        scene.quads[0].center.x = -10.5
        scene.planes = []
        var floor = scene.quads[0]
        floor.name = "bright floor"
        floor.material = "bright"
        floor.center.x = 9.5
        scene.quads.append(floor)
        scene.camera.rateInHertz = 30
        scene.camera.transfer = .linear
        scene.camera.exposureControl = .auto
        scene.camera.meteringLagSeconds = 0.3
        let places = [-3.0, -3, 3, 3, 3, 3]
        scene.cameraPath.intervalSeconds = 0.4
        scene.cameraPath.waypoints = places.map { x in
            var waypoint = Scene.Waypoint()
            waypoint.position = Point3(x, 1, 0.3)
            waypoint.lookAt = Point3(x, 0, 0)
            return waypoint
        }
        let session = try SceneSession(scene: scene, threads: 1)
        let camera = session.makeCamera()
        let means = (0..<60).map { frame in
            let bytes = session.image(ofFrame: frame, by: camera).bytes
            return Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count) / 255
        }
        #expect(abs(means[0] - 0.18) < 0.01)
        #expect(abs(means[8] - 0.18) < 0.02)
        #expect(means[18...30].max() ?? 0 > 0.4)
        #expect(abs(means[59] - 0.18) < 0.01)
        // Nothing overshoots to the dark side by more than the filter's last step.
        #expect(means[30...].min() ?? 0 > 0.17)
    }
}
