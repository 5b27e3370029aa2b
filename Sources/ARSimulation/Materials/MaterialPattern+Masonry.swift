// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension MaterialPattern {
    /// Bricks `scale` high and three times as long in running bond, each with its own shade, in mortar.
    func brick(at place: Point2, texel: Vector2) -> Vector3 {
        let (height, length, joint) = (1.16 * scale, 3.16 * scale, 0.16 * scale)
        // No wall is exact: joints wander by some millimetres.
        let sway = 0.05 * scale * noise.fractal(place.x / scale, place.y / scale, octaves: 3, finest: texel.x / scale)
        let course = ((place.y + sway) / height).rounded(.down)
        let shift = course.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 0.5
        let along = (place.x + sway) / length + shift + 0.04 * (noise.cell(Int64(course), 7) - 0.5)
        let column = along.rounded(.down)
        let (i, j) = (Int64(column), Int64(course))

        let rough = detail.fractal(
            place.x / (0.12 * scale), place.y / (0.12 * scale), octaves: 5, finest: texel.x / (0.12 * scale))
        let inside = min(
            insideJoints(
                place.x + sway - (column - shift - 0.04 * (noise.cell(j, 7) - 0.5)) * length, length, joint, texel.x,
                rough),
            insideJoints(place.y + sway - course * height, height, joint, texel.y, rough))

        let shade = 0.72 + 0.5 * noise.cell(i, j)
        let burnt = smoothStep(0.8, 1, noise.cell(i + 31, j - 17))
        let tint = mix(Vector3(1, 1, 1), Vector3(1.1, 0.92, 0.8), noise.cell(i - 5, j + 11))
        let stain = noise.fractal(
            place.x / (6 * scale), place.y / (6 * scale), octaves: 4, finest: texel.x / (6 * scale))
        let pits = smoothStep(
            0.3, 0.5,
            detail.fractal(
                place.x / (0.3 * scale) + 50, place.y / (0.3 * scale), octaves: 3, finest: texel.x / (0.3 * scale)))
        let face = color * tint * (shade * (1 - 0.45 * burnt) * (1 + 0.28 * rough + 0.2 * stain)) * (1 - 0.35 * pits)
        let mortar = secondColor * (1 + 0.35 * rough + 0.15 * stain)
        return mix(mortar, face, inside)
    }

    /// Tiles of `scale` metres with their own shades and veins, in grout of the other colour.
    func tiles(at place: Point2, texel: Vector2) -> Vector3 {
        let (x, y) = (place.x / scale, place.y / scale)
        let (i, j) = (x.rounded(.down), y.rounded(.down))
        let joint = min(0.02, 0.004 / scale)
        let inside = min(
            insideJoints(x - i, 1, joint, texel.x / scale, 0), insideJoints(y - j, 1, joint, texel.y / scale, 0))
        // Each tile is cut from another place of the stone.
        let (u, v) = (x + 37 * noise.cell(Int64(i), Int64(j)), y + 53 * noise.cell(Int64(j), Int64(i) + 9))
        let bend = noise.fractal(u * 1.5, v * 1.5, octaves: 4, finest: 1.5 * texel.x / scale)
        let veins = smoothStep(
            0.035, 0, abs(detail.fractal(1.2 * u + bend, 1.2 * v - bend, octaves: 4, finest: 1.2 * texel.x / scale)))
        let cloud = noise.fractal(3 * u, 3 * v, octaves: 5, finest: 3 * texel.x / scale)
        let shade = 0.86 + 0.2 * noise.cell(Int64(i) + 3, Int64(j) - 8)
        let face =
            mix(color, secondColor, 0.55 * veins + 0.22 * smoothStep(-0.3, 0.5, cloud)) * (shade * (1 + 0.08 * cloud))
        let grout = secondColor * (0.75 + 0.3 * cloud)
        return mix(grout, face, inside)
    }

    /// The part of a texel that is not in the joint at either end of a stone; its edge is chipped by a roughness.
    private func insideJoints(
        _ distance: Double, _ length: Double, _ joint: Double, _ texel: Double, _ rough: Double
    ) -> Double {
        let edge = joint / 2 * (1 + 0.35 * rough)
        let soft = max(texel, 0.2 * joint)
        return smoothStep(-0.5, 0.5, (min(distance, length - distance) - edge) / soft)
    }
}
