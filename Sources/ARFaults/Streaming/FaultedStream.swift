// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// The events of a source with faults.
public struct FaultedStream: SensorStream {
    private var base: any SensorStream
    private var truths: (any TruthStream)?
    private var pipeline: FaultPipeline
    private var ready: ArraySlice<Delivery> = []
    private var clock: Timestamp?
    private var isFinished = false

    /// How many frames were taken from the source without faults.
    public private(set) var framesTaken = 0

    init(_ base: any SensorStream, truths: (any TruthStream)? = nil, pipeline: FaultPipeline) {
        self.base = base
        self.truths = truths
        self.pipeline = pipeline
    }

    /// What each fault did so far.
    public var counts: [FaultCounts] { pipeline.counts }

    public mutating func next() throws -> SensorEvent? { try nextDelivery()?.event }

    mutating func nextDelivery() throws -> Delivery? {
        while ready.isEmpty {
            guard !isFinished else { return nil }
            if let event = try base.next() {
                ready = pipeline.take(try delivery(of: event))[...]
            } else {
                isFinished = true
                ready = pipeline.finish()[...]
            }
        }
        return ready.popFirst()
    }

    /// What the source itself gives late arrives with what came before it.
    private mutating func delivery(of event: SensorEvent) throws -> Delivery {
        let arrival = max(clock ?? event.timestamp, event.timestamp)
        clock = arrival
        var delivery = Delivery(event: event, arrival: arrival, origin: event.timestamp)
        if event.stream == .camera {
            framesTaken += 1
            delivery.truth = try truths?.truth(at: event.timestamp)
        }
        return delivery
    }
}

/// The frames of a source with faults, without their pictures: the faults act on empty ones.
struct FaultedFrames: FrameStamps {
    private var stream: FaultedStream

    init(_ source: FaultedSource, truths: (any TruthStream)? = nil) throws {
        stream = FaultedStream(
            EmptyFrames(stamps: try source.base.makeFrameStamps()), truths: truths, pipeline: source.makePipeline())
    }

    mutating func next() throws -> Timestamp? { try nextDelivery()?.event.timestamp }

    mutating func nextDelivery() throws -> Delivery? {
        while let delivery = try stream.nextDelivery() {
            if case .frame = delivery.event { return delivery }
        }
        return nil
    }
}

/// Frames without pixels.
private struct EmptyFrames: SensorStream {
    var stamps: any FrameStamps
    static let image = ImageBuffer(size: ImageSize(width: 0, height: 0), format: .gray8)

    mutating func next() throws -> SensorEvent? {
        try stamps.next().map { .frame(CameraFrame(timestamp: $0, image: Self.image)) }
    }
}
