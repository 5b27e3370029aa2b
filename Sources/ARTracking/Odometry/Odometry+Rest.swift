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
            if isProvisional { updateSway(newest, since: index) }
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
        updateVelocity(
            whenMovedBy: moved, inSeconds: clone.instant.seconds(since: earlier),
            gained: report.isStill ? 0 : speedGained(since: window[index], history: history))
        if isProvisional || (report.isStill && unturned < settings.stillParallax) { updateStand(newest, since: index) }
    }

    /// Takes in that a device whose picture moved by so many pixels is no faster than that, or than its samples made it meanwhile: who
    /// starts to walk is faster in the end than in the mean, and what lies ahead hardly moves. Beyond rest it rests on a guess of how far
    /// things are, which the next pictures repeat. Laws: `RestThenMotionTests.aHallIsNoTable`, `RestThenMotionTests.whoSetsOutIsNotHeldBack`.
    private mutating func updateVelocity(whenMovedBy moved: Double, inSeconds seconds: Double, gained: Double) {
        let shift = moved / filter.calibration.camera.intrinsics.fx * OdometrySettings.usualDistance
        let trust: VisualInertialFilter.Trust =
            !isProvisional ? .whereLikely : moved > settings.restDisplacement ? .once : .always
        filter.updateVelocity(.zero, deviation: max(settings.stillVelocity, shift / seconds, gained), trust: trust)
    }

    /// How much faster its samples made the device since a clone, in m/s.
    private func speedGained(since earlier: Int, history: ImuHistory) -> Double {
        guard let clone = filter.clones[earlier] else { return 0 }
        let motion = history.motion(
            from: clone.instant, to: filter.navigation.timestamp, errors: filter.navigation.errors, detail: .motion)
        return (clone.worldFromImu.rotation * motion.velocity + motion.seconds * filter.gravity).length
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

    /// Takes in how the picture of a provisional estimator's device says that it turned and shifted since the first frame that has
    /// points in common with it, once it has changed by more than it does at rest.
    ///
    /// The first moments of a motion tell the clocks, which are else believed to agree until the motion is known: a picture that turns
    /// before the gyroscope does came later than is said. Soon the shift is as large, and of a plane the turn is then known no longer.
    /// Law: `RestThenMotionTests.theFirstTurnTellsTheClocks`.
    private mutating func updateSway(_ newest: Int, since index: Int) {
        let earlier = firstClone(within: .greatestFiniteMagnitude, of: newest, before: index)
        guard displacement(from: earlier, to: newest) > settings.restDisplacement,
            let stand = stand(of: newest, since: earlier)
        else { return }
        take(stand, of: newest, since: earlier)
    }

    /// The first clone of those that one after the other, back from that at an index of the window, differ by so little from a clone, in
    /// pixels.
    private func firstClone(within limit: Double, of newest: Int, before index: Int) -> Int {
        var first = index
        while first > 0, displacement(from: window[first - 1], to: newest) < limit { first -= 1 }
        return window[first]
    }

    /// How the pictures of two clones say that the device turned and swayed in between: of two motions that a plane shows alike,
    /// the one that turns about as its gyroscope does. Law: `VisualInertialTrackerTests.takesOffInAHall`.
    private func stand(of newest: Int, since earlier: Int) -> Stand? {
        guard let then = filter.clones[earlier]?.worldFromImu, let now = filter.clones[newest]?.worldFromImu else {
            return nil
        }
        let imuFromOptical = filter.calibration.imuFromOptical.rotation
        let turn = (then.rotation * imuFromOptical).inverse * (now.rotation * imuFromOptical)
        return TwoViewMotion(sights(from: earlier, to: newest), turnedByAbout: turn).map {
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
        if stand.isLengthGuessed { filter.covariance.weaken(3..<6, of: &gated) }
        if isProvisional { filter.update(with: gated) } else { filter.updateWhereLikely(with: gated) }
    }
}

/// How the IMU of a device that stands turned and shifted between two frames, in its axes at the first, and how well that is
/// known, in radians and metres.
struct Stand {
    var turn = Rotation.identity
    var shift = Vector3.zero
    var rotationDeviation, positionDeviation: Double
    /// Whether the shift is only as long as things are guessed to be far, so that other pictures' shifts are wrong by the same share.
    private(set) var isLengthGuessed = false

    init(rotationDeviation: Double, positionDeviation: Double) {
        (self.rotationDeviation, self.positionDeviation) = (rotationDeviation, positionDeviation)
    }

    /// What two pictures tell, no better than the noise of their directions in radians. Its shift is as long as things are
    /// far. Law: `StandTests`.
    init(_ motion: TwoViewMotion, _ imuFromOptical: RigidTransform, noise: Double) {
        let (distance, share) = OdometrySettings.restDistance
        isLengthGuessed = true
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
