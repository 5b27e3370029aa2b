// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension MaterialPattern {
    /// Diamonds with a border and a rough pile.
    func carpet(at place: Point2, texel: Vector2) -> Vector3 {
        let (x, y) = (place.x / scale, place.y / scale)
        // Tufts in rows: the figure follows them, and is worn.
        let tuft = noise.fractal(place.x / 0.02, place.y / 0.02, octaves: 3, finest: texel.x / 0.02)
        let (a, b) = ((x + y) / 2 + 0.02 * tuft, (x - y) / 2 + 0.02 * tuft)
        let (i, j) = (a.rounded(.down), b.rounded(.down))
        let (u, v) = (abs(a - i - 0.5), abs(b - j - 0.5))
        let edge = max(u, v)
        let soft = max(0.02, 0.7 * texel.x / scale)
        let border = smoothStep(0.40 - soft, 0.40 + soft, edge)
        let motif = smoothStep(0.20 + soft, 0.20 - soft, u + v)
        let dots = smoothStep(0.07 + soft, 0.07 - soft, (u - 0.25) * (u - 0.25) + (v - 0.25) * (v - 0.25))
        let tint = noise.cell(Int64(i), Int64(j))
        let figure = max(border * 0.8, motif * (tint < 0.5 ? 1 : 0.35), dots * (tint < 0.3 ? 0.6 : 0))
        let pile = detail.fractal(place.x / 0.012, place.y / 0.012, octaves: 4, finest: texel.x / 0.012)
        let worn = noise.fractal(x * 0.3, y * 0.3, octaves: 4, finest: texel.x / scale)
        let dyed = mix(color, secondColor, figure) * (0.85 + 0.3 * noise.cell(Int64(i) + 5, Int64(j) - 5))
        return dyed * (1 + 0.45 * pile + 0.3 * worn)
    }

    /// A coarse cloth in plain weave with checks: threads of both colours, `scale` metres for eight of them.
    func fabric(at place: Point2, texel: Vector2) -> Vector3 {
        let pitch = scale / 8
        let sway = 0.35 * noise.fractal(place.x / scale, place.y / scale, octaves: 3, finest: texel.x / scale)
        let (x, y) = (place.x / pitch + sway, place.y / pitch - sway)
        let (warp, weft) = (x.rounded(.down), y.rounded(.down))
        let isWarpAbove = (warp + weft).truncatingRemainder(dividingBy: 2) == 0
        // Round threads: dark where they dive under the next one; all alike where texels are too coarse for that.
        let resolved = smoothStep(0.9, 0.35, texel.x / pitch)
        let (u, v) = (2 * (x - warp) - 1, 2 * (y - weft) - 1)
        let (across, alongThread) = isWarpAbove ? (u, v) : (v, u)
        let round = mix(0.72, (1 - 0.55 * across * across) * (1 - 0.4 * alongThread * alongThread), resolved)
        let thread = isWarpAbove ? warp : weft
        let yarn = noise.cell(Int64(thread), isWarpAbove ? 1 : 2)
        // Checks of 24 threads in the cloth's two directions.
        func isTinted(_ thread: Double) -> Double {
            smoothStep(0.45, 0.55, abs(2 * (thread / 48 - (thread / 48).rounded(.down)) - 1))
        }
        let plain = 0.5 * (isTinted(x) + isTinted(y))
        let tinted = mix(plain, isTinted(isWarpAbove ? x : y), resolved)
        let fluff = detail.fractal(place.x / pitch, place.y / pitch, octaves: 3, finest: texel.x / pitch)
        let shade = round * (1 + 0.3 * (yarn - 0.5) * resolved + 0.25 * fluff + 0.12 * sway)
        return mix(color, secondColor, tinted) * shade * 1.25
    }

    /// A sheet of paper: fibres, a few flecks, and folds every seven `scale`.
    func paper(at place: Point2, texel: Vector2) -> Vector3 {
        let (x, y) = (place.x / scale, place.y / scale)
        let cloud = noise.fractal(x, y, octaves: 5, finest: texel.x / scale)
        let bend = noise.fractal(0.7 * x + 9, 0.7 * y, octaves: 2, finest: texel.x / scale)
        let fibres = smoothStep(
            0.05, 0, abs(detail.fractal(9 * x + 3 * bend, 9 * y - 3 * bend, octaves: 2, finest: 9 * texel.x / scale)))
        let flecks = smoothStep(
            0.5, 0.62, detail.fractal(14 * x + 70, 14 * y, octaves: 2, finest: 14 * texel.x / scale))
        let fold = 0.10 * (crease(x, texel.x / scale) - crease(y, texel.y / scale))
        return mix(color, secondColor, 0.15 * fibres + 0.75 * flecks) * (1 + 0.05 * cloud + fold)
    }

    /// A fold in paper: dark on one side, light on the other, −1…1, a twentieth of `scale` wide.
    private func crease(_ x: Double, _ texel: Double) -> Double {
        let distance = x / 7 - (x / 7).rounded(.down) - 0.5
        let width = max(0.007, texel / 7)
        return smoothStep(-2 * width, 0, distance) * smoothStep(width, 0, distance) * (distance < 0 ? -1 : 1)
            * min(0.007 / width, 1)
    }
}
