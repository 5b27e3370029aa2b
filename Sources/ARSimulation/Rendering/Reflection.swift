// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The light that a place sends to the viewer, in the two parts of which one depends on shadows.
struct Reflection {
    /// Without the sun.
    var shade: SIMD4<Float>
    /// What the whole sun adds.
    var sunshine: SIMD4<Float>

    /// The light where that part of the sun is seen, 0…1.
    @inline(__always) func light(sunVisibility: Float) -> SIMD4<Float> { shade + sunshine * sunVisibility }
}

extension Illumination {
    /// What share of the light a matt surface reflects: the sky's, and the whole sun's, which is zero where a surface
    /// is turned away from it.
    @inline(__always) func shares(normal: Vector3, translucency: Float) -> (sky: Float, sun: Float) {
        let facing = Float(normal.dot(towardsSun))
        // The sky is brighter than the ground.
        return (
            sky: ambient * (0.8 + 0.2 * Float(normal.y)),
            sun: sun * max(0, (facing + translucency) / (1 + translucency))
        )
    }

    /// Whether a place is turned to the sun at all.
    @inline(__always) func reaches(_ place: SurfacePlace) -> Bool {
        Float(place.normal.dot(towardsSun)) > -place.translucency
    }

    /// The light of a place that looks like that: linear RGB, and how glossy.
    @inline(__always)
    func reflection(
        of look: SIMD4<Float>, normal: Vector3, translucency: Float, towardsViewer: Vector3
    ) -> Reflection {
        let shares = shares(normal: normal, translucency: translucency)
        var reflection = Reflection(shade: look * shares.sky, sunshine: look * shares.sun)
        let gloss = look.w
        if gloss > 0, normal.dot(towardsSun) > 0, let half = (towardsSun + towardsViewer).normalized() {
            let alignment = max(0, Float(normal.dot(half)))
            let squared = alignment * alignment
            let eighth = squared * squared * squared * squared
            reflection.sunshine += SIMD4(repeating: gloss * sun * eighth * eighth * eighth * 0.5)
        }
        return reflection
    }
}
