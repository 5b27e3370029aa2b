// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The outlines of emblems, within 0…1 each way, y down.
enum EmblemShape: String, Hashable, Sendable, CaseIterable {
    case heater, round, french, swiss, roundel, oval, hexagon

    /// The outline, clockwise.
    var outline: VectorPath {
        var path = VectorPath()
        switch self {
        case .heater:
            path.move(to: Point2(0.1, 0.05))
            path.line(to: Point2(0.9, 0.05))
            path.line(to: Point2(0.9, 0.42))
            path.cubic(Point2(0.9, 0.68), Point2(0.74, 0.86), to: Point2(0.5, 0.97))
            path.cubic(Point2(0.26, 0.86), Point2(0.1, 0.68), to: Point2(0.1, 0.42))
            path.line(to: Point2(0.1, 0.05))
        case .round:
            path.move(to: Point2(0.12, 0.04))
            path.line(to: Point2(0.88, 0.04))
            path.line(to: Point2(0.88, 0.58))
            path.cubic(Point2(0.88, 0.79), Point2(0.71, 0.96), to: Point2(0.5, 0.96))
            path.cubic(Point2(0.29, 0.96), Point2(0.12, 0.79), to: Point2(0.12, 0.58))
            path.line(to: Point2(0.12, 0.04))
        case .french:
            path.move(to: Point2(0.1, 0.05))
            path.line(to: Point2(0.9, 0.05))
            path.line(to: Point2(0.9, 0.76))
            path.cubic(Point2(0.9, 0.85), Point2(0.85, 0.89), to: Point2(0.77, 0.89))
            path.cubic(Point2(0.66, 0.89), Point2(0.55, 0.9), to: Point2(0.5, 0.97))
            path.cubic(Point2(0.45, 0.9), Point2(0.34, 0.89), to: Point2(0.23, 0.89))
            path.cubic(Point2(0.15, 0.89), Point2(0.1, 0.85), to: Point2(0.1, 0.76))
            path.line(to: Point2(0.1, 0.05))
        case .swiss:
            path.move(to: Point2(0.1, 0.07))
            path.cubic(Point2(0.24, 0.13), Point2(0.4, 0.12), to: Point2(0.5, 0.03))
            path.cubic(Point2(0.6, 0.12), Point2(0.76, 0.13), to: Point2(0.9, 0.07))
            path.cubic(Point2(0.95, 0.34), Point2(0.92, 0.62), to: Point2(0.8, 0.77))
            path.cubic(Point2(0.71, 0.88), Point2(0.6, 0.93), to: Point2(0.5, 0.97))
            path.cubic(Point2(0.4, 0.93), Point2(0.29, 0.88), to: Point2(0.2, 0.77))
            path.cubic(Point2(0.08, 0.62), Point2(0.05, 0.34), to: Point2(0.1, 0.07))
        case .roundel:
            path = .circle(Point2(0.5, 0.5), radius: 0.46)
        case .oval:
            path = .ellipse(Point2(0.5, 0.5), radii: Vector2(0.38, 0.47))
        case .hexagon:
            path = .polygon([(0.5, 0.03), (0.9, 0.22), (0.9, 0.76), (0.5, 0.97), (0.1, 0.76), (0.1, 0.22)])
        }
        return path
    }

    /// Whether the top is wide enough for a band with letters.
    var hasShoulders: Bool { self == .heater || self == .round || self == .french }

    /// Where a charge stands on the whole field.
    var center: Point2 {
        switch self {
        case .heater, .round: Point2(0.5, 0.45)
        case .french, .swiss: Point2(0.5, 0.48)
        case .roundel, .oval, .hexagon: Point2(0.5, 0.5)
        }
    }
}

/// How a field is divided: the parts that have the second colour, within 0…1 each way and beyond.
enum EmblemDivision: String, Hashable, Sendable, CaseIterable {
    case plain, perPale, perFess, perBend, quarterly, stripes, hoops, diagonals, chevron, bend, pale, fess, saltire
    case cross, checks, waves, pile, gyron, hoopsBelow, perChevron

    /// The second colour's parts around a centre.
    func path(center: Point2) -> VectorPath {
        let (x, y) = (center.x, center.y)
        var path = VectorPath()
        func add(_ corners: [(Double, Double)]) { path.append(.polygon(corners)) }
        func band(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
            path.append(.rectangle(Point2(left, top), Point2(right, bottom)))
        }
        switch self {
        case .plain: break
        case .perPale: band(x, 0, 1, 1)
        case .perFess: band(0, y, 1, 1)
        case .perBend: add([(0, 0), (0, 1), (1, 1), (x + 0.5, y + 0.5), (x - 0.5, y - 0.5)])
        case .quarterly:
            band(x, 0, 1, y)
            band(0, y, x, 1)
        case .stripes: for step in [-3.0, -1, 1, 3] { band(x + 0.114 * (step - 0.5), 0, x + 0.114 * (step + 0.5), 1) }
        case .hoops: for step in 0..<4 { band(0, 0.13 + 0.22 * Double(step), 1, 0.24 + 0.22 * Double(step)) }
        case .diagonals:
            for step in -3...3 {
                let left = 0.28 * Double(step)
                add([(left, 0), (left + 0.14, 0), (left + 1.14, 1), (left + 1, 1)])
            }
        case .chevron: add([(x, y - 0.2), (1, y + 0.24), (1, y + 0.44), (x, y), (0, y + 0.44), (0, y + 0.24)])
        case .bend: add([(x - 0.6, y - 0.44), (x - 0.44, y - 0.6), (x + 0.6, y + 0.44), (x + 0.44, y + 0.6)])
        case .pale: band(x - 0.15, 0, x + 0.15, 1)
        case .fess: band(0, y - 0.13, 1, y + 0.13)
        case .saltire:
            add([(x - 0.6, y - 0.46), (x - 0.46, y - 0.6), (x + 0.6, y + 0.46), (x + 0.46, y + 0.6)])
            add([(x + 0.6, y - 0.46), (x + 0.46, y - 0.6), (x - 0.6, y + 0.46), (x - 0.46, y + 0.6)])
        case .cross:
            band(x - 0.1, 0, x + 0.1, 1)
            band(0, y - 0.1, 1, y + 0.1)
        case .checks:
            for row in -4...4 {
                for column in -4...4 where (row + column) % 2 == 0 {
                    let (left, top) = (x + 0.16 * (Double(column) - 0.5), y + 0.16 * (Double(row) - 0.5))
                    band(left, top, left + 0.16, top + 0.16)
                }
            }
        case .waves: for step in 0..<3 { path.append(Self.wave(y + 0.2 + 0.12 * Double(step))) }
        case .pile: add([(0.1, 0), (0.9, 0), (x, 0.92)])
        case .gyron:
            for step in 0..<6 {
                let turn = AffineTransform2D.placing(at: center, scale: 1, turn: Double.pi / 3 * Double(step))
                path.append(VectorPath.polygon([(0, 0), (0, -1), (0.577, -1)]).transformed(by: turn))
            }
        case .hoopsBelow:
            for step in 0..<3 { band(0, y + 0.06 + 0.17 * Double(step), 1, y + 0.145 + 0.17 * Double(step)) }
        case .perChevron: add([(x, y - 0.1), (1, y + 0.34), (1, 1), (0, 1), (0, y + 0.34)])
        }
        return path
    }

    /// Whether the field's middle has one colour, the first, so that a charge may lie there.
    var leavesTheMiddle: Bool { self == .plain || self == .waves || self == .hoopsBelow }

    private static func wave(_ y: Double) -> VectorPath {
        var path = VectorPath()
        path.move(to: Point2(0, y))
        for step in 0..<5 {
            let x = 0.2 * Double(step)
            path.cubic(Point2(x + 0.07, y - 0.06), Point2(x + 0.13, y + 0.06), to: Point2(x + 0.2, y))
        }
        path.line(to: Point2(1, y + 0.05))
        for step in (0..<5).reversed() {
            let x = 0.2 * Double(step)
            path.cubic(
                Point2(x + 0.13, y + 0.11), Point2(x + 0.07, y - 0.01), to: Point2(x, y + 0.05))
        }
        return path
    }
}
