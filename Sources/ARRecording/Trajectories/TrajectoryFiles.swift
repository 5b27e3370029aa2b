// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing
import Foundation

/// Reads a trajectory row by row.
public final class TrajectoryReader {
    /// The file's kind.
    public let format: TrajectoryFormat
    private let table: TimedTable<TrajectoryPose>

    /// Opens a trajectory; without a format its first row decides: only EuRoC's has commas.
    public init(_ file: URL, format: TrajectoryFormat? = nil) throws(RecordingError) {
        let kind: TrajectoryFormat
        if let format { kind = format } else { kind = try Self.sniff(file) }
        self.format = kind
        table = try TimedTable(file, name: file.lastPathComponent, allowsEqualStamps: true) {
            line, name throws(RecordingError) in
            let pose =
                switch kind {
                case .tum: try TrajectoryPose(tum: CsvFields(line, file: name, columns: 8...8))
                case .euroc: try TrajectoryPose(euroc: CsvFields(line, file: name, columns: 8...17))
                }
            return (pose.timestamp, pose)
        }
    }

    /// The next pose, or `nil` at the end. Stamps do not decrease; published trajectories have equal ones.
    public func next() throws(RecordingError) -> TrajectoryPose? { try table.next()?.value }

    private static func sniff(_ file: URL) throws(RecordingError) -> TrajectoryFormat {
        do {
            let reader = try LineReader(file)
            while let line = try reader.next() {
                guard !line.isBlank, line.bytes.first != UInt8(ascii: "#") else { continue }
                return line.bytes.contains(UInt8(ascii: ",")) ? .euroc : .tum
            }
            return .tum
        } catch {
            throw RecordingError(error, name: file.lastPathComponent)
        }
    }
}

/// Writes a trajectory row by row; the file appears, whole, with ``finish()``.
public final class TrajectoryWriter {
    private let format: TrajectoryFormat
    private let file: AtomicFile

    /// Starts a trajectory.
    public init(creating file: URL, format: TrajectoryFormat) throws(FileError) {
        self.format = format
        self.file = try AtomicFile(replacing: file)
        try self.file.write(format.header + "\n")
    }

    /// Appends a pose.
    public func append(_ pose: TrajectoryPose) throws(FileError) { try file.write(pose.row(format) + "\n") }

    /// Gives the file its name.
    public func finish() throws(FileError) { try file.commit() }
}

/// Changes a trajectory's kind of file; poses stay as they are.
public enum TrajectoryConversion {
    /// Reads one file, writes the other, and returns the number of poses.
    @discardableResult
    public static func convert(_ source: URL, to target: URL, format: TrajectoryFormat) throws -> Int {
        let reader = try TrajectoryReader(source)
        let writer = try TrajectoryWriter(creating: target, format: format)
        var count = 0
        while let pose = try reader.next() {
            try writer.append(pose)
            count += 1
        }
        try writer.finish()
        return count
    }
}
