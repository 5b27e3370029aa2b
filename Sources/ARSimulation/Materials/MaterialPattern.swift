// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

/// The albedo of a procedural material at every place of a surface, linear RGB.
///
/// Places are in metres from the surface's corner at −x, −z, along its x and z.
struct MaterialPattern {
    private let kind: Scene.Material.Kind
    let color: Vector3
    let secondColor: Vector3
    let scale: Double
    let noise: LatticeNoise
    let detail: LatticeNoise

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
        case .brick: brick(at: place, texel: texel)
        case .tiles: tiles(at: place, texel: texel)
        case .fabric: fabric(at: place, texel: texel)
        case .paper: paper(at: place, texel: texel)
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

    /// Boards along x, `2 · scale` wide and some ten times as long, each with its own shade, shift and rings.
    private func wood(at place: Point2, texel: Vector2) -> Vector3 {
        let (width, length) = (2 * scale, 22 * scale)
        let row = (place.y / width).rounded(.down)
        let along = place.x / length + noise.cell(Int64(row), 3)
        let column = along.rounded(.down)
        let (i, j) = (Int64(row), 4 * Int64(column))
        let shift = 40 * noise.cell(i, j)
        let x = place.x / scale + shift
        let y = place.y / scale + shift
        // Rings: the distance from a stem's axis that lies aslant, stretched along the grain and bent by noise.
        let bend = noise.fractal(x * 0.25, y * 0.9, octaves: 3, finest: texel.x / scale)
        let distance = 7 * (y + 0.35 * x * (noise.cell(i, j + 1) - 0.5) + 0.55 * bend)
        let phase = distance - distance.rounded(.down)
        let resolved = smoothStep(0.6, 0.2, 7 * texel.y / scale)
        let ring = mix(0.5, smoothStep(0, 0.75, phase) * (1 - smoothStep(0.88, 1, phase)), resolved)
        let fibre = detail.fractal(x * 2.5, y * 45, octaves: 4, finest: 45 * texel.y / scale)
        let pore = smoothStep(0.35, 0.6, detail.value(x * 4 + 91, y * 70)) * smoothStep(0.4, 0.2, 70 * texel.y / scale)
        let stain = noise.fractal(x * 0.6 + 7, y * 0.6, octaves: 3, finest: texel.x / scale)
        let shade = 0.30 * ring + 0.22 * fibre + 0.25 * stain + 0.30 * noise.cell(i, j + 2) + 0.1
        let gap = max(
            meanGap(place.y / width - row, texel: texel.y / width, width: 0.0012 / width),
            meanGap(along - column, texel: texel.x / length, width: 0.0012 / length))
        let albedo = mix(color, secondColor, min(max(shade, 0), 1)) * (1 - 0.45 * pore)
        return albedo * (1 - 0.7 * gap)
    }

    /// The part of a texel that lies in the gap between two boards.
    private func meanGap(_ place: Double, texel: Double, width: Double) -> Double {
        let distance = min(place, 1 - place)
        return min(max((width / 2 + texel / 2 - distance) / texel, 0), min(width / texel, 1))
    }

    /// Trowel marks in long strokes, sand in the plaster, a few specks of the other colour.
    private func plaster(at place: Point2, texel: Vector2) -> Vector3 {
        let (x, y) = (place.x / scale, place.y / scale)
        let bend = noise.fractal(x * 0.4, y * 0.4, octaves: 2, finest: texel.x / scale)
        let strokes = detail.fractal(0.7 * x + 2 * bend, 3.1 * y - 3 * bend, octaves: 6, finest: 3.1 * texel.x / scale)
        let sand = noise.fractal(11 * x, 11 * y, octaves: 4, finest: 11 * texel.x / scale)
        let scratches =
            smoothStep(0.06, 0, abs(strokes - 0.1)) * smoothStep(-0.1, 0.3, noise.value(0.8 * x + 30, 0.8 * y))
        let specks = smoothStep(0.42, 0.55, noise.fractal(x * 3.1, y * 3.1, octaves: 3, finest: 3.1 * texel.x / scale))
        let cloud = noise.fractal(0.23 * x - 60, 0.23 * y, octaves: 3, finest: texel.x / scale)
        let base = color * (1 + 0.20 * strokes + 0.16 * sand + 0.10 * cloud - 0.2 * scratches)
        return mix(base, secondColor, 0.8 * specks)
    }
}
