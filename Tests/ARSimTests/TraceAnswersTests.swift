// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

/// What a trace says of the world, read back.
@Suite struct TraceAnswersTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A camera on a winding way over a table, lost for two frames.
    private var source: ScriptedSource {
        ScriptedSource(
            moments: (0..<40).map { index in
                let t = Double(index) / 10
                return .init(cameraOverTable: (7...8).contains(index) ? nil : Point2(0.3 * sin(t), 0.2 * cos(1.7 * t)))
            })
    }

    private func trace() throws -> SessionAnswers {
        var session = try Session(pinned: source)
        let writer = try TraceWriter(creating: folder("trace.jsonl"), for: session)
        var answers = SessionAnswers(mode: "pinned")
        while let frame = try session.next() {
            try writer.append(frame)
            answers.frames.append(FrameAnswers(frame))
        }
        try writer.finish()
        return answers
    }

    @Test func aTraceSaysWhatTheSessionAnswered() throws {
        let answers = try trace()
        let read = try SessionAnswers(contentsOf: folder("trace.jsonl"))
        #expect(read.mode == answers.mode && read.frames.count == 40)
        for (read, answer) in zip(read.frames, answers.frames) {
            #expect(read.timestamp == answer.timestamp && read.isTracked == answer.isTracked)
            #expect(read.hits == answer.hits && read.removedAnchors == answer.removedAnchors)
            #expect(read.changedPlanes.map(\.boundary) == answer.changedPlanes.map(\.boundary))
            #expect(read.changedPlanes.map(\.classification) == answer.changedPlanes.map(\.classification))
            #expect((read.worldFromCamera == nil) == (answer.worldFromCamera == nil))
        }
        #expect(answers.frames.contains { !$0.hits.isEmpty } && answers.frames.contains { !$0.changedPlanes.isEmpty })
    }

    @Test func thePinnedWorldIsTheTruth() throws {
        let answers = try trace()
        let evaluation = try #require(
            try WorldEvaluation(of: answers, against: source, truthFromSession: .identity))
        #expect(evaluation.frameCount == 38)
        let table = try #require(evaluation.planes?.planes.first?.match)
        expectClose(table.world.turn, 0, tolerance: 1e-9)
        expectClose(table.world.offset, 0, tolerance: 1e-12)
        expectClose(table.world.overlapWithWhole, 1, tolerance: 1e-12)
        #expect(evaluation.planes?.falsePlanes == [])
        expectClose(try #require(evaluation.hits?.metres).world.maximum, 0, tolerance: 1e-9)
    }

    /// Answers are compared with what the true camera saw, and the device's axes are the true ones, whatever the session was told.
    @Test func theTrueCameraIsComparedWith() throws {
        let answers = try trace()
        var calibration = WrongCalibration()
        calibration.focalPercent = 5
        calibration.principalPointPixels = Vector2(4, 3)
        calibration.rotation = Vector3(0.1, 0, 0)
        let mistaken = try FaultedSource(source, faults: [Fault(.wrongCalibration(calibration))])
        let evaluation = try #require(
            try WorldEvaluation(of: answers, against: mistaken, truthFromSession: .identity))
        expectClose(try #require(evaluation.hits?.metres).camera.maximum, 0, tolerance: 1e-9)
        #expect(try Trajectory(truthOf: mistaken, body: .imu) == Trajectory(truthOf: source, body: .imu))
    }

    /// A scene knows the depth of every pixel: a wall is real though it declares none, and a plane in the air before it is not; and
    /// so it is while faults happen to it.
    @Test func aSceneShowsWhatItDoesNotDeclare() throws {
        try folder.write(
            """
            format: arsim-scene/1
            name: bare-wall
            summary: A floor, and a wall that nobody declares.
            seed: 3
            duration_s: 1
            camera: {size_px: [64, 48], rate_hz: 10, focal_px: [56, 56], principal_point_px: [31.5, 23.5]}
            camera_path:
              waypoints:
                - {at_s: 0, position_m: [-0.1, 1.2, 0.9], look_at_m: [0, 1.2, 0]}
                - {at_s: 1, position_m: [0.1, 1.2, 0.9], look_at_m: [0, 1.2, 0]}
            materials: [{name: wall, kind: plain, color_srgb: [0.6, 0.6, 0.6]}]
            quads:
              - {name: wall, center_m: [0, 1.2, 0], facing: [0, 0, 1], size_m: [4, 3], material: wall}
              - {name: floor, center_m: [0, 0, 0], facing: [0, 1, 0], size_m: [4, 4], material: wall}
            planes: [{name: floor, surface: floor, classification: floor}]
            """, to: "scene.yaml")
        let scene = try SceneSession(scene: Scene(contentsOf: folder("scene.yaml")))
        let facingTheCamera = try #require(Rotation(angle: .pi / 2, axis: Vector3(1, 0, 0)))
        var answers = try SessionAnswers(
            frames: Trajectory(truthOf: scene).poses.map {
                FrameAnswers(timestamp: $0.timestamp, worldFromCamera: $0.worldFromBody, isTracked: true)
            })
        answers.frames[2].changedPlanes = [("on the wall", 0.0), ("in the air", 0.2)].map { name, z in
            PlaneAnswer(
                identifier: name,
                worldFromPlane: RigidTransform(rotation: facingTheCamera, translation: Vector3(0, 1.2, z)),
                boundary: [Point2(-0.2, -0.2), Point2(0.2, -0.2), Point2(0.2, 0.2), Point2(-0.2, 0.2)])
        }
        let frozen = try FaultedSource(scene, faults: [Fault(.frozenFrames(FrozenFrames()))])
        for source in [scene, frozen] as [any SensorSource & TruthSource] {
            let evaluation = try #require(
                try WorldEvaluation(of: answers, against: source, truthFromSession: .identity))
            #expect(evaluation.planes?.falsePlanes.map(\.identifier) == ["in the air"])
        }
    }

    /// What is known of the camera is written in the units and axes of a recording's calibration.
    @Test(.tags(.slow), .whenSlowTestsRun) func whatIsKnownOfTheCameraIsWrittenDown() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Scenes/room-walk.yaml").standardized
        let scene = try Scene(contentsOf: file, settings: [SceneSetting("duration_s=0.7")])
        var session = try Session(tracking: SceneSession(scene: scene))
        let writer = try TraceWriter(creating: folder("trace.jsonl"), for: session)
        var known: [CameraCalibration] = []
        while let frame = try session.next() {
            try writer.append(frame)
            if let motion = frame.motion { known.append(motion.calibration) }
        }
        try writer.finish()
        let written = try String(contentsOf: folder("trace.jsonl"), encoding: .utf8).split(separator: "\n")
            .compactMap { line in
                try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["motion"] as? [String: Any]
            }
        #expect(!known.isEmpty && written.count == known.count)
        for (motion, known) in zip(written, known) {
            let camera = try #require(motion["calibration"] as? [String: Any])
            let lens = known.camera.intrinsics
            #expect(camera["focal_px"] as? [Double] == [lens.fx, lens.fy])
            #expect(camera["principal_point_px"] as? [Double] == [lens.cx, lens.cy])
            #expect(camera["imu_from_camera_time_offset_ns"] as? Int == Int(known.imuFromCameraTimeOffsetNanoseconds))
            #expect(camera["distortion_coefficients"] as? [Double] == known.camera.distortion)
            #expect(camera["readout_ns"] as? Int == Int(known.readoutNanoseconds))
            let place = try #require(camera["imu_from_camera"] as? [String: [Double]])
            let (position, turn) = (try #require(place["position_m"]), try #require(place["orientation_xyzw"]))
            let pose = RigidTransform(
                rotation: Rotation(unitCoefficients: Vector4(turn[0], turn[1], turn[2], turn[3])),
                translation: Vector3(position[0], position[1], position[2]))
            expectClose(pose, known.imuFromCamera, radians: 1e-9, metres: 1e-9)
        }
    }

    @Test func otherAnchorsAndKeysArePassedOver() throws {
        try folder.write(
            """
            {"arsim_trace":1,"image_size_px":[640,480],"mode":"tracked"}
            {"anchors_added":[{"kind":"user","identifier":"U","world_from_anchor":{}}],"new":[1],"time_ns":5,"tracking_state":"normal"}
            {"center_hits":[{"position_m":[1,2,3],"type":"featurePoint"}],"codes":[],"rectangles":[{"corners_px":[[0,0],[9,0],[9,9],[0,9]]}],"time_ns":5,"tracking_state":"limited(initializing)","world_rectangles":[{"corners_m":[[0,0,0],[1,0,0],[1,0,1],[0,0,1]],"identifier":"R","payload":"p","size_m":[1,1]}]}

            """, to: "trace.jsonl")
        let answers = try SessionAnswers(contentsOf: folder("trace.jsonl"))
        #expect(answers.frames.count == 2 && answers.frames[0].changedPlanes.isEmpty && answers.frames[0].codes == nil)
        let second = answers.frames[1]
        #expect(!second.isTracked && second.codes == [] && second.rectangles?.count == 1)
        #expect(
            second.hits == [HitAnswer(type: "featurePoint", pixel: PixelPoint(319.5, 239.5), position: Point3(1, 2, 3))]
        )
        #expect(second.placedRectangles?.first?.name == "p")
    }

    @Test(arguments: [
        ("{\"arsim_trace\":2,\"image_size_px\":[1,1],\"mode\":\"x\"}", 1, "2"),
        ("{\"time_ns\":5,\"tracking_state\":\"normal\"}", 1, "a record of 2"),
        ("HEAD\n{\"time_ns\":5}", 2, "a record of 1"),
        ("HEAD\n{\"time_ns\":5,\"tracking_state\":\"normal\"}\n{\"time_ns\":4,\"tracking_state\":\"normal\"}", 3, "4"),
        (
            "HEAD\n{\"anchors_added\":[{\"boundary_m\":[[0,0],[1,0]]}],\"time_ns\":5,\"tracking_state\":\"normal\"}", 2,
            "a list of 2"
        ),
        ("HEAD\n{\"codes\":[{\"payload\":\"x\"}],\"time_ns\":5,\"tracking_state\":\"normal\"}", 2, "a record of 1"),
        (
            "HEAD\n{\"rectangles\":[{\"corners_px\":[[0,0]]}],\"time_ns\":5,\"tracking_state\":\"normal\"}", 2,
            "a list of 1"
        ),
        ("HEAD\n{\"center_hits\":[{\"type\":5}],\"time_ns\":5,\"tracking_state\":\"normal\"}", 2, "5"),
        (
            "HEAD\n{\"center_hits\":[{\"position_m\":[1e300,0,0],\"type\":\"featurePoint\"}],\"time_ns\":5,\"tracking_state\":\"normal\"}",
            2, "a list of 3"
        ),
    ]) func malformedTracesAreNamed(_ text: String, line: Int, found: String) throws {
        let head = "{\"arsim_trace\":1,\"image_size_px\":[640,480],\"mode\":\"tracked\"}"
        try folder.write(text.replacingOccurrences(of: "HEAD", with: head) + "\n", to: "trace.jsonl")
        let error = try #require(throws: DocumentError.self) { try SessionAnswers(contentsOf: folder("trace.jsonl")) }
        #expect(error.file == "trace.jsonl" && error.line == line && error.found == found, "\(error)")
    }
}
