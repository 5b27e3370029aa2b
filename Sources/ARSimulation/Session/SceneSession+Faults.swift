// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARSensing

extension SceneSession {
    /// The session with the scene's faults: what the phone would have recorded. Times of faults are the scene's.
    public func faulted() throws -> FaultedSource {
        try FaultedSource(self, faults: scene.faults, seed: sensorSeed, start: Self.start)
    }

    /// The stamps of the frames, which need no rendering.
    public func makeFrameStamps() -> any FrameStamps { SceneFrameStamps(session: self) }
}

private struct SceneFrameStamps: FrameStamps {
    let session: SceneSession
    private var nextFrame = 0

    init(session: SceneSession) { self.session = session }

    mutating func next() -> Timestamp? {
        guard nextFrame < session.frameCount else { return nil }
        nextFrame += 1
        return session.timestamp(ofFrame: nextFrame - 1)
    }
}
