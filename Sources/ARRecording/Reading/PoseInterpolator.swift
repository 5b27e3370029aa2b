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
    private var before: TrajectoryPose?
    private var after: TrajectoryPose?
    private var hasStarted = false

    /// Interpolates rows in the order of their stamps. Without a gap the pose is known at the rows' instants alone.
    init(longestGapNanoseconds: Int64, source: @escaping Source) {
        longestGap = longestGapNanoseconds
        self.source = source
    }

    /// The pose at that instant, or `nil` where it is unknown. Instants must not decrease from call to call.
    mutating func pose(at timestamp: Timestamp) throws(RecordingError) -> RigidTransform? {
        if !hasStarted {
            after = try source()
            hasStarted = true
        }
        while let row = after, row.timestamp <= timestamp {
            before = row
            after = try source()
        }
        guard let before else { return nil }
        if before.timestamp == timestamp { return before.worldFromBody }
        guard let after else { return nil }
        let gap = after.timestamp.nanoseconds(since: before.timestamp)
        guard gap <= longestGap else { return nil }
        let fraction = Double(timestamp.nanoseconds(since: before.timestamp)) / Double(gap)
        return before.worldFromBody.interpolated(to: after.worldFromBody, fraction: fraction)
    }
}
