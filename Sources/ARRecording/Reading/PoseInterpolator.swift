// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Poses between the rows of a trajectory: positions on a straight line, rotations on the shortest arc, both at constant
/// speed. Nothing is known before the first row, after the last, or between rows that are too far apart.
struct PoseInterpolator {
    typealias Source = () throws(RecordingError) -> TrajectoryPose?

    private let longestGap: Int64
    private let source: Source
    private let longestDelay: Int64
    /// The rows before `after` that may still be asked for, in order.
    private var passed: ArraySlice<TrajectoryPose> = []
    private var after: TrajectoryPose?
    private var hasStarted = false

    /// Interpolates rows in the order of their stamps. Without a gap the pose is known at the rows' instants alone.
    init(longestGapNanoseconds: Int64, longestDelayNanoseconds: Int64 = 0, source: @escaping Source) {
        longestGap = longestGapNanoseconds
        longestDelay = longestDelayNanoseconds
        self.source = source
    }

    /// The pose at that instant, or `nil` where it is unknown. Instants must not decrease from call to call by more
    /// than the longest delay.
    mutating func pose(at timestamp: Timestamp) throws(RecordingError) -> RigidTransform? {
        if !hasStarted {
            after = try source()
            hasStarted = true
        }
        while let row = after, row.timestamp <= timestamp {
            passed.append(row)
            after = try source()
        }
        // The last row before the earliest instant that may still come is needed, too.
        while passed.count > 1, timestamp.nanoseconds(since: passed[passed.startIndex + 1].timestamp) > longestDelay {
            passed.removeFirst()
        }
        guard let index = passed.lastIndex(where: { $0.timestamp <= timestamp }) else { return nil }
        let before = passed[index]
        if before.timestamp == timestamp { return before.worldFromBody }
        guard let after = index + 1 < passed.endIndex ? passed[index + 1] : after else { return nil }
        let gap = after.timestamp.nanoseconds(since: before.timestamp)
        guard gap <= longestGap else { return nil }
        let fraction = Double(timestamp.nanoseconds(since: before.timestamp)) / Double(gap)
        return before.worldFromBody.interpolated(to: after.worldFromBody, fraction: fraction)
    }
}
