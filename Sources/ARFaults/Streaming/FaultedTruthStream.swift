// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import ARTruth

/// The truth of a source with faults: known at the stamps of its frames, in the order in which they arrive.
///
/// All fields of the truth without faults are handed on; the stamp is the frame's.
public final class FaultedTruthStream: TruthStream {
    private let source: FaultedSource
    private let longestDelay: Int64
    private var frames: FaultedFrames
    private var known: [Timestamp: Moment] = [:]
    private var order: ArraySlice<Timestamp> = []
    private var latest: Timestamp?
    private var isFinished = false

    /// What is known of a frame.
    private struct Moment {
        let origin: Timestamp
        let truth: FrameTruth?
    }

    init(_ source: FaultedSource) throws {
        self.source = source
        longestDelay = source.longestDelayNanoseconds ?? 0
        frames = try FaultedFrames(source, truths: try source.base.makeTruthStream())
    }

    /// The truth at a frame's stamp. Stamps must not decrease from call to call by more than the source's longest delay.
    public func truth(at timestamp: Timestamp) throws -> FrameTruth? {
        guard var truth = try moment(at: timestamp)?.truth else { return nil }
        for fault in source.faults { truth = fault.kind.parameters.changed(truth) }
        truth.timestamp = timestamp
        return truth
    }

    /// When the picture of the frame with that stamp was really taken, on the session's clock; `nil` where there is no
    /// such frame.
    public func instant(ofFrame timestamp: Timestamp) throws -> Timestamp? {
        try moment(at: timestamp).flatMap { source.instant($0.origin) }
    }

    private func moment(at timestamp: Timestamp) throws -> Moment? {
        while known[timestamp] == nil, !isFinished, latest.map({ !isBeyond($0, timestamp) }) ?? true {
            guard let delivery = try frames.nextDelivery() else {
                isFinished = true
                break
            }
            let stamp = delivery.event.timestamp
            known[stamp] = Moment(origin: delivery.origin, truth: delivery.truth)
            order.append(stamp)
            latest = max(latest ?? stamp, stamp)
        }
        let moment = known[timestamp]
        while let oldest = order.first, isBeyond(timestamp, oldest) {
            known[oldest] = nil
            order.removeFirst()
        }
        return moment
    }

    /// Whether nothing can come at a stamp, or before it, once something came at another.
    private func isBeyond(_ later: Timestamp, _ stamp: Timestamp) -> Bool {
        later.nanoseconds(since: stamp) > longestDelay
    }
}
