// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// Contact sheets of what the simulator can show.
enum SceneSheet {
    /// Every scene that comes with arsim, at four instants each; a scene whose data is missing is left out.
    static func scenes(progress: (_ done: Int, _ total: Int) -> Void) throws -> ContactSheet {
        var sheet = ContactSheet(columns: 4, tileSize: ImageSize(width: 320, height: 240))
        let files = ShippedScenes.all
        for (index, file) in files.enumerated() {
            progress(index, files.count)
            guard let session = try? SceneSession(scene: Scene(contentsOf: file)) else { continue }
            for fraction in [0.05, 0.25, 0.5, 0.8] {
                let frame = Int(fraction * Double((session.expectedFrameCount ?? 1) - 1))
                let seconds = Double(frame) / session.scene.camera.rateInHertz
                sheet.add(
                    session.image(ofFrame: frame),
                    label: "\(session.scene.name), \(String(format: "%.1f", seconds)) s")
            }
        }
        return sheet
    }

    /// Every effect of the camera on a walk through a room and in a shaken phone, every fault of pictures, and the
    /// pictures of the truth.
    static func effects(progress: (_ done: Int, _ total: Int) -> Void) throws -> ContactSheet {
        var sheet = ContactSheet(columns: 4, tileSize: ImageSize(width: 320, height: 240))
        for (index, effect) in Effect.all.enumerated() {
            progress(index, Effect.all.count)
            sheet.add(try effect.picture(), label: effect.label)
        }
        let truth = try truthPictures()
        if let depth = truth.depth { sheet.add(depth.preview, label: "truth: depth") }
        if let objects = truth.objects { sheet.add(objects.preview, label: "truth: objects") }
        return sheet
    }

    /// What each pixel of a frame of the scene `table-top` sees.
    private static func truthPictures() throws -> TruthPictures {
        var session = try SceneSession(scene: Effect.scene("table-top"))
        session.truthPictures = Set(TruthPictureKind.allCases)
        var truths = session.makeTruthStream()
        return try truths.truth(at: SceneSession.start)?.pictures ?? TruthPictures()
    }
}

/// One effect: a scene, and what is set otherwise in it.
private struct Effect {
    let label: String
    let scene: String
    let settings: [String]
    /// The frame that shows it.
    let frame: Int

    init(_ label: String, scene: String = "table-top", frame: Int = 3, _ settings: String...) {
        self.label = label
        self.scene = scene
        self.frame = frame
        self.settings = settings
    }

    /// The frame as the session's stream gives it, faults included.
    func picture() throws -> ImageBuffer {
        let settings = try settings.map { try SceneSetting($0) }
        let session = try SceneSession(scene: Self.scene(scene, settings))
        var stream = try session.faulted().makeStream()
        var count = 0
        while let event = try stream.next() {
            guard case .frame(let frame) = event else { continue }
            if count == self.frame { return frame.image }
            count += 1
        }
        throw MissingInput(input: "\(scene), frame \(frame)", expected: "a frame")
    }

    /// A scene that comes with arsim, with some of its keys set otherwise.
    static func scene(_ name: String, _ settings: [SceneSetting] = []) throws -> Scene {
        guard let file = ShippedScenes.url(named: name) else {
            throw MissingInput(input: name, expected: "a scene that comes with arsim")
        }
        return try Scene(contentsOf: file, settings: settings)
    }

    private static let ideal =
        "camera={preset: ideal, size_px: [640, 480], rate_hz: 30, focal_px: [480, 480], principal_point_px: [319.5, 239.5]}"

    private static func ideal(_ keys: String) -> String { String(ideal.dropLast()) + ", \(keys)}" }

    /// A frame of the scene `shake` in the middle of a burst.
    private static let shaken = 78

    static let all = [
        Effect("no effect", ideal),
        Effect("phone", "camera={preset: phone}"),
        Effect("euroc", "camera={preset: euroc}"),
        Effect("grey", ideal("pixel_format: gray8")),
        Effect("linear", ideal("transfer: linear")),
        Effect("gamma 3", ideal("transfer: power, gamma: 3")),
        Effect("vignetting cos4", ideal("vignetting: cos4")),
        Effect("vignetting polynomial", ideal("vignetting: polynomial, vignetting_coefficients: [-0.6, 0, 0]")),
        Effect("radial-tangential", ideal("lens: radial_tangential, distortion: [-0.3, 0.09, 0, 0, 0]")),
        Effect(
            "equidistant",
            "camera={preset: ideal, size_px: [640, 480], rate_hz: 30, focal_px: [230, 230], "
                + "principal_point_px: [319.5, 239.5], lens: equidistant, distortion: [0.01, -0.004, 0, 0]}"),
        Effect("exposure 3 ms", "camera={preset: phone, exposure_control: fixed, exposure_ms: 3}"),
        Effect("exposure 3 ms, 24 dB", "camera={preset: phone, exposure_control: fixed, exposure_ms: 3, gain_db: 24}"),
        Effect("exposure 30 ms", ideal("exposure_ms: 30")),
        Effect("dark room, automatic", "light={sun: 0.01, ambient: 0.005}"),
        Effect("shot and read noise", ideal("exposure_ms: 1, gain_db: 20, shot_noise: true, read_noise_e: 20")),
        Effect("fixed pattern", ideal("prnu: 0.1, dsnu_e: 300")),
        Effect("shaken, no effect", scene: "shake", frame: shaken, ideal),
        Effect("rolling shutter 30 ms", scene: "shake", frame: shaken, ideal("readout_ms: 30")),
        Effect(
            "motion blur 25 ms", scene: "shake", frame: shaken,
            ideal("motion_blur: true, exposure_ms: 25, saturation_ms: 25")),
        Effect("phone, shaken", scene: "shake", frame: shaken, "camera={preset: phone}"),
        Effect("covered_lens", "faults=[{covered_lens: {fraction: 0.5}}]"),
        Effect("darkness", "faults=[{darkness: {}}]"),
        Effect("flash", "faults=[{flash: {}}]"),
        Effect("blur_burst, directional", "faults=[{blur_burst: {}}]"),
        Effect("blur_burst, defocus", "faults=[{blur_burst: {shape: defocus}}]"),
        Effect("noise_burst", "faults=[{noise_burst: {picture: 0.1}}]"),
        Effect("light changes", "light.changes=[{at_s: 0, sun: 0.1, ambient: 1.5}]"),
        Effect("low sun", "light={direction: [-1, 0.5, 0.2], sun: 0.9, ambient: 0.2, angular_radius_rad: 0.01}"),
    ]
}
