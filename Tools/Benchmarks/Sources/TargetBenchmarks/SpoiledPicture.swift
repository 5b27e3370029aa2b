// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation

/// Pictures of prints before backgrounds, made by warping.
struct SpoiledPicture {
    private(set) var light: [Float]
    private let size = PosedPrint.imageSize

    /// A background: soft patches of light and sharp figures, as rooms have them; `clutter` of them.
    init(clutter: Int, random: inout SeededRandom) {
        light = [Float](repeating: 0, count: size.width * size.height)
        var waves: [(Float, Float, Float, Float)] = []
        for octave in 0..<5 {
            for _ in 0..<4 {
                let frequency = Float(pow(2.0, Double(octave))) * 0.006
                let angle = Float(random.uniform(0..<2 * Double.pi))
                waves.append(
                    (
                        frequency * cos(angle), frequency * sin(angle), Float(random.uniform(0..<6.3)),
                        16 / Float(octave + 1)
                    ))
            }
        }
        let base = Float(random.uniform(70..<180))
        for y in 0..<size.height {
            for x in 0..<size.width {
                var value = base
                for wave in waves { value += wave.3 * sin(wave.0 * Float(x) + wave.1 * Float(y) + wave.2) }
                light[y * size.width + x] = value
            }
        }
        for _ in 0..<clutter { addFigure(random: &random) }
    }

    /// A polygon of one light.
    private mutating func addFigure(random: inout SeededRandom) {
        let center = Vector2(random.uniform(0..<Double(size.width)), random.uniform(0..<Double(size.height)))
        let radius = random.uniform(4..<60)
        let count = Int(random.uniform(3..<8))
        let start = random.uniform(0..<6.3)
        let corners = (0..<count).map { corner in
            let angle = start + 2 * .pi * (Double(corner) + random.uniform(-0.3..<0.3)) / Double(count)
            let distance = radius * random.uniform(0.5..<1)
            return center + Vector2(cos(angle), sin(angle)) * distance
        }
        let value = Float(random.uniform(10..<245))
        for y in max(0, Int(center.y - radius))..<max(0, min(size.height, Int(center.y + radius))) {
            for x in max(0, Int(center.x - radius))..<max(0, min(size.width, Int(center.x + radius))) {
                let place = Vector2(Double(x), Double(y))
                let isInside = corners.indices.allSatisfy { index in
                    let (a, b) = (corners[index], corners[(index + 1) % count])
                    return (b - a).cross(place - a) >= 0
                }
                if isInside { light[y * size.width + x] = value }
            }
        }
    }

    /// Lays a print into the picture, on paper that is a little wider.
    mutating func add(_ print: ImageBuffer, posed: PosedPrint, random: inout SeededRandom) {
        let conditions = posed.conditions
        guard let printFromPixel = posed.pixelFromPrint.inverse else { return }
        let border = 0.06
        let corners = posed.corners.corners
        let reach = 0.1 * (posed.corners.width + posed.corners.height)
        let columns =
            max(0, Int(corners.map(\.x).min()! - reach))...min(size.width - 1, Int(corners.map(\.x).max()! + reach))
        let rows =
            max(0, Int(corners.map(\.y).min()! - reach))...min(size.height - 1, Int(corners.map(\.y).max()! + reach))
        let gain = Float(random.uniform(0.55..<1.0))
        let slope = (Float(random.uniform(-0.3..<0.3)), Float(random.uniform(-0.3..<0.3)))
        let phase = random.uniform(0..<6.3)
        let edge = random.uniform(0..<6.3)
        // A hidden share: what lies behind a straight edge.
        let hidden = conditions.occlusion
        let offset = 0.5 - hidden
        let hider = Float(random.uniform(20..<230))
        let spot = Vector2(random.uniform(0.2..<0.8), random.uniform(0.2..<0.8))
        let steps = [-0.375, -0.125, 0.125, 0.375]
        for y in rows {
            for x in columns {
                var sum: Float = 0
                var covered: Float = 0
                for dy in steps {
                    for dx in steps {
                        let image = printFromPixel * Vector3(Double(x) + dx, Double(y) + dy, 1)
                        guard image.z > 0 || image.z < 0 else { continue }
                        var (u, v) = (image.x / image.z, image.y / image.z)
                        if conditions.wave > 0 {
                            v += conditions.wave * u * sin(2 * .pi * u * 1.2 + phase)
                            u += 0.5 * conditions.wave * u * sin(2 * .pi * u * 1.1 + phase + 1)
                        }
                        guard u > -border, v > -border, u < 1 + border, v < 1 + border else { continue }
                        covered += 1
                        var value: Float = 245
                        if u >= 0, v >= 0, u < 1, v < 1 {
                            let column = min(print.size.width - 1, Int(u * Double(print.size.width)))
                            let row = min(print.size.height - 1, Int(v * Double(print.size.height)))
                            value = Float(print.bytes[row * print.size.width + column])
                        }
                        if conditions.isInverse { value = 255 - value }
                        value = 12 + 0.9 * value
                        value *= gain * (1 + slope.0 * (Float(u) - 0.5) + slope.1 * (Float(v) - 0.5))
                        if conditions.wave > 0 { value *= 1 + 0.25 * Float(cos(2 * .pi * u * 1.2 + phase)) }
                        if hidden > 0, (u - 0.5) * cos(edge) + (v - 0.5) * sin(edge) > offset { value = hider }
                        if conditions.glare > 0 {
                            let distance = (Vector2(u, v) - spot).length / 0.22
                            value += Float(conditions.glare * 255 * exp(-0.5 * distance * distance))
                        }
                        sum += value
                    }
                }
                let pixel = y * size.width + x
                light[pixel] = (sum + (16 - covered) * light[pixel]) / 16
            }
        }
    }

    /// The picture as a camera takes it.
    func taken(_ conditions: PosedPrint.Conditions, random: inout SeededRandom) -> ImageBuffer {
        var picture = light
        if conditions.motionBlur > 0 {
            let angle = random.uniform(0..<2 * Double.pi)
            picture = moved(picture, by: Vector2(cos(angle), sin(angle)) * conditions.motionBlur)
        }
        if conditions.defocus > 0 { picture = blurred(picture, sigma: conditions.defocus) }
        if conditions.hasToneCurve { Self.tone(&picture, random: &random) }
        var image = ImageBuffer(size: size, format: .gray8)
        var index = 0
        while index < picture.count {
            let pair = random.normalPair()
            for normal in [pair.0, pair.1] where index < picture.count {
                let value = picture[index] + Float(normal * conditions.noise)
                image.bytes[index] = UInt8(min(max(value, 0), 255))
                index += 1
            }
        }
        return image
    }

    /// A camera's curve: a power of 0.7 to 1.4, which lifts or lowers the middle, and one in the shape of an S, which flattens
    /// both ends.
    private static func tone(_ picture: inout [Float], random: inout SeededRandom) {
        let power = Float(exp(random.uniform(log(0.7)..<log(1.4))))
        let steepness = Float(random.uniform(0..<0.9))
        picture = picture.map { light in
            let tone = pow(min(max(light / 255, 0), 1), power)
            return 255 * (tone + steepness * (3 * tone * tone - 2 * tone * tone * tone - tone))
        }
    }

    private func moved(_ picture: [Float], by motion: Vector2) -> [Float] {
        let count = max(2, Int(motion.length.rounded(.up)) * 2)
        var sum = [Float](repeating: 0, count: picture.count)
        for step in 0..<count {
            let share = (Double(step) + 0.5) / Double(count) - 0.5
            let (dx, dy) = (motion.x * share, motion.y * share)
            let (left, top) = (Int(floor(dx)), Int(floor(dy)))
            let (fx, fy) = (Float(dx - floor(dx)), Float(dy - floor(dy)))
            for y in 0..<size.height {
                let y0 = min(max(y + top, 0), size.height - 1) * size.width
                let y1 = min(max(y + top + 1, 0), size.height - 1) * size.width
                for x in 0..<size.width {
                    let x0 = min(max(x + left, 0), size.width - 1)
                    let x1 = min(max(x + left + 1, 0), size.width - 1)
                    let upper = picture[y0 + x0] * (1 - fx) + picture[y0 + x1] * fx
                    let lower = picture[y1 + x0] * (1 - fx) + picture[y1 + x1] * fx
                    sum[y * size.width + x] += upper * (1 - fy) + lower * fy
                }
            }
        }
        return sum.map { $0 / Float(count) }
    }

    private func blurred(_ picture: [Float], sigma: Double) -> [Float] {
        let radius = Int((3 * sigma).rounded(.up))
        var weights = (-radius...radius).map { Float(exp(-0.5 * Double($0 * $0) / (sigma * sigma))) }
        let total = weights.reduce(0, +)
        weights = weights.map { $0 / total }
        func pass(_ picture: [Float], isRow: Bool) -> [Float] {
            var out = [Float](repeating: 0, count: picture.count)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    var sum: Float = 0
                    for k in -radius...radius {
                        let column = isRow ? min(max(x + k, 0), size.width - 1) : x
                        let row = isRow ? y : min(max(y + k, 0), size.height - 1)
                        sum += weights[k + radius] * picture[row * size.width + column]
                    }
                    out[y * size.width + x] = sum
                }
            }
            return out
        }
        return pass(pass(picture, isRow: true), isRow: false)
    }
}
