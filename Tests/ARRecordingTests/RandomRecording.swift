// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import ARSensing
import ARTruth
import Foundation
import TestSupport

/// A small session of random values: what a recording must give back.
struct RandomSession: SensorSource, TruthSource {
    var rig: SensorRig
    var session: SessionDescription
    var events: [SensorEvent]
    var truths: [FrameTruth]
    var strokes: [StrokeTruth] = []
    var objects: [TruthObject] = []
    var trueCamera: CameraCalibration?

    private static var saidOfCameras: [WritableKeyPath<CameraCalibration.Uncertainty, Double?>] {
        [
            \.focalShare, \.principalPointPixels, \.radialDistortion, \.rotationRadians, \.translationMeters,
            \.timeOffsetSeconds, \.readoutSeconds,
        ]
    }

    private static var saidOfInertialSensors: [WritableKeyPath<ImuCalibration.Uncertainty, Double?>] {
        [
            \.gyroscopeScale, \.gyroscopeMisalignmentRadians, \.accelerometerScale, \.accelerometerMisalignmentRadians,
            \.accelerometerLagSeconds,
        ]
    }

    init(_ random: inout TestRandom, frames: Int = 4, hasFingertip: Bool = true) {
        let size = ImageSize(width: 16, height: 12)
        let intrinsics = PinholeIntrinsics(fx: 20, fy: 21, cx: 7.25, cy: 5.5)
        let cameras: [Camera] = [
            .pinhole(PinholeCamera(intrinsics)),
            .radialTangential(RadialTangentialCamera(intrinsics, k1: -0.1, k2: 0.01, p1: 1e-4, p2: -1e-5)),
            .radialTangential(RadialTangentialCamera(intrinsics, k1: -0.1, k2: 0.01, p1: 1e-4, p2: -1e-5, k3: 0.001)),
            .equidistant(EquidistantCamera(intrinsics, k1: 0.01, k2: -0.002, k3: 1e-4, k4: -1e-5)),
        ]
        let imu = ImuCalibration(
            rateInHertz: 200, gyroscopeNoiseDensity: 1.7e-4, gyroscopeRandomWalk: 2e-5,
            accelerometerNoiseDensity: 2e-3, accelerometerRandomWalk: 3e-3)
        rig = SensorRig(
            camera: CameraCalibration(
                camera: cameras.randomElement(using: &random)!, imageSize: size,
                imuFromOptical: random.rigidTransform(), rateInHertz: 20, readoutNanoseconds: 16_000_000),
            imu: imu, interfaceOrientation: InterfaceOrientation.allCases.randomElement(using: &random)!)
        for field in Self.saidOfCameras where Bool.random(using: &random) {
            rig.camera.uncertainty[keyPath: field] = random.uniform(0.001...0.1)
        }
        for field in Self.saidOfInertialSensors where Bool.random(using: &random) {
            rig.imu?.uncertainty[keyPath: field] = random.uniform(0.001...0.1)
        }
        session = SessionDescription(
            device: "a \"device\"", madeBy: "a test", interfaceOrientation: rig.interfaceOrientation,
            declaredPlanes: [
                DeclaredPlane(
                    name: "desk", worldFromPlane: random.rigidTransform(),
                    boundary: [[0, 0], [0, random.uniform(0.1...1)], [random.uniform(0.1...1), 0]],
                    classification: .table)
            ])
        events = []
        truths = []
        if hasFingertip {
            strokes = (0..<2).map { _ in
                StrokeTruth(
                    start: Timestamp(nanoseconds: 1_403_636_579_763_555_584),
                    end: Timestamp(nanoseconds: 1_403_636_580_763_555_584),
                    pointsInWorld: (0..<3).map { _ in random.vector3() })
            }
        }
        var start: Int64 = 1_403_636_579_763_555_584
        for _ in 0..<frames {
            // A sample, an event and a frame at the same instant: the order of equal stamps.
            events.append(.imu(Self.sample(&random, at: start)))
            events.append(.user(Self.event(&random, at: start)))
            if Bool.random(using: &random) { events.append(.user(Self.event(&random, at: start))) }
            let frame = Self.frame(&random, size: size, at: start)
            events.append(.frame(frame))
            if Double.random(in: 0...1, using: &random) < 0.8 {
                truths.append(Self.truth(&random, at: frame.timestamp, hasObjects: hasFingertip))
            }
            for sample in 1..<10 { events.append(.imu(Self.sample(&random, at: start + Int64(sample) * 5_000_000))) }
            start += 50_000_000
        }
        if Bool.random(using: &random) { trueCamera = Self.otherCamera(&random, than: rig.camera) }
    }

    /// A camera that takes the same pictures otherwise, and sits elsewhere.
    static func otherCamera(_ random: inout TestRandom, than told: CameraCalibration) -> CameraCalibration {
        var camera = told
        camera.camera = .pinhole(
            PinholeCamera(
                PinholeIntrinsics(
                    fx: random.uniform(15...25), fy: random.uniform(15...25), cx: random.uniform(5...10),
                    cy: random.uniform(4...7))))
        camera.imuFromOptical = random.rigidTransform()
        camera.uncertainty = CameraCalibration.Uncertainty()
        return camera
    }

    private static func sample(_ random: inout TestRandom, at time: Int64) -> ImuSample {
        ImuSample(
            timestamp: Timestamp(nanoseconds: time), angularVelocity: random.vector3(),
            specificForce: random.vector3(-20...20))
    }

    private static func frame(_ random: inout TestRandom, size: ImageSize, at time: Int64) -> CameraFrame {
        var image = ImageBuffer(size: size, format: Bool.random(using: &random) ? .gray8 : .rgb8)
        for index in image.bytes.indices { image.bytes[index] = UInt8.random(in: 0...255, using: &random) }
        return CameraFrame(timestamp: Timestamp(nanoseconds: time), image: image)
    }

    private static func event(_ random: inout TestRandom, at time: Int64) -> UserEvent {
        let actions: [UserEvent.Action] = [
            .tap(NormalizedImagePoint(random.uniform(0...1), random.uniform(0...1))), .penDown, .penUp,
            .orientation(InterfaceOrientation.allCases.randomElement(using: &random)!),
            .named("zoom \"é\"\n", value: "\u{1}\t\\ 🖊 /"),
        ]
        return UserEvent(
            timestamp: Timestamp(nanoseconds: time), action: actions.randomElement(using: &random)!)
    }

    // MARK: As a source

    var expectedFrameCount: Int? { nil }
    var declaredPlanes: [DeclaredPlane] { session.declaredPlanes }

    func makeStream() -> any SensorStream { Stream(rest: events[...]) }
    func sessionTruth() -> SessionTruth {
        SessionTruth(planes: declaredPlanes, strokes: strokes, objects: objects, camera: trueCamera)
    }
    func makeTruthStream() -> any TruthStream { Truths(truths: truths) }

    struct Stream: SensorStream {
        var rest: ArraySlice<SensorEvent>
        mutating func next() -> SensorEvent? { rest.popFirst() }
    }

    struct Truths: TruthStream {
        var truths: [FrameTruth]
        mutating func truth(at timestamp: Timestamp) -> FrameTruth? { truths.first { $0.timestamp == timestamp } }
    }

    /// Writes the session to a folder.
    func record(to folder: URL) throws {
        try RecordingWriter.record(self, truth: self, to: folder, session: session)
    }
}

extension SensorSource {
    /// All events from the beginning.
    func allEvents() throws -> [SensorEvent] {
        var stream = try makeStream()
        var events: [SensorEvent] = []
        while let event = try stream.next() { events.append(event) }
        return events
    }
}

extension Recording {
    /// The truth at each frame that has any.
    func allTruths() throws -> [FrameTruth] {
        var truths = try makeTruthStream()
        return try allEvents().compactMap { event in
            guard case .frame(let frame) = event else { return nil }
            return try truths.truth(at: frame.timestamp)
        }
    }
}

/// Every file of a folder with its bytes.
func contents(of folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.path)! {
        let file = folder.appendingPathComponent(name)
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        if !isFolder.boolValue { files[name] = try Data(contentsOf: file) }
    }
    return files
}
