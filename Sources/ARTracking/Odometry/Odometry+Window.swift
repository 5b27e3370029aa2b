// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

extension Odometry {
    /// Where the picture has hardly changed for a while, the velocity is about zero: no point's distance needs to be known for
    /// that. All pictures of that while count, because a swing comes back to where it was, and so do the samples, because it
    /// turns there. A device that stands still is also where it was when it began to, however long ago: without that, what
    /// remains of the velocity would add up.
    ///
    /// A provisional estimator, which has nothing else, also hears that a picture that changes a little comes from a velocity
    /// of that size, at distances that hands work at.
    mutating func updateWhenSlow(_ newest: Int, history: ImuHistory) {
        guard let clone = filter.clones[newest],
            let index = window.lastIndex(where: {
                clone.instant.seconds(since: filter.clones[$0]!.instant) >= settings.stillSeconds
            })
        else { return }
        guard clone.instant.seconds(since: lastStillCheck) >= settings.stillSeconds else {
            if isProvisional { updateTurn(newest, since: index) }
            return
        }
        let (earlier, others) = (filter.clones[window[index]]!.instant, window[index...].dropLast())
        let unturned = others.reduce(0) { max($0, displacement(from: $1, to: newest)) }
        let moved = others.reduce(0) {
            max($0, min(displacement(from: $1, to: newest), parallax(between: $1, and: newest)))
        }
        let span = clone.instant.advanced(byNanoseconds: Int64(-settings.stillSeconds * 1e9))...clone.instant
        let isSteady = history.statistics(in: span).map { $0.speedSpread < settings.stillVelocity } ?? false
        report.isStill = moved < settings.stillParallax && isSteady
        guard report.isStill || (isProvisional && moved.isFinite) else { return }
        lastStillCheck = clone.instant
        let speed = moved / filter.calibration.camera.intrinsics.fx * OdometrySettings.usualDistance
        filter.updateVelocity(
            .zero, deviation: max(settings.stillVelocity, speed / clone.instant.seconds(since: earlier)),
            gated: !isProvisional)
        if isProvisional || (report.isStill && unturned < settings.stillParallax) { updateStand(newest, since: index) }
    }

    /// Takes in that the device is where it was at the first frame since which the picture hardly changed. A provisional
    /// estimator looks back as far as there are points in common, and hears how two pictures say that it turned and swayed.
    private mutating func updateStand(_ newest: Int, since index: Int) {
        let earlier = firstClone(
            within: isProvisional ? .greatestFiniteMagnitude : settings.stillParallax, of: newest, before: index)
        let focal = filter.calibration.camera.intrinsics.fx
        // What moved may be a turn or a shift; at rest it is a turn rather. While points are not used otherwise, the picture
        // tells how much of each.
        let (noise, moved) = (settings.stillParallaxNoise, displacement(from: earlier, to: newest))
        let still = Stand(
            rotationDeviation: max(moved, noise) / focal,
            positionDeviation: max(OdometrySettings.shiftShare * moved, noise) / focal * OdometrySettings.usualDistance)
        let seen = isProvisional && moved > settings.stillParallax ? stand(of: newest, since: earlier) : nil
        take(seen ?? still, of: newest, since: earlier)
    }

    /// Takes in how the picture of a provisional estimator's device says that it turned since the first frame that has points in
    /// common with it, once it has changed by more than it does at rest.
    ///
    /// The first moments of a motion tell the clocks, which are else believed to agree until the motion is known: a picture that turns
    /// before the gyroscope does came later than is said. Soon the shift is as large, and of a plane the turn is then known no longer. How far the
    /// device has come is not heard so often: each time it would err by the same distance.
    /// Law: `RestThenMotionTests.theFirstTurnTellsTheClocks`.
    private mutating func updateTurn(_ newest: Int, since index: Int) {
        let earlier = firstClone(within: .greatestFiniteMagnitude, of: newest, before: index)
        guard displacement(from: earlier, to: newest) > settings.restDisplacement,
            var stand = stand(of: newest, since: earlier)
        else { return }
        stand.positionDeviation = .infinity
        take(stand, of: newest, since: earlier)
    }

    /// The first clone of those that one after the other, back from that at an index of the window, differ by so little from a clone, in
    /// pixels.
    private func firstClone(within limit: Double, of newest: Int, before index: Int) -> Int {
        var first = index
        while first > 0, displacement(from: window[first - 1], to: newest) < limit { first -= 1 }
        return window[first]
    }

    /// How the pictures of two clones say that the device turned and swayed in between.
    private func stand(of newest: Int, since earlier: Int) -> Stand? {
        TwoViewMotion(sights(from: earlier, to: newest)).map {
            Stand(
                $0, filter.calibration.imuFromOptical,
                noise: settings.stillParallaxNoise / filter.calibration.camera.intrinsics.fx)
        }
    }

    /// Learns from a stand, unless an estimator that knows more than that finds it unlikely.
    private mutating func take(_ stand: Stand, of newest: Int, since earlier: Int) {
        gated.rows = 0
        filter.appendStand(
            newest, since: earlier, turnedBy: stand.turn, shiftedBy: stand.shift,
            rotationDeviation: stand.rotationDeviation, positionDeviation: stand.positionDeviation, to: &gated)
        if !isProvisional {
            guard let distance = filter.covariance.squaredDistance(of: gated),
                distance <= ChiSquare.quantile95(degreesOfFreedom: 6)
            else { return }
        }
        filter.update(with: gated)
    }

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
    private func parallax(between a: Int, and b: Int) -> Double {
        guard let cloneA = filter.clones[a], let cloneB = filter.clones[b] else { return 0 }
        let imuFromOptical = filter.calibration.imuFromOptical.rotation
        return displacement(
            from: a, to: b,
            turnedBy: (cloneB.worldFromImu.rotation * imuFromOptical).inverse
                * (cloneA.worldFromImu.rotation * imuFromOptical))
    }

    /// The median displacement in pixels of what two clones saw, after what the first saw was turned, and the points' own noise
    /// aside; infinite where they have too little in common.
    private func displacement(from a: Int, to b: Int, turnedBy rotation: Rotation = .identity) -> Double {
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
    private func sights(from a: Int, to b: Int) -> [TwoViewMotion.Sight] {
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

/// How the IMU of a device that stands turned and shifted between two frames, in its axes at the first, and how well that is
/// known, in radians and metres; infinite deviations are of what is not known.
struct Stand {
    var turn = Rotation.identity
    var shift = Vector3.zero
    var rotationDeviation, positionDeviation: Double

    init(rotationDeviation: Double, positionDeviation: Double) {
        (self.rotationDeviation, self.positionDeviation) = (rotationDeviation, positionDeviation)
    }

    /// What two pictures tell, no better than the noise of their directions in radians. Its shift is as long as things are
    /// far. Law: `StandTests`.
    init(_ motion: TwoViewMotion, _ imuFromOptical: RigidTransform, noise: Double) {
        let (distance, share) = OdometrySettings.restDistance
        turn = Rotation(rotationVector: imuFromOptical.rotation * motion.turn)
        // The camera turns about the IMU.
        let lever = imuFromOptical.translation - turn * imuFromOptical.translation
        shift = distance * (imuFromOptical.rotation * motion.shift) + lever
        // A trace is no less than the variance along any axis.
        rotationDeviation = max(motion.turnCovariance.trace.squareRoot(), noise)
        let byDistance = share * share * motion.shift.squaredLength
        positionDeviation = distance * (motion.shiftCovariance.trace + byDistance + noise * noise).squareRoot()
    }
}
