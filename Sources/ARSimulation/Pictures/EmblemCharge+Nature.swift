// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

// Animals, plants, and what is in the sky.
extension EmblemCharge {
    static var lion: Layers {
        let mane = VectorPath.rosette((0..<28).map { $0 % 2 == 0 ? 1.0 : 0.82 })
        let face = VectorPath.symmetric([
            (0, -0.42), (0.3, -0.5), (0.48, -0.66), (0.6, -0.48), (0.5, -0.3), (0.54, 0.05), (0.34, 0.4), (0.26, 0.62),
            (0, 0.72),
        ])
        var features = VectorPath.symmetric([(0, 0.12), (0.2, 0.12), (0.06, 0.28), (0.06, 0.42), (0, 0.42)])
        features.append(.line([(-0.24, 0.44), (-0.06, 0.42), (0.06, 0.42), (0.24, 0.44)], width: 0.08))
        for side in [-1.0, 1] {
            features.append(.circle(Point2(0.24 * side, -0.14), radius: 0.1))
            features.append(.line([(0.1 * side, -0.26), (0.4 * side, -0.32)], width: 0.08))
        }
        return [(mane, .main), (face, .ground), (features, .main)]
    }

    static var eagle: Layers {
        let bird = VectorPath.symmetric([
            (0, -0.62), (0.12, -0.5), (0.16, -0.3), (0.34, -0.46), (0.44, -0.86), (0.62, -0.96), (0.6, -0.7),
            (0.8, -0.86), (0.78, -0.58), (0.96, -0.62), (0.88, -0.34), (1, -0.28), (0.86, -0.06), (0.94, 0.04),
            (0.7, 0.16), (0.74, 0.3), (0.5, 0.28), (0.28, 0.2), (0.22, 0.42), (0.4, 0.62), (0.3, 0.66), (0.18, 0.56),
            (0.3, 0.92), (0.1, 0.84), (0, 1),
        ])
        var head = VectorPath.circle(Point2(0, -0.7), radius: 0.17)
        head.append(.polygon([(-0.1, -0.82), (-0.02, -0.58), (-0.34, -0.64)]))
        let eye = VectorPath.circle(Point2(-0.06, -0.74), radius: 0.04)
        return [(bird, .main), (head, .main), (eye, .ground)]
    }

    static var fir: Layers {
        var tree = VectorPath.rectangle(Point2(-0.12, 0.6), Point2(0.12, 1))
        for (top, bottom, width) in [(-1.0, -0.3, 0.42), (-0.62, 0.2, 0.6), (-0.2, 0.72, 0.8)] {
            tree.append(.polygon([(0, top), (width, bottom), (-width, bottom)]))
        }
        return [(tree, .main)]
    }

    static var oak: Layers {
        var tree = VectorPath.symmetric([(0, 0), (0.14, 0.1), (0.12, 0.7), (0.42, 0.95), (0, 0.9)])
        for (x, y, radius) in [
            (0, -0.6, 0.38), (-0.46, -0.38, 0.34), (0.46, -0.38, 0.34), (-0.62, 0.02, 0.3), (0.62, 0.02, 0.3),
            (-0.2, -0.08, 0.34), (0.2, -0.08, 0.34),
        ] {
            tree.append(.circle(Point2(x, y), radius: radius))
        }
        return [(tree, .main)]
    }

    static var lily: Layers {
        var flower = VectorPath()
        flower.move(to: Point2(0, -1))
        flower.cubic(Point2(0.5, -0.5), Point2(0.3, -0.1), to: Point2(0.14, 0.3))
        flower.line(to: Point2(-0.14, 0.3))
        flower.cubic(Point2(-0.3, -0.1), Point2(-0.5, -0.5), to: Point2(0, -1))
        var layers: Layers = [(flower, .main)]
        for side in [-1.0, 1] {
            var petal = VectorPath()
            petal.move(to: Point2(0.16 * side, 0.3))
            petal.cubic(Point2(0.2 * side, -0.2), Point2(0.45 * side, -0.62), to: Point2(0.74 * side, -0.5))
            petal.cubic(Point2(1.02 * side, -0.38), Point2(0.95 * side, 0.02), to: Point2(0.7 * side, 0.04))
            petal.cubic(Point2(0.85 * side, -0.24), Point2(0.5 * side, -0.3), to: Point2(0.36 * side, 0.3))
            layers.append((petal, .main))
            var root = VectorPath()
            root.move(to: Point2(0, 0.42))
            root.line(to: Point2(0.3 * side, 0.42))
            root.cubic(Point2(0.3 * side, 0.7), Point2(0.4 * side, 0.8), to: Point2(0.5 * side, 0.7))
            root.cubic(Point2(0.5 * side, 0.95), Point2(0.15 * side, 1), to: Point2(0, 0.6))
            layers.append((root, .main))
        }
        layers.append((.rectangle(Point2(-0.46, 0.3), Point2(0.46, 0.42)), .main))
        return layers
    }

    static var mountain: Layers {
        let range = VectorPath.polygon([(-0.28, -0.85), (0.14, -0.1), (0.36, -0.42), (1, 0.8), (-1, 0.8)])
        let snow = VectorPath.polygon([
            (-0.28, -0.85), (-0.02, -0.39), (-0.16, -0.24), (-0.28, -0.4), (-0.4, -0.22), (-0.52, -0.38),
        ])
        return [(range, .main), (snow.transformed(by: .placing(at: Point2(0.0, 0.14), scale: 0.9)), .ground)]
    }

    static var sun: Layers {
        let rays = VectorPath.star(points: 16, inner: 0.66)
        let ring = VectorPath.circle(.zero, radius: 0.58)
        return [(rays, .main), (ring, .ground), (.circle(.zero, radius: 0.5), .main)]
    }

    static var crescent: VectorPath {
        var path = VectorPath()
        path.move(to: Point2(0.5, -0.86))
        path.cubic(Point2(-0.5, -1.3), Point2(-1.25, -0.5), to: Point2(-1, 0.15))
        path.cubic(Point2(-0.75, 0.95), Point2(0.2, 1.25), to: Point2(0.72, 0.62))
        path.cubic(Point2(0.2, 0.8), Point2(-0.4, 0.5), to: Point2(-0.45, -0.05))
        path.cubic(Point2(-0.5, -0.5), Point2(-0.05, -0.85), to: Point2(0.5, -0.86))
        return path
    }

    static var bolt: VectorPath {
        .polygon([(0.25, -1), (-0.5, 0.15), (-0.06, 0.15), (-0.25, 1), (0.55, -0.3), (0.1, -0.3)])
    }
}
