// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

extension SceneSession: TruthSource {
    public func makeTruthStream() -> any TruthStream { SceneTruthStream(self) }

    fileprivate func truth(at timestamp: Timestamp, occlusion: Raycaster) -> FrameTruth {
        let seconds = timestamp.seconds(since: Self.start)
        let worldFromCamera = self.worldFromCamera(at: seconds)
        var truth = FrameTruth(timestamp: timestamp, worldFromCamera: worldFromCamera)
        guard let finger = stage.finger else { return truth }
        let hand = finger.worldFromHand(at: seconds)
        stage.place(at: seconds, in: occlusion)
        let tip = hand.translation
        let opticalFromWorld = RigidTransform.opticalFromCamera * worldFromCamera.inverse
        let pixel = scene.camera.model.project(opticalFromWorld * tip)
        let isInside = pixel.map(scene.camera.size.contains) ?? false
        truth.fingertip = FingertipTruth(
            positionInWorld: tip, pixel: pixel,
            isVisible: isInside
                && !occlusion.isBlocked(
                    from: worldFromCamera.translation, to: tip, margin: PointingHand.tipThicknessMeters),
            isPenDown: finger.timeline.isPenDown(at: seconds))
        return truth
    }

    fileprivate func makeOcclusion() -> Raycaster { stage.makeRaycaster() }
}

/// Knows everything at every instant.
private struct SceneTruthStream: TruthStream {
    private let session: SceneSession
    private let occlusion: Raycaster

    init(_ session: SceneSession) {
        self.session = session
        occlusion = session.makeOcclusion()
    }

    /// The truth, or `nil` before the scene begins and after it ends.
    mutating func truth(at timestamp: Timestamp) -> FrameTruth? {
        let end = SceneSession.timestamp(atSeconds: session.scene.durationSeconds)
        guard SceneSession.start <= timestamp, timestamp <= end else { return nil }
        return session.truth(at: timestamp, occlusion: occlusion)
    }
}
