// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// What a session asks of its source, checked as it goes: a source that breaks a rule would lose poses or strokes without
/// a word. Law: `BrokenSourceTests`.
struct SourceRules: Sendable {
    private let imageSize: ImageSize
    private let longestDelay: Int64?
    private var lastEvent: Timestamp?
    private var lastFrame: Timestamp?
    private var lastSample: Timestamp?

    /// The rules for a source's stream; the planes are checked at once.
    init(_ source: some SensorSource, planes: [DeclaredPlane]) throws(SessionError) {
        imageSize = source.rig.camera.imageSize
        longestDelay = source.longestDelayNanoseconds
        var names: Set<String> = []
        for plane in planes {
            guard names.insert(plane.name).inserted else { throw .planeDeclaredTwice(name: plane.name) }
            guard plane.boundary.count >= 3, plane.isFinite else { throw .planeWithoutShape(name: plane.name) }
        }
    }

    /// Events come in the order of their stamps, and frames are as large as the calibration says, no two with the same
    /// stamp. Where the source says that events may be late, tells instead whether this one comes in its turn and for the
    /// first time.
    mutating func check(_ event: SensorEvent) throws(SessionError) -> Bool {
        if case .frame(let frame) = event, frame.image.size != imageSize {
            throw .frameSize(timestamp: frame.timestamp, found: frame.image.size, expected: imageSize)
        }
        let isInOrder = lastEvent.map { event.timestamp >= $0 } ?? true
        if !isInOrder, let lastEvent, lastEvent.nanoseconds(since: event.timestamp) > longestDelay ?? 0 {
            throw .eventOutOfOrder(found: event.timestamp, previous: lastEvent)
        }
        if isInOrder { lastEvent = event.timestamp }
        switch event {
        case .frame(let frame):
            let isFirst = frame.timestamp != lastFrame
            guard isFirst || longestDelay != nil else { throw .frameStampTwice(frame.timestamp) }
            guard isInOrder, isFirst else { return false }
            lastFrame = frame.timestamp
        case .imu(let sample):
            defer { if isInOrder { lastSample = sample.timestamp } }
            return isInOrder && (longestDelay == nil || sample.timestamp != lastSample)
        case .user: break
        }
        return true
    }

    /// Poses and positions are numbers.
    func check(_ truth: FrameTruth?) throws(SessionError) {
        guard let truth else { return }
        let tip = truth.fingertip?.positionInWorld ?? .zero
        guard truth.worldFromCamera.isFinite, tip.isFinite else { throw .truthIsNoNumber(timestamp: truth.timestamp) }
    }
}

/// Which rule a session's source broke.
public enum SessionError: Error, Hashable, Sendable {
    /// Events must come in the order of their stamps, or no later than the source says that they may.
    case eventOutOfOrder(found: Timestamp, previous: Timestamp)
    /// Each frame must have a stamp of its own.
    case frameStampTwice(Timestamp)
    /// Each frame must be as large as the camera's calibration says.
    case frameSize(timestamp: Timestamp, found: ImageSize, expected: ImageSize)
    /// The true pose and the true fingertip must be finite numbers.
    case truthIsNoNumber(timestamp: Timestamp)
    /// To be tracked, a session needs inertial samples.
    case noInertialSensor
    /// Each declared plane must have a name of its own.
    case planeDeclaredTwice(name: String)
    /// A declared plane must have three corners or more, all of its coordinates finite numbers.
    case planeWithoutShape(name: String)
}

extension SessionError: CustomStringConvertible {
    /// What was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .eventOutOfOrder(let found, let previous):
            "an event at \(found) ns follows one at \(previous) ns: sort the source's events by their stamps"
        case .frameStampTwice(let timestamp): "two frames have the stamp \(timestamp) ns: leave one of them out"
        case .frameSize(let timestamp, let found, let expected):
            "the frame at \(timestamp) ns has \(found) pixels, the camera's calibration \(expected): correct one of them"
        case .truthIsNoNumber(let timestamp):
            "the true pose or fingertip at \(timestamp) ns holds a number that is not finite: leave that truth out"
        case .noInertialSensor:
            "the session has no inertial sensor, which mode tracked needs; use mode pinned, or add the sensor's "
                + "calibration and samples"
        case .planeDeclaredTwice(let name): "two planes are named '\(name)': give each a name of its own"
        case .planeWithoutShape(let name):
            "plane '\(name)' has fewer than three corners or a coordinate that is not finite: correct it or leave it out"
        }
    }
}

extension DeclaredPlane {
    fileprivate var isFinite: Bool { worldFromPlane.isFinite && boundary.allSatisfy { $0.x.isFinite && $0.y.isFinite } }
}

extension RigidTransform {
    fileprivate var isFinite: Bool {
        let q = rotation.coefficients
        return translation.isFinite && q.x.isFinite && q.y.isFinite && q.z.isFinite && q.w.isFinite
    }
}
