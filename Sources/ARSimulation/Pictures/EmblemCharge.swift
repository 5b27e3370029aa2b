// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A figure on a shield, in layers that are painted one over the other; it fits into −1…1 each way, y down.
struct EmblemCharge {
    /// The figures that a shield may bear.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case star, sixPointedStar, ball, crown, lion, eagle, wheel, castle, fir, oak, anchor, hammers, sun, crescent
        case ship, mountain, bolt, lily, cross, diamond
    }

    /// What a layer is painted with.
    enum Ink { case main, ground }

    /// Paths with what they are painted with, lowest first.
    typealias Layers = [(path: VectorPath, ink: Ink)]

    /// The layers.
    let layers: Layers

    /// The figure of a kind.
    init(_ kind: Kind) {
        layers =
            switch kind {
            case .star: [(.star(points: 5, inner: 0.45), .main)]
            case .sixPointedStar: [(.star(points: 6, inner: 0.58), .main)]
            case .bolt: [(Self.bolt, .main)]
            case .crescent: [(Self.crescent, .main)]
            case .cross: [(Self.cross, .main)]
            case .diamond: [(.polygon([(0, -1), (0.62, 0), (0, 1), (-0.62, 0)]), .main)]
            case .ball: Self.ball
            case .crown: Self.crown
            case .lion: Self.lion
            case .eagle: Self.eagle
            case .wheel: Self.wheel
            case .castle: Self.castle
            case .fir: Self.fir
            case .oak: Self.oak
            case .anchor: Self.anchor
            case .hammers: Self.hammers
            case .sun: Self.sun
            case .ship: Self.ship
            case .mountain: Self.mountain
            case .lily: Self.lily
            }
    }
}

extension VectorPath {
    /// A closed figure with straight sides through places given as x and y.
    static func polygon(_ corners: [(Double, Double)]) -> VectorPath { .polygon(corners.map { Point2($0.0, $0.1) }) }

    /// A figure that is its own mirror image: its right half from top to bottom.
    static func symmetric(_ right: [(Double, Double)]) -> VectorPath {
        .polygon(right + right.reversed().filter { $0.0 != 0 }.map { (-$0.0, $0.1) })
    }

    /// The outline of a round pen that goes straight from place to place.
    static func line(_ places: [(Double, Double)], width: Double) -> VectorPath {
        polyline(places.map { Point2($0.0, $0.1) }).stroked(width: width, tolerance: 0.01)
    }
}
