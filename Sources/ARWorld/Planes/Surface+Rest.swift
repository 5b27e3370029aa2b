// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// When a surface was refined last: fitted anew and its outline traced.
struct Refinement: Sendable {
    var time = Timestamp(nanoseconds: 0)
    /// The span of ``WorldErrors`` in which that was.
    var span = 0
    /// How many points the surface was made of.
    var points = 0
    /// For how many seconds the surface rests from then on.
    var rest = 0.0
}

extension Surface {
    /// Notes that the surface was refined.
    ///
    /// What its evidence did not change in a while, it will hardly change in a while: the surface rests for twice as long as it
    /// was left alone before. Law: `SurfaceRestTests`.
    mutating func noteRefinement(
        after former: (fit: SurfaceFit, outline: SurfaceOutline), at now: Timestamp, in span: Int
    ) {
        let seconds = now.seconds(since: refinement.time)
        let isStable = !fit.isMoved(from: former.fit) && !outline.hasGrown(from: former.outline)
        refinement.rest = isStable ? min(2 * seconds, Self.longestRest) : 0
        (refinement.time, refinement.span) = (now, span)
        (changes, isSeenAnew) = (0, false)
    }

    /// Whether the surface need not be refined yet: not before an eighth of its evidence is new.
    func isResting(at now: Timestamp) -> Bool {
        now.seconds(since: refinement.time) < refinement.rest && 8 * changes < refinement.points
    }

    /// Whether a point of the surface moved along its normal by more than is known of it: by a correction, which all points may share.
    func hasMoved(_ point: Evidence, from place: Point3) -> Bool {
        let step = plane.normal.dot(point.position - place)
        return step * step > point.ownVariance(along: plane.normal) + SurfaceFit.roughness * SurfaceFit.roughness
    }

    /// Has the surface refined when its turn comes.
    mutating func wake() {
        changes += 1
        refinement.rest = 0
    }

    /// Meanwhile the tracker's world drifts by half of the variance by which surfaces are rough.
    private static let longestRest =
        SurfaceFit.roughness * SurfaceFit.roughness / 2 / WorldErrors.driftVarianceBySecond.x
}

extension SurfaceOutline {
    /// Whether the evidence has become more or less by a fiftieth.
    fileprivate func hasGrown(from former: SurfaceOutline) -> Bool {
        50 * abs(evidentCells - former.evidentCells) > former.evidentCells
    }
}
