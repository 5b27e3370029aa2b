// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom
import ARSensing
import ARTruth

/// A session to which faults happen: any source, and a list of faults that change what comes from it.
///
/// Events are changed while they pass; nothing is stored but what a late event needs to wait. The same source, faults
/// and seed give the same events. Law: `FaultedSourceTests.theSameSeedGivesTheSameEvents`.
///
/// **Truth.** The truth of a frame follows the frame: at the stamp that a frame has, there is the truth of the instant at
/// which its picture was really taken, for an error of a stamp is an error of the sensor. A frozen frame is where its
/// stamp says, whatever its picture shows.
public struct FaultedSource: SensorSource, TruthSource {
    /// The session without the faults.
    public private(set) var base: any SensorSource & TruthSource
    /// The faults, each with its seed.
    public let faults: [Fault]
    /// What the session is told of its device.
    public let rig: SensorRig
    public let longestDelayNanoseconds: Int64?
    /// By how much a frame's stamp may be wrong, in nanoseconds.
    public let longestStampErrorNanoseconds: Int64

    let settings: [FaultSetting]

    /// A source with faults.
    /// - Parameters:
    ///   - seed: decides on the seeds of the faults that have none, together with their places in the list.
    ///   - earlierFaults: how many faults the session had before: the same fault applied a second time shall do
    ///     something else.
    ///   - start: the instant from which the faults' times count; by default the stamp of the first event.
    public init(
        _ base: any SensorSource & TruthSource, faults: [Fault], seed: UInt64 = 0, earlierFaults: Int = 0,
        start: Timestamp? = nil
    ) throws {
        self.base = base
        var seeded: [Fault] = []
        for (index, fault) in faults.enumerated() {
            var fault = fault
            if type(of: fault.kind.parameters).isRandom, fault.seed == nil {
                fault.seed = SeededRandom.seed(seed, fault: fault.name, index: earlierFaults + index)
            }
            seeded.append(fault)
        }
        self.faults = seeded
        let start = try start ?? (faults.isEmpty ? nil : Self.start(of: base)) ?? Timestamp(nanoseconds: 0)
        var rig = base.rig
        var delay = base.longestDelayNanoseconds
        var settings: [FaultSetting] = []
        for fault in seeded {
            let parameters = fault.kind.parameters
            settings.append(
                FaultSetting(
                    start: start, range: TimeRange(fault.range, start: start), seed: fault.seed ?? 0, rig: rig))
            rig = try parameters.changed(rig)
            delay = parameters.longestDelay(after: delay)
        }
        self.settings = settings
        self.rig = rig
        longestDelayNanoseconds = delay
        longestStampErrorNanoseconds = seeded.reduce(0) { $1.kind.parameters.longestStampError(after: $0) }
    }

    private static func start(of base: any SensorSource) throws -> Timestamp? {
        var stream = try base.makeStream()
        return try stream.next()?.timestamp
    }

    /// The frames of the session without the faults: some may be missing.
    public var expectedFrameCount: Int? { base.expectedFrameCount }

    public func makeStream() throws -> any SensorStream { try makeFaultedStream() }

    /// A stream that tells what the faults did.
    public func makeFaultedStream() throws -> FaultedStream {
        FaultedStream(try base.makeStream(), pipeline: makePipeline())
    }

    public func makeFrameStamps() throws -> any FrameStamps { try FaultedFrames(self) }

    public var declaredPlanes: [DeclaredPlane] { base.declaredPlanes }

    public func sessionTruth() throws -> SessionTruth {
        var truth = try base.sessionTruth()
        truth.camera = trueCamera(from: truth.camera ?? base.rig.camera)
        truth.strokes = truth.strokes.compactMap { stroke in
            guard let span = changed(stroke.start...stroke.end) else { return nil }
            var stroke = stroke
            (stroke.start, stroke.end) = (span.lowerBound, span.upperBound)
            return stroke
        }
        return truth
    }

    /// The camera that takes the pictures, at the pace and by the clock that the session is told; `nil` where the session is told
    /// of no other. Law: `FaultEffectTests.aWrongCalibrationChangesTheRigAlone`.
    private func trueCamera(from camera: CameraCalibration) -> CameraCalibration? {
        var changed = rig.camera
        (changed.camera, changed.imuFromOptical) = (camera.camera, camera.imuFromOptical)
        guard changed != rig.camera else { return nil }
        changed.uncertainty = CameraCalibration.Uncertainty()
        return changed
    }

    public func makeTruthStream() throws -> any TruthStream { try makeFaultedTruthStream() }

    /// A stream of truth that also tells when pictures were really taken.
    public func makeFaultedTruthStream() throws -> FaultedTruthStream { try FaultedTruthStream(self) }

    /// The same faults of the same session, whose truths hold these pictures too.
    public func with(_ pictures: Set<TruthPictureKind>) -> FaultedSource {
        var source = self
        source.base = base.with(pictures)
        return source
    }

    /// Where an instant of the true clock of the session without faults lies on the clock of this one; `nil` where a
    /// closed gap or a trimmed end took it from the clock.
    public func instant(_ timestamp: Timestamp) -> Timestamp? { changed(timestamp...timestamp)?.lowerBound }

    private func changed(_ span: ClosedRange<Timestamp>) -> ClosedRange<Timestamp>? {
        var span: ClosedRange<Timestamp>? = span
        for (fault, setting) in zip(faults, settings) {
            span = span.flatMap { fault.kind.parameters.changed($0, setting) }
        }
        return span
    }

    func makePipeline() -> FaultPipeline {
        FaultPipeline(zip(faults, settings).map { fault, setting in fault.kind.parameters.makeStage(setting) })
    }
}
