// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim

/// A fault at moderate strength: what a session of everyday life may bring.
struct FaultCase: Sendable {
    /// What the table calls it.
    let name: String
    /// What goes wrong; nothing, for comparison.
    let fault: Fault?

    /// When faults that do not last all the time begin, in seconds: late enough for any tracker to have begun.
    static let beginSeconds = 8.0

    /// Every kind of fault.
    static let all: [FaultCase] = [
        FaultCase(name: "none", fault: nil),
        lasting(1, .coveredLens(CoveredLens())),
        lasting(1, .darkness(Darkness())),
        lasting(0.3, .flash(Flash())),
        lasting(1, .blurBurst(BlurBurst())),
        lasting(2, .lensShake(LensShake())),
        lasting(2, .refocus(Refocus())),
        lasting(
            1,
            with(NoiseBurst(), Fault.Kind.noiseBurst) {
                ($0.picture, $0.angularVelocity, $0.specificForce) = (0.05, 0.02, 0.2)
            }),
        lasting(0.5, .frozenFrames(FrozenFrames())),
        lasting(2, with(DroppedFrames(), Fault.Kind.droppedFrames) { $0.probability = 0.5 }),
        lasting(2, with(DroppedSamples(), Fault.Kind.droppedSamples) { $0.probability = 0.5 }),
        lasting(0.2, .imuGap(ImuGap())),
        lasting(2, with(Saturation(), Fault.Kind.saturation) { ($0.angularVelocity, $0.specificForce) = (2, 15) }),
        lasting(2, with(Doubled(), Fault.Kind.doubled) { ($0.sensor, $0.delaySeconds) = (.both, 0.01) }),
        lasting(2, with(Late(), Fault.Kind.late) { ($0.sensor, $0.probability, $0.delaySeconds) = (.both, 0.3, 0.05) }),
        lasting(2, with(Reordered(), Fault.Kind.reordered) { ($0.sensor, $0.group) = (.imu, 4) }),
        lasting(2, with(StampJitter(), Fault.Kind.stampJitter) { $0.standardDeviationSeconds = 0.001 }),
        always(with(CameraImuOffset(), Fault.Kind.cameraImuOffset) { $0.offsetSeconds = 0.01 }),
        always(with(SensorLag(), Fault.Kind.sensorLag) { $0.accelerometerSeconds = 0.005 }),
        always(
            with(WrongCalibration(), Fault.Kind.wrongCalibration) {
                ($0.focalPercent, $0.rotation) = (1, Vector3(0.01, -0.01, 0.01))
            }),
        lasting(3, .interruption(Interruption())),
        FaultCase(
            name: "trim", fault: Fault(.trim(Trim()), range: FaultRange(fromSeconds: 2.5))),
        // Lengths err by twice as much as the clock, which no tracker can see.
        retimed(percent: 0.5), retimed(percent: 2),
    ]

    private static func retimed(percent: Double) -> FaultCase {
        let retime = with(Retime(), Fault.Kind.retime) { ($0.speed, $0.imu) = (1 + percent / 100, .approximate) }
        return FaultCase(name: "retime by \(decimal(percent, 1)) %", fault: Fault(retime))
    }

    private static func lasting(_ seconds: Double, _ kind: Fault.Kind) -> FaultCase {
        let fault = Fault(kind, range: FaultRange(fromSeconds: beginSeconds, toSeconds: beginSeconds + seconds))
        return FaultCase(name: fault.name, fault: fault)
    }

    private static func always(_ kind: Fault.Kind) -> FaultCase {
        let fault = Fault(kind)
        return FaultCase(name: fault.name, fault: fault)
    }

    /// A kind with some of its parameters set.
    private static func with<Parameters>(
        _ parameters: Parameters, _ kind: (Parameters) -> Fault.Kind, _ set: (inout Parameters) -> Void
    ) -> Fault.Kind {
        var parameters = parameters
        set(&parameters)
        return kind(parameters)
    }
}

extension FaultCase {
    /// When the fault is at work on a scene's clock, if it begins and ends within the session.
    var span: Range<Timestamp>? {
        guard let range = fault?.range, let end = range.toSeconds else { return nil }
        func instant(_ seconds: Double) -> Timestamp {
            SceneSession.start.advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
        }
        return instant(range.fromSeconds)..<instant(end)
    }
}
