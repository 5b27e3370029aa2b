// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// A list of faults at work: events go in as they arrive, and come out as they arrive then.
struct FaultPipeline {
    private var links: [Link]

    /// One fault, and the queue that puts what it gives in order.
    private struct Link {
        var stage: any FaultStage
        var output = FaultOutput()
        var queue: ArrivalQueue?

        init(_ stage: any FaultStage) {
            self.stage = stage
            queue = stage.changesOrder ? ArrivalQueue() : nil
        }

        mutating func take(_ delivery: Delivery) -> [Delivery] {
            stage.take(delivery, into: &output)
            return release(before: stage.earliestArrival(after: delivery.arrival))
        }

        mutating func finish() -> [Delivery] {
            stage.finish(into: &output)
            return release(before: nil)
        }

        private mutating func release(before end: Timestamp?) -> [Delivery] {
            let given = output.deliveries
            output.deliveries.removeAll(keepingCapacity: true)
            guard queue != nil else { return given }
            for delivery in given { queue?.insert(delivery) }
            return queue?.removeAll(before: end) ?? []
        }
    }

    init(_ stages: [any FaultStage]) { links = stages.map(Link.init) }

    /// What each fault did so far.
    var counts: [FaultCounts] { links.map(\.output.counts) }

    /// Takes the next event and returns all that is ready.
    mutating func take(_ delivery: Delivery) -> [Delivery] {
        var ready = [delivery]
        for index in links.indices where !ready.isEmpty { ready = take(ready, at: index) }
        return ready
    }

    /// Returns all that is still held; nothing can be taken afterwards.
    mutating func finish() -> [Delivery] {
        var ready: [Delivery] = []
        for index in links.indices {
            ready = take(ready, at: index) + links[index].finish()
        }
        return ready
    }

    private mutating func take(_ deliveries: [Delivery], at index: Int) -> [Delivery] {
        deliveries.flatMap { links[index].take($0) }
    }
}
