// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import ARTracking
import ARTruth
import ARVision
import ARWorld
import Foundation

/// A session: sensor events in, and for each frame a pose, a world to ask, and a pen that draws.
///
/// ```swift
/// var session = try Session(pinned: Recording(opening: folder))
/// while let frame = try session.next() {
///     let hits = frame.hitTest(frame.viewport.size.center, types: .existingPlaneUsingExtent)
/// }
/// ```
///
/// The same source and configuration give the same frames, bit for bit. Law: `SessionTests.sameInputSameTrace`.
/// A session is replayed once: copies share the source's open files, so only one of them may go on.
public struct Session {
    /// Where the poses come from.
    public let mode: PoseMode
    /// The device.
    public let rig: SensorRig
    /// What the session was asked to do.
    public let configuration: SessionConfiguration
    /// What was replayed so far.
    public private(set) var counts = Counts()

    /// How long each stage of the tracker took for the last frame, or `nil` in mode `pinned`.
    public private(set) var stageTimes: StageTimes?

    private var events: any SensorStream
    private var rules: SourceRules
    private var poses: any PoseFinder
    private var userEvents: [UserEvent] = []
    private var found: [FoundFrame] = []
    private var hasEnded = false
    private var world: World
    private var watch: PictureWatch
    private var targetWatch: ImageTargetWatch?
    private var faceTracker: FaceTracker?
    private var seenAnchors: [Anchor] = []
    private var removedAnchors: Set<UUID> = []
    private var viewport: Viewport
    private var pen: Pen
    private var sketch: Sketch
    private var sights = Sights()

    /// What pictures show.
    private struct Sights {
        var detections: Detections?
        var rectangles: [TrackedRectangle]?
        var targets: [SessionTarget]?
        var faces: [TrackedFace]?
    }

    /// How much a session has replayed.
    public struct Counts: Hashable, Sendable {
        /// Frames.
        public var frames = 0
        /// Frames whose pose was known.
        public var framesWithPose = 0
        /// Inertial samples.
        public var imuSamples = 0
        /// Frames that came late or a second time, and were left out.
        public var lateFrames = 0
        /// Frames that showed a picture again that came before.
        public var repeatedPictures = 0
        /// Inertial samples that came late or a second time.
        public var lateImuSamples = 0
        /// Taps, presses and the app's own events.
        public var userEvents = 0
        /// Positions of the pressed pen on a plane.
        public var penSamples = 0
    }

    /// A session in mode `pinned`: poses, planes and fingertip are taken from the source's truth.
    public init(
        pinned source: some SensorSource & TruthSource, configuration: SessionConfiguration = SessionConfiguration()
    ) throws {
        try self.init(
            source, mode: .pinned, planes: source.declaredPlanes,
            poses: PinnedPoses(source),
            configuration)
    }

    /// A session in mode `tracked`: poses are found from pictures and inertial samples, and nothing else is known. A source
    /// without inertial samples is refused.
    ///
    /// Frames come out when the samples up to their last row are in.
    public init(
        tracking source: some SensorSource, configuration: SessionConfiguration = SessionConfiguration(),
        tracker: TrackerConfiguration = TrackerConfiguration()
    ) throws {
        guard source.rig.imu != nil else { throw SessionError.noInertialSensor }
        try self.init(
            source, mode: .tracked, planes: [],
            poses: TrackedPoses(VisualInertialTracker(rig: source.rig, configuration: tracker)), configuration)
    }

    private init(
        _ source: some SensorSource, mode: PoseMode, planes: [DeclaredPlane], poses: any PoseFinder,
        _ configuration: SessionConfiguration
    ) throws {
        self.mode = mode
        self.poses = poses
        rig = source.rig
        self.configuration = configuration
        rules = try SourceRules(source, planes: planes)
        events = try source.makeStream()
        world = World(
            findingPlanesWith: mode == .tracked ? configuration.planeDetection.map(PlaneFinder.init) : nil)
        for plane in planes { world.add(.plane(PlaneAnchor(plane))) }
        watch = PictureWatch(configuration.pictureSearch)
        targetWatch = configuration.imageTargets.map(ImageTargetWatch.init)
        faceTracker = configuration.faces.map { FaceTracker($0.models, configuration: $0.configuration) }
        viewport = Viewport(showing: rig.camera.imageSize, turned: rig.interfaceOrientation, in: configuration.viewSize)
        pen = Pen(source: configuration.pen, lift: configuration.penLift)
        sketch = Sketch(configuration: configuration)
    }

    /// The next frame, or `nil` when the source has ended. A source that breaks a rule ends it with a ``SessionError``.
    public mutating func next() throws -> SessionFrame? {
        while found.isEmpty, !hasEnded {
            guard let event = try events.next() else {
                found = poses.finish()
                hasEnded = true
                break
            }
            let isInTurn = try rules.check(event)
            switch event {
            case .imu:
                counts.imuSamples += 1
                if !isInTurn { counts.lateImuSamples += 1 }
            case .user(let event):
                counts.userEvents += 1
                userEvents.append(event)
            case .frame:
                if !isInTurn {
                    counts.lateFrames += 1
                    continue
                }
            }
            found = try poses.process(event, rules: rules)
        }
        guard !found.isEmpty else { return nil }
        return try process(found.removeFirst())
    }

    /// Adds an anchor at a place that the app chose, from the next frame on: see ``/ARWorld/World/addAnchor(named:at:on:)``.
    @discardableResult
    public mutating func addAnchor(
        named name: String? = nil, at worldFromAnchor: RigidTransform, on plane: PlaneAnchor? = nil
    ) -> UserAnchor {
        world.addAnchor(named: name, at: worldFromAnchor, on: plane)
    }

    /// Removes the anchor with that identifier from the next frame on. A rectangle's does not come back when it is seen again.
    public mutating func removeAnchor(_ identifier: UUID) {
        removedAnchors.insert(identifier)
        world.remove(identifier)
    }

    /// Makes a mesh what rays meet, in place of the one before, or forgets that one, from the next frame on.
    public mutating func setMesh(_ mesh: WorldMesh?) { world.setMesh(mesh) }

    /// What has been drawn so far, the stroke under the pen included.
    public var drawing: Drawing { sketch.drawing }

    private mutating func process(_ frame: FoundFrame) throws -> SessionFrame {
        // What the user did by then; what was done later waits for the frames that show it.
        while let event = userEvents.first, event.timestamp <= frame.tracked.timestamp {
            userEvents.removeFirst()
            apply(event.action)
        }
        stageTimes = frame.stageTimes
        let calibration = frame.tracked.motion?.calibration ?? rig.camera
        let picture = FramePicture(
            image: frame.image, readoutSeconds: Double(calibration.readoutNanoseconds) * 1e-9)
        // An old picture tells nothing more than it did, and nothing of where the camera is now.
        let isOld = frame.tracked.showsOldPicture
        let snapshot = world.update(with: frame.tracked, picture: isOld ? nil : picture)
        if !isOld { look(at: frame, in: snapshot) }
        let contact = pen.contact(of: frame, in: snapshot, viewport: viewport)
        try sketch.follow(contact, at: frame.tracked.timestamp)

        let index = counts.frames
        counts.frames += 1
        counts.repeatedPictures += isOld ? 1 : 0
        counts.framesWithPose += frame.tracked.trackingState == .normal ? 1 : 0
        counts.penSamples += contact?.isDown == true ? 1 : 0
        return SessionFrame(
            index: index, mode: mode, image: frame.image, world: snapshot, viewport: viewport, pen: contact,
            fingertip: pen.fingertip, detections: sights.detections, rectangles: sights.rectangles,
            targets: sights.targets, faces: sights.faces)
    }

    private mutating func look(at frame: FoundFrame, in snapshot: WorldSnapshot) {
        (sights.detections, sights.rectangles) = watch.look(at: frame, in: snapshot)
        sights.targets = targetWatch?.look(at: frame, in: snapshot)
        if frame.tracked.trackingState == .normal { anchor(sights.rectangles ?? [], sights.targets ?? []) }
        sights.faces = faceTracker?.next(
            frame.image, at: frame.tracked.timestamp, turnedFor: viewport.orientation)
    }

    /// Lets the world's anchors follow the rectangles that are known, the codes on them and the image targets, but for those
    /// that the app took away.
    private mutating func anchor(_ rectangles: [TrackedRectangle], _ targets: [SessionTarget]) {
        let onRectangles: [Anchor] = rectangles.flatMap {
            [.rectangle($0.anchor)] + ($0.codeAnchor.map { [.code($0)] } ?? [])
        }
        let anchors = (onRectangles + targets.compactMap { $0.anchor.map(Anchor.image) }).filter {
            !removedAnchors.contains($0.identifier)
        }
        let identifiers = Set(anchors.map(\.identifier))
        for forgotten in seenAnchors where !identifiers.contains(forgotten.identifier) {
            world.remove(forgotten.identifier)
        }
        let known = Set(seenAnchors)
        for anchor in anchors where !known.contains(anchor) { world.add(anchor) }
        seenAnchors = anchors
    }

    private mutating func apply(_ action: UserEvent.Action) {
        pen.handle(action)
        switch action {
        case .penDown, .interruptionBegan: sketch.endStroke()
        case .orientation(let orientation):
            viewport = Viewport(showing: rig.camera.imageSize, turned: orientation, in: configuration.viewSize)
        case .penUp, .tap, .interruptionEnded, .named: break
        }
    }
}

/// One frame of a session: the picture, the world as it was known, and the pen.
public struct SessionFrame: Sendable {
    /// The number of frames before this one.
    public let index: Int
    /// Where the pose comes from.
    public let mode: PoseMode
    /// The picture, as the sensor gave it.
    public let image: ImageBuffer
    /// The world as it was known.
    public let world: WorldSnapshot
    /// The view that shows the picture.
    public let viewport: Viewport
    /// The pen, where it touches a plane.
    public let pen: PenContact?
    /// The fingertip that the picture shows; `nil` where none is seen, and where nobody looks for one.
    public internal(set) var fingertip: Fingertip?
    /// The rectangles and codes that the picture shows; `nil` where nobody looks for them.
    public internal(set) var detections: Detections?
    /// The rectangles that are known to be in the world, in the order in which they were first seen; `nil` where nobody looks
    /// for them. They and the codes on them become anchors in the next frame.
    public internal(set) var rectangles: [TrackedRectangle]?
    /// The image targets that the picture shows, and those whose place in the world is known, in the order in which they were
    /// first seen; `nil` where nobody looks for them. Those with a place become anchors in the next frame.
    public internal(set) var targets: [SessionTarget]?
    /// The faces that are followed, in the order of their numbers; `nil` where nobody looks for them.
    public internal(set) var faces: [TrackedFace]?

    /// The frame's instant.
    public var timestamp: Timestamp { world.frame.timestamp }
    /// How far the pose can be trusted.
    public var trackingState: TrackingState { world.frame.trackingState }
    /// Whether the picture is one that came before: see ``/ARTracking/TrackedFrame/showsOldPicture``.
    public var showsOldPicture: Bool { world.frame.showsOldPicture }
    /// What the tracker knows of the motion: `nil` in mode `pinned`, and before it knows anything.
    public var motion: MotionEstimate? { world.frame.motion }
    /// The camera's pose: ARKit's axes, world +Y up.
    public var worldFromCamera: RigidTransform { world.frame.worldFromCamera }

    /// What the ray through a point of the view meets, nearest first.
    public func hitTest(_ point: ViewPoint, types: HitTestResult.ResultType) -> [HitTestResult] {
        world.hitTest(point, in: viewport, types: types)
    }
}

extension PlaneAnchor {
    /// The anchor of a plane that a recording or a scene declares. Its identifier follows from the name.
    init(_ plane: DeclaredPlane) {
        self.init(
            identifier: UUID(name: "declared plane \(plane.name)"), name: plane.name,
            worldFromAnchor: plane.worldFromPlane,
            boundary: plane.boundary, classification: plane.classification)
    }
}

extension Viewport {
    /// The view of that size, or the one that shows the whole picture at one point a pixel.
    fileprivate init(showing imageSize: ImageSize, turned orientation: InterfaceOrientation, in size: ViewSize?) {
        let turned = imageSize.turned(for: orientation)
        let whole = ViewSize(width: Double(turned.width), height: Double(turned.height))
        self.init(size: size ?? whole, orientation: orientation)
    }
}
