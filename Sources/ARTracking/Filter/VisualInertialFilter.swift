// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The estimator: a Kalman filter over the IMU's motion, the camera's calibration, the IMU's poses at past frames (clones)
/// and a few long-lived landmarks.
///
/// Most points are seen for a few frames only. They constrain the clones that saw them and are never part of the state:
/// a multi-state constraint Kalman filter (Mourikis & Roumeliotis 2007, "A Multi-State Constraint Kalman Filter for
/// Vision-aided Inertial Navigation"). Points that stay become landmarks, which hold the pose while nothing moves.
///
/// Errors are counted in the world's frame, as a right-invariant filter does: with θ the error of rotation,
/// R = Exp(θ) R̂, v = Exp(θ) v̂ + ν, p = Exp(θ) p̂ + ρ, for the IMU and for each clone. A turn of everything about gravity
/// and a shift of everything, which no measurement can see, then have the same directions whatever the estimate is, so
/// that no information about them is invented and no first-estimates Jacobians are needed.
///
/// - Reference: Barrau & Bonnabel 2017, "The Invariant Extended Kalman Filter as a Stable Observer"; Wu et al. 2017, "An
///   Invariant-EKF VINS Algorithm for Improving Consistency"; Yang et al. 2022, "Decoupled Right Invariant Error States
///   for Consistent Visual-Inertial Navigation".
///
/// Law: `OdometryTests.isAccurateAndKnowsHowMuch`.
struct VisualInertialFilter: Sendable {
    let layout: StateLayout
    let gravity: Vector3
    var navigation: NavigationState
    var calibration: CameraState
    /// By slot.
    var clones: [Clone?]
    /// By slot.
    var landmarks: [Landmark?]
    var covariance: Covariance
    private var correction: [Double]
    private var transition = DenseMatrix(rows: StateLayout.movingCount, columns: StateLayout.inertialCount)
    private var processNoise = DenseMatrix(rows: StateLayout.movingCount, columns: StateLayout.movingCount)

    /// A filter that knows where it is and has seen nothing yet.
    ///
    /// - start: how well it knows it: the covariance of the variables of ``StartLayout`` and, after those, of the landmarks'
    ///   coordinates.
    /// - landmarks: points that it knows already, from where it is: their anchor is ``startSlot``.
    /// - origin: how well it knows heading and position; without it, they are what they are called.
    init(
        navigation: NavigationState, covariance start: DenseMatrix, landmarks known: [Landmark] = [],
        origin: WorldOrigin? = nil, calibration: CameraState, layout: StateLayout, gravity: Vector3,
        measurementCapacity: Int
    ) {
        self.layout = layout
        self.gravity = gravity
        self.navigation = navigation
        self.calibration = calibration
        clones = Array(repeating: nil, count: layout.cloneCapacity)
        landmarks = Array(repeating: nil, count: layout.landmarkCapacity)
        covariance = Covariance(count: layout.count, rows: measurementCapacity)
        correction = [Double](repeating: 0, count: layout.count)
        for (slot, landmark) in known.enumerated() { landmarks[slot] = landmark }
        setCovariance(start, origin)
        if !known.isEmpty { keepStart() }
    }

    /// Turns velocity v and gravity g in the IMU's frame into errors in the world's, ν = R δv and θ = R δg × g / |g|², and
    /// the focal lengths' logarithm into pixels.
    ///
    /// With u up, b the error of the gyroscope's bias, and φ and t those of how the camera, whose heading and place are known, sits
    /// on the IMU, the heading's error is uᵀ θ = hᵀ b − uᵀ R Rc φ, and the place's is ρ = −R t.
    /// Law: `KnownStartTests.whatIsKnownOfTheOriginIsKnownOfTheCamera`.
    private mutating func setCovariance(_ start: DenseMatrix, _ origin: WorldOrigin?) {
        let rotation = navigation.worldFromImu.rotation.matrix
        let known =
            (0..<StateLayout.firstClone)
            + landmarks.indices.filter { landmarks[$0] != nil }.flatMap {
                layout.landmark($0)..<(layout.landmark($0) + StateLayout.landmarkSize)
            }
        precondition(
            start.rows == StartLayout.count + known.count - StateLayout.firstClone,
            "a start with another number of landmarks than its covariance has")
        var jacobian = DenseMatrix(rows: known.count, columns: start.rows)
        for column in StartLayout.count..<start.rows {
            jacobian[StateLayout.firstClone + column - StartLayout.count, column] = 1
        }
        let byGravity = (-1 / gravity.squaredLength) * (Matrix3x3.crossProduct(gravity) * rotation)
        jacobian.set(StateLayout.rotation, StartLayout.gravity, byGravity)
        jacobian.set(StateLayout.velocity, StartLayout.velocity, rotation)
        for variable in StartLayout.device { jacobian[variable.state, variable.start] = 1 }
        let intrinsics = calibration.camera.intrinsics
        jacobian[StateLayout.intrinsics, StartLayout.focal] = intrinsics.fx
        jacobian[StateLayout.intrinsics + 1, StartLayout.focal] = intrinsics.fy
        jacobian[StateLayout.intrinsics, StartLayout.ownFocal] = intrinsics.fx
        jacobian[StateLayout.intrinsics + 1, StartLayout.ownFocal + 1] = intrinsics.fy

        let up = (-1 / gravity.length) * gravity
        let alongUp = Matrix3x3.outerProduct(up, up)
        if let origin {
            jacobian.set(
                StateLayout.rotation, StartLayout.gyroscopeBias, .outerProduct(up, origin.headingByGyroscopeBias))
            let worldFromOptical = rotation * calibration.imuFromOptical.rotation.matrix
            jacobian.set(StateLayout.rotation, StartLayout.extrinsicRotation, -1 * (alongUp * worldFromOptical))
            jacobian.set(StateLayout.position, StartLayout.extrinsicTranslation, -1 * rotation)
        }

        var covariance = start.transformed(by: jacobian)
        if let origin {
            covariance.add(StateLayout.rotation, StateLayout.rotation, origin.headingVariance * alongUp)
            covariance.add(StateLayout.position, StateLayout.position, origin.positionCovariance)
        }
        self.covariance.reset(Array(known), covariance: covariance)
    }

    /// The slot of the pose at the start, as long as landmarks are anchored to it that were known then.
    static let startSlot = 0

    /// Keeps the pose at the start, when no frame was taken, as a clone.
    private mutating func keepStart() {
        clones[Self.startSlot] = Clone(
            timestamp: navigation.timestamp, instant: navigation.timestamp, worldFromImu: navigation.worldFromImu,
            velocity: navigation.velocity, readout: .global)
        var jacobian = DenseMatrix(rows: StateLayout.cloneSize, columns: StateLayout.gyroscopeBias)
        jacobian.set(0, StateLayout.rotation, .identity)
        jacobian.set(3, StateLayout.position, .identity)
        let first = layout.clone(Self.startSlot)
        covariance.transform(
            first..<(first + StateLayout.cloneSize), from: 0..<StateLayout.gyroscopeBias, by: jacobian)
    }

    // MARK: Motion

    /// Carries state and covariance over a motion that ends at `end`.
    ///
    /// With δφ, δv and δp the errors of the motion: θ′ = θ + R δφ, ν′ = ν + t g×θ + R δv + v′×R δφ,
    /// ρ′ = ρ + t ν + ½t² g×θ + R δp + p′×R δφ. Law: `FilterJacobianTests.errorsGoOnThroughMotion`.
    mutating func propagate(by motion: PreintegratedMotion, to end: Timestamp, walk: ErrorWalk) {
        precondition(motion.detail >= .noise, "a motion whose noise was not summed up")
        let t = motion.seconds
        guard t > 0 else { return }
        let rotation = navigation.worldFromImu.rotation.matrix
        let next = navigation.advanced(by: motion, gravity: gravity, to: end)
        let velocityTurn = Matrix3x3.crossProduct(next.velocity) * rotation
        let positionTurn = Matrix3x3.crossProduct(next.worldFromImu.translation) * rotation
        let fall = Matrix3x3.crossProduct(gravity)

        transition.setIdentity()
        transition.set(StateLayout.velocity, StateLayout.rotation, t * fall)
        transition.set(StateLayout.position, StateLayout.rotation, (0.5 * t * t) * fall)
        transition.set(StateLayout.position, StateLayout.velocity, Matrix3x3(diagonal: Vector3(repeating: t)))
        func write(_ d: PreintegratedMotion.GyroscopeDerivatives, _ column: Int) {
            transition.set(StateLayout.rotation, column, rotation * d.rotation)
            transition.set(StateLayout.velocity, column, rotation * d.velocity + velocityTurn * d.rotation)
            transition.set(StateLayout.position, column, rotation * d.position + positionTurn * d.rotation)
        }
        func write(_ d: PreintegratedMotion.AccelerometerDerivatives, _ column: Int) {
            transition.set(StateLayout.velocity, column, rotation * d.velocity)
            transition.set(StateLayout.position, column, rotation * d.position)
        }
        let (g, a) = (motion.byGyroscope, motion.byAccelerometer)
        write(g.bias, StateLayout.gyroscopeBias)
        write(a.bias, StateLayout.accelerometerBias)
        for (axis, (g, a)) in [(g.x, a.x), (g.y, a.y), (g.z, a.z)].enumerated() {
            write(g, StateLayout.gyroscopeDistortion + 3 * axis)
            write(a, StateLayout.accelerometerDistortion + 3 * axis)
        }
        let (byVelocity, byPosition) = (
            rotation * motion.byAccelerometerLag.velocity, rotation * motion.byAccelerometerLag.position
        )
        for axis in 0..<3 {
            transition[StateLayout.velocity + axis, StateLayout.accelerometerLag] = byVelocity[axis]
            transition[StateLayout.position + axis, StateLayout.accelerometerLag] = byPosition[axis]
        }

        // The motion's noise N becomes G N Gᵀ with G = [R 0 0; [v′]× R, R, 0; [p′]× R, 0, R].
        let n = motion.noise
        let (rotationT, velocityTurnT, positionTurnT) = (
            rotation.transpose, velocityTurn.transpose, positionTurn.transpose
        )
        let rotationRow = (
            rotation * n.rotation, rotation * n.velocityRotation.transpose, rotation * n.positionRotation.transpose
        )
        let velocityRow = (
            velocityTurn * n.rotation + rotation * n.velocityRotation,
            velocityTurn * n.velocityRotation.transpose + rotation * n.velocity,
            velocityTurn * n.positionRotation.transpose + rotation * n.positionVelocity.transpose
        )
        let positionRow = (
            positionTurn * n.rotation + rotation * n.positionRotation,
            positionTurn * n.velocityRotation.transpose + rotation * n.positionVelocity,
            positionTurn * n.positionRotation.transpose + rotation * n.position
        )
        processNoise.setSymmetric(StateLayout.rotation, StateLayout.rotation, rotationRow.0 * rotationT)
        processNoise.setSymmetric(
            StateLayout.rotation, StateLayout.velocity, rotationRow.0 * velocityTurnT + rotationRow.1 * rotationT)
        processNoise.setSymmetric(
            StateLayout.rotation, StateLayout.position, rotationRow.0 * positionTurnT + rotationRow.2 * rotationT)
        processNoise.setSymmetric(
            StateLayout.velocity, StateLayout.velocity, velocityRow.0 * velocityTurnT + velocityRow.1 * rotationT)
        processNoise.setSymmetric(
            StateLayout.velocity, StateLayout.position, velocityRow.0 * positionTurnT + velocityRow.2 * rotationT)
        processNoise.setSymmetric(
            StateLayout.position, StateLayout.position, positionRow.0 * positionTurnT + positionRow.2 * rotationT)
        for axis in 0..<3 {
            processNoise[StateLayout.gyroscopeBias + axis, StateLayout.gyroscopeBias + axis] = walk.gyroscope * t
            processNoise[StateLayout.accelerometerBias + axis, StateLayout.accelerometerBias + axis] =
                walk.accelerometer * t
        }

        covariance.transform(
            0..<StateLayout.movingCount, from: 0..<StateLayout.inertialCount, by: transition, noise: processNoise)
        covariance.add(walk.exposure * t, to: StateLayout.exposure)
        navigation = next
    }

    // MARK: Corrections

    /// Kalman's update; `false` when the measurements cannot be used.
    @discardableResult
    mutating func update(with measurements: Measurements) -> Bool {
        guard measurements.rows > 0 else { return true }
        guard covariance.update(with: measurements, correction: &correction) else { return false }
        applyCorrection()
        return true
    }

    /// The same, unless what is known makes the measurements unlikely.
    mutating func updateWhereLikely(with measurements: Measurements) {
        guard let distance = covariance.squaredDistance(of: measurements),
            distance <= ChiSquare.quantile95(degreesOfFreedom: measurements.rows)
        else { return }
        update(with: measurements)
    }

    /// How far measurements are trusted.
    enum Trust {
        /// As far as they say.
        case always
        /// As far as they say, or not at all where what is known makes them unlikely.
        case whereLikely
        /// As what has been heard before, perhaps: by as much as they say more than is known.
        case once
    }

    /// Takes in what the velocity in the world is, with a standard deviation in m/s.
    mutating func updateVelocity(_ velocity: Vector3, deviation: Double, trust: Trust) {
        var measurements = Measurements(of: 0..<StateLayout.position, capacity: 3)
        _ = measurements.appendRows(3)
        // v = v̂ + θ×v̂ + ν.
        let turn = -Matrix3x3.crossProduct(navigation.velocity)
        for axis in 0..<3 {
            measurements[residual: axis] = (velocity[axis] - navigation.velocity[axis]) / deviation
            measurements[axis, StateLayout.velocity + axis] = 1 / deviation
            for other in 0..<3 { measurements[axis, StateLayout.rotation + other] = turn[other][axis] / deviation }
        }
        switch trust {
        case .always: update(with: measurements)
        case .whereLikely: updateWhereLikely(with: measurements)
        case .once:
            covariance.weaken(0..<3, of: &measurements)
            update(with: measurements)
        }
    }

    /// Adds the measurement that the IMU is at a frame where it was at a frame before, but for a turn and a shift in its own
    /// axes of then, to within standard deviations in radians and metres. Law: `FilterJacobianTests.aDeviceThatStands`.
    func appendStand(
        _ slot: Int, since earlier: Int, turnedBy turn: Rotation = .identity, shiftedBy shift: Vector3 = .zero,
        rotationDeviation: Double, positionDeviation: Double, to measurements: inout Measurements
    ) {
        guard let now = clones[slot]?.worldFromImu, let then = clones[earlier]?.worldFromImu else { return }
        let row = measurements.appendRows(6)
        // Log(R (R₀ ΔR)ᵀ) = φ̂ + θ − θ₀ and p − q = p̂ − q̂ + θ×p̂ + ρ − θ₀×q̂ − ρ₀ with q = p₀ + R₀ Δp.
        let expected = then * RigidTransform(rotation: turn, translation: shift)
        let turnLeft = (now.rotation * expected.rotation.inverse).rotationVector
        let shiftLeft = now.translation - expected.translation
        for (pose, first, sign) in [(now, layout.clone(slot), 1.0), (expected, layout.clone(earlier), -1.0)] {
            let byRotation = -Matrix3x3.crossProduct(pose.translation)
            for axis in 0..<3 {
                measurements[row + axis, first + axis] = sign / rotationDeviation
                measurements[row + 3 + axis, first + 3 + axis] = sign / positionDeviation
                for other in 0..<3 {
                    measurements[row + 3 + axis, first + other] = sign * byRotation[other][axis] / positionDeviation
                }
            }
        }
        for axis in 0..<3 {
            measurements[residual: row + axis] = -turnLeft[axis] / rotationDeviation
            measurements[residual: row + 3 + axis] = -shiftLeft[axis] / positionDeviation
        }
    }

    private mutating func applyCorrection() {
        func part(_ first: Int) -> Vector3 { Vector3(correction[first], correction[first + 1], correction[first + 2]) }
        let before = navigation
        let turn = Rotation(rotationVector: part(StateLayout.rotation))
        navigation.worldFromImu = navigation.worldFromImu.corrected(turn: turn, shift: part(StateLayout.position))
        navigation.velocity = turn * navigation.velocity + part(StateLayout.velocity)
        navigation.errors.gyroscopeBias += part(StateLayout.gyroscopeBias)
        navigation.errors.accelerometerBias += part(StateLayout.accelerometerBias)
        for axis in 0..<3 {
            navigation.errors.gyroscopeDistortion[axis] += part(StateLayout.gyroscopeDistortion + 3 * axis)
            navigation.errors.accelerometerDistortion[axis] += part(StateLayout.accelerometerDistortion + 3 * axis)
        }
        navigation.errors.accelerometerLag += correction[StateLayout.accelerometerLag]

        calibration.correct(
            turn: part(StateLayout.extrinsicRotation), shift: part(StateLayout.extrinsicTranslation),
            timeOffset: correction[StateLayout.timeOffset], readout: correction[StateLayout.readout],
            exposureVariance: correction[StateLayout.exposure],
            focal: Vector2(correction[StateLayout.intrinsics], correction[StateLayout.intrinsics + 1]),
            principal: Vector2(correction[StateLayout.intrinsics + 2], correction[StateLayout.intrinsics + 3]),
            radial: correction[StateLayout.radial])

        for slot in clones.indices where clones[slot] != nil {
            let first = layout.clone(slot)
            let turn = Rotation(rotationVector: part(first))
            clones[slot]!.worldFromImu = clones[slot]!.worldFromImu.corrected(turn: turn, shift: part(first + 3))
            // The velocity then differs from the one now by the samples between, which changes of bias hardly touch.
            let since = navigation.timestamp.seconds(since: clones[slot]!.instant)
            clones[slot]!.velocity +=
                navigation.velocity - before.velocity
                + navigation.worldFromImu.rotation * part(StateLayout.accelerometerBias) * since
        }
        for slot in landmarks.indices where landmarks[slot] != nil {
            landmarks[slot]!.coordinates += part(layout.landmark(slot))
        }
    }

    // MARK: Clones

    /// How a device's motion changes, and by how much the samples that tell it smooth it themselves.
    struct Acceleration {
        /// In the world's axes, in m/s².
        var linear = Vector3.zero
        /// In the device's axes, in rad/s².
        var angular = Vector3.zero
        /// The variance of the times that a sample stands for, in s².
        var samplesVariance = 0.0
    }

    /// Keeps the present pose as a clone in an empty slot.
    ///
    /// The pose stands for the frame's stamp plus the offset of the clocks; where that offset is wrong, so is the pose:
    /// θ = R ω δt, ρ = (v + p × R ω) δt (Li & Mourikis 2014, "Online Temporal Calibration for Camera–IMU Systems").
    ///
    /// It is the mean of the poses during the exposure, as a blurred picture shows points where they are in the mean. Of a motion
    /// with the angular acceleration α and the linear one a that is R′ = Exp(½ V R α) R, p′ = p + ½ V a, with V the variance of the
    /// times at which light is collected, less that which the samples have smoothed already; an error of V moves it by
    /// θ = ½ R α δV, ρ = ½ (a + p × R α) δV.
    ///
    /// Laws: `FilterJacobianTests.clonesErrWithTheClock`, `FilterJacobianTests.clonesErrWithTheExposure`,
    /// `OdometryTests.learnsHowLongAPictureIsExposed`.
    mutating func addClone(
        _ slot: Int, frame: Timestamp, angularVelocity: Vector3, acceleration: Acceleration = Acceleration(),
        readout: ReadoutMotion
    ) {
        precondition(clones[slot] == nil, "slot \(slot) already holds a clone")
        let (pose, velocity) = (navigation.worldFromImu, navigation.velocity)
        let rate = pose.rotation * angularVelocity
        let turn = 0.5 * (pose.rotation * acceleration.angular)
        let shift = 0.5 * acceleration.linear
        let variance = calibration.exposureVariance - acceleration.samplesVariance
        clones[slot] = Clone(
            timestamp: frame, instant: navigation.timestamp,
            worldFromImu: RigidTransform(
                rotation: Rotation(rotationVector: variance * turn) * pose.rotation,
                translation: pose.translation + variance * shift),
            velocity: navigation.velocity, readout: readout)
        var jacobian = DenseMatrix(rows: StateLayout.cloneSize, columns: StateLayout.exposure + 1)
        jacobian.set(0, StateLayout.rotation, .identity)
        jacobian.set(3, StateLayout.position, .identity)
        let drift = velocity + pose.translation.cross(rate)
        let bend = shift + pose.translation.cross(turn)
        for axis in 0..<3 {
            jacobian[axis, StateLayout.timeOffset] = rate[axis]
            jacobian[3 + axis, StateLayout.timeOffset] = drift[axis]
            jacobian[axis, StateLayout.exposure] = turn[axis]
            jacobian[3 + axis, StateLayout.exposure] = bend[axis]
        }
        let first = layout.clone(slot)
        covariance.transform(
            first..<(first + StateLayout.cloneSize), from: 0..<(StateLayout.exposure + 1), by: jacobian)
    }

    /// Lets a clone's picture be turned by itself, about the camera, as a stabilised lens turns it: by a variance about each axis, in rad².
    ///
    /// Of a clone that is turned by δ about the camera's place c, θ = δ and ρ = c × δ.
    /// Law: `FilterJacobianTests.aPictureTurnsAboutTheCamera`.
    mutating func turnPicture(_ slot: Int, variance: Double) {
        guard variance > 0, let clone = clones[slot] else { return }
        let center = (clone.worldFromImu * calibration.imuFromOptical).translation
        let byTurn = Matrix3x3.crossProduct(center)
        var noise = DenseMatrix(rows: StateLayout.cloneSize, columns: StateLayout.cloneSize)
        noise.setSymmetric(0, 0, Matrix3x3(diagonal: Vector3(repeating: variance)))
        noise.setSymmetric(3, 0, variance * byTurn)
        noise.setSymmetric(3, 3, variance * (byTurn * byTurn.transpose))
        covariance.add(noise, to: layout.clone(slot))
    }

    /// Lets both focal lengths change by the same share: by a variance of their logarithm.
    /// Law: `FilterJacobianTests.bothFocalLengthsChange`.
    mutating func changeFocalLength(variance: Double) {
        guard variance > 0 else { return }
        let intrinsics = calibration.camera.intrinsics
        let focal = [intrinsics.fx, intrinsics.fy]
        var noise = DenseMatrix(rows: 2, columns: 2)
        for (row, column) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            noise[row, column] = variance * focal[row] * focal[column]
        }
        covariance.add(noise, to: StateLayout.intrinsics)
    }

    /// Forgets a clone. No landmark may be anchored to it.
    mutating func removeClone(_ slot: Int) {
        precondition(
            !landmarks.contains { $0?.anchor == slot }, "a landmark is still anchored to the clone in slot \(slot)")
        clones[slot] = nil
        clear(layout.clone(slot), StateLayout.cloneSize)
    }

    /// Forgets a landmark.
    mutating func removeLandmark(_ slot: Int) {
        landmarks[slot] = nil
        clear(layout.landmark(slot), StateLayout.landmarkSize)
    }

    private mutating func clear(_ first: Int, _ count: Int) {
        for variable in first..<(first + count) { covariance.reset(variable, variance: 0) }
    }
}

/// How fast what is not constant wanders: variances per second of the gyroscope's bias, in (rad/s)²/s, of the accelerometer's, in
/// (m/s²)²/s, and of ``CameraState/exposureVariance``, in s⁴/s.
struct ErrorWalk: Sendable {
    var gyroscope: Double
    var accelerometer: Double
    /// A camera that comes from daylight into a room exposes by some milliseconds longer within seconds.
    var exposure = 4e-12

    init(_ calibration: ImuCalibration) {
        gyroscope = calibration.gyroscopeRandomWalk * calibration.gyroscopeRandomWalk
        accelerometer = calibration.accelerometerRandomWalk * calibration.accelerometerRandomWalk
    }
}

extension RigidTransform {
    /// The pose with its error put right: R ← Exp(θ) R, p ← Exp(θ) p + ρ.
    fileprivate func corrected(turn: Rotation, shift: Vector3) -> RigidTransform {
        RigidTransform(rotation: (turn * rotation).normalized, translation: turn * translation + shift)
    }
}

extension DenseMatrix {
    fileprivate mutating func setIdentity() {
        for column in 0..<columns {
            for row in 0..<rows { self[row, column] = row == column ? 1 : 0 }
        }
    }

    /// Writes a 3×3 block and its transpose on the other side of the diagonal.
    fileprivate mutating func setSymmetric(_ row: Int, _ column: Int, _ block: Matrix3x3) {
        set(row, column, block)
        if row != column { set(column, row, block.transpose) }
    }
}
