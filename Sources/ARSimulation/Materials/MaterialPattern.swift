// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The albedo of a procedural material at every place of a surface, linear RGB.
///
/// Places are in metres from the surface's corner at −x, −z, along its x and z.
struct MaterialPattern {
    private let kind: Scene.Material.Kind
    private let color: Vector3
    private let secondColor: Vector3
    private let scale: Double
    private let noise: LatticeNoise
    private let detail: LatticeNoise

    /// The pattern of a material on one surface: each surface has its own, drawn from the scene's seed and its name.
    init(_ material: Scene.Material, surface: String, seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "material \(material.name) on \(surface)")
        kind = material.kind
        color = ColorTransfer.linear(fromSRGB: material.color)
        secondColor = ColorTransfer.linear(fromSRGB: material.secondColor)
        scale = material.scaleMeters
        noise = LatticeNoise(seed: random.next())
        detail = LatticeNoise(seed: random.next())
    }

    /// The mean albedo around a place, over a texel of that width and height.
    func albedo(at place: Point2, texel: Vector2) -> Vector3 {
        switch kind {
        case .checker: checker(at: place, texel: texel)
        case .noise: clouds(at: place, texel: texel)
        case .wood: wood(at: place, texel: texel)
        case .carpet: carpet(at: place, texel: texel)
        case .plaster: plaster(at: place, texel: texel)
        default: color
        }
    }

    /// Squares of `scale` metres, the one in the corner in the first colour, integrated exactly over the texel.
    private func checker(at place: Point2, texel: Vector2) -> Vector3 {
        let sign =
            meanSquareWave(place.x / scale, width: texel.x / scale)
            * meanSquareWave(place.y / scale, width: texel.y / scale)
        return mix(secondColor, color, 0.5 + 0.5 * sign)
    }

    /// The mean over an interval of the wave that is +1 in [0, 1), −1 in [1, 2), and so on.
    private func meanSquareWave(_ x: Double, width: Double) -> Double {
        // The wave's integral is a triangle wave.
        func integral(_ x: Double) -> Double { 1 - abs(x - 2 * (x / 2).rounded(.down) - 1) }
        return (integral(x + width / 2) - integral(x - width / 2)) / width
    }

    private func clouds(at place: Point2, texel: Vector2) -> Vector3 {
        let value = noise.fractal(place.x / scale, place.y / scale, octaves: 7, finest: texel.x / scale)
        return mix(color, secondColor, smoothStep(-0.45, 0.45, value))
    }

    /// Boards along x, `2 · scale` wide, each with its own shade, shift and rings.
    private func wood(at place: Point2, texel: Vector2) -> Vector3 {
        let width = 2 * scale
        let board = Int64((place.y / width).rounded(.down))
        let acrossBoard = place.y / width - Double(board)
        let shift = 40 * noise.cell(board, 0)
        let x = place.x / scale + shift
        let y = place.y / scale + shift
        // Rings: the distance from a stem's axis that lies aslant, stretched along the grain and bent by noise.
        let bend = noise.fractal(x * 0.25, y * 0.9, octaves: 3, finest: texel.x / scale)
        let distance = 7 * (y + 0.35 * x * (noise.cell(board, 1) - 0.5) + 0.55 * bend)
        let phase = distance - distance.rounded(.down)
        let ring = smoothStep(0, 0.75, phase) * (1 - smoothStep(0.88, 1, phase))
        let fibre = detail.fractal(x * 2.5, y * 45, octaves: 4, finest: 45 * texel.y / scale)
        let pore = smoothStep(0.35, 0.6, detail.value(x * 4 + 91, y * 70)) * smoothStep(0.4, 0.2, 70 * texel.y / scale)
        let stain = noise.fractal(x * 0.6 + 7, y * 0.6, octaves: 3, finest: texel.x / scale)
        let shade = 0.30 * ring + 0.22 * fibre + 0.25 * stain + 0.30 * noise.cell(board, 2) + 0.1
        let gap = meanGap(acrossBoard, texel: texel.y / width, width: 0.0012 / width)
        let albedo = mix(color, secondColor, min(max(shade, 0), 1)) * (1 - 0.45 * pore)
        return albedo * (1 - 0.7 * gap)
    }

    /// The part of a texel that lies in the gap between two boards.
    private func meanGap(_ acrossBoard: Double, texel: Double, width: Double) -> Double {
        let distance = min(acrossBoard, 1 - acrossBoard)
        return min(max((width / 2 + texel / 2 - distance) / texel, 0), min(width / texel, 1))
    }

    /// Diamonds with a border and a rough pile.
    private func carpet(at place: Point2, texel: Vector2) -> Vector3 {
        let (x, y) = (place.x / scale, place.y / scale)
        let (a, b) = ((x + y) / 2, (x - y) / 2)
        let (i, j) = (a.rounded(.down), b.rounded(.down))
        let (u, v) = (abs(a - i - 0.5), abs(b - j - 0.5))
        let edge = max(u, v)
        let soft = max(0.02, 0.7 * texel.x / scale)
        let border = smoothStep(0.40 - soft, 0.40 + soft, edge)
        let motif = smoothStep(0.20 + soft, 0.20 - soft, u + v)
        let isTinted = noise.cell(Int64(i), Int64(j)) < 0.5
        let figure = max(border * 0.8, motif * (isTinted ? 1 : 0.35))
        let pile = detail.fractal(place.x / 0.012, place.y / 0.012, octaves: 4, finest: texel.x / 0.012)
        let worn = noise.fractal(x * 0.3, y * 0.3, octaves: 4, finest: texel.x / scale)
        return mix(color, secondColor, figure) * (1 + 0.45 * pile + 0.25 * worn)
    }

    /// Trowel marks in long strokes, with a few specks.
    private func plaster(at place: Point2, texel: Vector2) -> Vector3 {
        let (x, y) = (place.x / scale, place.y / scale)
        let bend = noise.fractal(x * 0.5, y * 0.5, octaves: 2, finest: texel.x / scale)
        let marks = detail.fractal(x + 2 * bend, 2.2 * y - 2 * bend, octaves: 6, finest: 2.2 * texel.x / scale)
        let ridge = smoothStep(0.18, 0, abs(marks))
        let specks = smoothStep(0.42, 0.55, noise.fractal(x * 3.1, y * 3.1, octaves: 3, finest: 3.1 * texel.x / scale))
        let base = color * (1 + 0.10 * marks - 0.13 * ridge)
        return mix(base, secondColor, 0.8 * specks)
    }
}
