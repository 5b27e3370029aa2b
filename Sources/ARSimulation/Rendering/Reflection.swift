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

    /// The light of a place with that albedo and with its ``shares(normal:translucency:)``.
    @inline(__always)
    func reflection(
        of albedo: SIMD4<Float>, gloss: Float, shares: (sky: Float, sun: Float), normal: Vector3, towardsViewer: Vector3
    ) -> Reflection {
        var reflection = Reflection(shade: albedo * shares.sky, sunshine: albedo * shares.sun)
        if gloss > 0 { addCoating(to: &reflection, gloss: gloss, normal: normal, towardsViewer: towardsViewer) }
        return reflection
    }

    /// Lays a clear coating over what lies beneath: it mirrors a part of the sky and, blurred, the sun, and lets the
    /// rest of the light through. The glossier, the more of the surface is coated and the smoother is the coating.
    ///
    /// - Reference: the share that is mirrored: Schlick 1994, for a refractive index of 1.5. The blur: Walter et al.
    ///   2007, equation 33 ("GGX"), with the shadowing term of Kelemen and Szirmay-Kalos 2001; the sun's size adds to it
    ///   (Karis 2013, "Real shading in Unreal Engine 4").
    private func addCoating(
        to reflection: inout Reflection, gloss: Float, normal: Vector3, towardsViewer: Vector3
    ) {
        guard let viewer = towardsViewer.normalized() else { return }
        let coated = gloss * (2 - gloss)
        let mirrored = coated * Self.mirroredShare(Float(normal.dot(viewer)))
        reflection.shade = reflection.shade * (1 - mirrored) + SIMD4(repeating: mirrored * ambient)
        reflection.sunshine *= 1 - mirrored
        let sunFacing = Float(normal.dot(towardsSun))
        guard sunFacing > 0, let half = (towardsSun + viewer).normalized() else { return }
        let alignment = Float(normal.dot(half))
        let viewerToHalf = max(Float(viewer.dot(half)), 0.05)
        let roughness = min(1, 0.1 + 0.5 * (1 - gloss) * (1 - gloss) + sunRadius / 2)
        let squared = roughness * roughness
        let spread = alignment * alignment * (squared - 1) + 1
        let lobe = squared / (spread * spread) / (4 * viewerToHalf * viewerToHalf)
        reflection.sunshine += SIMD4(
            repeating: coated * sun * sunFacing * lobe * Self.mirroredShare(viewerToHalf))
    }

    /// The part of the light that a smooth surface mirrors, by the cosine of the angle at which it falls in.
    @inline(__always) private static func mirroredShare(_ cosine: Float) -> Float {
        let rest = 1 - min(max(cosine, 0), 1)
        let squared = rest * rest
        return 0.04 + 0.96 * squared * squared * rest
    }
}
