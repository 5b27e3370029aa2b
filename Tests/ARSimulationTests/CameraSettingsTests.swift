// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct CameraSettingsTests {
    /// The small scene with another camera, its keys on one line.
    private static func scene(camera: String) throws -> Scene {
        let plain = """
              size_px: [64, 48]
              rate_hz: 10
              focal_px: [50, 50]
              principal_point_px: [31.5, 23.5]
            """
        let yaml = smallScene.replacingOccurrences(of: "camera:\n\(plain)", with: "camera: {\(camera)}")
        return try Scene(yaml: yaml, file: "s.yaml")
    }

    @Test(arguments: Scene.CameraSettings.Preset.allCases.filter { $0 != .ideal })
    func presetsAreDefaults(preset: Scene.CameraSettings.Preset) throws {
        let scene = try Self.scene(camera: "preset: \(preset.rawValue)")
        #expect(scene.camera == Scene.CameraSettings(preset))
        #expect(try Scene(yaml: scene.yaml, file: "written") == scene)
    }

    /// A device gives both sensors their presets, and what the file says of either replaces a number of its own.
    @Test func devicesCarryBothSensors() throws {
        func scene(_ keys: String) throws -> Scene {
            let yaml = smallScene.replacingOccurrences(of: "seed: 1", with: "seed: 1\n\(keys)")
            let start = try #require(yaml.range(of: "camera:\n")), end = try #require(yaml.range(of: "camera_path:"))
            return try Scene(yaml: yaml.replacingCharacters(in: start.lowerBound..<end.lowerBound, with: ""), file: "s")
        }
        for device in [Scene.Device.phone, .euroc] {
            let found = try scene("device: \(device.rawValue)")
            #expect(found.camera == device.camera && found.imu == device.imu && found.imu != nil)
            #expect(try Scene(yaml: found.yaml, file: "written") == found)
        }
        let changed = try scene("device: euroc\ncamera: {rate_hz: 10}\nimu: {rate_hz: 100}")
        var (camera, imu) = (Scene.CameraSettings(.euroc), Scene.ImuSettings(.euroc))
        (camera.rateInHertz, imu.rateInHertz) = (10, 100)
        #expect(changed.camera == camera && changed.imu == imu)
        #expect(try scene("device: none").imu == nil)
    }

    @Test func keysBesideAPresetReplaceItsNumbers() throws {
        let camera = try Self.scene(
            camera: """
                preset: phone, size_px: [1280, 720], rate_hz: 60, read_noise_e: 0, motion_blur: false, samples_per_side: 2
                """
        ).camera
        #expect(camera.size == ImageSize(width: 1280, height: 720) && camera.rateInHertz == 60)
        // The width shows the same, whatever the size.
        #expect(camera.focalPixels == Vector2(960, 960) && camera.principalPointPixels == Vector2(639.5, 359.5))
        #expect(camera.readNoiseElectrons == 0 && !camera.hasMotionBlur && camera.hasShotNoise)
        #expect(camera.samplesPerSide == 2)
        #expect(camera.exposureControl == .auto)
        let scene = try Self.scene(camera: "preset: euroc, lens: pinhole, vignetting: cos4")
        #expect(scene.camera.lens == .pinhole && scene.camera.distortion.isEmpty)
        #expect(scene.camera.vignetting == .cosine4)
        #expect(try Scene(yaml: scene.yaml, file: "written") == scene)
    }

    /// EuRoC's calibration as its recordings have it.
    @Test func eurocIsEuroc() throws {
        let settings = Scene.CameraSettings(.euroc)
        #expect(settings.size == ImageSize(width: 752, height: 480) && settings.rateInHertz == 20)
        expectClose(settings.focalPixels, Vector2(458.654, 457.296), tolerance: 1e-12)
        expectClose(settings.principalPointPixels, Vector2(367.215, 248.375), tolerance: 1e-12)
    }

    /// Who gives an exposure gets it, also beside a preset that sets its own.
    @Test func aGivenExposureIsFixed() throws {
        for key in ["exposure_ms: 20", "gain_db: 6"] {
            let scene = try Self.scene(camera: "preset: phone, \(key)")
            #expect(scene.camera.exposureControl == .fixed)
            #expect(try Scene(yaml: scene.yaml, file: "written") == scene)
        }
        #expect(try Self.scene(camera: "preset: phone, exposure_max_ms: 8").camera.exposureControl == .auto)
    }

    @Test(arguments: [
        ("preset: phone, exposure_control: auto, exposure_ms: 3", "'exposure_ms' is unknown here"),
        ("preset: phone, readout_ms: 34", "'readout_ms' is 34, expected 0.0 to 33.3"),
        ("preset: phone, exposure_min_ms: 20", "'exposure_min_ms' is 20.0, expected at most exposure_max_ms, 16.0"),
        ("preset: phone, motion_blur: maybe", "'motion_blur' is 'maybe', expected true or false"),
        ("preset: phone, lens: equidistant", "'distortion' is missing"),
        ("preset: webcam", "'preset' is 'webcam', expected one of ideal, phone, euroc"),
        ("preset: phone, vignetting: polynomial", "'vignetting_coefficients' is missing"),
        ("preset: phone, gamma: 2", "'gamma' is unknown here"),
        ("preset: ideal", "'size_px' is missing"),
    ]) func mistakesAreRefused(camera: String, words: String) throws {
        let error = #expect(throws: SceneError.self) { try Self.scene(camera: camera) }
        #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    /// The same bytes whatever the number of threads, and from stream to stream, with every effect at work.
    @Test(arguments: [Scene.CameraSettings.Preset.phone, .euroc])
    func effectsGiveTheSameBytes(preset: Scene.CameraSettings.Preset) throws {
        func events(threads: Int) throws -> [SensorEvent] {
            var scene = try Self.scene(camera: "preset: \(preset.rawValue), size_px: [96, 64]")
            scene.camera.vignetting = .cosine4
            scene.camera.sensitivityVariation = 0.01
            scene.camera.darkVariationElectrons = 5
            scene.durationSeconds = 0.4
            scene.finger = nil
            scene.cameraPath.intervalSeconds = 0.4
            var stream = try SceneSession(scene: scene, threads: threads).makeStream()
            var events: [SensorEvent] = []
            while let event = try stream.next() { events.append(event) }
            return events
        }
        let first = try events(threads: 1)
        #expect(try events(threads: 1) == first)
        #expect(try events(threads: 2) == first)
        #expect(try events(threads: 5) == first)
    }

    /// With a fixed exposure any frame can be made alone.
    @Test func framesStandAlone() throws {
        var scene = try Self.scene(camera: "preset: phone, size_px: [96, 64], exposure_ms: 10")
        scene.finger = nil
        let session = try SceneSession(scene: scene, threads: 1)
        let camera = session.makeCamera()
        let inOrder = (0..<4).map { session.image(ofFrame: $0, by: camera) }
        #expect(session.image(ofFrame: 3, by: session.makeCamera()) == inOrder[3])
    }

    /// A preset whose effects are all switched off takes the same picture as an ideal camera with its lens.
    @Test func everyEffectOffIsIdeal() throws {
        let off = """
            motion_blur: false, readout_ms: 0, exposure_ms: 20, shot_noise: false, read_noise_e: 0, prnu: 0, \
            size_px: [96, 64], vignetting: none
            """
        let phone = try Self.scene(camera: "preset: phone, \(off)")
        let ideal = try Self.scene(
            camera: "size_px: [96, 64], rate_hz: 30, focal_px: [72, 72], principal_point_px: [47.5, 31.5]")
        func image(_ scene: Scene) throws -> ImageBuffer {
            let session = try SceneSession(scene: scene, threads: 1)
            return session.image(ofFrame: 12, by: session.makeCamera())
        }
        #expect(try image(phone) == image(ideal))
    }
}
