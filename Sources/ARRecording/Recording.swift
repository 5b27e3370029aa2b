// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import Foundation

/// A recorded session: a folder in EuRoC's layout, with or without our additions.
///
/// Everything is read as a stream: a recording's length does not change how much memory it takes.
///
/// **Clock.** All stamps that a recording gives are on the IMU's clock. A frame's stamp in `cam0/data.csv` is on the
/// camera's; `imu_from_camera_time_offset_ns` of `cam0/sensor.yaml` is added to it, and to the stamps of `truth.jsonl`,
/// which are the frames'. The offset is thereby used up: in ``rig`` it is zero.
public struct Recording: Sendable {
    /// The folder that holds `mav0`.
    public let folder: URL
    /// The device. Its camera's time offset is zero, because the stamps are corrected already.
    public let rig: SensorRig
    /// What `session.json` says; of a plain EuRoC folder the defaults.
    public let session: SessionDescription
    /// Whether the recording was finished; a plain EuRoC folder is.
    public let isComplete: Bool
    /// How many rows `cam0/data.csv` has.
    public let frameCount: Int
    /// What was added to the frames' stamps, in nanoseconds.
    public let appliedCameraTimeOffsetNanoseconds: Int64

    /// How late events came, in nanoseconds; `nil` where all came in the order of their stamps, once each.
    public let longestDelayNanoseconds: Int64?

    /// Which pictures are read with the truth of each frame, where the recording has them; at first none.
    public var truthPictures: Set<TruthPictureKind> = []

    let layout: RecordingLayout
    let imuFromBody: RigidTransform

    /// Whether a folder holds `mav0`, or is that folder: a recording, be it whole or damaged.
    public static func exists(at folder: URL) -> Bool { (try? RecordingLayout(containing: folder)) != nil }

    /// Opens a recording: reads its description and calibration and counts its frames.
    /// - Parameter folder: the folder that holds `mav0`, or that folder itself.
    public init(opening folder: URL) throws(RecordingError) {
        layout = try RecordingLayout(containing: folder)
        self.folder = layout.folder
        if layout.exists(RecordingLayout.session) {
            let file = try SessionFile.read(layout)
            session = file.session
            isComplete = file.counts != nil
        } else {
            session = SessionDescription(device: "", madeBy: "")
            isComplete = true
        }
        let recorded = try layout.readRig(session.interfaceOrientation)
        var rig = recorded.rig
        imuFromBody = recorded.imuFromBody
        appliedCameraTimeOffsetNanoseconds = rig.camera.imuFromCameraTimeOffsetNanoseconds
        rig.camera.imuFromCameraTimeOffsetNanoseconds = 0
        self.rig = rig
        frameCount = try Self.count(layout.frameTable(isComplete: isComplete))
        longestDelayNanoseconds = try layout.longestDelay(
            isComplete: isComplete, cameraOffset: appliedCameraTimeOffsetNanoseconds)
    }

    private static func count(_ table: TimedTable<String>) throws(RecordingError) -> Int {
        var count = 0
        while try table.next() != nil { count += 1 }
        guard count > 0 else {
            throw RecordingError(.noFrames, file: table.name, found: "no row", expected: "a row for each frame")
        }
        return count
    }
}

extension RecordingLayout {
    /// The longest delay that `arrivals.csv` lists; `nil` where there is no such file.
    fileprivate func longestDelay(isComplete: Bool, cameraOffset: Int64) throws(RecordingError) -> Int64? {
        guard exists(Self.arrivals) else { return nil }
        let table = try arrivalTable(isComplete: isComplete)
        var longest: Int64 = 0
        while let arrival = try table.next()?.value {
            let offset = arrival.key.stream == .camera ? cameraOffset : 0
            longest = max(longest, arrival.place.arrival.nanoseconds(since: arrival.key.timestamp) - offset)
        }
        return longest
    }

    /// The layout of a folder that holds `mav0`, or is it.
    init(containing folder: URL) throws(RecordingError) {
        let layout = RecordingLayout(folder: folder)
        if layout.exists("mav0") {
            self = layout
        } else if layout.exists("cam0"), folder.lastPathComponent == "mav0" {
            self = RecordingLayout(folder: folder.deletingLastPathComponent())
        } else {
            throw RecordingError(
                .missingFile, file: "mav0", found: "no such folder in \(folder.path)",
                expected: "a recording in EuRoC's layout")
        }
    }
}

extension Recording: SensorSource {
    public var expectedFrameCount: Int? { frameCount }

    public func makeStream() throws -> any SensorStream { try RecordingStream(self) }

    public func makeFrameStamps() throws -> any FrameStamps { try RecordedFrameStamps(self) }
}

extension Recording: TruthSource {
    public var declaredPlanes: [DeclaredPlane] { session.declaredPlanes }

    /// The longest time between two rows of `state_groundtruth_estimate0` that poses are interpolated across, in
    /// nanoseconds: four frames at EuRoC's 20 Hz.
    public static let longestPoseGapNanoseconds: Int64 = 200_000_000

    /// What `truth.json` says, or without it the declared planes, and the camera that took the pictures where the recording has it
    /// beside the one that it is told of.
    public func sessionTruth() throws -> SessionTruth {
        var truth = SessionTruth(planes: declaredPlanes)
        if layout.exists(RecordingLayout.sessionTruth) { truth = try SessionTruth(readingFrom: layout) }
        truth.camera = try layout.readTrueCamera(imuFromBody: imuFromBody, imageSize: rig.camera.imageSize)
        // The stamps are corrected already.
        truth.camera?.imuFromCameraTimeOffsetNanoseconds = 0
        return truth
    }

    /// The kinds of truth pictures that the recording has.
    public var availableTruthPictures: Set<TruthPictureKind> {
        Set(TruthPictureKind.allCases.filter { layout.exists(RecordingLayout.folder(of: $0)) })
    }

    public func with(_ pictures: Set<TruthPictureKind>) -> Recording {
        var recording = self
        recording.truthPictures.formUnion(pictures.intersection(availableTruthPictures))
        return recording
    }

    /// A stream of the true poses: `truth.jsonl`, which holds them for the frames alone, where the recording has it;
    /// else EuRoC's ground truth, interpolated between its rows and never beyond them.
    public func makeTruthStream() throws -> any TruthStream {
        if layout.exists(RecordingLayout.truth) { return try RecordedTruthStream(self) }
        if layout.exists(RecordingLayout.groundTruth) { return try GroundTruthStream(self) }
        return UnknownTruthStream()
    }
}

extension SessionTruth {
    /// What `truth.json` says.
    init(readingFrom layout: RecordingLayout) throws(RecordingError) {
        let bytes = try layout.bytes(of: RecordingLayout.sessionTruth)
        self = try reading { () throws(DocumentError) in
            try SessionTruth(JSONReader.read(bytes[...], file: RecordingLayout.sessionTruth))
        }
    }
}
