// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Events of one stream are missing: each with the same probability, independently.
protocol DroppedEvents: FaultParameters {
    /// Whose events.
    static var stream: SensorEvent.Stream { get }
    /// The probability that an event is missing.
    var probability: Double { get set }
}

extension DroppedEvents {
    static var isRandom: Bool { true }
    static var decisiveKeys: [String] { ["from_s", "to_s", "probability"] }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("probability", &probability, in: 0...1)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        DroppingStage(setting: setting, stream: Self.stream, probability: probability)
    }
}

/// Frames are missing: each with the same probability, independently.
public struct DroppedFrames: Hashable, Sendable {
    /// The probability that a frame is missing.
    public var probability = 1.0

    /// All frames are missing.
    public init() {}
}

extension DroppedFrames: DroppedEvents {
    static let name = "dropped_frames"
    static let stream = SensorEvent.Stream.camera
    var kind: Fault.Kind { .droppedFrames(self) }
}

/// Inertial samples are missing: each with the same probability, independently.
public struct DroppedSamples: Hashable, Sendable {
    /// The probability that a sample is missing.
    public var probability = 1.0

    /// All samples are missing.
    public init() {}
}

extension DroppedSamples: DroppedEvents {
    static let name = "dropped_samples"
    static let stream = SensorEvent.Stream.imu
    var kind: Fault.Kind { .droppedSamples(self) }
}

/// The inertial sensor gives nothing for a while.
public struct ImuGap: Hashable, Sendable {
    /// A gap.
    public init() {}
}

extension ImuGap: FaultParameters {
    static let name = "imu_gap"
    static let span = FaultSpan.bounded
    var kind: Fault.Kind { .imuGap(self) }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        DroppingStage(setting: setting, stream: .imu, probability: 1)
    }
}
