// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// A scene as a session: its frames and the finger's touches as a sensor source, and the truth behind them.
///
/// Frames are rendered while they are asked for; nothing is stored. The same scene gives the same bytes, whatever the
/// number of threads. Law: `SceneSessionTests.sameBytes`.
public struct SceneSession: Sendable {
    /// The scene.
    public private(set) var scene: Scene
    /// The strokes as the finger truly draws them.
    public let groundTruthStrokes: [GroundTruthStroke]
    /// The camera that takes the pictures.
    public let camera: CameraCalibration
    public let declaredPlanes: [DeclaredPlane]
    /// The instant at which the scene's time is zero.
    public static let start = Timestamp(nanoseconds: 1_000_000_000)

    let stage: SceneStage
    let prints: [(object: StagedObject, picture: PrintedPicture)]
    /// The motion of the device: of its inertial sensor, or of the camera's optical axes where it has none.
    public let worldFromImuMotion: PoseSpline
    /// How the motion was found in a trajectory file, where it comes from one: cutoffs and residuals.
    public let trajectoryFit: TrajectoryFit?
    /// Which pictures the truth of each frame has; at first none. They fall off while a frame is rendered, unless pixels
    /// are rendered in parts and without motion blur; then, and for a frame that is not the last one that was rendered,
    /// they take about as long as casting one ray a pixel.
    public var truthPictures: Set<TruthPictureKind> = []
    let lastTruthPictures = LastTruthPictures()
    let threads: Int

    /// The session of a scene, rendered on that many threads (all of the machine's when `nil`).
    ///
    /// Textures and shapes are made here, once; each stream renders with them.
    public init(scene: Scene, threads: Int? = nil) throws(SceneError) {
        let scene = try scene.validated()
        self.scene = scene
        self.threads = threads ?? Parallel.defaultThreadCount
        stage = try SceneStage(scene, threads: self.threads)
        prints = try stage.prints(of: scene)
        let motion = try scene.makeDeviceMotion()
        worldFromImuMotion = motion.worldFromImu
        trajectoryFit = motion.fit
        declaredPlanes = stage.declaredPlanes
        groundTruthStrokes = stage.finger?.timeline.strokes ?? []
        camera = CameraCalibration(
            camera: scene.camera.model, imageSize: scene.camera.size, imuFromOptical: scene.imuFromOptical,
            rateInHertz: scene.camera.rateInHertz,
            readoutNanoseconds: Int64((scene.camera.readoutMilliseconds * 1e6).rounded()))
    }

    /// What the session is told of its device: the camera as who calibrated it found it, and the inertial sensor's noise.
    public var rig: SensorRig {
        SensorRig(
            camera: scene.camera.calibration(toldOf: camera, hasImu: scene.imu != nil, seed: sensorSeed),
            imu: scene.imu?.calibration)
    }

    /// The number from which the sensors' noise and errors and the faults are drawn.
    var sensorSeed: UInt64 { scene.sensorSeed ?? scene.seed }

    /// The same session with other noise and errors of the sensors and of what is told of them, and other chances of the faults;
    /// textures and shapes are shared.
    public func withSensorSeed(_ seed: UInt64) -> SceneSession {
        var session = self
        session.scene.sensorSeed = seed
        return session
    }

    /// The camera's pose at a time of the scene.
    public func worldFromCamera(at seconds: Double) -> RigidTransform {
        worldFromImuMotion.worldFromBody(at: seconds) * camera.imuFromCamera
    }

    /// The inertial sensor, where the scene has one: what it reads, and its true biases.
    public var inertialSensor: InertialSensor? {
        scene.imu.map {
            InertialSensor(
                $0, on: worldFromImuMotion, seed: sensorSeed, start: Self.start, durationSeconds: scene.durationSeconds)
        }
    }

    /// A stroke's points in the world.
    public func pointsInWorld(of stroke: GroundTruthStroke) -> [Point3] {
        guard let worldFromPlane = stage.finger?.worldFromPlane else { return [] }
        return stroke.pointsInPlane.map { worldFromPlane * Point3($0.x, 0, $0.y) }
    }

    /// The stamp of a frame, counted from zero.
    func timestamp(ofFrame number: Int) -> Timestamp {
        Self.timestamp(atSeconds: Double(number) / scene.camera.rateInHertz)
    }

    static func timestamp(atSeconds seconds: Double) -> Timestamp {
        start.advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
    }
}

extension SceneSession: SensorSource {
    public var expectedFrameCount: Int? { frameCount }

    /// Frames are taken from time zero on, as long as the scene lasts.
    var frameCount: Int { Int((scene.durationSeconds * scene.camera.rateInHertz - 1e-9).rounded(.down)) + 1 }

    public func makeStream() -> any SensorStream { makeStreams(sensorSeeds: [sensorSeed])[0] }
}
