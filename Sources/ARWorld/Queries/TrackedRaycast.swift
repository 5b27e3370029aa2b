// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A raycast that is asked again with every snapshot, so that what was placed by it moves to where the surface turns out to
/// be: ARKit's `ARTrackedRaycast`.
///
/// ```swift
/// var raycast = TrackedRaycast(query)
/// …
/// if let refined = raycast.update(with: snapshot) { lamp.worldFromLamp = refined.worldFromHit }
/// ```
///
/// The ray stays where it was in the world; a corrected map takes it along. Existing planes and meshes are answered as they
/// are, for they are refined themselves. What frames estimate anew each time is averaged along the ray, over the hits of this
/// surface so far, and from ``memory`` of them on with a share of one in ``memory`` for the newest: so noise falls with their
/// number, and a surface that stays where it is is not lagged behind. A hit that the average does not explain begins anew.
/// Law: `TrackedRaycastTests`.
public struct TrackedRaycast: Sendable {
    /// The query, as it stands in the world of the last snapshot.
    public private(set) var query: RaycastQuery
    /// The last result that was reported; `nil` before the ray met anything.
    public private(set) var result: RaycastResult?
    /// Whether the raycast was stopped.
    public private(set) var isStopped = false

    /// How many hits count alike at most.
    public static let memory = 30
    /// A hit that lies farther than this from the average belongs to another surface: a part of the distance.
    public static let jump = 0.03
    /// Changes of less than half a millimetre and a tenth of a degree are not worth a report.
    public static let leastMove = 0.0005
    /// See ``leastMove``.
    public static let leastTurn = 0.1 * Double.pi / 180

    /// The average of an estimated surface.
    private var average: (worldFromHit: RigidTransform, distance: Double, count: Int)?

    /// A raycast that asks this.
    public init(_ query: RaycastQuery) { self.query = query }

    /// Asks again. The result, if it is another than the one before, or the same in a corrected world; `nil` where nothing
    /// changed, nothing was ever met, or the raycast was stopped.
    public mutating func update(with snapshot: WorldSnapshot) -> RaycastResult? {
        guard !isStopped else { return nil }
        if let correction = snapshot.correction { follow(correction) }
        let hasMoved = snapshot.correction != nil
        guard let hit = snapshot.raycast(query).first else { return hasMoved ? result : nil }
        let refined = refined(hit)
        guard hasMoved || result?.isWorthReplacing(by: refined) ?? true else { return nil }
        result = refined
        return refined
    }

    /// Ends the raycast: it will report nothing any more.
    public mutating func stop() { isStopped = true }

    private mutating func refined(_ hit: RaycastResult) -> RaycastResult {
        guard hit.isEstimated else {
            average = nil
            return hit
        }
        var next = (worldFromHit: hit.worldFromHit, distance: hit.distance, count: 1)
        if let average, abs(hit.distance - average.distance) <= Self.jump * average.distance,
            hit.worldFromHit.rotation.angle(to: average.worldFromHit.rotation) < .pi / 4
        {
            next.count = min(average.count + 1, Self.memory)
            let share = 1 / Double(next.count)
            next.distance = average.distance + share * (hit.distance - average.distance)
            next.worldFromHit = RigidTransform(
                rotation: average.worldFromHit.rotation.interpolated(to: hit.worldFromHit.rotation, fraction: share),
                translation: query.ray.point(at: next.distance))
        }
        average = next
        return RaycastResult(hit, worldFromHit: next.worldFromHit, distance: next.distance)
    }

    private mutating func follow(_ correction: WorldCorrection) {
        query = query.moved(by: correction)
        result = result.map {
            RaycastResult($0, worldFromHit: correction.worldFromOldWorld * $0.worldFromHit, distance: $0.distance)
        }
        average = average.map { (correction.worldFromOldWorld * $0.worldFromHit, $0.distance, $0.count) }
    }
}

extension RaycastResult {
    /// The same surface, met elsewhere.
    fileprivate init(_ hit: RaycastResult, worldFromHit: RigidTransform, distance: Double) {
        self.init(
            worldFromHit: worldFromHit, target: hit.target, targetAlignment: hit.targetAlignment, distance: distance,
            anchor: hit.anchor)
        isEstimated = hit.isEstimated
    }

    fileprivate func isWorthReplacing(by other: RaycastResult) -> Bool {
        anchor?.identifier != other.anchor?.identifier
            || (worldFromHit.translation - other.worldFromHit.translation).length > TrackedRaycast.leastMove
            || worldFromHit.rotation.angle(to: other.worldFromHit.rotation) > TrackedRaycast.leastTurn
    }
}
