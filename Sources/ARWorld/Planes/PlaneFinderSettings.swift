// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// What counts as a plane. The defaults hold for rooms and desks seen through a phone; they are lengths and counts of the
/// world, not of a scene.
public struct PlaneFinderSettings: Hashable, Sendable {
    /// How far a real surface's points lie aside of it at most, in metres. Of points whose distance to it is known half as well, as
    /// a standard deviation, many tell where a surface is; others tell nothing of it.
    public var thickness = 0.025
    /// The standard deviation in metres beyond which a point's distance to a surface tells nothing. Law:
    /// `PlaneSearchTests.manyVaguePointsMakeAWall`.
    var largestDeviation: Double { 2 * thickness }
    /// The fewest points that make a plane.
    public var minimumPoints = 12
    /// The fewest points that make a plane where pictures show it between them.
    public var minimumShownPoints = 8
    /// The fewest points that may make a plane, with pictures or without; with fewer than one there is nothing to see.
    var fewestPoints: Int { max(1, min(minimumPoints, minimumShownPoints)) }
    /// The shorter side of the smallest plane, in metres.
    public var minimumSize = 0.2
    /// The radius of the largest gap in the evidence that a plane bridges, and how far it may grow at a time, in metres.
    public var reach = 0.35
    /// The side of the cells in which evidence is counted, in metres. Large planes have larger cells.
    public var cellSize = 0.025
    /// How level a level surface is, and how plumb a plumb one, in the tracker's world: a standard deviation in radians.
    public var levelError = 0.2 * Double.pi / 180
    /// How well a plane's normal must be known when it is found: a standard deviation in radians.
    public var slopeLimit = 1 * Double.pi / 180
    /// How many of the tracker's points are remembered; up to 512 places that pictures show come besides.
    public var memory = 4096
    /// Where the draws of the search for vertical planes start.
    public var seed: UInt64 = 0

    /// The defaults.
    public init() {}
}
