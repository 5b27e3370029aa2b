// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension Scene.CameraSettings {
    /// A camera that exists, whose numbers a scene need not repeat.
    ///
    /// A preset is a set of defaults: every key beside it replaces one. `SceneFormat.md` lists each number with its
    /// source.
    public enum Preset: String, Hashable, Sendable, CaseIterable {
        /// No effects at all; size, rate and intrinsics have no defaults.
        case ideal
        /// The main camera of a phone, as an AR framework delivers it.
        case phone
        /// The left camera of the EuRoC drone.
        case euroc
    }

    /// The preset's camera.
    public init(_ preset: Preset) { self = preset.settings }
}

extension Scene.CameraSettings.Preset {
    /// The numbers of the preset, for its own size of picture.
    var settings: Scene.CameraSettings {
        var settings =
            switch self {
            case .ideal: Scene.CameraSettings()
            case .phone: Self.phoneSettings
            case .euroc: Self.eurocSettings
            }
        settings.preset = self
        fitLens(of: &settings)
        return settings
    }

    /// Sets the intrinsics that the preset's lens has with the size of the settings.
    ///
    /// Smaller pictures are scaled, those of another shape cut above and below: the width always shows the same.
    func fitLens(of settings: inout Scene.CameraSettings) {
        let (width, height) = (Double(settings.size.width), Double(settings.size.height))
        let center = Vector2(width - 1, height - 1) / 2
        switch self {
        case .ideal: return
        case .phone:
            // 67.4° across: a lens of 26 mm (equivalent) on a picture 4 wide and 3 high, whose diagonal is 43.27 mm.
            settings.focalPixels = Vector2(repeating: 0.75 * width)
            settings.principalPointPixels = center
        case .euroc:
            // cam0/sensor.yaml of every EuRoC recording, for 752×480.
            let scale = width / 752
            settings.focalPixels = Vector2(458.654, 457.296) * scale
            settings.principalPointPixels = center + (Vector2(367.215, 248.375) - Vector2(375.5, 239.5)) * scale
        }
    }

    private static var phoneSettings: Scene.CameraSettings {
        var settings = Scene.CameraSettings()
        settings.size = ImageSize(width: 640, height: 480)
        settings.rateInHertz = 30
        // An iPhone 6s at 1280×720, measured with an LED panel (Huai et al., table 4 of their list of readout times);
        // it fits 60 Hz as well.
        settings.readoutMilliseconds = 15.01
        settings.hasMotionBlur = true
        settings.exposureControl = .auto
        // Half the frame interval at 30 Hz, so that 60 Hz is possible with the same limits.
        settings.maximumExposureMilliseconds = 16
        settings.maximumGainDecibels = 30
        // The Sony IMX363 (1.4 µm) as ISETCam models it: 6000 electrons, 1 electron of read noise, PRNU 0.7 %.
        settings.fullWellElectrons = 6000
        settings.hasShotNoise = true
        settings.readNoiseElectrons = 1
        settings.sensitivityVariation = 0.007
        settings.saturationMilliseconds = 20
        return settings
    }

    private static var eurocSettings: Scene.CameraSettings {
        var settings = Scene.CameraSettings()
        settings.size = ImageSize(width: 752, height: 480)
        settings.rateInHertz = 20
        settings.lens = .radialTangential
        settings.distortion = [-0.28340811, 0.07395907, 0.00019359, 1.76187114e-05, 0]
        settings.calibrationDeviations.focalPercent = 0.2
        settings.calibrationDeviations.principalPointPixels = 1
        settings.calibrationDeviations.rotationRadians = 2e-3
        settings.calibrationDeviations.translationMeters = 2e-3
        settings.calibrationDeviations.radialDistortion = 5e-4
        settings.statesDeviations = true
        settings.hasMotionBlur = true
        settings.exposureControl = .auto
        settings.meteringTarget = 0.45
        settings.maximumExposureMilliseconds = 20
        settings.maximumGainDecibels = 12
        settings.fullWellElectrons = 18_000
        settings.hasShotNoise = true
        settings.readNoiseElectrons = 13
        settings.saturationMilliseconds = 12
        settings.pixelFormat = .gray8
        settings.transfer = .linear
        return settings
    }
}
