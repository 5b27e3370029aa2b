// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What is true of a session as a whole.
public struct SessionTruth: Hashable, Sendable {
    /// The planes, with their outlines and what they are.
    public var planes: [DeclaredPlane]
    /// The strokes that the finger draws, one after the other.
    public var strokes: [StrokeTruth]
    /// The things in pictures of objects, where there are such pictures.
    public var objects: [TruthObject]
    /// The camera as it truly is, where the session's calibration is known to be another's; `nil` where it is as the session is
    /// told.
    public var camera: CameraCalibration?

    /// The truth about a session.
    public init(
        planes: [DeclaredPlane] = [], strokes: [StrokeTruth] = [], objects: [TruthObject] = [],
        camera: CameraCalibration? = nil
    ) {
        self.planes = planes
        self.strokes = strokes
        self.objects = objects
        self.camera = camera
    }
}

/// A stroke as the finger truly draws it.
public struct StrokeTruth: Hashable, Sendable {
    /// When the pen touches down.
    public var start: Timestamp
    /// When the pen lifts.
    public var end: Timestamp
    /// The curve, in metres: points at most half a millimetre apart.
    public var pointsInWorld: [Point3]

    /// A stroke with these values.
    public init(start: Timestamp, end: Timestamp, pointsInWorld: [Point3]) {
        self.start = start
        self.end = end
        self.pointsInWorld = pointsInWorld
    }
}
