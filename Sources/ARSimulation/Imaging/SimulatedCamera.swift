// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A camera that looks at a rendered world: light comes in, bytes come out.
///
/// With a fixed exposure every frame can be made alone; an automatic one depends on the frames before.
final class SimulatedCamera {
    let renderer: Renderer
    private let settings: Scene.CameraSettings
    private let light: RadianceImage
    private let sensor: Sensor
    private let meter: LightMeter
    private var automatic: AutomaticExposure?
    private var isSettled = false
    private lazy var outlines = renderer.model.surfaces.map(\.movingOutline)
    private lazy var sum = RadianceImage(size: light.size)

    /// A factor on light, from the time after a frame's instant and the length of the exposure around it, in seconds.
    typealias Flicker = @Sendable (_ offsetSeconds: Double, _ exposureSeconds: Double) -> Double

    /// A camera that sees what a renderer renders, with noise drawn from a seed.
    init(_ renderer: Renderer, settings: Scene.CameraSettings, seed: UInt64) {
        precondition(
            renderer.size == settings.size, "a camera of \(settings.size) cannot see a rendering of \(renderer.size)")
        self.renderer = renderer
        self.settings = settings
        light = RadianceImage(size: renderer.size)
        sensor = Sensor(settings, seed: seed)
        meter = LightMeter(settings)
        automatic = settings.exposureControl == .auto ? AutomaticExposure(settings) : nil
    }

    /// The exposure of the next frame.
    var exposure: Exposure { automatic?.exposure ?? settings.fixedExposure }

    /// The picture of a frame; automatic exposure settles on the first, and follows from one to the next.
    /// - Parameters:
    ///   - flicker: the factor on the light of a row whose exposure has its middle so many seconds after the frame's
    ///     instant, and that length; 1 on the average.
    ///   - shotAt: where everything is, a time in seconds after the frame's instant; each row at its own.
    func image(
        ofFrame number: Int, flicker: @escaping Flicker = { _, _ in 1 }, shotAt: (Double) -> Shot
    ) -> ImageBuffer {
        settle(on: shotAt)
        let exposure = exposure
        collect(exposure.seconds, shotAt: shotAt)
        expose(to: exposure, flicker: flicker)
        if automatic != nil {
            automatic?.follow(
                meter.brightness(of: light, gain: exposure.gain), afterSeconds: 1 / settings.rateInHertz)
        }
        return read(frame: number, gain: exposure.gain)
    }

    /// The picture of a single shot, without motion: at the fixed exposure, or where the automatic one is.
    func image(of shot: Shot, frame number: Int = 0) -> ImageBuffer {
        renderer.render(shot, into: light)
        expose(to: exposure)
        return read(frame: number, gain: exposure.gain)
    }

    private func settle(on shotAt: (Double) -> Shot) {
        guard automatic != nil, !isSettled else { return }
        isSettled = true
        renderer.render(shotAt(0), into: light)
        expose(to: Exposure(seconds: settings.saturationMilliseconds * 1e-3, gain: 1))
        automatic?.settle { meter.brightness(of: light, gain: settings.brightness(of: $0)) }
    }

    /// The mean light over the exposure.
    private func collect(_ seconds: Double, shotAt: (Double) -> Shot) {
        // The middle comes first: what it sees says how many shots are needed.
        renderer.render(shotAt(0), into: light)
        guard settings.hasMotionBlur else { return }
        let motion = renderer.imageMotion(
            through: settings.model, outlines: outlines, in: shotAt(0), from: shotAt(-seconds / 2),
            to: shotAt(seconds / 2))
        let count = MotionBlur(maximumCount: settings.maximumBlurShots).shotCount(pixels: motion)
        guard count > 1 else { return }
        let pixelCount = light.size.width * light.size.height
        sum.pixels.update(from: light.pixels, count: pixelCount)
        for fraction in MotionBlur.fractions(count: count) where fraction != 0 {
            renderer.render(shotAt(fraction * seconds), into: light)
            forEachRow { [sum, light] row in
                let (sums, values) = (sum[row: row], light[row: row])
                for column in sums.indices { sums[column] += values[column] }
            }
        }
        forEachRow { [sum, light] row in
            let (sums, values) = (sum[row: row], light[row: row])
            for column in sums.indices { values[column] = sums[column] / Float(count) }
        }
    }

    private func expose(to exposure: Exposure, flicker: @escaping Flicker = { _, _ in 1 }) {
        let shutter = ShutterTiming(rowCount: light.size.height, readoutSeconds: settings.readoutSeconds)
        forEachRow { [sensor, light] row in
            sensor.expose(
                light[row: row], number: row, to: exposure,
                brighterBy: flicker(shutter.offsetSeconds(ofRow: Double(row)), exposure.seconds))
        }
    }

    private func read(frame number: Int, gain: Double) -> ImageBuffer {
        let rowLength = light.size.width * sensor.format.bytesPerPixel
        let noise = sensor.noise(ofFrame: number)
        var bytes = [UInt8](repeating: 0, count: light.size.height * rowLength)
        bytes.withUnsafeMutableBufferPointer { bytes in
            nonisolated(unsafe) let bytes = bytes
            forEachRow { [sensor, light] row in
                sensor.read(
                    light[row: row], number: row, gain: gain, noise: noise,
                    into: UnsafeMutableBufferPointer(rebasing: bytes[row * rowLength..<(row + 1) * rowLength]))
            }
        }
        return ImageBuffer(size: light.size, format: sensor.format, bytes: bytes)
    }

    private func forEachRow(_ body: @Sendable (Int) -> Void) {
        Parallel.run(count: light.size.height, threads: renderer.threads, body)
    }
}
