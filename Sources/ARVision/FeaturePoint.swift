// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The number of a feature point: unique in the life of a tracker, never used again, growing with time.
///
/// ARKit's `ARPointCloud.identifiers` are such numbers.
public struct FeatureID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt64

    /// The feature point with that number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (a: FeatureID, b: FeatureID) -> Bool { a.rawValue < b.rawValue }

    /// The number.
    public var description: String { "\(rawValue)" }
}

/// A point of the scene that is followed from frame to frame.
public struct FeaturePoint: Hashable, Sendable {
    /// Its number.
    public var id: FeatureID
    /// Where it is in the newest frame, in the picture as it is, distorted.
    public var pixel: PixelPoint
    /// The direction in which the newest frame sees it: of length one, in optical axes.
    public var direction: Vector3
    /// How uncertain the pixel is: its standard deviation along the direction in which it is least certain, by what the
    /// picture shows around it. Edges, noise and all that has changed make it large.
    public var deviationPixels: Double
    /// How its place slides when the camera looks at it from elsewhere, as far as its picture shows: where things at
    /// different distances, or light that moves, share it, most along the direction in which it is held least. A measure in
    /// pixels², up to a factor that whoever uses it must know; noise adds to ``deviationPixels``, and to this.
    /// Law: `PatchAlignmentTests.windowsThatTwoThingsShareSlideAsStated`.
    public var slide: PixelCovariance
    /// The level of the picture's pyramid on which it is followed: 0 for the picture itself; on each further one its
    /// surroundings are twice as large, and half as sharp. Blur leaves little on the finest.
    public var level: Int
    /// The number of the frame in which it was first seen, counted by the tracker from 0.
    public var firstFrame: Int
    /// In how many frames it was seen, the first and the newest counted: 1 for a new point.
    public var frameCount: Int
}
