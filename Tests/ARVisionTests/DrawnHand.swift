// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport

/// A pointing hand painted over a textured ground, the end of whose finger is known exactly: arm, palm, thumb and index are
/// thick lines with round ends.
struct DrawnHand {
    var tip: PixelPoint
    var direction: Vector2
    var fingerRadius: Double
    /// Red, green, blue, 0 … 255.
    var skin = Vector3(196, 140, 112)
    var ground = Vector3(120, 128, 135)
    /// How much the ground's colours vary.
    var texture = 22.0
    var noise = 3.0
    /// The side of the square over which each pixel is averaged, in pixels.
    var blur = 1.0
    var size = ImageSize(width: 640, height: 480)
    /// Without it, the picture shows the ground alone.
    var isShown = true

    /// A thick line with round ends.
    private struct Limb {
        var start: Vector2
        var end: Vector2
        var radius: Double

        /// How far beyond its rim a point is; negative inside.
        func distance(to point: Vector2) -> Double {
            let along = end - start
            let part = min(max((point - start).dot(along) / along.squaredLength, 0), 1)
            return (point - start - part * along).length - radius
        }
    }

    private var limbs: [Limb] {
        let across = Vector2(-direction.y, direction.x)
        let (r, end) = (fingerRadius, tip.vector - fingerRadius * direction)
        let knuckle = end - 9 * r * direction
        let palm = knuckle - 4 * r * direction + 2 * r * across
        return [
            Limb(start: end, end: knuckle, radius: r),
            Limb(start: knuckle + 1.5 * r * across, end: palm, radius: 3.6 * r),
            Limb(start: palm, end: palm - 1000 * direction, radius: 3.4 * r),
            Limb(
                start: palm - 2 * r * across, end: palm - 5.5 * r * across + 4 * r * direction, radius: 1.15 * r),
        ]
    }

    /// The picture; noise and the ground's texture are the generator's.
    func picture(_ random: inout TestRandom) -> ImageBuffer {
        let waves = GroundWaves(&random, size: size)
        let limbs = limbs
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.width * size.height * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let center = Vector2(Double(x), Double(y))
                let covered = isShown ? share(of: limbs, about: center) : 0
                let light = waves.height(column: x, row: y)
                let hand = skin * (1 + 0.05 * light)
                let color = covered * hand + (1 - covered) * (ground + texture * light * Vector3(1, 0.9, 0.7))
                for channel in 0..<3 {
                    let value = color[channel] + noise * (random.uniform() + random.uniform() + random.uniform())
                    bytes.append(UInt8(min(max(value.rounded(), 0), 255)))
                }
            }
        }
        return ImageBuffer(size: size, format: .rgb8, bytes: bytes)
    }

    /// How much of a pixel the limbs cover. Most pixels lie so far in them or beside them that their samples all do.
    private func share(of limbs: [Limb], about center: Vector2) -> Double {
        let nearest = limbs.reduce(.infinity) { min($0, $1.distance(to: center)) }
        guard abs(nearest) < blur else { return nearest < 0 ? 1 : 0 }
        let covered = Self.samples.count { offset in
            limbs.contains { $0.distance(to: center + blur * offset) <= 0 }
        }
        return Double(covered) / Double(Self.samples.count)
    }

    private static let samples: [Vector2] = (0..<16).map {
        Vector2((Double($0 % 4) - 1.5) / 4, (Double($0 / 4) - 1.5) / 4)
    }

    /// A hand anywhere, pointing any way, with any skin, over any ground.
    static func random(_ random: inout TestRandom) -> DrawnHand {
        let angle = random.uniform(0...(2 * .pi))
        let skins = [Vector3(196, 140, 112), Vector3(232, 190, 168), Vector3(120, 78, 56), Vector3(84, 56, 44)]
        let grounds = [Vector3(120, 128, 135), Vector3(205, 205, 200), Vector3(70, 105, 60), Vector3(60, 70, 110)]
        return DrawnHand(
            tip: PixelPoint(320 + random.uniform(-60...60), 240 + random.uniform(-50...50)),
            direction: Vector2(cos(angle), sin(angle)), fingerRadius: random.uniform(6...12),
            skin: skins.randomElement(using: &random)!, ground: grounds.randomElement(using: &random)!)
    }
}

/// Six plane waves over a picture. The sine of a sum of two angles, one of the column and one of the row, is made of theirs.
private struct GroundWaves {
    private var (columnSines, columnCosines): ([SIMD8<Double>], [SIMD8<Double>])
    private var (rowSines, rowCosines): ([SIMD8<Double>], [SIMD8<Double>])

    init(_ random: inout TestRandom, size: ImageSize) {
        let none = SIMD8<Double>.zero
        (columnSines, columnCosines) = (
            .init(repeating: none, count: size.width), .init(repeating: none, count: size.width)
        )
        (rowSines, rowCosines) = (
            .init(repeating: none, count: size.height), .init(repeating: none, count: size.height)
        )
        let phases = (0..<6).map { _ in random.uniform(0...(2 * .pi)) }
        for (wave, phase) in phases.enumerated() {
            let frequency = random.vector2(-0.12...0.12)
            for column in 0..<size.width {
                let angle = frequency.x * Double(column) + phase
                (columnSines[column][wave], columnCosines[column][wave]) = (sin(angle), cos(angle))
            }
            for row in 0..<size.height {
                let angle = frequency.y * Double(row)
                (rowSines[row][wave], rowCosines[row][wave]) = (sin(angle), cos(angle))
            }
        }
    }

    /// Their sum at a pixel, ±2.4.
    func height(column: Int, row: Int) -> Double {
        (columnSines[column] * rowCosines[row] + columnCosines[column] * rowSines[row]).sum() / 2.5
    }
}
