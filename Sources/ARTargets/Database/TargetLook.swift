// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// What a print looks like from afar: the greys of few cells, row by row.
struct TargetLook: Hashable, Sendable {
    let greys: [UInt8]

    /// As many cells as there are of colours.
    static let byteCount = PrintColors.side * PrintColors.side

    init(greys: [UInt8]) {
        precondition(greys.count == Self.byteCount, "\(greys.count) greys, expected \(Self.byteCount)")
        self.greys = greys
    }

    /// The look of a template.
    init(of template: ImageBuffer) {
        let cells = template.bytes.withUnsafeBufferPointer { pixels in
            PrintColors(
                of: TemplateView(
                    pixels: pixels.baseAddress.unsafelyUnwrapped, width: template.size.width,
                    height: template.size.height))
        }
        self.init(greys: stride(from: 0, to: cells.bytes.count, by: 3).map { cells.bytes[$0] })
    }
}

/// The looks of many targets, by which prints that are drawn alike are found among thousands.
struct TargetLooks: Sendable {
    /// Of each look its greys less their mean, as a vector of length one, in pieces; nothing but zeros where all are one grey.
    private var pieces: [Piece] = []

    private typealias Piece = SIMD16<Float>
    private static let pieceCount = TargetLook.byteCount / Piece.scalarCount

    init(_ looks: some Collection<TargetLook>) {
        pieces.reserveCapacity(looks.count * Self.pieceCount)
        for look in looks { pieces += Self.pieces(of: look) }
    }

    /// A print that is drawn as another.
    struct Twin: Equatable {
        let target: Int
        /// Whether it is drawn so when it is turned upside down.
        let isTurned: Bool
    }

    /// The targets that are drawn as one of that look, the most alike first, and of equals the first.
    ///
    /// - Parameters:
    ///   - leastLikeness: how far looks correlate at least, whichever of their inks are light and dark.
    ///   - limit: how many are wanted at most.
    ///   - isWanted: whether a target is; the others take nobody's room.
    func twins(
        of look: TargetLook, leastLikeness: Float, limit: Int, where isWanted: (_ target: Int) -> Bool = { _ in true }
    ) -> [Twin] {
        let upright = Self.pieces(of: look)
        let turned = Self.pieces(of: TargetLook(greys: look.greys.reversed()))
        var twins: [(likeness: Float, twin: Twin)] = []
        for target in 0..<pieces.count / Self.pieceCount {
            var (sum, turnedSum) = (Piece.zero, Piece.zero)
            for piece in 0..<Self.pieceCount {
                let other = pieces[target * Self.pieceCount + piece]
                sum += upright[piece] * other
                turnedSum += turned[piece] * other
            }
            let (likeness, turnedLikeness) = (abs(sum.sum()), abs(turnedSum.sum()))
            guard max(likeness, turnedLikeness) >= leastLikeness, isWanted(target) else { continue }
            twins.append(
                (max(likeness, turnedLikeness), Twin(target: target, isTurned: turnedLikeness > likeness)))
        }
        twins.sort { a, b in
            a.likeness != b.likeness ? a.likeness > b.likeness : a.twin.target < b.twin.target
        }
        return twins.prefix(limit).map(\.twin)
    }

    private static func pieces(of look: TargetLook) -> [Piece] {
        let mean = Float(look.greys.reduce(0) { $0 + Int($1) }) / Float(TargetLook.byteCount)
        var pieces = [Piece](repeating: Piece(repeating: -mean), count: pieceCount)
        for (cell, grey) in look.greys.enumerated() {
            pieces[cell / Piece.scalarCount][cell % Piece.scalarCount] += Float(grey)
        }
        let length = pieces.reduce(0) { $0 + ($1 * $1).sum() }.squareRoot()
        return length > 0 ? pieces.map { $0 / length } : pieces
    }
}
