// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How bright a scene's light is at any time, against what the scene says of it. Law: `LightCurveTests`.
struct LightCurve: Hashable, Sendable {
    private let changes: [Scene.LightChange]
    private let flicker: Scene.Flicker?

    /// The curve of a light.
    init(_ light: Scene.Light) {
        changes = light.changes
        flicker = light.flicker
    }

    /// The factors on the light. At a step's own time they are those behind it.
    func irradiance(at seconds: Double) -> Irradiance {
        var irradiance = level(at: seconds)
        if let flicker {
            let factor = 1 + flicker.depth * sin(2 * .pi * flicker.rateInHertz * seconds)
            irradiance.sun *= factor
            irradiance.ambient *= factor
        }
        return irradiance
    }

    private func level(at seconds: Double) -> Irradiance {
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
