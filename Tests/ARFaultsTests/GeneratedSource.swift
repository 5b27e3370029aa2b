// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport

/// A small session whose every event is known: ten frames and a hundred inertial samples a second. The camera moves along
/// x by a metre a second; the time stands in its truth and in its samples.
struct GeneratedSource: SensorSource, TruthSource {
    var seconds = 3.0
    var size = ImageSize(width: 32, height: 24)
    var format = PixelFormat.rgb8
    var hasImu = true

    static let start = Timestamp(nanoseconds: 7_000_000_000)

    static func timestamp(_ seconds: Double) -> Timestamp {
        start.advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
    }

    static func seconds(_ timestamp: Timestamp) -> Double { Double(timestamp.nanoseconds(since: start)) / 1e9 }

    var rig: SensorRig {
        let center = Vector2(Double(size.width - 1) / 2, Double(size.height - 1) / 2)
        let intrinsics = PinholeIntrinsics(fx: 30, fy: 31, cx: center.x, cy: center.y)
        var camera = CameraCalibration(
            camera: .radialTangential(RadialTangentialCamera(intrinsics, k1: -0.1, k2: 0.01, p1: 1e-4, p2: -1e-5)),
            imageSize: size,
            imuFromOptical: RigidTransform(
                rotation: Rotation(rotationVector: [0, 0, 0.5]), translation: [0.01, 0.02, 0.03]),
            rateInHertz: 10)
        camera.uncertainty.rotationRadians = 0.002
        camera.uncertainty.timeOffsetSeconds = 0.001
        camera.uncertainty.readoutSeconds = 0.0003
        var rig = SensorRig(
            camera: camera,
            imu: hasImu
                ? ImuCalibration(
                    rateInHertz: 100, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-5,
                    accelerometerNoiseDensity: 1e-3, accelerometerRandomWalk: 1e-4) : nil)
        rig.imu?.uncertainty.accelerometerLagSeconds = 0.001
        return rig
    }

    var expectedFrameCount: Int? { Int(seconds * 10) }
    var declaredPlanes: [DeclaredPlane] { [] }

    func sessionTruth() -> SessionTruth {
        SessionTruth(strokes: [
            StrokeTruth(start: Self.timestamp(0.5), end: Self.timestamp(2.5), pointsInWorld: [.zero, [1, 0, 0]])
        ])
    }

    func makeStream() -> any SensorStream { Stream(source: self) }
    func makeTruthStream() -> any TruthStream { Truths(end: seconds) }

    func sample(_ index: Int) -> ImuSample {
        let seconds = Double(index) / 100
        return ImuSample(
            timestamp: Self.timestamp(seconds), angularVelocity: [seconds, 0.5, -2], specificForce: [0, 9.81, seconds])
    }

    /// A pattern with detail that moves on from frame to frame.
    func frame(_ index: Int) -> CameraFrame {
        var image = ImageBuffer(size: size, format: format)
        let channels = format.bytesPerPixel
        for pixel in 0..<size.width * size.height {
            let (column, row) = (pixel % size.width + index, pixel / size.width)
            for channel in 0..<channels {
                image.bytes[pixel * channels + channel] = UInt8(
                    60 + (column / 4 + row / 4) % 2 * 100 + channel * 10 + row % 4)
            }
        }
        return CameraFrame(timestamp: Self.timestamp(Double(index) / 10), image: image)
    }

    private struct Stream: SensorStream {
        let source: GeneratedSource
        private var nextSample = 0
        private var nextFrame = 0
        private var userEvents: ArraySlice<UserEvent>

        init(source: GeneratedSource) {
            self.source = source
            userEvents = [
                UserEvent(timestamp: timestamp(0.5), action: .penDown),
                UserEvent(timestamp: timestamp(1.55), action: .tap(NormalizedImagePoint(0.25, 0.5))),
                UserEvent(timestamp: timestamp(2.5), action: .penUp),
            ]
        }

        mutating func next() -> SensorEvent? {
            let sampleTime = source.hasImu ? Double(nextSample) / 100 : .infinity
            let frameTime = Double(nextFrame) / 10
            let userTime = userEvents.first.map { seconds($0.timestamp) } ?? .infinity
            guard min(sampleTime, min(frameTime, userTime)) < source.seconds else { return nil }
            if sampleTime <= min(frameTime, userTime) {
                nextSample += 1
                return .imu(source.sample(nextSample - 1))
            }
            if userTime <= frameTime, let event = userEvents.popFirst() { return .user(event) }
            nextFrame += 1
            return .frame(source.frame(nextFrame - 1))
        }
    }

    /// Known at every instant, and strict about the order in which it is asked.
    private struct Truths: TruthStream {
        let end: Double
        var last: Timestamp?

        init(end: Double) { self.end = end }

        mutating func truth(at timestamp: Timestamp) throws -> FrameTruth? {
            if let last, timestamp < last { throw AskedBackwards(timestamp: timestamp, last: last) }
            last = timestamp
            let seconds = seconds(timestamp)
            guard (0..<end).contains(seconds) else { return nil }
            var truth = FrameTruth(
                timestamp: timestamp, worldFromCamera: RigidTransform(translation: [seconds, 0, 0]),
                fingertip: FingertipTruth(
                    positionInWorld: [0, seconds, 0], pixel: PixelPoint(1, 2), isVisible: true, isPenDown: false))
            truth.inertia = InertiaTruth(
                velocityInWorld: [1, 0, 0], angularVelocityInImu: [seconds, 0, 0], gyroscopeBias: [0.01, 0, 0],
                accelerometerBias: [0, 0.1, 0])
            return truth
        }
    }
}

struct AskedBackwards: Error {
    let timestamp: Timestamp
    let last: Timestamp
}

// MARK: - What comes out

/// All that a source with faults gives.
struct Outcome {
    var events: [SensorEvent] = []
    /// The truth at each frame, in the order of the frames.
    var truths: [FrameTruth?] = []

    var frames: [CameraFrame] { events.compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }
    var samples: [ImuSample] { events.compactMap { if case .imu(let sample) = $0 { sample } else { nil } } }
    var userEvents: [UserEvent] { events.compactMap { if case .user(let event) = $0 { event } else { nil } } }
    /// Seconds since the start.
    var frameTimes: [Double] { frames.map { GeneratedSource.seconds($0.timestamp) } }
    var sampleTimes: [Double] { samples.map { GeneratedSource.seconds($0.timestamp) } }

    init(_ source: some SensorSource & TruthSource) throws {
        var stream = try source.makeStream()
        var truths = try source.makeTruthStream()
        while let event = try stream.next() {
            events.append(event)
            if case .frame(let frame) = event { self.truths.append(try truths.truth(at: frame.timestamp)) }
        }
    }
}

extension GeneratedSource {
    func with(_ faults: Fault..., seed: UInt64 = 1) throws -> FaultedSource {
        try FaultedSource(self, faults: faults, seed: seed)
    }
}

extension Fault {
    /// A fault with the keys of a text, such as `late: {sensor: imu, delay_s: 0.1}`.
    static func yaml(_ text: String) throws -> Fault { try Fault(YamlReader.read(text, file: "test")) }

    /// One of each kind, in a range of its own.
    static let examples = [
        "covered_lens: {from_s: 0.5, to_s: 1.5, fraction: 0.7}", "darkness: {from_s: 1, light: 0.2, noise: 0.05}",
        "flash: {from_s: 1, to_s: 1.2}", "blur_burst: {from_s: 1, to_s: 2, size_px: 5, direction_rad: 0.3}",
        "blur_burst: {shape: defocus, size_px: 6}", "lens_shake: {from_s: 1, to_s: 2, standard_deviation_px: 0.7}",
        "refocus: {from_s: 0.5, to_s: 1.5, percent: -3, way_s: 0.2}",
        "noise_burst: {from_s: 1, to_s: 2, picture: 0.1, angular_velocity_rad_per_s: 0.2, specific_force_m_per_s2: 0.5}",
        "frozen_frames: {from_s: 1, to_s: 2}", "dropped_frames: {from_s: 1, to_s: 2.5, probability: 0.4}",
        "dropped_samples: {from_s: 1, to_s: 2, probability: 0.5}", "imu_gap: {from_s: 1, to_s: 1.5}",
        "saturation: {from_s: 0.5, angular_velocity_rad_per_s: 1, specific_force_m_per_s2: 5}",
        "doubled: {sensor: both, probability: 0.3}", "doubled: {sensor: camera, probability: 0.5, delay_s: 0.25}",
        "late: {sensor: camera, delay_s: 0.035}", "late: {sensor: imu, probability: 0.2, delay_s: 0.3}",
        "late: {sensor: both, probability: 0.5, delay_s: 0.15}", "reordered: {sensor: imu, group: 5}",
        "reordered: {sensor: camera, from_s: 1, to_s: 2, group: 3}", "reordered: {sensor: both, group: 4}",
        "stamp_jitter: {sensor: camera, standard_deviation_s: 0.02}",
        "stamp_jitter: {sensor: both, standard_deviation_s: 0.1}", "camera_imu_offset: {offset_s: 0.033}",
        "camera_imu_offset: {from_s: 1, to_s: 2, offset_s: -0.2}",
        "sensor_lag: {from_s: 0.5, to_s: 2, gyroscope_s: 0.002, accelerometer_s: 0.0135}",
        "wrong_calibration: {focal_percent: 2, principal_point_px: [1, -1], rotation_rad: [0.01, 0, 0], distortion: [0.01]}",
        "interruption: {from_s: 1, to_s: 2}", "interruption: {from_s: 1, to_s: 2, closes_gap: true}",
        "trim: {from_s: 0.75, to_s: 2.25}", "retime: {speed: 2, imu: approximate}", "retime: {speed: 0.7, imu: drop}",
    ]
}
