// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation

@testable import ARSimulation
@testable import ARTracking

/// A device that moves among points instead of pictures: what the estimator alone can do, in seconds instead of minutes.
///
/// The points lie on the walls of a box about the path. Each frame shows up to `pointCount` of them, with noise, each row at
/// its own time; a point is followed until it leaves the picture, or is lost by chance.
struct PointCloudSession {
    let scene: Scene
    let motion: PoseSpline
    var calibration: CameraCalibration
    /// What is said of the inertial sensor.
    var imu: ImuCalibration
    let sensor: InertialSensor
    let points: [Point3]
    let seed: UInt64
    var pointCount = 150
    var pixelNoise = 0.3
    var pixelDeviation = 0.35
    var lossProbability = 0.01
    var rangeMeters = 0.2...12.0
    /// For how long each row collects light: points are seen at the mean of where they are meanwhile.
    var exposureSeconds = 0.0
    /// Whether a point that is seen again is known again.
    var arePointsRecognised = false
    /// The frame whose points have four times as much noise as the others'.
    var blurredFrame: Int?
    /// How much later than the gyroscope the accelerometer tells what it measures, in seconds from zero on.
    var accelerometerLagSeconds = 0.0
    /// How far each picture is turned by itself about each axis, in radians: a standard deviation.
    var pictureShake = 0.0
    /// How far each picture is moved by itself along each axis, in pixels: a standard deviation.
    var pictureShiftPixels = 0.0
    /// From when on it is.
    var pictureShiftBeginSeconds = 0.0
    /// By which share the focal length changes, to and fro, whenever the lens focuses: every two seconds, within the last 0.3 of them.
    var focusShare = 0.0
    /// How far one point in five slides away from where it is, in pixels a frame, each in its own direction: as the corners do
    /// that near and far edges make; and from when on.
    var slidePixelsPerFrame = 0.0
    var slideBeginSeconds = 0.0
    /// Whether a point is one of those that slide: one in five.
    static func canSlide(_ id: UInt64) -> Bool { id.isMultiple(of: 5) }
    /// How every point wanders as the camera passes: the variance along each axis, in pixels² for each pixel by which that
    /// shifts it, as long as that is little beside the estimator's reach; and whether the estimator is told.
    var slidePerParallaxPixel = 0.0
    var isSlideStated = true

    init(
        scene: Scene, seed: UInt64, margin: Vector3 = Vector3(1.5, 1.0, 1.5), pointsPerSquareMeter: Double = 60
    ) throws {
        var scene = scene
        scene.seed = seed
        scene = try scene.validated()
        self.scene = scene
        self.seed = seed
        motion = try scene.makeDeviceMotion().worldFromImu
        calibration = CameraCalibration(
            camera: scene.camera.model, imageSize: scene.camera.size, imuFromOptical: scene.imuFromOptical,
            rateInHertz: scene.camera.rateInHertz,
            readoutNanoseconds: Int64((scene.camera.readoutMilliseconds * 1e6).rounded()))
        imu = scene.imu!.calibration
        sensor = InertialSensor(
            scene.imu!, on: motion, seed: seed, start: SceneSession.start, durationSeconds: scene.durationSeconds)
        var (low, high) = (Vector3(repeating: .infinity), Vector3(repeating: -.infinity))
        for step in 0...1000 {
            let place = motion.worldFromBody(at: scene.durationSeconds * Double(step) / 1000).translation
            low = pointwiseMin(low, place)
            high = pointwiseMax(high, place)
        }
        points = Self.cloud(from: low - margin, to: high + margin, perSquareMeter: pointsPerSquareMeter, seed: seed)
    }

    private static func cloud(from low: Vector3, to high: Vector3, perSquareMeter: Double, seed: UInt64) -> [Point3] {
        var random = SeededRandom(seed: seed, purpose: "cloud")
        let size = high - low
        var points: [Point3] = []
        for axis in 0..<3 {
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3)
            for side in [low[axis], high[axis]] {
                for _ in 0..<Int(size[a] * size[b] * perSquareMeter) {
                    var point = Point3.zero
                    point[axis] = side - (side == low[axis] ? -1 : 1) * random.uniform(0..<0.3)
                    point[a] = low[a] + random.uniform(0..<size[a])
                    point[b] = low[b] + random.uniform(0..<size[b])
                    points.append(point)
                }
            }
        }
        return points
    }

    /// A frame as the tracker gets it.
    struct Frame {
        var timestamp: Timestamp
        var seconds: Double
        var points: [SeenPoint]
        /// Where each of the points truly is, in the scene's world.
        var places: [Point3]
    }

    /// Calls `body` with every frame, after the samples up to the end of its readout.
    func forEachFrame(_ body: (Frame, inout ImuHistory) throws -> Void) rethrows {
        var history = ImuHistory(calibration: imu)
        var happened = history
        var readings = sensor.makeReadings()
        var pending = readings.next()
        var random = SeededRandom(seed: seed, purpose: "points")
        var ids: [Int: UInt64] = [:]
        var formerIDs: [Int: UInt64] = [:]
        var nextID: UInt64 = 1
        var firstFrames: [UInt64: Int] = [:]
        var slides: [UInt64: SlideField] = [:]
        var shakes = SeededRandom(seed: seed, purpose: "shake")
        let device = CameraState(calibration)
        let count = Int(scene.durationSeconds * scene.camera.rateInHertz)
        for number in 0..<count {
            let seconds = Double(number) / scene.camera.rateInHertz
            let last = SceneSession.timestamp(atSeconds: seconds + 0.05)
            while let reading = pending, reading.sample.timestamp <= last {
                var sample = reading.sample
                happened.insert(sample)
                sample.specificForce =
                    happened.reading(at: sample.timestamp, accelerometerLag: -accelerometerLagSeconds).specificForce
                history.insert(sample)
                pending = readings.next()
            }
            var seen: [Int: PixelPoint] = [:]
            let opticalFromWorld = (motion.worldFromBody(at: seconds) * calibration.imuFromOptical).inverse
            for index in points.indices where rangeMeters.contains((opticalFromWorld * points[index]).z) {
                guard let pixel = calibration.camera.project(opticalFromWorld * points[index]) else { continue }
                if let pixel = smeared(points[index], near: pixel, at: seconds, by: device) { seen[index] = pixel }
            }
            for (index, _) in ids.sorted(by: { $0.value < $1.value })
            where seen[index] == nil || random.happens(lossProbability) {
                ids[index] = nil
            }
            if ids.count < pointCount {
                let fresh = seen.keys.filter { ids[$0] == nil }.sorted()
                for index in Self.shuffled(fresh, &random).prefix(pointCount - ids.count) {
                    if arePointsRecognised, let former = formerIDs[index] {
                        ids[index] = former
                        continue
                    }
                    ids[index] = nextID
                    formerIDs[index] = nextID
                    nextID += 1
                }
            }
            let (turn, way) = (shakes.normalTriple(), shakes.normalPair())
            let shake = Rotation(rotationVector: pictureShake * turn)
            let shift = pictureShiftPixels * Vector2(way.0, way.1)
            var frame = Frame(
                timestamp: SceneSession.timestamp(atSeconds: seconds), seconds: seconds, points: [], places: [])
            for (index, id) in ids.sorted(by: { $0.value < $1.value }) {
                let noise = random.normalPair()
                let pixelNoise = number == blurredFrame ? 4 * pixelNoise : pixelNoise
                var pixel = seen[index]!
                if pictureShake > 0, let ray = calibration.camera.unproject(pixel) {
                    pixel = calibration.camera.project(shake * ray) ?? pixel
                }
                if focusShare != 0 {
                    let center = Vector2(calibration.camera.intrinsics.cx, calibration.camera.intrinsics.cy)
                    pixel = PixelPoint(center + (1 + focusShare * focus(at: seconds)) * (pixel.vector - center))
                }
                if pictureShiftPixels > 0, seconds >= pictureShiftBeginSeconds {
                    pixel = PixelPoint(pixel.vector + shift)
                }
                if slidePixelsPerFrame > 0, seconds >= slideBeginSeconds, Self.canSlide(id) {
                    let first = firstFrames[id] ?? number
                    firstFrames[id] = first
                    let way = slidePixelsPerFrame * Double(number - first)
                    pixel = PixelPoint(pixel.x + way * cos(Double(id)), pixel.y + way * sin(Double(id)))
                }
                if slidePerParallaxPixel > 0 {
                    let view = (points[index] - opticalFromWorld.inverse.translation).normalized() ?? .zero
                    if slides[id] == nil { slides[id] = SlideField(seed: seed, id: id) }
                    let deviation = (slidePerParallaxPixel * VisualInertialFilter.slideReachPixels / 2).squareRoot()
                    pixel = PixelPoint(
                        pixel.vector
                            + deviation * slides[id]!.value(at: calibration.camera.intrinsics.fx * view))
                }
                let stated = isSlideStated ? slidePerParallaxPixel : 0
                frame.points.append(
                    SeenPoint(
                        id: id, pixel: PixelPoint(pixel.x + pixelNoise * noise.0, pixel.y + pixelNoise * noise.1),
                        deviationPixels: pixelDeviation, slide: PixelCovariance(xx: stated, xy: 0, yy: stated)))
                frame.places.append(points[index])
            }
            try body(frame, &history)
        }
    }

    /// The frames that begin within these seconds, as a beginning is looked for in them, and all samples.
    func take(
        during seconds: Range<Double> = 0..<Double.infinity
    ) -> (frames: [MotionAlignment.Frame], samples: ImuHistory) {
        var frames: [MotionAlignment.Frame] = []
        var history = ImuHistory(calibration: imu)
        forEachFrame { frame, samples in
            if seconds.contains(frame.seconds) {
                frames.append(MotionAlignment.Frame(timestamp: frame.timestamp, points: frame.points))
            }
            history = samples
        }
        return (frames, history)
    }

    /// A stationary field over directions, whose correlation falls exponentially with the estimator's reach: a sum of waves whose
    /// frequencies are Cauchy's, as that law's characteristic function is the exponential (Rahimi & Recht 2007, "Random Features
    /// for Large-Scale Kernel Machines").
    private struct SlideField {
        private let waves: [(frequency: Vector3, phases: Vector2)]

        init(seed: UInt64, id: UInt64) {
            var random = SeededRandom(seed: seed, purpose: "slide \(id)")
            waves = (0..<64).map { _ in
                let (a, b) = (random.normalPair(), random.normalPair())
                let frequency = Vector3(a.0, a.1, b.0) / (abs(b.1) * VisualInertialFilter.slideReachPixels)
                return (frequency, 2 * Double.pi * Vector2(random.uniform(0..<1), random.uniform(0..<1)))
            }
        }

        /// Along columns and rows, of variance one each. The direction has the length of the focal length in pixels.
        func value(at direction: Vector3) -> Vector2 {
            let sum = waves.reduce(Vector2.zero) { sum, wave in
                let phase = wave.frequency.dot(direction)
                return sum + Vector2(cos(phase + wave.phases.x), cos(phase + wave.phases.y))
            }
            return (2 / Double(waves.count)).squareRoot() * sum
        }
    }

    private static func shuffled(_ values: [Int], _ random: inout SeededRandom) -> [Int] {
        var values = values
        guard values.count > 1 else { return values }
        for index in stride(from: values.count - 1, to: 0, by: -1) {
            values.swapAt(index, Int(random.uniform(0..<Double(index + 1))))
        }
        return values
    }

    /// Where a point is seen in the frame at a time, if it is.
    func pixel(of point: Point3, at seconds: Double) -> PixelPoint? {
        let opticalFromWorld = (motion.worldFromBody(at: seconds) * calibration.imuFromOptical).inverse
        guard let pixel = calibration.camera.project(opticalFromWorld * point) else { return nil }
        return smeared(point, near: pixel, at: seconds, by: CameraState(calibration))
    }

    /// How far the lens has come from the one focus, 0, to the other, 1.
    private func focus(at seconds: Double) -> Double {
        let periods = seconds / 2
        let way = max(2 * (periods - periods.rounded(.down)) - 1.7, 0) / 0.3
        return Int(periods).isMultiple(of: 2) ? way : 1 - way
    }

    /// Where a point is seen in the frame at a time, in the mean of its exposure.
    private func smeared(
        _ point: Point3, near start: PixelPoint, at seconds: Double, by device: CameraState
    ) -> PixelPoint? {
        guard exposureSeconds > 0 else { return exposed(point, near: start, at: seconds, by: device) }
        let shots = MotionBlur.fractions(count: 9).compactMap {
            exposed(point, near: start, at: seconds + $0 * exposureSeconds, by: device)
        }
        guard shots.count == 9 else { return nil }
        return PixelPoint(shots.reduce(.zero) { $0 + $1.vector } / 9)
    }

    /// Where a point is seen in the frame at a time, its row's own time taken into account.
    private func exposed(
        _ point: Point3, near start: PixelPoint, at seconds: Double, by device: CameraState
    ) -> PixelPoint? {
        let (width, height) = (Double(calibration.imageSize.width), Double(calibration.imageSize.height))
        guard abs(start.x - width / 2) < 0.7 * width, abs(start.y - height / 2) < 0.7 * height else { return nil }
        var seen = start
        for _ in 0..<4 {
            let pose = motion.worldFromBody(at: seconds + device.secondsAfterInstant(of: seen))
            guard let next = calibration.camera.project((pose * calibration.imuFromOptical).inverse * point)
            else { return nil }
            seen = next
        }
        let margin = 4.0
        guard seen.x > margin, seen.y > margin, seen.x < width - 1 - margin, seen.y < height - 1 - margin else {
            return nil
        }
        return seen
    }

    /// The truth.
    func state(at seconds: Double) -> MotionState { motion.state(at: seconds) }
}
