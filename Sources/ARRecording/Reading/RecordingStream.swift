// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The events of a recording, merged from its three tables; one row of each is held at a time, and what came late.
struct RecordingStream: SensorStream {
    private var rows: MergedRows
    private var arrivals: ArrivalQueue?
    private var upcoming: SensorEvent?

    /// - Parameter hasPictures: without them, frames are empty.
    init(_ recording: Recording, hasPictures: Bool = true) throws(RecordingError) {
        rows = try MergedRows(recording, hasPictures: hasPictures)
        if let delay = recording.longestDelayNanoseconds {
            arrivals = try ArrivalQueue(recording, longestDelay: delay)
        }
    }

    mutating func next() throws -> SensorEvent? {
        guard arrivals != nil else { return try rows.next() }
        while upcoming == nil, let event = try rows.next() {
            if try arrivals?.take(event) == true { upcoming = event }
        }
        if let event = arrivals?.popFirst(before: upcoming) { return event }
        guard let event = upcoming else { return nil }
        upcoming = nil
        arrivals?.pass(event)
        return event
    }
}

/// The frames of a recording's stream, without their pictures.
struct RecordedFrameStamps: FrameStamps {
    private var stream: RecordingStream

    init(_ recording: Recording) throws(RecordingError) {
        stream = try RecordingStream(recording, hasPictures: false)
    }

    mutating func next() throws -> Timestamp? {
        while let event = try stream.next() {
            if event.stream == .camera { return event.timestamp }
        }
        return nil
    }
}

/// The rows of a recording's three tables in the order of their stamps.
private struct MergedRows {
    private let frames: FrameReader
    private let imu: TimedTable<ImuSample>?
    private let events: TimedTable<UserEvent>?
    private let cameraOffset: Int64
    private let hasPictures: Bool
    private let isComplete: Bool

    private var nextFrame: TimedRow<String>?
    private var nextSample: TimedRow<ImuSample>?
    private var nextEvent: TimedRow<UserEvent>?

    init(_ recording: Recording, hasPictures: Bool) throws(RecordingError) {
        let layout = recording.layout
        isComplete = recording.isComplete
        self.hasPictures = hasPictures
        frames = try FrameReader(recording)
        imu = layout.exists(RecordingLayout.imu) ? try layout.imuTable(isComplete: isComplete) : nil
        events = layout.exists(RecordingLayout.events) ? try layout.eventTable(isComplete: isComplete) : nil
        cameraOffset = recording.appliedCameraTimeOffsetNanoseconds
        nextFrame = try frames.nextRow()
        nextSample = try imu?.next()
        nextEvent = try events?.next()
    }

    /// The earliest event; at equal stamps the IMU's, then the user's, then the camera's.
    mutating func next() throws(RecordingError) -> SensorEvent? {
        while true {
            let frameTime = nextFrame?.timestamp.advanced(byNanoseconds: cameraOffset)
            let sampleTime = nextSample?.timestamp
            let eventTime = nextEvent?.timestamp
            if let row = nextSample, isEarliest(row.timestamp, eventTime, frameTime) {
                nextSample = try imu?.next()
                return .imu(row.value)
            }
            if let row = nextEvent, isEarliest(row.timestamp, sampleTime, frameTime) {
                nextEvent = try events?.next()
                return .user(row.value)
            }
            guard let row = nextFrame, let frameTime else { return nil }
            guard let image = try image(of: row) else {
                nextFrame = nil
                continue
            }
            nextFrame = try frames.nextRow()
            return .frame(CameraFrame(timestamp: frameTime, image: image))
        }
    }

    /// The row's picture; `nil` where the frames of an unfinished recording end, at the first picture that is not whole.
    private func image(of row: TimedRow<String>) throws(RecordingError) -> ImageBuffer? {
        guard hasPictures else { return ImageBuffer(size: ImageSize(width: 0, height: 0), format: .gray8) }
        do { return try frames.image(of: row) } catch {
            guard !isComplete, error.endsUnfinishedFrames else { throw error }
            return nil
        }
    }

    private func isEarliest(_ time: Timestamp, _ other: Timestamp?, _ another: Timestamp?) -> Bool {
        other.map { time <= $0 } ?? true && another.map { time <= $0 } ?? true
    }
}

extension RecordingError {
    /// Whether a picture is missing or cut: where a recording was not finished, that is where its frames end.
    var endsUnfinishedFrames: Bool { rule == .damagedImage || rule == .frameWithoutImage }
}
