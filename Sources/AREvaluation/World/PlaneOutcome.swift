// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What became of a true plane: when it was seen, when it was found, and how well it is known at the end.
public struct PlaneOutcome: Hashable, Sendable {
    /// The plane's name in the truth.
    public var name: String
    /// What it truly is.
    public var classification: PlaneClassification
    /// The larger true plane of which it is a part, as the frame of a window is one of its wall; `nil` where it is none. No plane that is
    /// found is compared with a part: it is the larger one.
    public var whole: String?
    /// The part of it that has come into view, 0 … 1, as far as declared planes hide one another.
    public var partSeen: Double
    /// The part of it that was seen well, 0 … 1: unhidden, by enough pixels, and from places far enough apart.
    public var partSeenWell = 0.0
    /// The area of that, in m².
    public var areaSeenWell = 0.0
    /// The seconds for which it was in sight.
    public var secondsInSight = 0.0
    /// Whether it was seen well enough to be judged: enough of it, and for long enough. A part of a larger one is not judged.
    public var isSeenWell = false
    /// The first frame in which it was in sight.
    public var firstSight: Timestamp?
    /// The first such frame in which the session vouched for its pose: before, no plane can be found.
    public var firstTrackedSight: Timestamp?
    /// The first frame at which a plane was known that can be this one.
    public var found: Timestamp?
    /// The plane that is this one at the end.
    public var match: PlaneMatch?

    /// Seconds from the first sight to the frame at which it was known; `nil` where it never was. Zero where it was known
    /// before.
    public var secondsToFind: Double? { seconds(from: firstSight) }
    /// The same from the first sight with a pose that the session vouched for.
    public var secondsToFindWhenTracked: Double? { seconds(from: firstTrackedSight) }

    private func seconds(from sight: Timestamp?) -> Double? {
        guard let sight, let found else { return nil }
        return max(0, found.seconds(since: sight))
    }
}

/// A plane that a session knows at the end, and that is a true one.
public struct PlaneMatch: Hashable, Sendable {
    /// The anchor's identifier.
    public var identifier: String
    /// How far it is off at the end.
    public var world: PlaneError
    /// How far it was off for the camera of the last frame with a pose that had the true plane in sight; `nil` where the
    /// anchor came later.
    public var camera: PlaneError?
    /// What the session took it for.
    public var classification: PlaneClassification
}

/// A plane of which the truth knows nothing: no true plane is near, in the world or for the camera, and no depth picture that
/// shows its place bears it out.
public struct FalsePlane: Hashable, Sendable {
    /// The anchor's identifier.
    public var identifier: String
    /// The frame at which it was first known so.
    public var start: Timestamp
    /// For how long it was known without being a true one, in seconds.
    public var seconds: Double
}

/// What became of the planes.
public struct PlaneOutcomes: Hashable, Sendable {
    /// The true planes, in the truth's order.
    public var planes: [PlaneOutcome]
    /// The planes of which the truth knows nothing, in the order of their beginnings.
    public var falsePlanes: [FalsePlane]
    /// How many planes at the end can be a true one that another one is.
    public var duplicateCount: Int

    /// The true planes that were seen well.
    public var seenWell: [PlaneOutcome] { planes.filter(\.isSeenWell) }
}
