// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// How far what a ``RefinedMotion`` and its points say is from what was seen and from what is known beforehand.
///
/// Whether a step led downhill, these tell. The equations for the next one, a ``MotionSystem``, cost as much to set up, and twice as much to
/// solve.
struct MotionResiduals {
    let motion: RefinedMotion
    let places: [RefinedMotion.Point]
    /// How the device moved from the start to each frame, as far as the samples tell.
    let frames: [PreintegratedMotion]
    /// By point, where each of its rays was seen from.
    let views: [[RayView]]
    /// What is known beforehand of gravity and the device.
    let priors: [MotionPrior]
    /// What is known of the samples' noise, and half of how its squares change with it.
    let noise: PoseNoisePrior
    let noiseGradient: [Double]

    /// What is minimised: squares, in standard deviations, that grow linearly beyond ``RayView/huber``, and those of what is known
    /// beforehand.
    let cost: Double
    /// The squares of the rays alone, and their number.
    let squares: Double
    let count: Int
    /// The squares of what is known beforehand of gravity and the device.
    let priorSquares: Double
    /// The squares of the samples' noise, in standard deviations.
    let noiseSquares: Double

    /// `nil` where a point comes to lie where a camera that saw it cannot see it.
    init?(_ motion: RefinedMotion, _ window: AlignmentWindow, _ places: [RefinedMotion.Point]) {
        (self.motion, self.places, noise) = (motion, places, window.noise)
        let (history, instants) = (window.history, window.sights.instants(shiftedBySeconds: motion.timeShift))
        frames = history.motions(
            from: window.sights.start, to: instants, errors: motion.errors, detail: .derivatives)
        let frameMotions = zip(frames, instants).enumerated().map { index, frame in
            FrameMotion(
                frame.0, noise: motion.noise[index],
                readout: ReadoutMotion(
                    about: frame.1, readoutSeconds: motion.calibration.readoutSeconds,
                    history: history, errors: motion.errors),
                rate: motion.errors.corrected(history.reading(at: frame.1)).angularVelocity, motion)
        }
        var (views, squares, cost, count) = ([[RayView]](), 0.0, 0.0, 0)
        views.reserveCapacity(places.count)
        for (rays, place) in zip(window.sights.rays, places) {
            var ofPoint: [RayView] = []
            ofPoint.reserveCapacity(rays.count)
            for ray in rays {
                guard let view = RayView(of: place, ray, frameMotions[ray.frame]) else { return nil }
                squares += view.residual.squaredLength
                cost += view.cost
                ofPoint.append(view)
            }
            count += rays.count
            views.append(ofPoint)
        }
        (self.views, self.squares, self.count) = (views, squares, count)
        priors = motion.priors
        priorSquares = priors.reduce(0) { $0 + $1.residual * $1.residual }
        let values = motion.noise.flatMap(\.values)
        noiseGradient = values.indices.map { column in
            values.indices.reduce(0) { $0 + window.noise.information[$1, column] * values[$1] }
        }
        noiseSquares = zip(values, noiseGradient).reduce(0) { $0 + $1.0 * $1.1 }
        self.cost = cost + priorSquares + noiseSquares
    }

    /// Half of the rays meet their points within this angle, in radians; of those that are blurred otherwise than most, as much less as
    /// they err more.
    var medianAngle: Double {
        let angles = views.joined().map { $0.residual.length * motion.directionDeviation }.sorted()
        return angles[angles.count / 2]
    }

    /// How far the rays of a frame lie beside their points together: the standard deviation of their mean about each axis, in radians,
    /// and what that would be if each erred by itself.
    var commonAngle: (seen: Double, byChance: Double) {
        var sums = [(residual: Vector2, weight: Double)](repeating: (.zero, 0), count: frames.count)
        for view in views.joined() {
            sums[view.frame].residual += view.robustWeight * view.residual
            sums[view.frame].weight += view.robustWeight
        }
        let means = sums.filter { $0.weight > 0 }.map { (motion.directionDeviation / $0.weight) * $0.residual }
        let seen = (means.reduce(0) { $0 + $1.squaredLength } / Double(2 * means.count)).squareRoot()
        let ownAngle = InitialisationSettings.deviation(ofRaysWithin: medianAngle)
        return (seen, ownAngle / (Double(count) / Double(means.count)).squareRoot())
    }
}

/// Something that is known beforehand.
struct MotionPrior {
    /// How far the motion is from it, in standard deviations: what is known less what it says.
    let residual: Double
    /// How what it says changes with the unknowns.
    let derivatives: [(unknown: Int, value: Double)]
}

extension RefinedMotion {
    /// What is known beforehand: the strength of gravity, and how far the device's errors go.
    fileprivate var priors: [MotionPrior] {
        let strength = gravity.length
        let direction = gravity / max(strength, 1e-6)
        // κ g / κ: by κ g it changes along gravity, by κ against it.
        var priors = [
            MotionPrior(
                residual: (settings.gravityStrength - strength) / settings.gravityDeviation,
                derivatives: (0..<3).map { (StartLayout.gravity + $0, direction[$0] / settings.gravityDeviation) }
                    + [(Self.inverseScale, -strength / settings.gravityDeviation)])
        ]
        let accelerometerBias = StartLayout.accelerometerBias..<StartLayout.gyroscopeBias
        forEachPrior { variable, value, deviation in
            let isScaled = accelerometerBias.contains(variable)
            priors.append(
                MotionPrior(
                    residual: -value / deviation,
                    derivatives: [(variable, 1 / deviation)]
                        + (isScaled ? [(Self.inverseScale, -value / deviation)] : [])))
        }
        return priors
    }
}

/// How the device moved from the start to a frame, and about it: a class, because each of the frame's rays looks into it, and it is
/// large.
final class FrameMotion: Sendable {
    let state: RefinedMotion
    let motion: PreintegratedMotion
    /// What happens while the rows are read.
    let readout: ReadoutMotion
    /// The IMU's angular velocity at the frame's instant, in its own frame.
    let rate: Vector3
    /// The start's frame from the IMU's at the frame's instant.
    let rotation: Rotation
    /// How far the IMU has come until then, by the samples alone.
    let place: Vector3

    init(
        _ motion: PreintegratedMotion, noise: PoseNoise, readout: ReadoutMotion, rate: Vector3, _ state: RefinedMotion
    ) {
        (self.state, self.motion, self.readout, self.rate) = (state, motion, readout, rate)
        rotation = Rotation(rotationVector: noise.turn) * motion.rotation
        place = motion.position + noise.shift
    }
}

/// Where a ray was seen from, and how far that is from where it says that it was.
struct RayView {
    /// The number of the ray's frame, and how the device moved to it.
    let frame: Int
    private let frameMotion: FrameMotion
    /// From the start to the row, and after the frame's instant, in seconds.
    private let time, tau: Double
    /// See ``CameraState/readoutShare(of:)``.
    private let readoutShare: Double
    /// The start's frame from the IMU's, when the row was exposed.
    private let rotation: Rotation
    private let opticalFromStart: Matrix3x3
    /// From the IMU at the frame's instant to the camera, in the start's frame: what turns with the IMU.
    private let arm: Vector3
    /// The camera in the start's frame; and what of it is metric by itself: the samples' double integral, and the camera's
    /// place in the device.
    private let place, measured: Vector3
    /// From the camera to the point, times its inverse depth: in the start's frame, and in the camera's.
    private let ray, optical: Vector3
    private let projection: CameraProjection
    /// The standard deviation of where the ray was seen, in pixels.
    private let pixelDeviation: Double
    /// Where the ray was seen less where the point is, in standard deviations.
    let residual: Vector2

    /// Beyond this many standard deviations an angle counts linearly (Huber 1964).
    static let huber = 2.0

    /// `nil` where the camera cannot see the point.
    init?(of point: RefinedMotion.Point, _ sight: WindowSights.Ray, _ frameMotion: FrameMotion) {
        let motion = frameMotion.motion
        frame = sight.frame
        self.frameMotion = frameMotion
        readoutShare = sight.readoutShare
        tau = readoutShare * frameMotion.state.calibration.readoutSeconds
        time = motion.seconds + tau
        let (turn, displacement) = frameMotion.readout.motion(at: tau)
        rotation = frameMotion.rotation * turn
        let imuFromOptical = frameMotion.state.calibration.imuFromOptical
        opticalFromStart = (rotation * imuFromOptical.rotation).inverse.matrix
        arm = frameMotion.rotation * displacement + rotation * imuFromOptical.translation
        let samples = frameMotion.place + motion.velocity * tau + arm
        let bias = motion.byAccelerometer.bias
        measured = samples - (bias.position + tau * bias.velocity) * frameMotion.state.errors.accelerometerBias
        place = frameMotion.state.velocity * time + frameMotion.state.gravity * (0.5 * time * time) + samples
        ray = point.direction - place * point.inverseDepth
        optical = opticalFromStart * ray
        guard let projection = frameMotion.state.calibration.camera.projectWithJacobians(optical) else { return nil }
        self.projection = projection
        let usualDeviation = frameMotion.state.pixelDeviation
        pixelDeviation = (usualDeviation * usualDeviation + sight.blurVariance).squareRoot()
        residual = (sight.pixel.vector - projection.pixel.vector) / pixelDeviation
    }

    /// What the residual adds to what is minimised.
    var cost: Double {
        let distance = residual.length
        return distance <= Self.huber ? distance * distance : Self.huber * (2 * distance - Self.huber)
    }

    /// By which the residual's square counts in the equations.
    var robustWeight: Double {
        let distance = residual.length
        return distance <= Self.huber ? 1 : Self.huber / distance
    }

    /// Writes how a coordinate in the picture, in standard deviations, changes with the variables of ``RayLayout``, and the residual after
    /// them, and answers how it changes with the point's: along two tangents of its direction, and in inverse depth; all robustly weighted.
    func writeRow(
        _ axis: Int, of point: RefinedMotion.Point, _ tangent: (Vector3, Vector3), into row: inout [Double]
    ) -> Vector3 {
        let robust = robustWeight.squareRoot()
        let weight = robust / pixelDeviation
        let (byPoint, byParameters) = (projection.pixelByPoint, projection.pixelByParameters)
        let normal = Vector3(byPoint.x[axis], byPoint.y[axis], byPoint.z[axis]) * weight
        let scaled = opticalFromStart.transpose * normal
        let byPlace = -point.inverseDepth * scaled
        // δφ turns the device to the left of its rotation, and the camera about the device.
        let byTurn = scaled.cross(ray) + arm.cross(byPlace)
        func write(_ first: Int, _ value: Vector3) {
            row[first] = value.x
            row[first + 1] = value.y
            row[first + 2] = value.z
        }
        write(RayLayout.extrinsicRotation, normal.cross(optical))
        write(RayLayout.extrinsicTranslation, rotation.inverse * byPlace)
        // Later by δt, the device has turned and gone on.
        let speed =
            frameMotion.state.velocity + frameMotion.state.gravity * time + frameMotion.motion.velocity
        row[RayLayout.timeOffset] = byTurn.dot(rotation * frameMotion.rate) + byPlace.dot(speed)
        row[RayLayout.readout] = readoutShare * row[RayLayout.timeOffset]
        let focal = frameMotion.state.calibration.camera.intrinsics
        row[RayLayout.ownFocal] = byParameters[0][axis] * focal.fx * weight
        row[RayLayout.ownFocal + 1] = byParameters[1][axis] * focal.fy * weight
        row[RayLayout.principalPoint] = byParameters[2][axis] * weight
        row[RayLayout.principalPoint + 1] = byParameters[3][axis] * weight
        row[RayLayout.radial] = byParameters[4][axis] * weight
        row[RayLayout.inverseScale] = byPlace.dot(measured)
        write(RayLayout.turn, byTurn)
        write(RayLayout.place, byPlace)
        write(RayLayout.velocity, tau * byPlace)
        row[RayLayout.count] = robust * residual[axis]
        return Vector3(scaled.dot(tangent.0), scaled.dot(tangent.1), -scaled.dot(place))
    }
}
