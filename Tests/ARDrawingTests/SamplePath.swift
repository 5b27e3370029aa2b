// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

/// Paths that pens draw, and paths that break outlines: the shapes by name, each with random numbers.
enum SamplePath: CaseIterable {
    case dot, segment, scribble, randomWalk, circle, figureEight, spiral, denseSpiral, cusps, retrace, doubledPoints
    case gridTouch, star, sweep, tangentLoops, tinyZigzag, thereAndBackBeside

    /// The path's points in the plane, in metres, within about 0.2 m of a random centre.
    func points(_ random: inout TestRandom) -> [Point2] {
        let center = 0.5 * random.vector2()
        let phase = random.uniform(0...6)
        let polar = { (radius: Double, angle: Double) in radius * Vector2(cos(angle + phase), sin(angle + phase)) }
        return offsets(&random, polar: polar).map { center + $0 }
    }

    private func offsets(_ random: inout TestRandom, polar: (Double, Double) -> Vector2) -> [Vector2] {
        switch self {
        case .dot: return [.zero]
        case .segment: return [.zero, 0.1 * random.vector2()]
        case .scribble:
            let (a, b, c) = (random.uniform(1...5), random.uniform(1...5), random.uniform(0.02...0.1))
            return (0..<150).map { c * Vector2(cos(a * 0.1 * Double($0)), sin(b * 0.13 * Double($0))) }
        case .randomWalk:
            var position = Vector2.zero
            return (0..<120).map { _ in
                position += 0.003 * polar(1, random.uniform(0...6.3))
                return position
            }
        case .circle:
            let radius = random.uniform(0.0005...0.05)
            return (0...60).map { polar(radius, 2 * .pi * Double($0) / 60) }
        case .figureEight:
            return (0...80).map { 0.05 * Vector2(sin(Double($0) * 0.0785), sin(Double($0) * 0.157)) }
        case .spiral:
            let pitch = random.uniform(0.0005...0.002)
            return (0..<200).map { polar(pitch * 0.1 * Double($0), 0.2 * Double($0)) }
        case .denseSpiral:
            // Turns exactly one pen width apart, or nearly.
            let pitch = 0.003 + [0, 1e-9, -1e-9, 1e-7].randomElement(using: &random)!
            return (0..<300).map { polar(pitch * Double($0) / 31.4, 0.2 * Double($0)) }
        case .cusps:
            let rate = random.uniform(0.2...0.23)
            return (0..<60).map { polar(0.05 * abs(sin(rate * Double($0))), 0.1 * Double($0 / 15)) }
        case .retrace:
            let way = (0..<20).map { polar(0.003 * Double($0), 0) }
            return (0..<6).flatMap { $0 % 2 == 0 ? way : way.reversed() }
        case .doubledPoints:
            return (0..<40).flatMap {
                [Vector2](repeating: 0.03 * Vector2(cos(0.3 * Double($0)), 0.1 * Double($0)), count: 1 + $0 % 3)
            }
        case .gridTouch:
            // Right angles on a grid of one pen width: outlines that touch along edges and in corners.
            var position = Vector2.zero
            return (0..<80).map { _ in
                position +=
                    0.003 * [Vector2(1, 0), Vector2(-1, 0), Vector2(0, 1), Vector2(0, -1)].randomElement(
                        using: &random)!
                return position
            }
        case .star: return (0...7).map { polar(0.05, 2 * .pi * 3 / 7 * Double($0)) }
        case .sweep: return (0..<12).map { Vector2(0.15 * Double($0 % 2), 0.0015 * Double($0)) }
        case .tangentLoops:
            // Circles around which the pen's inner edge closes to a point.
            let radius = 0.0015 + [0, 1e-8, 1e-6, -1e-7].randomElement(using: &random)!
            return (0..<4).flatMap { loop in
                (0...40).map { step -> Vector2 in
                    let angle: Double = 0.157 * Double(step)
                    return Vector2(0.006 * Double(loop), 0) + radius * Vector2(sin(angle), cos(angle))
                }
            }
        case .tinyZigzag: return (0..<80).map { Vector2(1e-5 * Double($0), $0 % 2 == 0 ? 0 : random.uniform(0...1e-5)) }
        case .thereAndBackBeside:
            let gap = 0.003 + [0, 6e-8, -6e-8, 1e-6].randomElement(using: &random)!
            return [
                .zero, Vector2(0.05, 0), Vector2(0.05, gap), Vector2(0, gap), Vector2(0, 2 * gap),
                Vector2(0.05, 2 * gap),
            ]
        }
    }

    /// A stroke along the path.
    func stroke(_ random: inout TestRandom) -> Stroke {
        let positions = points(&random)
        let points = positions.enumerated().map {
            Stroke.Point(timestamp: Timestamp(nanoseconds: Int64($0)), position: $1)
        }
        return Stroke(points: points, worldFromPlane: random.rigidTransform())
    }
}
