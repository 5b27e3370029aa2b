// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

// What people have made.
extension EmblemCharge {
    static var ball: Layers {
        let disc = VectorPath.circle(.zero, radius: 1)
        var dark = VectorPath.rosette([0.36, 0.36, 0.36, 0.36, 0.36])
        for step in 0..<5 {
            let angle = 2 * Double.pi * (Double(step) + 0.5) / 5
            let seam = 2 * Double.pi * Double(step) / 5
            func place(_ radius: Double, _ angle: Double) -> (Double, Double) {
                (radius * sin(angle), -radius * cos(angle))
            }
            dark.append(.line([place(0.36, seam), place(0.66, seam)], width: 0.09))
            dark.append(.line([place(0.66, seam), place(0.8, angle), place(0.66, seam + 2 * .pi / 5)], width: 0.09))
            dark.append(
                .polygon([
                    place(0.62, seam), place(0.74, seam + 0.28), place(0.97, seam + 0.26), place(0.97, seam),
                    place(0.97, seam - 0.26), place(0.74, seam - 0.28),
                ]))
        }
        return [(disc, .main), (dark, .ground)]
    }

    static var crown: Layers {
        var gold = VectorPath.symmetric([
            (0, -0.62), (0.24, 0.1), (0.58, -0.55), (0.6, 0.12), (1, -0.38), (0.8, 0.5), (0, 0.5),
        ])
        gold.append(.rectangle(Point2(-0.8, 0.58), Point2(0.8, 0.82)))
        for (x, y) in [(0, -0.7), (0.58, -0.63), (-0.58, -0.63), (0.98, -0.46), (-0.98, -0.46)] {
            gold.append(.circle(Point2(x, y), radius: 0.11))
        }
        return [(gold, .main)]
    }

    static var castle: Layers {
        let walls = VectorPath.symmetric([
            (0, -0.95), (0.1, -0.95), (0.1, -0.8), (0.2, -0.8), (0.2, -0.95), (0.34, -0.95), (0.34, -0.3), (0.44, -0.3),
            (0.44, -0.5), (0.58, -0.5), (0.58, -0.34), (0.7, -0.34), (0.7, -0.5), (0.84, -0.5), (0.84, 0.85),
            (0.95, 0.95), (0, 0.95),
        ])
        var openings = VectorPath.rectangle(Point2(-0.2, 0.4), Point2(0.2, 0.95))
        openings.append(.circle(Point2(0, 0.4), radius: 0.2))
        for x in [-0.62, 0, 0.62] {
            openings.append(.rectangle(Point2(x - 0.07, -0.16), Point2(x + 0.07, 0.12)))
        }
        openings.append(.rectangle(Point2(-0.06, -0.62), Point2(0.06, -0.38)))
        return [(walls, .main), (openings, .ground)]
    }

    static var ship: Layers {
        var hull = VectorPath()
        hull.move(to: Point2(-0.95, 0.35))
        hull.line(to: Point2(0.95, 0.35))
        hull.cubic(Point2(0.85, 0.7), Point2(0.7, 0.85), to: Point2(0.5, 0.9))
        hull.line(to: Point2(-0.5, 0.9))
        hull.cubic(Point2(-0.7, 0.85), Point2(-0.85, 0.7), to: Point2(-0.95, 0.35))
        hull.append(.rectangle(Point2(-0.05, -1), Point2(0.05, 0.4)))
        var sails = VectorPath()
        sails.move(to: Point2(0.12, -0.85))
        sails.cubic(Point2(0.6, -0.6), Point2(0.8, -0.2), to: Point2(0.72, 0.24))
        sails.line(to: Point2(0.12, 0.24))
        var small = VectorPath()
        small.move(to: Point2(-0.12, -0.6))
        small.line(to: Point2(-0.12, 0.24))
        small.line(to: Point2(-0.72, 0.24))
        small.cubic(Point2(-0.6, -0.1), Point2(-0.4, -0.4), to: Point2(-0.12, -0.6))
        return [(hull, .main), (sails, .main), (small, .main)]
    }

    static var anchor: Layers {
        var iron = VectorPath.line([(0, -0.6), (0, 0.85)], width: 0.16)
        iron.append(.line([(-0.4, -0.38), (0.4, -0.38)], width: 0.16))
        var arms = VectorPath()
        arms.move(to: Point2(-0.74, 0.2))
        arms.cubic(Point2(-0.66, 0.66), Point2(-0.34, 0.88), to: Point2(0, 0.88))
        arms.cubic(Point2(0.34, 0.88), Point2(0.66, 0.66), to: Point2(0.74, 0.2))
        iron.append(arms.stroked(width: 0.16, tolerance: 0.01))
        for side in [-1.0, 1] {
            iron.append(.polygon([(0.78 * side, 0.0), (0.98 * side, 0.42), (0.52 * side, 0.36)]))
        }
        let ring = VectorPath.circle(Point2(0, -0.78), radius: 0.16).stroked(width: 0.1, tolerance: 0.01)
        return [(iron, .main), (ring, .main)]
    }

    static var hammers: Layers {
        var layers: Layers = []
        for side in [-1.0, 1] {
            let turn = AffineTransform2D.placing(at: .zero, scale: 1, turn: side * Double.pi / 4)
            var hammer = VectorPath.rectangle(Point2(-0.08, -0.8), Point2(0.08, 1.15))
            hammer.append(
                .polygon([(-0.4, -1), (0.42, -1), (0.42, -0.66), (-0.4, -0.66), (-0.5 + 0.1 * side, -0.83)]))
            layers.append((hammer.transformed(by: turn), .main))
        }
        return layers
    }

    static var wheel: Layers {
        let teeth = 12
        let rim = VectorPath.rosette((0..<(4 * teeth)).map { [1, 1, 0.82, 0.82][$0 % 4] })
        let hole = VectorPath.circle(.zero, radius: 0.56)
        var spokes = VectorPath.circle(.zero, radius: 0.2)
        for step in 0..<3 {
            let angle = Double.pi * Double(step) / 3
            let (x, y) = (0.62 * sin(angle), 0.62 * cos(angle))
            spokes.append(.line([(x, y), (-x, -y)], width: 0.14))
        }
        return [(rim, .main), (hole, .ground), (spokes, .main)]
    }

    static var cross: VectorPath {
        .polygon([
            (-0.14, -0.14), (-0.36, -1), (0.36, -1), (0.14, -0.14), (1, -0.36), (1, 0.36), (0.14, 0.14), (0.36, 1),
            (-0.36, 1), (-0.14, 0.14), (-1, 0.36), (-1, -0.36),
        ])
    }
}
