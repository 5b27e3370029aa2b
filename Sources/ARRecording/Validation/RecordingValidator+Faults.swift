// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARFiles
import ARSensing

/// From when to when the rows of a table are, and the longest time between two of them.
struct TableExtent {
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?
    private(set) var longestGap: (nanoseconds: Int64, from: Timestamp)?

    mutating func add(_ timestamp: Timestamp) {
        if let last, timestamp.nanoseconds(since: last) > longestGap?.nanoseconds ?? 0 {
            longestGap = (timestamp.nanoseconds(since: last), last)
        }
        first = min(first ?? timestamp, timestamp)
        last = max(last ?? timestamp, timestamp)
    }

    /// From the first row of both to the last.
    func union(_ other: TableExtent) -> TableExtent {
        var union = self
        for timestamp in [other.first, other.last] { if let timestamp { union.add(timestamp) } }
        return union
    }

    var seconds: Double {
        guard let first, let last else { return 0 }
        return last.seconds(since: first)
    }
}

/// Checks that what `arrivals.csv` lists is in the tables.
struct ArrivalCheck {
    private var missing: [Arrival.Key: Int] = [:]

    mutating func expect(_ row: TimedRow<Arrival>) { missing[row.value.key] = row.line }

    mutating func found(_ stream: SensorEvent.Stream, _ timestamp: Timestamp) {
        guard !missing.isEmpty else { return }
        missing[Arrival.Key(stream: stream, timestamp: timestamp)] = nil
    }

    func reportMissing(_ report: (RecordingError) -> Void) {
        for (key, line) in missing.sorted(by: { $0.value < $1.value }) {
            let table = key.stream == .imu ? RecordingLayout.imu : RecordingLayout.frames
            report(
                RecordingError(
                    .arrivalWithoutEvent, file: RecordingLayout.arrivals, line: line,
                    found: "the stamp \(key.timestamp), which \(table) has not", expected: "a row's stamp"))
        }
    }
}

extension RecordingValidator {
    /// A sensor that is silent for so long has a gap: this many of its intervals, and this many seconds.
    private static let gap = (intervals: 20.0, seconds: 0.5)

    mutating func checkGaps(_ rig: SensorRig, declared faults: [Fault]) {
        let sensors = [
            (SensorEvent.Stream.camera, RecordingLayout.frames, rig.camera.rateInHertz, frames.longestGap),
            (.imu, RecordingLayout.imu, rig.imu?.rateInHertz ?? 0, samples.longestGap),
        ]
        for (stream, table, rate, longest) in sensors where rate > 0 {
            guard let longest, !faults.contains(where: { $0.leavesGaps(in: stream) }) else { continue }
            let seconds = Double(longest.nanoseconds) * 1e-9
            guard seconds > max(Self.gap.seconds, Self.gap.intervals / rate) else { continue }
            report(
                RecordingError(
                    .undeclaredGap, file: table,
                    found: "\(NumberText.string(seconds)) s without a row after \(longest.from)",
                    expected: "a row every \(NumberText.string(1 / rate)) s or so"))
        }
    }

    /// Says how much of an unfinished recording is there.
    mutating func reportUnfinished(events: Int) {
        let whole = frames.union(samples)
        func part(_ count: Int, _ what: String, _ extent: TableExtent) -> String {
            guard let last = extent.last, let start = whole.first else { return "no \(what)" }
            let seconds = (last.seconds(since: start) * 1000).rounded() / 1000
            return "\(count) \(what) up to \(NumberText.string(seconds)) s"
        }
        report(
            RecordingError(
                .incompleteRecording, file: RecordingLayout.session,
                found: "complete: false, with " + part(validation.readableFrameCount, "readable frames", frames) + ", "
                    + part(validation.imuSampleCount, "readable inertial samples", samples)
                    + " and \(events) readable events", expected: "a recording that was finished"))
    }
}
