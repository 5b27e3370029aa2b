// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom
import ARSensing

/// What one fault does to the events that pass through it, in the order of their arrival.
protocol FaultStage {
    /// Whether what it gives may have another order than what it got.
    var changesOrder: Bool { get }

    /// Takes the next event and gives what becomes of it, at once or later.
    mutating func take(_ delivery: Delivery, into output: inout FaultOutput)

    /// Gives what it still holds.
    mutating func finish(into output: inout FaultOutput)

    /// The earliest arrival that it may still give once an event that arrived at `arrival` was taken.
    func earliestArrival(after arrival: Timestamp) -> Timestamp
}

extension FaultStage {
    var changesOrder: Bool { false }
    mutating func finish(into output: inout FaultOutput) {}
    func earliestArrival(after arrival: Timestamp) -> Timestamp { arrival }
}

/// What a stage gives, and what it counts.
struct FaultOutput {
    var deliveries: [Delivery] = []
    var counts = FaultCounts()

    /// Lets an event through as it is.
    mutating func pass(_ delivery: Delivery) { deliveries.append(delivery) }

    /// Lets an event through to which something was done.
    mutating func pass(_ delivery: Delivery, as change: WritableKeyPath<FaultCounts.Tally, Int>) {
        counts.count(delivery.event, as: change)
        deliveries.append(delivery)
    }

    /// Lets an event disappear.
    mutating func drop(_ delivery: Delivery) { counts.count(delivery.event, as: \.dropped) }
}

/// What a fault did, in numbers.
public struct FaultCounts: Hashable, Sendable {
    /// What was done to the events of one kind.
    public struct Tally: Hashable, Sendable {
        /// Events whose content was changed.
        public var changed = 0
        /// Events that were left out.
        public var dropped = 0
        /// Events that come a second time.
        public var doubled = 0
        /// Events that come later than their stamps.
        public var delayed = 0
        /// Events whose stamps were changed.
        public var restamped = 0
        /// Events that were not there before.
        public var added = 0

        /// Nothing was done.
        public init() {}

        /// Whether nothing was done.
        public var isEmpty: Bool { self == Tally() }
    }

    /// Pictures.
    public var frames = Tally()
    /// Inertial samples.
    public var samples = Tally()
    /// What the user and the app did.
    public var userEvents = Tally()

    /// Nothing was done.
    public init() {}

    mutating func count(_ event: SensorEvent, as change: WritableKeyPath<Tally, Int>) {
        switch event {
        case .frame: frames[keyPath: change] += 1
        case .imu: samples[keyPath: change] += 1
        case .user: userEvents[keyPath: change] += 1
        }
    }
}

/// Lets every event through: faults that change no event.
struct PassingStage: FaultStage {
    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) { output.pass(delivery) }
}

/// Changes the pictures in a range, each for itself.
struct PictureStage: FaultStage {
    let setting: FaultSetting
    let change: (inout PixelRows, inout SeededRandom, Timestamp) -> Void

    /// - change: what becomes of a picture, by its stamp, too.
    init(setting: FaultSetting, change: @escaping (inout PixelRows, inout SeededRandom, Timestamp) -> Void) {
        (self.setting, self.change) = (setting, change)
    }

    /// - change: what becomes of a picture, whenever it was taken.
    init(setting: FaultSetting, change: @escaping (inout PixelRows, inout SeededRandom) -> Void) {
        self.init(setting: setting) { rows, random, _ in change(&rows, &random) }
    }

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        guard case .frame(var frame) = delivery.event, setting.range.contains(frame.timestamp) else {
            return output.pass(delivery)
        }
        var random = setting.random(for: .camera, at: frame.timestamp)
        // What only asks for stamps sends empty pictures.
        if !frame.image.bytes.isEmpty {
            let (size, channels) = (frame.image.size, frame.image.format.bytesPerPixel)
            frame.image.bytes.withUnsafeMutableBufferPointer {
                var rows = PixelRows(bytes: $0, size: size, channels: channels)
                change(&rows, &random, frame.timestamp)
            }
        }
        var changed = delivery
        changed.event = .frame(frame)
        output.pass(changed, as: \.changed)
    }
}

/// Changes the inertial samples in a range, each for itself; counts those that are not as before.
struct SampleStage: FaultStage {
    let setting: FaultSetting
    let change: (inout ImuSample, inout SeededRandom) -> Void

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        guard case .imu(let sample) = delivery.event, setting.range.contains(sample.timestamp) else {
            return output.pass(delivery)
        }
        var random = setting.random(for: .imu, at: sample.timestamp)
        var changed = sample
        change(&changed, &random)
        guard changed != sample else { return output.pass(delivery) }
        var delivery = delivery
        delivery.event = .imu(changed)
        output.pass(delivery, as: \.changed)
    }
}

/// Leaves out some of the events of a stream in a range.
struct DroppingStage: FaultStage {
    let setting: FaultSetting
    let stream: SensorEvent.Stream
    let probability: Double

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        let timestamp = delivery.event.timestamp
        guard delivery.event.stream == stream, setting.range.contains(timestamp) else { return output.pass(delivery) }
        var random = setting.random(for: stream, at: timestamp)
        if random.happens(probability) { output.drop(delivery) } else { output.pass(delivery) }
    }
}
