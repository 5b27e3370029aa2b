// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARRandom
import ARSensing
import ARTruth

/// What each kind of fault says of itself: its keys, and what it does to a session.
protocol FaultParameters: Hashable, Sendable {
    /// The word that stands for the kind in files.
    static var name: String { get }
    /// Which ranges make sense.
    static var span: FaultSpan { get }
    /// Whether chance takes part.
    static var isRandom: Bool { get }
    /// The keys of which a document must have at least one: without them nothing would change, or nothing would be left,
    /// which hardly anybody means. Empty where the defaults say enough.
    static var decisiveKeys: [String] { get }
    /// The kind with these parameters.
    var kind: Fault.Kind { get }

    /// The parameters with every default in place.
    init()

    /// Passes each parameter to the fields.
    mutating func visit(_ fields: inout FaultFields) throws(DocumentError)

    /// What is done to the events.
    func makeStage(_ setting: FaultSetting) -> any FaultStage

    /// What the session is told of its device.
    func changed(_ rig: SensorRig) throws(FaultError) -> SensorRig

    /// What becomes of a span of true time, or `nil` where nothing is left of it. Only what changes the session's clock
    /// changes spans; errors of a sensor's stamps do not.
    func changed(_ span: ClosedRange<Timestamp>, _ setting: FaultSetting) -> ClosedRange<Timestamp>?

    /// What becomes of the truth at a frame, its stamp aside.
    func changed(_ truth: FrameTruth) -> FrameTruth

    /// How late events may come, in nanoseconds, when they came that late before; `nil` where all are in order.
    func longestDelay(after delay: Int64?) -> Int64?

    /// By how much a frame's stamp may be wrong, in nanoseconds, when it was wrong by that much before.
    func longestStampError(after error: Int64) -> Int64
}

/// Which ranges make sense for a kind of fault.
enum FaultSpan {
    /// Any.
    case any
    /// A range that ends.
    case bounded
    /// Only the whole session: it has no keys for a range.
    case whole
}

/// Where a fault is at work.
struct FaultSetting {
    /// The stamp of the session's first event.
    let start: Timestamp
    /// When the fault is at work.
    let range: TimeRange
    /// The fault's own seed.
    let seed: UInt64
    /// The device as the fault finds it.
    let rig: SensorRig

    /// Chance, for an event: the same for equal stamps, so that an event and its double share their fate.
    func random(for stream: SensorEvent.Stream, at timestamp: Timestamp) -> SeededRandom {
        SeededRandom(seed: seed, stream: stream, timestamp: timestamp)
    }
}

extension FaultParameters {
    static var span: FaultSpan { .any }
    static var isRandom: Bool { false }
    static var decisiveKeys: [String] { [] }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {}

    func changed(_ rig: SensorRig) throws(FaultError) -> SensorRig { rig }

    func changed(_ span: ClosedRange<Timestamp>, _ setting: FaultSetting) -> ClosedRange<Timestamp>? { span }

    func changed(_ truth: FrameTruth) -> FrameTruth { truth }

    func longestDelay(after delay: Int64?) -> Int64? { delay }

    func longestStampError(after error: Int64) -> Int64 { error }
}

/// Why a fault cannot be applied to a session.
public enum FaultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A recording with inertial samples is re-timed, and nobody said what becomes of them.
    case retimedImu
    /// The camera's model has fewer coefficients of distortion than are to be changed.
    case distortionCount(given: Int, model: Int)
    /// A calibration that no camera has.
    case impossibleCalibration(reason: String)

    public var description: String {
        switch self {
        case .retimedImu:
            "retime: the session has inertial samples, whose gravity does not scale with time; add imu: drop to leave "
                + "them out, or imu: approximate to scale the angular rates and keep the specific force"
        case .distortionCount(let given, let model):
            "wrong_calibration: found \(given) numbers in distortion, expected at most \(model), as the camera's model has"
        case .impossibleCalibration(let reason): "wrong_calibration: \(reason)"
        }
    }
}
