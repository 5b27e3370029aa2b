// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import Foundation

/// Writes a recording while it happens.
///
/// After every frame all that came before it is on disk: the picture whole, then its row. A recording whose program
/// ended too early can be read up to its last frame; `session.json` says that it was not finished. Equal events give
/// equal bytes. Where events may come late, a row waits on memory as long as another may come before it.
public final class RecordingWriter {
    /// Where the rows of EuRoC's ground truth come from.
    public enum GroundTruthRows: Sendable {
        /// A row for each ``FrameTruth``.
        case atFrames
        /// The rows given to ``RecordingWriter/append(worldFromImu:at:)``, at whatever rate.
        case given
    }

    private let layout: RecordingLayout
    private let rig: SensorRig
    private let session: SessionDescription
    private let groundTruthRows: GroundTruthRows
    private let trueImuFromCamera: RigidTransform
    private let longestDelay: Int64
    private let longestStampError: Int64
    private var arrivalLog: ArrivalLog?
    private var counts = RecordingCounts()

    private let frames: TableWriter
    private let imu: TableWriter?
    private let arrivals: TableWriter?
    private var events: TableWriter?
    private var truth: TableWriter?
    private var groundTruth: TableWriter?

    /// Starts a recording in a folder, which must not exist yet or be empty.
    ///
    /// The camera's time offset in `rig` is written, not applied: frames are given, and stored, on the camera's clock.
    /// - Parameters:
    ///   - longestDelayNanoseconds: when it is no `nil`, events are given in the order in which they arrive, so much late
    ///     or a second time; what does not come in its turn is listed in `arrivals.csv`.
    ///   - longestStampErrorNanoseconds: by how much frames' stamps may be wrong, which changes the order of the true
    ///     instants.
    ///   - trueImuFromCamera: where the camera really sits, where the rig's calibration is wrong.
    public init(
        creating folder: URL, rig: SensorRig, session: SessionDescription, groundTruthRows: GroundTruthRows = .atFrames,
        longestDelayNanoseconds: Int64? = nil, longestStampErrorNanoseconds: Int64 = 0,
        trueImuFromCamera: RigidTransform? = nil
    ) throws(RecordingError) {
        layout = RecordingLayout(folder: folder)
        self.rig = rig
        self.session = session
        self.groundTruthRows = groundTruthRows
        self.trueImuFromCamera = trueImuFromCamera ?? rig.camera.imuFromCamera
        longestDelay = longestDelayNanoseconds ?? 0
        longestStampError = longestStampErrorNanoseconds
        guard try layout.isEmpty() else {
            throw RecordingError(
                .outputExists, file: folder.path, found: "a folder with files", expected: "no folder, or an empty one")
        }
        try layout.makeFolder(RecordingLayout.images)
        try layout.write(SessionFile(session: session, counts: nil).text, to: RecordingLayout.session)
        try layout.write(rig.camera.yaml, to: RecordingLayout.cameraYaml)
        if let longestDelayNanoseconds {
            arrivalLog = ArrivalLog(
                longestDelay: longestDelayNanoseconds, cameraOffset: rig.camera.imuFromCameraTimeOffsetNanoseconds)
            arrivals = try TableWriter(
                layout, RecordingLayout.arrivals, header: Arrival.header, allowsEqualStamps: true)
        } else {
            arrivals = nil
        }
        frames = try TableWriter(
            layout, RecordingLayout.frames, header: "#timestamp [ns],filename", longestDelay: longestDelay)
        if let calibration = rig.imu {
            try layout.makeFolder("mav0/imu0")
            try layout.write(calibration.yaml, to: RecordingLayout.imuYaml)
            imu = try TableWriter(
                layout, RecordingLayout.imu, header: Self.imuHeader, longestDelay: longestDelay)
        } else {
            imu = nil
        }
    }

    private static let imuHeader =
        "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],"
        + "a_RS_S_x [m s^-2],a_RS_S_y [m s^-2],a_RS_S_z [m s^-2]"

    /// Appends an event. Stamps of frames must increase, those of inertial samples too, and those of user events must
    /// not decrease; the three need not be in order among each other. Where a longest delay is given, frames and samples
    /// may come late, and again.
    public func append(_ event: SensorEvent) throws(RecordingError) {
        if let arrival = try arrivalLog?.note(event) {
            try arrivals?.append(arrival.row, at: arrival.place.arrival)
            if arrival.kind == .again { return }
        }
        switch event {
        case .frame(let frame): try append(frame)
        case .imu(let sample): try append(sample)
        case .user(let event): try append(event)
        }
    }

    /// Writes what is true of the session as a whole: `truth.json`, and `truth/camera.yaml` where the camera is another than the rig's.
    public func write(_ sessionTruth: SessionTruth) throws(RecordingError) {
        try layout.write(sessionTruth.json.text + "\n", to: RecordingLayout.sessionTruth)
        guard let camera = sessionTruth.camera else { return }
        try layout.makeFolder(RecordingLayout.truthFolder)
        try layout.write(camera.yaml, to: RecordingLayout.trueCamera)
    }

    /// Appends what is true at a frame, whose stamp it has.
    /// - Parameter instant: when it is true, on the IMU's clock, where the frame's stamp is wrong.
    public func append(_ frameTruth: FrameTruth, trueAt instant: Timestamp? = nil) throws(RecordingError) {
        let key = Arrival.Key(stream: .camera, timestamp: frameTruth.timestamp)
        guard arrivalLog?.knows(key) != true else { return }
        if truth == nil {
            truth = try TableWriter(layout, RecordingLayout.truth, longestDelay: longestDelay)
        }
        try TruthPictureFiles(layout: layout, kinds: []).write(frameTruth.pictures, at: frameTruth.timestamp)
        try truth?.append(frameTruth.json.text, at: frameTruth.timestamp)
        if groundTruthRows == .atFrames {
            let offset = rig.camera.imuFromCameraTimeOffsetNanoseconds
            try writeGroundTruth(
                frameTruth.worldFromCamera * trueImuFromCamera.inverse, inertia: frameTruth.inertia,
                at: instant ?? frameTruth.timestamp.advanced(byNanoseconds: offset))
        }
    }

    /// Appends a row of ground truth: the IMU's pose in our world (+Y up), at an instant of the IMU's clock.
    public func append(worldFromImu: RigidTransform, at timestamp: Timestamp) throws(RecordingError) {
        precondition(groundTruthRows == .given, "the ground truth's rows come from the frames' truth")
        try writeGroundTruth(worldFromImu, inertia: nil, at: timestamp)
    }

    /// Ends the recording: from now on `session.json` calls it complete.
    public func finish() throws(RecordingError) {
        for table in [imu, events, truth, groundTruth, frames] { try table?.finish() }
        try flush()
        try layout.write(SessionFile(session: session, counts: counts).text, to: RecordingLayout.session)
    }

    // MARK: Rows

    private func append(_ frame: CameraFrame) throws(RecordingError) {
        guard frame.image.size == rig.camera.imageSize else {
            throw RecordingError(
                .imageSize, file: frames.name, found: "a picture of \(frame.image.size)",
                expected: "\(rig.camera.imageSize)")
        }
        let name = "\(frame.timestamp).png"
        let file = "\(RecordingLayout.images)/\(name)"
        do {
            try ImageFile.writePNG(frame.image, to: layout.url(file))
        } catch {
            throw RecordingError(error, name: file)
        }
        try frames.append("\(frame.timestamp),\(name)", at: frame.timestamp)
        counts.frames += 1
        try flush()
    }

    private func append(_ sample: ImuSample) throws(RecordingError) {
        precondition(imu != nil, "an inertial sample, but the rig has no IMU calibration")
        let (w, a) = (sample.angularVelocity, sample.specificForce)
        let numbers = [w.x, w.y, w.z, a.x, a.y, a.z].map(NumberText.string).joined(separator: ",")
        try imu?.append("\(sample.timestamp),\(numbers)", at: sample.timestamp)
        counts.imuSamples += 1
    }

    private func append(_ event: UserEvent) throws(RecordingError) {
        if events == nil { events = try TableWriter(layout, RecordingLayout.events, allowsEqualStamps: true) }
        try events?.append(event.json.text, at: event.timestamp)
        counts.events += 1
    }

    /// A row has velocity and biases where they are known, which the first row decides.
    private func writeGroundTruth(
        _ worldFromImu: RigidTransform, inertia: InertiaTruth?, at timestamp: Timestamp
    ) throws(RecordingError) {
        if groundTruth == nil {
            try layout.makeFolder("mav0/state_groundtruth_estimate0")
            try layout.write(RigidTransform.groundTruthYaml, to: RecordingLayout.groundTruthYaml)
            groundTruth = try TableWriter(
                layout, RecordingLayout.groundTruth,
                header: TrajectoryFormat.euroc.header + (inertia == nil ? "" : InertiaTruth.groundTruthHeader),
                longestDelay: longestDelay + 2 * longestStampError)
        }
        let worldZUpFromWorld = RigidTransform.yUpFromZUp.inverse
        let pose = TrajectoryPose(timestamp: timestamp, worldFromBody: worldZUpFromWorld * worldFromImu)
        let columns = inertia?.groundTruthColumns(worldZUpFromWorld: worldZUpFromWorld.rotation) ?? ""
        try groundTruth?.append(pose.row(.euroc) + columns, at: timestamp)
    }

    /// Frames come last: when a frame's row is on disk, everything before it is as well.
    private func flush() throws(RecordingError) {
        for table in [arrivals, imu, events, truth, groundTruth, frames] { try table?.flush() }
    }
}

extension InertiaTruth {
    /// EuRoC's further columns.
    fileprivate static let groundTruthHeader =
        ",v_RS_R_x [m s^-1],v_RS_R_y [m s^-1],v_RS_R_z [m s^-1],"
        + "b_w_RS_S_x [rad s^-1],b_w_RS_S_y [rad s^-1],b_w_RS_S_z [rad s^-1],"
        + "b_a_RS_S_x [m s^-2],b_a_RS_S_y [m s^-2],b_a_RS_S_z [m s^-2]"

    /// The values of those columns, each after a comma.
    fileprivate func groundTruthColumns(worldZUpFromWorld: Rotation) -> String {
        [worldZUpFromWorld * velocityInWorld, gyroscopeBias, accelerometerBias]
            .flatMap { [$0.x, $0.y, $0.z] }.map { "," + NumberText.string($0) }.joined()
    }
}
