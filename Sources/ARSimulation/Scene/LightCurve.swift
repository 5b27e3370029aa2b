// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How bright a scene's light is at any time, against what the scene says of it. Law: `LightCurveTests`.
///
/// What ``Scene/Light/changes`` say changes slowly: a frame has the light of its instant. A flicker changes while the
/// rows are exposed: ``flicker(around:exposureSeconds:)`` is to be asked for each row.
struct LightCurve: Hashable, Sendable {
    private let changes: [Scene.LightChange]
    private let flicker: Scene.Flicker?

    /// The curve of a light.
    init(_ light: Scene.Light) {
        changes = light.changes
        flicker = light.flicker
    }

    /// The factor on all light that a flicker makes: its mean over an exposure, from its middle on.
    ///
    /// The mean of sin(ωt) over a time e around t is sin(ωt) · sin(ωe/2) / (ωe/2).
    func flicker(around seconds: Double, exposureSeconds: Double) -> Double {
        guard let flicker else { return 1 }
        let omega = 2 * .pi * flicker.rateInHertz
        let half = omega * exposureSeconds / 2
        return 1 + flicker.depth * sin(omega * seconds) * (half > 0 ? sin(half) / half : 1)
    }

    /// The factors on the light, flicker aside. At a step's own time they are those behind it.
    func irradiance(at seconds: Double) -> Irradiance {
        guard let first = changes.first, let last = changes.last else { return Irradiance() }
        guard let next = changes.firstIndex(where: { $0.seconds > seconds }) else {
            return Irradiance(sun: last.sun, ambient: last.ambient)
        }
        guard next > 0 else { return Irradiance(sun: first.sun, ambient: first.ambient) }
        let (before, after) = (changes[next - 1], changes[next])
        let fraction = (seconds - before.seconds) / (after.seconds - before.seconds)
        return Irradiance(
            sun: mix(before.sun, after.sun, fraction), ambient: mix(before.ambient, after.ambient, fraction))
    }
}
