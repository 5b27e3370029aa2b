// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Where the truth of a session comes from: a recording's files, or the scene itself.
///
/// Only evaluation, and sessions in mode `pinned`, read it; trackers cannot: their modules do not import this one.
public protocol TruthSource: Sendable {
    /// The planes that the session declares.
    var declaredPlanes: [DeclaredPlane] { get }

    /// What is true of the session as a whole.
    func sessionTruth() throws -> SessionTruth

    /// A stream of truth for the frames of a stream of sensor events.
    func makeTruthStream() throws -> any TruthStream

    /// The same source, whose frames' truths hold pictures of these kinds too, as far as it has them or can paint them.
    func with(_ pictures: Set<TruthPictureKind>) -> Self
}

/// A reading of the truth from its beginning.
public protocol TruthStream {
    /// The truth at that instant, or `nil` where it is unknown. Instants must not decrease from call to call.
    mutating func truth(at timestamp: Timestamp) throws -> FrameTruth?
    /// The same, of which only the instant and the camera's pose need be known: what else there is may take long to find out.
    mutating func cameraTruth(at timestamp: Timestamp) throws -> FrameTruth?
}

extension TruthStream {
    /// The whole truth.
    public mutating func cameraTruth(at timestamp: Timestamp) throws -> FrameTruth? { try truth(at: timestamp) }
}

extension TruthSource {
    /// The declared planes, and no stroke.
    public func sessionTruth() throws -> SessionTruth { SessionTruth(planes: declaredPlanes) }

    /// No pictures beyond those that it has anyway.
    public func with(_ pictures: Set<TruthPictureKind>) -> Self { self }
}

extension TruthSource where Self: SensorSource {
    /// The camera that took the pictures: as the session is told, but where that is known to be wrong.
    public func trueCamera() throws -> CameraCalibration { try sessionTruth().camera ?? rig.camera }
}
