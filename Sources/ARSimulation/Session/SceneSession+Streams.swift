// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

extension SceneSession {
    /// Streams of the same session with several seeds of the sensors, in the seeds' order, for which each frame is
    /// rendered once.
    ///
    /// Each gives the events that the stream of ``withSensorSeed(_:)`` gives by itself. A picture is kept until its stream
    /// has given it: memory stays flat where all are read in step. They may be read on several threads, each stream on
    /// one at a time. Law: `SharedCameraTests.sharedAndSeparateSessionsAreTheSame`.
    public func makeStreams(sensorSeeds: [UInt64]) -> [any SensorStream] {
        let camera = SharedCamera(of: self, sensorSeeds: sensorSeeds)
        return sensorSeeds.enumerated().map { sensor, seed in
            SceneSensorStream(withSensorSeed(seed), camera: camera, sensor: sensor)
        }
    }

    fileprivate var userEvents: [UserEvent] {
        groundTruthStrokes.flatMap { stroke in
            [
                UserEvent(timestamp: Self.timestamp(atSeconds: stroke.startSeconds), action: .penDown),
                UserEvent(timestamp: Self.timestamp(atSeconds: stroke.endSeconds), action: .penUp),
            ]
        }
    }
}

/// Gives one frame after the other, with the inertial samples and the touches between them.
private struct SceneSensorStream: SensorStream {
    private let session: SceneSession
    private let camera: SharedCamera
    private let sensor: Int
    private let userEvents: [UserEvent]
    private var readings: InertialSensor.Readings?
    private var nextSample: ImuSample?
    private var nextFrame = 0
    private var nextUserEvent = 0

    /// The stream that has the pictures of one of a camera's sensors.
    init(_ session: SceneSession, camera: SharedCamera, sensor: Int) {
        self.session = session
        self.camera = camera
        self.sensor = sensor
        userEvents = session.userEvents
        readings = session.inertialSensor?.makeReadings()
        nextSample = readings?.next()?.sample
    }

    /// The earliest event; at equal stamps the inertial sensor's, then the user's, then the camera's.
    mutating func next() -> SensorEvent? {
        let frameTime = nextFrame < session.frameCount ? session.timestamp(ofFrame: nextFrame) : nil
        let userTime = nextUserEvent < userEvents.count ? userEvents[nextUserEvent].timestamp : nil
        if let sample = nextSample, sample.timestamp <= frameTime ?? .distantFuture,
            sample.timestamp <= userTime ?? .distantFuture
        {
            nextSample = readings?.next()?.sample
            return .imu(sample)
        }
        if let userTime, userTime <= frameTime ?? .distantFuture {
            nextUserEvent += 1
            return .user(userEvents[nextUserEvent - 1])
        }
        guard let frameTime else { return nil }
        nextFrame += 1
        return .frame(CameraFrame(timestamp: frameTime, image: camera.nextImage(ofSensor: sensor)))
    }
}

extension Timestamp {
    /// Later than anything that happens.
    fileprivate static let distantFuture = Timestamp(nanoseconds: .max)
}
