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
    public let scene: Scene
    /// The strokes as the finger truly draws them.
    public let groundTruthStrokes: [GroundTruthStroke]
    /// The device.
    public let rig: SensorRig
    public let declaredPlanes: [DeclaredPlane]
    /// The instant at which the scene's time is zero.
    public static let start = Timestamp(nanoseconds: 1_000_000_000)

    private let stage: SceneStage
    private let motion: PoseSpline
    private let threads: Int

    /// The session of a scene, rendered on that many threads (all of the machine's when `nil`).
    ///
    /// Textures and shapes are made here, once; each stream renders with them.
    public init(scene: Scene, threads: Int? = nil) throws(SceneError) {
        let scene = try scene.validated()
        self.scene = scene
        self.threads = threads ?? Parallel.defaultThreadCount
        stage = try SceneStage(scene, threads: self.threads)
        motion = scene.worldFromCameraMotion
        declaredPlanes = scene.declaredPlanes
        groundTruthStrokes = stage.finger?.timeline.strokes ?? []
        rig = SensorRig(
            camera: CameraCalibration(
                camera: scene.camera.model, imageSize: scene.camera.size, rateInHertz: scene.camera.rateInHertz))
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

    /// Where everything is that moves.
    func shot(at timestamp: Timestamp) -> Shot {
        let seconds = timestamp.seconds(since: Self.start)
        let pose = motion.worldFromBody(at: seconds)
        return Shot(
            worldFromCameraByRow: [RigidTransform](repeating: pose, count: scene.camera.size.height),
            worldFromMoving: stage.finger.map { [$0.worldFromHand(at: seconds)] } ?? [])
    }

    /// The object number of the hand in ``Rendering/objects``.
    var handObject: Int? { stage.finger == nil ? nil : stage.model.surfaces.count - 1 }

    func makeRenderer() -> Renderer {
        Renderer(
            model: stage.model, camera: scene.camera.model, size: scene.camera.size,
            pixelFormat: scene.camera.pixelFormat, transfer: scene.camera.transfer, exposure: scene.camera.exposure,
            threads: threads)
    }
}

extension SceneSession: SensorSource {
    public var expectedFrameCount: Int? { frameCount }

    /// Frames are taken from time zero on, as long as the scene lasts.
    var frameCount: Int { Int((scene.durationSeconds * scene.camera.rateInHertz - 1e-9).rounded(.down)) + 1 }

    public func makeStream() -> any SensorStream { SceneSensorStream(self) }
}

extension SceneSession: TruthSource {
    public func makeTruthStream() -> any TruthStream { SceneTruthStream(self) }

    fileprivate func truth(at timestamp: Timestamp, occlusion: Raycaster) -> FrameTruth {
        let seconds = timestamp.seconds(since: Self.start)
        let worldFromCamera = motion.worldFromBody(at: seconds)
        var truth = FrameTruth(timestamp: timestamp, worldFromCamera: worldFromCamera)
        guard let finger = stage.finger else { return truth }
        let hand = finger.worldFromHand(at: seconds)
        stage.place(hand, in: occlusion)
        let tip = hand.translation
        let opticalFromWorld = RigidTransform.opticalFromCamera * worldFromCamera.inverse
        let pixel = scene.camera.model.project(opticalFromWorld * tip)
        let isInside = pixel.map(scene.camera.size.contains) ?? false
        truth.fingertip = FingertipTruth(
            positionInWorld: tip, pixel: pixel,
            isVisible: isInside
                && !occlusion.isBlocked(
                    from: worldFromCamera.translation, to: tip, margin: PointingHand.tipThicknessMeters),
            isPenDown: finger.timeline.isPenDown(at: seconds))
        return truth
    }

    fileprivate func makeOcclusion() -> Raycaster { stage.makeRaycaster() }

    fileprivate var userEvents: [UserEvent] {
        groundTruthStrokes.flatMap { stroke in
            [
                UserEvent(timestamp: Self.timestamp(atSeconds: stroke.startSeconds), action: .penDown),
                UserEvent(timestamp: Self.timestamp(atSeconds: stroke.endSeconds), action: .penUp),
            ]
        }
    }
}

/// Renders one frame after the other, with the touches between them.
private struct SceneSensorStream: SensorStream {
    private let session: SceneSession
    private let renderer: Renderer
    private let userEvents: [UserEvent]
    private var nextFrame = 0
    private var nextUserEvent = 0

    init(_ session: SceneSession) {
        self.session = session
        renderer = session.makeRenderer()
        userEvents = session.userEvents
    }

    mutating func next() -> SensorEvent? {
        let frameTime = nextFrame < session.frameCount ? session.timestamp(ofFrame: nextFrame) : nil
        if nextUserEvent < userEvents.count, frameTime.map({ userEvents[nextUserEvent].timestamp <= $0 }) ?? true {
            nextUserEvent += 1
            return .user(userEvents[nextUserEvent - 1])
        }
        guard let frameTime else { return nil }
        nextFrame += 1
        return .frame(CameraFrame(timestamp: frameTime, image: renderer.image(of: session.shot(at: frameTime))))
    }
}

/// Knows everything at every instant.
private struct SceneTruthStream: TruthStream {
    private let session: SceneSession
    private let occlusion: Raycaster

    init(_ session: SceneSession) {
        self.session = session
        occlusion = session.makeOcclusion()
    }

    /// The truth, or `nil` before the scene begins and after it ends.
    mutating func truth(at timestamp: Timestamp) -> FrameTruth? {
        let end = SceneSession.timestamp(atSeconds: session.scene.durationSeconds)
        guard SceneSession.start <= timestamp, timestamp <= end else { return nil }
        return session.truth(at: timestamp, occlusion: occlusion)
    }
}
