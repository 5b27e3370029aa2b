// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension Odometry {
    /// Which clone goes when the window is full: of the recent ones, the oldest, where it tells nothing that the keyframe before
    /// it does not; otherwise the oldest of all. Law: `OdometryTests.aViewOfOtherPointsIsAKeyframe`.
    mutating func cloneToLeave() -> Int? {
        guard window.count == settings.cloneCount else { return nil }
        let candidate = window.count - settings.recentCloneCount
        guard candidate > 0 else { return window[0] }
        return isKeyframe(window[candidate], after: window[candidate - 1]) ? window[0] : window[candidate]
    }

    /// Whether a clone is elsewhere than a keyframe, or saw mostly other points: what these tell later is told from here.
    private func isKeyframe(_ clone: Int, after keyframe: Int) -> Bool {
        var shared = 0
        forEachSight(from: keyframe, to: clone) { _, _, _ in shared += 1 }
        let seen = tracks.count { $0.observations.contains { $0.clone == clone } }
        return Double(shared) < OdometrySettings.keyframeSharedShare * Double(seen)
            || parallax(between: keyframe, and: clone) >= settings.keyframeParallax
    }

    /// The median displacement in pixels of what two clones saw, rotation and the points' own noise aside.
    func parallax(between a: Int, and b: Int) -> Double {
        guard let cloneA = filter.clones[a], let cloneB = filter.clones[b] else { return 0 }
        let imuFromOptical = filter.calibration.imuFromOptical.rotation
        return displacement(
            from: a, to: b,
            turnedBy: (cloneB.worldFromImu.rotation * imuFromOptical).inverse
                * (cloneA.worldFromImu.rotation * imuFromOptical))
    }

    /// The median displacement in pixels of what two clones saw, after what the first saw was turned, and the points' own noise
    /// aside; infinite where they have too little in common.
    func displacement(from a: Int, to b: Int, turnedBy rotation: Rotation = .identity) -> Double {
        let focal = filter.calibration.camera.intrinsics.fx
        // Noise of variance σ² along each axis has a median square of 2 ln 2 σ² (Rayleigh's distribution).
        var displacements: [Double] = []
        forEachSight(from: a, to: b) { before, after, variance in
            let distance = (rotation * before).cross(after).length * focal
            displacements.append(distance * distance - 2 * 0.6931471805599453 * variance)
        }
        guard displacements.count >= 5 else { return .infinity }
        displacements.sort()
        return max(displacements[displacements.count / 2], 0).squareRoot()
    }

    /// What two clones both saw, for the motion between them.
    func sights(from a: Int, to b: Int) -> [TwoViewMotion.Sight] {
        let focal = filter.calibration.camera.intrinsics.fx
        var sights: [TwoViewMotion.Sight] = []
        forEachSight(from: a, to: b) { before, after, variance in
            sights.append(
                TwoViewMotion.Sight(before: before, after: after, deviation: variance.squareRoot() / focal))
        }
        return sights
    }

    /// The directions, of length one, in which two clones saw the same points, and the variance of what lies between, in pixels²
    /// along each axis.
    private func forEachSight(from a: Int, to b: Int, _ body: (Vector3, Vector3, Double) -> Void) {
        for track in tracks {
            guard let inA = track.observations.first(where: { $0.clone == a }),
                let inB = track.observations.first(where: { $0.clone == b }),
                let directionA = filter.calibration.camera.unproject(inA.pixel),
                let directionB = filter.calibration.camera.unproject(inB.pixel)
            else { continue }
            let variance = inA.deviationPixels * inA.deviationPixels + inB.deviationPixels * inB.deviationPixels
            body(directionA, directionB, variance)
        }
    }

    /// Removes a clone from the window, and what was seen from it from the tracks.
    mutating func remove(_ slot: Int) {
        let newAnchor = window.last { $0 != slot }!
        for landmark in filter.landmarks.indices where filter.landmarks[landmark]?.anchor == slot {
            if !filter.moveAnchor(ofLandmark: landmark, to: newAnchor) { filter.removeLandmark(landmark) }
        }
        for index in tracks.indices { tracks[index].observations.removeAll { $0.clone == slot } }
        window.removeAll { $0 == slot }
        filter.removeClone(slot)
    }
}
