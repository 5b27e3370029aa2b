// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim

/// A session in memory: grey pictures of a camera that looks straight down on a table and follows a script.
struct ScriptedSource: SensorSource, TruthSource {
    /// What happens at one frame.
    struct Moment {
        /// Where the camera hangs, 0.5 m above the table; `nil` where the truth does not know.
        var cameraOverTable: Point2?
        /// The fingertip, where there is one.
        var fingertip: FingertipTruth?
        /// What the user does just before the frame.
        var action: UserEvent.Action?
    }

    var moments: [Moment]
    var declaredPlanes = [ScriptedSource.table]

    static let table = DeclaredPlane(
        name: "table", worldFromPlane: .identity, boundary: [[-0.5, 0.4], [0.5, 0.4], [0.5, -0.4], [-0.5, -0.4]],
        classification: .table)

    static let millisecondsBetweenFrames: Int64 = 50

    var rig: SensorRig {
        let camera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 100, fy: 100, cx: 79.5, cy: 59.5)))
        return SensorRig(
            camera: CameraCalibration(camera: camera, imageSize: ImageSize(width: 160, height: 120), rateInHertz: 20))
    }

    var expectedFrameCount: Int? { moments.count }

    func makeStream() -> any SensorStream {
        let image = ImageBuffer(size: rig.camera.imageSize, format: .gray8, filledWith: 128)
        let events = moments.enumerated().flatMap { index, moment -> [SensorEvent] in
            let timestamp = timestamp(of: index)
            let imu = ImuSample(timestamp: timestamp, angularVelocity: .zero, specificForce: Vector3(0, 9.81, 0))
            let user = moment.action.map { SensorEvent.user(UserEvent(timestamp: timestamp, action: $0)) }
            return [.imu(imu)] + [user].compactMap { $0 } + [.frame(CameraFrame(timestamp: timestamp, image: image))]
        }
        return Stream(events: events[...])
    }

    func makeTruthStream() -> any TruthStream {
        let truths = moments.enumerated().compactMap { index, moment -> FrameTruth? in
            moment.cameraOverTable.map {
                FrameTruth(
                    timestamp: timestamp(of: index), worldFromCamera: Self.lookingDown(on: $0),
                    fingertip: moment.fingertip)
            }
        }
        return Truths(byTimestamp: Dictionary(uniqueKeysWithValues: truths.map { ($0.timestamp, $0) }))
    }

    static func lookingDown(on point: Point2) -> RigidTransform {
        RigidTransform(
            rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)),
            translation: Vector3(point.x, 0.5, point.y))
    }

    private func timestamp(of index: Int) -> Timestamp {
        Timestamp(nanoseconds: Int64(index) * Self.millisecondsBetweenFrames * 1_000_000)
    }

    private struct Stream: SensorStream {
        var events: ArraySlice<SensorEvent>
        mutating func next() -> SensorEvent? { events.popFirst() }
    }

    private struct Truths: TruthStream {
        let byTimestamp: [Timestamp: FrameTruth]
        func truth(at timestamp: Timestamp) -> FrameTruth? { byTimestamp[timestamp] }
    }
}
