// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import Foundation

extension Recipe {
    /// Makes a recording of the data in a folder and returns the number of frames.
    ///
    /// Frames whose pose is unknown are kept. Poses at other instants than the frames' become rows of EuRoC's ground
    /// truth as well.
    /// - Parameter progress: called after each frame with the number of frames so far.
    @discardableResult
    public func makeRecording(
        from dataFolder: URL, to folder: URL, progress: (Int) -> Void = { _ in }
    ) throws(RecordingError) -> Int {
        let rig = SensorRig(
            camera: try calibration.read(in: dataFolder), imu: imu?.calibration,
            interfaceOrientation: session.interfaceOrientation)
        let importedFrames = try ImportedFrames(frames, in: dataFolder)
        let hasStampedPoses = poses?.table.has("time") ?? false
        let writer = try RecordingWriter(
            creating: folder, rig: rig, session: session, groundTruthRows: hasStampedPoses ? .given : .atFrames)
        try importSamples(from: dataFolder, into: writer)
        try importPoses(from: dataFolder, rig: rig, into: writer)
        var truths = try ImportedTruth(poses, in: dataFolder, rig: rig)
        var frameCount = 0
        while let frame = try importedFrames.next() {
            if let worldFromImu = try truths?.worldFromImu(atFrame: frameCount, stamped: frame.timestamp) {
                try writer.append(
                    FrameTruth(
                        timestamp: frame.timestamp, worldFromCamera: worldFromImu * rig.camera.imuFromCamera))
            }
            try writer.append(.frame(frame))
            frameCount += 1
            progress(frameCount)
        }
        try writer.finish()
        return frameCount
    }

    private func importSamples(from folder: URL, into writer: RecordingWriter) throws(RecordingError) {
        guard let imu else { return }
        let reader = try RecipeTableReader(imu.table, in: folder)
        while let row = try reader.next() { try writer.append(.imu(imu.sample(row))) }
    }

    private func importPoses(from folder: URL, rig: SensorRig, into writer: RecordingWriter) throws(RecordingError) {
        guard let poses, poses.table.has("time") else { return }
        let reader = try RecipeTableReader(poses.table, in: folder)
        while let row = try reader.next() {
            guard try poses.holdsPose(row) else { continue }
            try writer.append(worldFromImu: poses.worldFromImu(row, rig: rig), at: row.timestamp())
        }
    }
}

/// A recipe's poses at its frames.
private enum ImportedTruth {
    /// Rows that name a frame by its number, from 0.
    case byFrame(PoseRecipe, RecipeTableReader, SensorRig, head: RecipeRow?)
    /// Rows with stamps on the IMU's clock.
    case byTime(PoseInterpolator, cameraOffset: Int64)

    init?(_ recipe: PoseRecipe?, in folder: URL, rig: SensorRig) throws(RecordingError) {
        guard let recipe else { return nil }
        let reader = try RecipeTableReader(recipe.table, in: folder)
        guard recipe.table.has("time") else {
            self = .byFrame(recipe, reader, rig, head: try reader.next())
            return
        }
        let poses = PoseInterpolator(longestGapNanoseconds: recipe.longestGap) { () throws(RecordingError) in
            while let row = try reader.next() {
                guard try recipe.holdsPose(row) else { continue }
                return TrajectoryPose(
                    timestamp: try row.timestamp(), worldFromBody: try recipe.worldFromImu(row, rig: rig))
            }
            return nil
        }
        self = .byTime(poses, cameraOffset: rig.camera.imuFromCameraTimeOffsetNanoseconds)
    }

    /// The IMU's pose at a frame, or `nil` where it is unknown.
    mutating func worldFromImu(
        atFrame index: Int, stamped timestamp: Timestamp
    ) throws(RecordingError) -> RigidTransform? {
        switch self {
        case .byTime(var poses, let offset):
            defer { self = .byTime(poses, cameraOffset: offset) }
            return try poses.pose(at: timestamp.advanced(byNanoseconds: offset))
        case .byFrame(let recipe, let reader, let rig, var head):
            defer { self = .byFrame(recipe, reader, rig, head: head) }
            guard let row = head else { return nil }
            let number = try row.numbers(["frame"])[0]
            guard number >= Double(index) else {
                throw RecordingError(
                    .stampOrder, file: row.fields.file, line: row.fields.line,
                    found: "frame \(row.text("frame")) after frame \(index - 1)", expected: "a later frame")
            }
            guard number == Double(index) else { return nil }
            head = try reader.next()
            return try recipe.holdsPose(row) ? recipe.worldFromImu(row, rig: rig) : nil
        }
    }
}
