// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What inertial samples say of a motion between two instants, without knowing where it began, how fast it was, or where
/// down is: rotation ΔR, velocity Δv and position Δp in the IMU's frame at the start, free of gravity.
///
/// With gravity g and duration t, a motion that starts with R, v and p ends with
/// R′ = R ΔR, v′ = v + g t + R Δv, p′ = p + v t + ½ g t² + R Δp.
///
/// Between two samples, rates and forces are taken to change linearly; rotation is integrated with its first coning
/// term, velocity and position by Simpson's rule, so that the error of a step falls with its fourth power.
///
/// - Reference: Forster et al. 2017, "On-Manifold Preintegration for Real-Time Visual-Inertial Odometry", eq. 33–38 and
///   appendices A, B. Errors of rotation are counted here on the left, in the start's frame: ΔR = Exp(δφ) ΔR̂.
///
/// Laws: `PreintegrationTests.integratesGeneratedMotions`, `.isAdditive`, `.derivativesByErrors`, `.noiseIsAsSimulated`,
/// `ImuHistoryTests.derivativesByTheLag`.
struct PreintegratedMotion: Sendable {
    /// The duration, in seconds.
    private(set) var seconds = 0.0
    /// ΔR: the IMU at the start from the IMU at the end.
    private(set) var rotation = Rotation.identity
    /// Δv, in m/s.
    private(set) var velocity = Vector3.zero
    /// Δp, in metres.
    private(set) var position = Vector3.zero
    /// What was taken off the samples.
    let errors: ImuErrors
    /// How δφ, δv and δp grow with errors of the gyroscope's bias, and of each column of its distortion, where that is known.
    private(set) var byGyroscope = PerColumn(GyroscopeDerivatives())
    /// How δv and δp grow with errors of the accelerometer's bias, and of each column of its distortion, where that is known.
    private(set) var byAccelerometer = PerColumn(AccelerometerDerivatives())
    /// How δv and δp grow with an error of the accelerometer's lag, where that is known.
    private(set) var byAccelerometerLag = LagDerivatives()
    /// The covariance of δφ, δv and δp by the samples' noise, where it is known.
    private(set) var noise = MotionCovariance()
    /// What is summed up.
    let detail: Detail

    /// What of a motion is known.
    enum Detail: Int, Comparable {
        /// How far it went.
        case motion
        /// … and how that changes with the sensors' errors, which costs as much again.
        case derivatives
        /// … and what the samples' noise did to it, which costs half as much again.
        case noise

        static func < (a: Detail, b: Detail) -> Bool { a.rawValue < b.rawValue }
    }

    /// A motion that has not begun.
    init(errors: ImuErrors, detail: Detail = .motion) {
        self.errors = errors
        self.detail = detail
    }

    /// Something for a sensor's bias and for each column of its distortion, which is a bias times one of the sensor's values.
    struct PerColumn<Value: Sendable>: Sendable {
        var bias, x, y, z: Value

        fileprivate init(_ value: Value) { (bias, x, y, z) = (value, value, value, value) }
    }

    /// ∂(δφ, δv, δp)/∂(an error of the angular velocity), 3×3 each.
    struct GyroscopeDerivatives: Sendable {
        var rotation = Matrix3x3.zero
        var velocity = Matrix3x3.zero
        var position = Matrix3x3.zero
    }

    /// ∂(δv, δp)/∂(an error of the specific force), 3×3 each.
    struct AccelerometerDerivatives: Sendable {
        var velocity = Matrix3x3.zero
        var position = Matrix3x3.zero
    }

    /// ∂(δv, δp)/∂(an error of the accelerometer's lag), in m/s² and m/s.
    struct LagDerivatives: Sendable {
        var velocity = Vector3.zero
        var position = Vector3.zero
    }

    /// The blocks of a symmetric 9×9 covariance of rotation, velocity and position.
    struct MotionCovariance: Sendable {
        var rotation = Matrix3x3.zero
        var velocity = Matrix3x3.zero
        var position = Matrix3x3.zero
        var velocityRotation = Matrix3x3.zero
        var positionRotation = Matrix3x3.zero
        var positionVelocity = Matrix3x3.zero
    }

    /// The variances of white noise, per axis and hertz.
    struct Densities: Sendable {
        /// In (rad/s)²/Hz.
        var gyroscope: Double
        /// In (m/s²)²/Hz.
        var accelerometer: Double

        init(gyroscope: Double, accelerometer: Double) {
            self.gyroscope = gyroscope
            self.accelerometer = accelerometer
        }

        init(_ calibration: ImuCalibration) {
            gyroscope = calibration.gyroscopeNoiseDensity * calibration.gyroscopeNoiseDensity
            accelerometer = calibration.accelerometerNoiseDensity * calibration.accelerometerNoiseDensity
        }
    }

    /// Goes on from one reading to the next, `dt` seconds later.
    mutating func advance(from a: ImuReading, to b: ImuReading, seconds dt: Double, densities: Densities) {
        let (a, b) = (errors.corrected(a), errors.corrected(b))
        let (rateA, rateB) = (a.angularVelocity, b.angularVelocity)
        let (forceA, forceB) = (a.specificForce, b.specificForce)

        // Magnus 1954: for rates that change linearly, the second term is dt²/12 ω₀×ω₁, and dt²/48 of it at half time.
        let half = Rotation(
            rotationVector: (3 * rateA + rateB) * (dt / 8) + rateA.cross(rateA + rateB) * (dt * dt / 96))
        let whole = Rotation(rotationVector: (rateA + rateB) * (dt / 2) + rateA.cross(rateB) * (dt * dt / 12))
        let middle = (rotation * half).matrix
        let start = rotation * forceA
        let center = middle * ((forceA + forceB) / 2)
        let end = (rotation * whole) * forceB
        let meanForce = (start + 4 * center + end) / 6
        let forceMoment = (start + 2 * center) / 6

        let step = Step(
            seconds: dt, middle: middle, force: meanForce, rateInImu: (rateA + rateB) / 2,
            forceInImu: (forceA + forceB) / 2, forceChange: forceB - forceA)
        if detail >= .derivatives { spread(step) }
        if detail >= .noise { addNoise(step, densities) }
        position += velocity * dt + forceMoment * (dt * dt)
        velocity += meanForce * dt
        rotation = (rotation * whole).normalized
        seconds += dt
    }

    /// What the errors of a step depend on.
    private struct Step {
        let seconds: Double
        /// The start's frame from the IMU's in the middle of the step.
        let middle: Matrix3x3
        /// The mean specific force in the start's frame.
        let force: Vector3
        /// The mean angular velocity and specific force in the IMU's frame.
        let rateInImu, forceInImu: Vector3
        /// By how much the specific force in the IMU's frame changes: read later by δτ, it is another by δτ / dt of that.
        let forceChange: Vector3
    }

    /// Carries derivatives over a step: δφ, δv and δp become F (δφ, δv, δp) − G (errors of rate and force) with
    /// F = [1 0 0; −[f]× dt, 1, 0; −½[f]× dt², dt, 1].
    private mutating func spread(_ step: Step) {
        let (dt, rate, force) = (step.seconds, step.rateInImu, step.forceInImu)
        let turn = -dt * Matrix3x3.crossProduct(step.force)
        let input = dt * step.middle
        func spread(_ d: inout GyroscopeDerivatives, _ factor: Double) {
            // What the step itself adds to the rotation acts on half of it, and on the place by a third.
            d.position =
                d.position + dt * d.velocity + (0.5 * dt) * (turn * (d.rotation - (factor / 3) * input))
            d.velocity = d.velocity + turn * (d.rotation - (factor / 2) * input)
            d.rotation = d.rotation - factor * input
        }
        func spread(_ d: inout AccelerometerDerivatives, _ factor: Double) {
            d.position = d.position + dt * d.velocity - (0.5 * dt * factor) * input
            d.velocity = d.velocity - factor * input
        }
        spread(&byGyroscope.bias, 1)
        spread(&byGyroscope.x, rate.x)
        spread(&byGyroscope.y, rate.y)
        spread(&byGyroscope.z, rate.z)
        spread(&byAccelerometer.bias, 1)
        spread(&byAccelerometer.x, force.x)
        spread(&byAccelerometer.y, force.y)
        spread(&byAccelerometer.z, force.z)
        let byLag = step.middle * step.forceChange
        byAccelerometerLag.position += dt * byAccelerometerLag.velocity + (0.5 * dt) * byLag
        byAccelerometerLag.velocity += byLag
    }

    /// Carries the covariance over a step: F N Fᵀ and the step's own noise.
    private mutating func addNoise(_ step: Step, _ densities: Densities) {
        let dt = step.seconds
        let turn = -Matrix3x3.crossProduct(step.force)
        let (turnDt, turnDt2) = (dt * turn, (0.5 * dt * dt) * turn)
        let n = noise
        // A = F N, then N′ = A Fᵀ, block by block.
        let velocityRotation = turnDt * n.rotation + n.velocityRotation
        let positionRotation = turnDt2 * n.rotation + dt * n.velocityRotation + n.positionRotation
        let velocityVelocity = turnDt * n.velocityRotation.transpose + n.velocity
        let positionVelocity = turnDt2 * n.velocityRotation.transpose + dt * n.velocity + n.positionVelocity
        let positionPosition = turnDt2 * n.positionRotation.transpose + dt * n.positionVelocity.transpose + n.position
        noise.velocityRotation = velocityRotation
        noise.positionRotation = positionRotation
        noise.velocity = velocityVelocity + velocityRotation * turnDt.transpose
        noise.positionVelocity = positionVelocity + positionRotation * turnDt.transpose
        noise.position =
            positionPosition + dt * positionVelocity + positionRotation * turnDt2.transpose

        // White noise is the same along all axes, so rotating it changes nothing.
        let (angle, speed) = (densities.gyroscope * dt, densities.accelerometer * dt)
        noise.rotation = n.rotation + Matrix3x3(diagonal: Vector3(repeating: angle))
        noise.velocity = noise.velocity + Matrix3x3(diagonal: Vector3(repeating: speed))
        noise.positionVelocity = noise.positionVelocity + Matrix3x3(diagonal: Vector3(repeating: speed * dt / 2))
        noise.position = noise.position + Matrix3x3(diagonal: Vector3(repeating: speed * dt * dt / 3))
    }

    /// The same, to first order, with a little more of a bias of the gyroscope: by its derivatives, which must be known.
    func with(moreGyroscopeBias change: Vector3) -> PreintegratedMotion {
        precondition(detail >= .derivatives, "a motion whose derivatives were not summed up")
        var changed = self
        let derivatives = byGyroscope.bias
        changed.rotation = Rotation(rotationVector: derivatives.rotation * change) * rotation
        changed.velocity += derivatives.velocity * change
        changed.position += derivatives.position * change
        return changed
    }

    /// This motion and then another, without their derivatives and uncertainties.
    func followed(by next: PreintegratedMotion) -> PreintegratedMotion {
        var both = PreintegratedMotion(errors: errors)
        both.seconds = seconds + next.seconds
        both.rotation = (rotation * next.rotation).normalized
        both.velocity = velocity + rotation * next.velocity
        both.position = position + velocity * next.seconds + rotation * next.position
        return both
    }
}

/// What an inertial sensor reads at an instant.
struct ImuReading: Hashable, Sendable {
    /// In rad/s.
    var angularVelocity: Vector3
    /// In m/s².
    var specificForce: Vector3

    /// The reading between two: linear.
    static func between(_ a: ImuReading, _ b: ImuReading, fraction: Double) -> ImuReading {
        ImuReading(
            angularVelocity: a.angularVelocity + (b.angularVelocity - a.angularVelocity) * fraction,
            specificForce: a.specificForce + (b.specificForce - a.specificForce) * fraction)
    }
}
