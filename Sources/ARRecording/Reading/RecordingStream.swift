// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// The events of a recording, merged from its three tables; one row of each is held at a time.
struct RecordingStream: SensorStream {
    private let frames: FrameReader
    private let imu: TimedTable<ImuSample>?
    private let events: TimedTable<UserEvent>?
    private let cameraOffset: Int64

    private var nextFrame: TimedRow<String>?
    private var nextSample: TimedRow<ImuSample>?
    private var nextEvent: TimedRow<UserEvent>?

    init(_ recording: Recording) throws(RecordingError) {
        let layout = recording.layout
        let isComplete = recording.isComplete
        frames = try FrameReader(recording)
        imu = layout.exists(RecordingLayout.imu) ? try layout.imuTable(isComplete: isComplete) : nil
        events = layout.exists(RecordingLayout.events) ? try layout.eventTable(isComplete: isComplete) : nil
        cameraOffset = recording.appliedCameraTimeOffsetNanoseconds
        nextFrame = try frames.nextRow()
        nextSample = try imu?.next()
        nextEvent = try events?.next()
    }

    /// The earliest event; at equal stamps the IMU's, then the user's, then the camera's.
    mutating func next() throws -> SensorEvent? {
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
        let image = try frames.image(of: row)
        nextFrame = try frames.nextRow()
        return .frame(CameraFrame(timestamp: frameTime, image: image))
    }

    private func isEarliest(_ time: Timestamp, _ other: Timestamp?, _ another: Timestamp?) -> Bool {
        other.map { time <= $0 } ?? true && another.map { time <= $0 } ?? true
    }
}
