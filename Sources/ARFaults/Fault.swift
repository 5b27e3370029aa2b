// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Something that goes wrong with a session: what, when, and how chance takes part.
///
/// Faults are applied in a list, one after the other: each gets the session as those before it left it. The article
/// *Faults* lists all of them with their keys and units.
public struct Fault: Hashable, Sendable {
    /// What goes wrong.
    public var kind: Kind
    /// When. Calibrations and speeds are wrong from the first event to the last.
    public var range = FaultRange.always
    /// The number from which all that is random is drawn, below 2⁶³ as documents hold it; `nil` lets the session's seed
    /// and the place in the list decide.
    public var seed: UInt64? { didSet { Fault.check(seed) } }

    /// A fault.
    public init(_ kind: Kind, range: FaultRange = .always, seed: UInt64? = nil) {
        self.kind = kind
        self.range = range
        self.seed = seed
        Fault.check(seed)
    }

    private static func check(_ seed: UInt64?) {
        precondition(Int64(exactly: seed ?? 0) != nil, "a fault's seed must be below 2⁶³, but is \(seed ?? 0)")
    }

    /// The word that stands for the kind in files.
    public var name: String { type(of: kind.parameters).name }

    /// What can go wrong.
    public enum Kind: Hashable, Sendable {
        /// Something lies over the lens.
        case coveredLens(CoveredLens)
        /// The light goes out.
        case darkness(Darkness)
        /// Light bursts in.
        case flash(Flash)
        /// Pictures blur.
        case blurBurst(BlurBurst)
        /// Each picture is moved by itself.
        case lensShake(LensShake)
        /// The lens focuses on something else.
        case refocus(Refocus)
        /// Pictures, samples or both are noisy.
        case noiseBurst(NoiseBurst)
        /// The picture stays as it was; stamps go on.
        case frozenFrames(FrozenFrames)
        /// Frames are missing.
        case droppedFrames(DroppedFrames)
        /// Inertial samples are missing.
        case droppedSamples(DroppedSamples)
        /// All inertial samples are missing.
        case imuGap(ImuGap)
        /// Inertial samples do not exceed a limit.
        case saturation(Saturation)
        /// Events come twice.
        case doubled(Doubled)
        /// Events come late.
        case late(Late)
        /// Events come in the wrong order.
        case reordered(Reordered)
        /// Stamps are off by a random time each.
        case stampJitter(StampJitter)
        /// The camera's stamps are off by a constant that its calibration does not know.
        case cameraImuOffset(CameraImuOffset)
        /// The inertial sensors tell late what they measure.
        case sensorLag(SensorLag)
        /// The calibration is not the device's.
        case wrongCalibration(WrongCalibration)
        /// The app goes to the background and comes back.
        case interruption(Interruption)
        /// What lies outside the range is cut off.
        case trim(Trim)
        /// Time goes faster or slower.
        case retime(Retime)
    }
}

extension Fault.Kind {
    /// Every kind of fault, with its defaults.
    static let all: [any FaultParameters.Type] = [
        CoveredLens.self, Darkness.self, Flash.self, BlurBurst.self, LensShake.self, Refocus.self, NoiseBurst.self,
        FrozenFrames.self, DroppedFrames.self, DroppedSamples.self, ImuGap.self, Saturation.self, Doubled.self,
        Late.self, Reordered.self, StampJitter.self, CameraImuOffset.self, SensorLag.self, WrongCalibration.self,
        Interruption.self, Trim.self, Retime.self,
    ]

    /// The parameters, whatever their kind.
    var parameters: any FaultParameters {
        switch self {
        case .coveredLens(let parameters): parameters
        case .darkness(let parameters): parameters
        case .flash(let parameters): parameters
        case .blurBurst(let parameters): parameters
        case .lensShake(let parameters): parameters
        case .refocus(let parameters): parameters
        case .noiseBurst(let parameters): parameters
        case .frozenFrames(let parameters): parameters
        case .droppedFrames(let parameters): parameters
        case .droppedSamples(let parameters): parameters
        case .imuGap(let parameters): parameters
        case .saturation(let parameters): parameters
        case .doubled(let parameters): parameters
        case .late(let parameters): parameters
        case .reordered(let parameters): parameters
        case .stampJitter(let parameters): parameters
        case .cameraImuOffset(let parameters): parameters
        case .sensorLag(let parameters): parameters
        case .wrongCalibration(let parameters): parameters
        case .interruption(let parameters): parameters
        case .trim(let parameters): parameters
        case .retime(let parameters): parameters
        }
    }
}

extension Fault {
    /// The words that stand for the kinds in files.
    public static var names: [String] { Kind.all.map { $0.name } }

    /// Whether events come late, or twice.
    public var changesArrivals: Bool { kind.parameters.longestDelay(after: nil) != nil }

    /// Whether events of a sensor may be missing.
    public func leavesGaps(in stream: SensorEvent.Stream) -> Bool {
        switch kind {
        case .droppedFrames: stream == .camera
        case .droppedSamples, .imuGap: stream == .imu
        case .interruption, .retime: true
        default: false
        }
    }
}
