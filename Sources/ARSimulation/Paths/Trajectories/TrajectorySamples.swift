// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The poses of a trajectory, and what their stamps say of them.
struct TrajectorySamples {
    let poses: [TimedPose]
    let times: [Double]
    /// The usual time from one pose to the next.
    let medianInterval: Double
    /// The time for which each pose speaks: half of that to either neighbour, but no more than twice the usual time.
    let weights: [Double]

    /// Samples whose times do not decrease; here they count from the first's.
    init(_ poses: [TimedPose]) {
        let start = poses[0].seconds
        let shifted = poses.map { TimedPose(seconds: $0.seconds - start, worldFromBody: $0.worldFromBody) }
        self.poses = shifted
        times = shifted.map(\.seconds)
        let intervals = zip(times, times.dropFirst()).map { $1 - $0 }
        precondition(intervals.allSatisfy { $0 >= 0 }, "the poses' times decrease")
        let positive = intervals.filter { $0 > 0 }.sorted()
        precondition(!positive.isEmpty, "all poses have the same time")
        let median = positive[positive.count / 2]
        medianInterval = median
        weights = times.indices.map { index in
            let before = index > 0 ? intervals[index - 1] : 0
            let after = index < intervals.count ? intervals[index] : 0
            return min(max((before + after) / 2, 1e-3 * median), 2 * median)
        }
    }

    var duration: Double { times[times.count - 1] }

    /// The second derivatives of the positions by differences, `nil` beside gaps.
    var accelerations: [Vector3?] {
        secondDerivatives { ($1.translation - $0.translation) }
    }

    /// The second derivatives of the rotations by differences, `nil` beside gaps.
    var angularAccelerations: [Vector3?] {
        secondDerivatives { ($0.rotation.inverse * $1.rotation).rotationVector }
    }

    /// Differences of differences, over poses that are some time apart.
    private func secondDerivatives(_ difference: (RigidTransform, RigidTransform) -> Vector3) -> [Vector3?] {
        var distinct = [poses[0]]
        for pose in poses where pose.seconds - distinct[distinct.count - 1].seconds > 0.5 * medianInterval {
            distinct.append(pose)
        }
        return distinct.indices.dropFirst().dropLast().map { index in
            let (a, b, c) = (distinct[index - 1], distinct[index], distinct[index + 1])
            let (before, after) = (b.seconds - a.seconds, c.seconds - b.seconds)
            guard max(before, after) < 1.5 * medianInterval else { return nil }
            let change =
                difference(b.worldFromBody, c.worldFromBody) / after
                - difference(a.worldFromBody, b.worldFromBody) / before
            return change * (2 / (before + after))
        }
    }

    /// The rotations at increasing times, each between the poses around it.
    func rotations(at seconds: [Double]) -> [Rotation] {
        var next = 1
        return seconds.map { time in
            while next < poses.count - 1, times[next] < time { next += 1 }
            let (before, after) = (poses[next - 1], poses[next])
            let span = after.seconds - before.seconds
            let fraction = span > 0 ? min(max((time - before.seconds) / span, 0), 1) : 0
            return before.worldFromBody.rotation.interpolated(to: after.worldFromBody.rotation, fraction: fraction)
        }
    }
}
