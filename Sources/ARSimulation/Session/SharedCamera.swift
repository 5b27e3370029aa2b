// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import Synchronization

/// A session's camera whose sensors are read by different streams.
///
/// A frame is rendered when the first stream asks for it; what the other sensors made of it waits for theirs.
final class SharedCamera: Sendable {
    private let state: Mutex<State>

    /// A camera at the beginning of a session, with a sensor for each seed.
    init(of session: SceneSession, sensorSeeds: [UInt64]) { state = Mutex(State(session, sensorSeeds)) }

    /// The next picture of one of the sensors.
    func nextImage(ofSensor sensor: Int) -> ImageBuffer { state.withLock { $0.nextImage(ofSensor: sensor) } }

    private struct State {
        private let session: SceneSession
        private let camera: SimulatedCamera
        /// By sensor, the pictures that nobody has fetched yet, from the earliest on.
        private var waiting: [[ImageBuffer]]
        private var nextFrame = 0

        init(_ session: SceneSession, _ sensorSeeds: [UInt64]) {
            self.session = session
            camera = session.makeCamera(sensorSeeds: sensorSeeds)
            waiting = sensorSeeds.map { _ in [] }
        }

        mutating func nextImage(ofSensor sensor: Int) -> ImageBuffer {
            if waiting[sensor].isEmpty { takeNextFrame() }
            return waiting[sensor].removeFirst()
        }

        private mutating func takeNextFrame() {
            for (sensor, image) in session.images(ofFrame: nextFrame, by: camera).enumerated() {
                waiting[sensor].append(image)
            }
            nextFrame += 1
        }
    }
}
