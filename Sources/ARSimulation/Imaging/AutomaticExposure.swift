// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Automatic exposure: follows the light with a lag, by the exposure's time first and by the gain where time ends.
///
/// Each frame's brightness decides the next frame's exposure. What lacks to the target, in stops, shrinks by the factor
/// e^(−Δt/τ) from frame to frame, with τ the lag, as long as no pixel is full and no limit is reached. Laws:
/// `AutomaticExposureTests`.
struct AutomaticExposure: Sendable {
    /// The exposure of the next frame.
    private(set) var exposure: Exposure
    private let target: Double
    private let lagSeconds: Double
    private let seconds: ClosedRange<Double>
    private let maximumGain: Double

    /// The control of a camera, at its longest exposure and without gain.
    init(_ settings: Scene.CameraSettings) {
        target = settings.meteringTarget
        lagSeconds = settings.meteringLagSeconds
        seconds = settings.minimumExposureMilliseconds * 1e-3...settings.maximumExposureMilliseconds * 1e-3
        maximumGain = pow(10, settings.maximumGainDecibels / 20)
        exposure = Exposure(seconds: seconds.upperBound, gain: 1)
    }

    /// Takes the brightness 0…1 of a frame into account, for a frame that follows after some time.
    mutating func follow(_ brightness: Double, afterSeconds interval: Double) {
        let share = lagSeconds > 0 ? 1 - exp(-interval / lagSeconds) : 1
        change(towards: brightness, share: share)
    }

    /// Goes where frames of the same light would lead in the end: where a camera is that has been on for a while.
    /// - brightness: how bright the picture would be with an exposure.
    mutating func settle(_ brightness: (Exposure) -> Double) {
        // A picture that is full all over says nothing but that it is too bright: 40 times 2.5 stops cover any range.
        for _ in 0..<40 { change(towards: brightness(exposure), share: 1) }
    }

    private mutating func change(towards brightness: Double, share: Double) {
        // A black picture asks for all that is there.
        let ratio = target / max(brightness, 1e-6)
        let wanted = exposure.seconds * exposure.gain * pow(ratio, share)
        let seconds = min(max(wanted, seconds.lowerBound), seconds.upperBound)
        exposure = Exposure(seconds: seconds, gain: min(max(wanted / seconds, 1), maximumGain))
    }
}
