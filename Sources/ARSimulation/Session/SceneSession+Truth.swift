// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

extension SceneSession: TruthSource {
    public func sessionTruth() -> SessionTruth {
        // A calibration says nothing of the camera that it is meant to tell.
        var told = rig.camera
        told.uncertainty = CameraCalibration.Uncertainty()
        return SessionTruth(
            planes: declaredPlanes,
            strokes: groundTruthStrokes.map { stroke in
                StrokeTruth(
                    start: Self.timestamp(atSeconds: stroke.startSeconds),
                    end: Self.timestamp(atSeconds: stroke.endSeconds), pointsInWorld: pointsInWorld(of: stroke))
            }, objects: truthPictures.contains(.objects) ? truthObjects : [], camera: told == camera ? nil : camera)
    }

    public func makeTruthStream() -> any TruthStream { SceneTruthStream(self) }

    public func with(_ pictures: Set<TruthPictureKind>) -> SceneSession {
        var session = self
        session.truthPictures.formUnion(pictures)
        return session
    }
}

/// Knows everything at every instant.
private struct SceneTruthStream: TruthStream {
    private let session: SceneSession
    private let occlusion: Raycaster
    private let planes: [(name: String, samples: [SurfaceSample])]
    private let heads: [StagedObject]
    private let painter: TruthPainter?
    /// For frames that nobody has rendered.
    private lazy var renderer = session.makeRenderer()
    private var biasWalk: ImuBiasWalk?

    init(_ session: SceneSession) {
        self.session = session
        occlusion = session.stage.makeRaycaster()
        planes = session.declaredPlanes.map { ($0.name, $0.surfaceSamples) }
        painter = session.truthPainter
        biasWalk = session.inertialSensor?.makeBiasWalk()
        heads = session.stage.objects.filter { $0.kind == .head }
    }

    /// The truth, or `nil` before the scene begins and after it ends.
    mutating func truth(at timestamp: Timestamp) -> FrameTruth? {
        guard isKnown(timestamp) else { return nil }
        let sight = FrameSight(of: session, at: timestamp, occlusion: occlusion)
        var truth = FrameTruth(timestamp: timestamp, worldFromCamera: sight.worldFromCamera)
        truth.inertia = inertia(at: sight.seconds)
        truth.fingertip = session.fingertip(in: sight)
        truth.planes = planes.map { plane in
            PlaneTruth(name: plane.name, visibleFraction: sight.visibleFraction { _ in plane.samples })
        }
        for (object, picture) in session.prints { truth.add(picture, on: object, in: sight) }
        truth.faces = heads.map { FaceTruth($0, in: sight) }
        if let painter {
            truth.pictures =
                session.lastTruthPictures.pictures(of: painter.kinds, at: timestamp)
                ?? painter.pictures(of: sight.shot, by: renderer)
        }
        return truth
    }

    /// Nobody is asked what the camera sees. Law: `SceneSessionTests.theCamerasTruthIsThatOfTheFrame`.
    mutating func cameraTruth(at timestamp: Timestamp) -> FrameTruth? {
        guard isKnown(timestamp) else { return nil }
        let seconds = timestamp.seconds(since: SceneSession.start)
        return FrameTruth(timestamp: timestamp, worldFromCamera: session.worldFromCamera(at: seconds))
    }

    private func isKnown(_ timestamp: Timestamp) -> Bool {
        let end = SceneSession.timestamp(atSeconds: session.scene.durationSeconds)
        return SceneSession.start <= timestamp && timestamp <= end
    }

    private mutating func inertia(at seconds: Double) -> InertiaTruth? {
        guard let biases = biasWalk?.biases(at: seconds) else { return nil }
        let state = session.worldFromImuMotion.state(at: seconds)
        return InertiaTruth(
            velocityInWorld: state.velocity, angularVelocityInImu: state.angularVelocityInBody,
            gyroscopeBias: biases.gyroscope, accelerometerBias: biases.accelerometer)
    }
}

extension SceneSession {
    fileprivate func fingertip(in sight: FrameSight) -> FingertipTruth? {
        guard let finger = stage.finger else { return nil }
        func tip(_ seconds: Double) -> Point3 { finger.worldFromHand(at: seconds).translation }
        return FingertipTruth(
            positionInWorld: tip(sight.seconds), pixel: sight.pixel(of: tip),
            isVisible: sight.isSeen(tip, margin: PointingHand.tipThicknessMeters),
            isPenDown: finger.timeline.isPenDown(at: sight.seconds),
            stroke: groundTruthStrokes.firstIndex {
                ($0.startSeconds...$0.endSeconds).contains(sight.seconds)
            })
    }
}

extension FrameTruth {
    /// Adds what there is to recognise on a thing.
    fileprivate mutating func add(_ picture: PrintedPicture, on object: StagedObject, in sight: FrameSight) {
        func corners(of area: [NormalizedImagePoint]) -> CornersTruth {
            func point(_ place: NormalizedImagePoint, _ seconds: Double) -> Point3 {
                guard let point = object.point(inPictureAt: place, seconds: seconds) else {
                    preconditionFailure("\(object.name) wears a picture that is not flat")
                }
                return point
            }
            return CornersTruth(
                inWorld: area.map { point($0, sight.seconds) },
                pixels: area.map { place in sight.pixel { point(place, $0) } },
                visibleFraction: sight.visibleFraction { object.samples(ofPictureIn: area, at: $0) })
        }
        if let target = picture.target, let size = object.pictureSize {
            targets.append(
                ImageTargetTruth(
                    name: object.name, picture: target, worldFromTarget: object.worldFromObject(at: sight.seconds),
                    size: size, corners: corners(of: NormalizedImagePoint.pictureCorners)))
        }
        if let outline = picture.outline {
            rectangles.append(RectangleTruth(name: object.name, corners: corners(of: outline)))
        }
        if let code = picture.code {
            codes.append(
                CodeTruth(
                    name: object.name, payload: code.payload, symbology: "qr",
                    modulesAcross: code.modulesAcross, corners: corners(of: code.corners)))
        }
    }
}

extension FaceTruth {
    /// A head's face in a frame.
    ///
    /// The box bounds the pixels of points around the face, whether they are seen or not.
    fileprivate init(_ head: StagedObject, in sight: FrameSight) {
        let pixels = head.faceOutline.map { point in
            sight.pixel { head.worldFromObject(at: $0) * point }?.vector
        }
        let worldFromHead = head.worldFromObject(at: sight.seconds)
        self.init(
            name: head.name, worldFromHead: worldFromHead, box: PixelBox(around: pixels),
            angles: Self.angles(cameraFromHead: sight.worldFromCamera.inverse * worldFromHead),
            visibleFraction: sight.visibleFraction(of: head.surfaceSamples))
    }

    /// The head's turns relative to the line of sight: the camera is turned, on the shortest way, until it looks at the head.
    static func angles(cameraFromHead: RigidTransform) -> EulerAngles {
        let ahead = Vector3(0, 0, -1)
        let cameraFromSight =
            Rotation(from: ahead, to: cameraFromHead.translation.normalized() ?? ahead) ?? .identity
        return (cameraFromSight.inverse * cameraFromHead.rotation).eulerAngles
    }
}

extension PixelBox {
    /// The box around points, or `nil` where one of them is unknown, or there is none.
    fileprivate init?(around points: [Vector2?]) {
        let known = points.compactMap { $0 }
        guard let first = known.first, known.count == points.count else { return nil }
        let minimum = known.reduce(first) { pointwiseMin($0, $1) }
        let maximum = known.reduce(first) { pointwiseMax($0, $1) }
        self.init(minimum: PixelPoint(minimum), maximum: PixelPoint(maximum))
    }
}

extension DeclaredPlane {
    /// Points spread evenly over the plane's front: the middles of the cells of a 20×20 grid over its extent that lie
    /// inside of it.
    fileprivate var surfaceSamples: [SurfaceSample] {
        let (low, high) = (
            boundary.reduce(boundary[0]) { pointwiseMin($0, $1) }, boundary.reduce(boundary[0]) { pointwiseMax($0, $1) }
        )
        let cells = 20
        let cell = (high - low) / Double(cells)
        let outline = Polygon2(boundary)
        let normal = worldFromPlane.rotation * Vector3(0, 1, 0)
        return (0..<cells * cells).compactMap { index in
            let place = low + cell * Vector2(Double(index % cells) + 0.5, Double(index / cells) + 0.5)
            guard outline.contains(place) else { return nil }
            return SurfaceSample(
                position: worldFromPlane * Point3(place.x, 0, place.y), normal: normal, area: cell.x * cell.y)
        }
    }
}
