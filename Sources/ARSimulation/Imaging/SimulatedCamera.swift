// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// A camera that looks at a rendered world: light comes in, bytes come out.
///
/// With a fixed exposure every frame can be made alone; an automatic one depends on the frames before.
///
/// Behind the lens there may be several sensors of one kind, each with its own noise: all get the same light, which is
/// rendered once, for the same time, since the exposure is measured before any noise is added. Law:
/// `SharedCameraTests.sharedAndSeparateSessionsAreTheSame`.
final class SimulatedCamera {
    let renderer: Renderer
    private let settings: Scene.CameraSettings
    private let light: RadianceImage
    private let sensors: [Sensor]
    private let meter: LightMeter
    private var automatic: AutomaticExposure?
    private var isSettled = false
    private lazy var outlines = renderer.model.surfaces.map(\.movingOutline)
    private lazy var sum = RadianceImage(size: light.size)
    /// What paints the truth; it stays as it was when the camera was made.
    let truthPainter: TruthPainter?
    /// What the pixels' centres saw in the middle of the last frame, if a painter is there and looked through them.
    private(set) var truthPictures: TruthPictures?

    /// A factor on light, from the time after a frame's instant and the length of the exposure around it, in seconds.
    typealias Flicker = @Sendable (_ offsetSeconds: Double, _ exposureSeconds: Double) -> Double

    /// A camera that sees what a renderer renders, with noise drawn from a seed.
    convenience init(_ renderer: Renderer, settings: Scene.CameraSettings, seed: UInt64) {
        self.init(renderer, settings: settings, seeds: [seed])
    }

    /// A camera that sees what a renderer renders, with a sensor for each seed of noise, and perhaps a painter of the truth.
    init(
        _ renderer: Renderer, settings: Scene.CameraSettings, seeds: [UInt64], truthPainter: TruthPainter? = nil
    ) {
        precondition(
            renderer.size == settings.size, "a camera of \(settings.size) cannot see a rendering of \(renderer.size)")
        precondition(!seeds.isEmpty, "a camera needs a sensor")
        self.renderer = renderer
        self.settings = settings
        self.truthPainter = truthPainter
        light = RadianceImage(size: renderer.size)
        sensors = seeds.map { Sensor(settings, seed: $0) }
        meter = LightMeter(settings)
        automatic = settings.exposureControl == .auto ? AutomaticExposure(settings) : nil
    }

    /// The exposure of the next frame.
    var exposure: Exposure { automatic?.exposure ?? settings.fixedExposure }

    /// The pictures of a frame, one by each sensor; automatic exposure settles on the first frame, and follows from one
    /// to the next.
    /// - Parameters:
    ///   - flicker: the factor on the light of a row whose exposure has its middle so many seconds after the frame's
    ///     instant, and that length; 1 on the average.
    ///   - shotAt: where everything is, a time in seconds after the frame's instant; each row at its own.
    func images(
        ofFrame number: Int, flicker: @escaping Flicker = { _, _ in 1 }, shotAt: (Double) -> Shot
    ) -> [ImageBuffer] {
        settle(on: shotAt)
        truthPictures = nil
        let exposure = exposure
        collect(exposure.seconds, shotAt: shotAt)
        expose(to: exposure, flicker: flicker)
        if automatic != nil {
            automatic?.follow(
                meter.brightness(of: light, gain: exposure.gain), afterSeconds: 1 / settings.rateInHertz)
        }
        return sensors.map { read(by: $0, frame: number, gain: exposure.gain) }
    }

    /// The first sensor's picture of a single shot, without motion: at the fixed exposure, or where the automatic one is.
    func image(of shot: Shot, frame number: Int = 0) -> ImageBuffer {
        collect(at: [0]) { _ in shot }
        expose(to: exposure)
        return read(by: sensors[0], frame: number, gain: exposure.gain)
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
        guard settings.hasMotionBlur else { return collect(at: [0], shotAt: shotAt) }
        // The middle comes first: what it sees says how many shots are needed.
        render(shotAt(0), at: 0)
        let motion = renderer.imageMotion(
            through: settings.model, outlines: outlines, in: shotAt(0), from: shotAt(-seconds / 2),
            to: shotAt(seconds / 2))
        let count = MotionBlur(maximumCount: settings.maximumBlurShots).shotCount(pixels: motion)
        let others = MotionBlur.fractions(count: count).filter { $0 != 0 }.map { $0 * seconds }
        collect(at: [0] + others, isFirstRendered: settings.samplesPerSide == 1, shotAt: shotAt)
    }

    /// The mean light of shots at some times, and of each pixel's parts in them.
    private func collect(at times: [Double], isFirstRendered: Bool = false, shotAt: (Double) -> Shot) {
        let samples = PixelSample.grid(side: settings.samplesPerSide)
        var count = 0
        for time in times {
            let shot = shotAt(time)
            for sample in samples {
                if count > 0 || !isFirstRendered { render(shot.seeing(sample), at: time) }
                count += 1
                guard times.count * samples.count > 1 else { return }
                add(isFirst: count == 1)
            }
        }
        forEachRow { [sum, light, count = Float(count)] row in
            let (sums, values) = (sum[row: row], light[row: row])
            for column in sums.indices { values[column] = sums[column] / count }
        }
    }

    /// Renders a shot, that of the frame's instant with the truth if it shows what pixels' centres see.
    private func render(_ shot: Shot, at time: Double) {
        guard let truthPainter, time == 0, shot.sample == PixelSample() else {
            return renderer.render(shot, into: light)
        }
        truthPictures = truthPainter.pictures { renderer.render(shot, into: light, truth: $0) }
    }

    private func add(isFirst: Bool) {
        forEachRow { [sum, light] row in
            let (sums, values) = (sum[row: row], light[row: row])
            for column in sums.indices { sums[column] = isFirst ? values[column] : sums[column] + values[column] }
        }
    }

    private func expose(to exposure: Exposure, flicker: @escaping Flicker = { _, _ in 1 }) {
        let shutter = ShutterTiming(rowCount: light.size.height, readoutSeconds: settings.readoutSeconds)
        // What a sensor collects before it is read does not depend on its seed.
        forEachRow { [sensor = sensors[0], light] row in
            sensor.expose(
                light[row: row], number: row, to: exposure,
                brighterBy: flicker(shutter.offsetSeconds(ofRow: Double(row)), exposure.seconds))
        }
    }

    /// Reads the charges out, and leaves them as they are.
    private func read(by sensor: Sensor, frame number: Int, gain: Double) -> ImageBuffer {
        let rowLength = light.size.width * sensor.format.bytesPerPixel
        let noise = sensor.noise(ofFrame: number)
        var bytes = [UInt8](repeating: 0, count: light.size.height * rowLength)
        bytes.withUnsafeMutableBufferPointer { bytes in
            nonisolated(unsafe) let bytes = bytes
            forEachRow { [light] row in
                withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: light.size.width) { charges in
                    _ = charges.initialize(from: light[row: row])
                    sensor.read(
                        charges, number: row, gain: gain, noise: noise,
                        into: UnsafeMutableBufferPointer(rebasing: bytes[row * rowLength..<(row + 1) * rowLength]))
                }
            }
        }
        return ImageBuffer(size: light.size, format: sensor.format, bytes: bytes)
    }

    private func forEachRow(_ body: @Sendable (Int) -> Void) {
        Parallel.run(count: light.size.height, threads: renderer.threads, body)
    }
}
