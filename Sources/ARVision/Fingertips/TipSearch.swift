// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Looks for the end of a finger of known width where the evidence for a hand has the shape of one.
///
/// On a grid, a part of the finger's radius apart, a finger's end is a shape: evidence for the hand in a disc and a shaft,
/// evidence against it on an arc before the disc and on either side of the shaft. The contrast is the difference of the two
/// means: ``greatestContrast`` for a finger alone before what is no hand, about 0 inside a hand, on a wall and in the open.
struct TipSearch: Sendable {
    /// A place where the shape fits.
    struct Peak: Sendable {
        /// The centre of the finger's ball, in pixels.
        var center: Vector2
        /// Where the finger points, as the angle from +x to +y.
        var angle: Double
        var contrast: Float
    }

    /// No place says more than this.
    private static let limit: Float = 2
    static let greatestContrast = 2 * limit

    /// The shape's places inside the finger, in radii, x where it points.
    private static let inside: [Vector2] = {
        let disc = (0..<8).map { eighth in
            let turn = Double(eighth) * .pi / 4
            return Vector2(0.65 * cos(turn), 0.65 * sin(turn))
        }
        return [.zero] + disc + backs.flatMap { back in [-0.5, 0, 0.5].map { Vector2(-back, $0) } }
    }()
    /// Its places on either side of the finger and before it.
    private static let outside: [Vector2] = {
        let arc = (-4...4).map { step in
            let turn = Double(step) * .pi / 8
            return Vector2(1.6 * cos(turn), 1.6 * sin(turn))
        }
        return backs.flatMap { back in [-1.6 - 0.1 * back, 1.6 + 0.1 * back].map { Vector2(-back, $0) } } + arc
    }()
    /// How far behind the middle of the finger's end the shaft is asked for.
    private static let backs = [1, 1.5, 2, 2.5, 3]
    /// How far the shape extends, in radii.
    private static let extent = (inside + outside).map(\.length).max() ?? 0
    /// Places of a grid of its own to the finger's radius.
    private static let ownFineness = 3.0

    /// The pixel at the grid's first place.
    private let origin: Vector2
    /// Pixels from one place to the next.
    private let step: Double
    /// Places to the finger's radius.
    private let fineness: Double
    private let columns: Int
    private let rows: Int
    /// How many places from the grid's rim on the shape does not fit into the grid.
    private let margin: Int
    private let evidence: [Float]

    /// The surroundings of a pixel, as far as the finger's end may be from it, in pixels.
    init(_ image: ImageBuffer, about center: Vector2, reach: Double, radius: Double, colors: HandColors) {
        let step = radius / Self.ownFineness
        fineness = Self.ownFineness
        margin = Self.margin(fineness: fineness)
        let side = 2 * (Int((reach / step).rounded(.up)) + margin) + 1
        let origin = center - Double(side / 2) * step * Vector2(1, 1)
        (self.step, self.origin, columns, rows) = (step, origin, side, side)
        let xs = (0..<side).map { Int((origin.x + Double($0) * step).rounded()) }
        evidence = colors.withTable { table in
            image.bytes.withUnsafeBufferPointer { bytes in
                [Float](unsafeUninitializedCapacity: side * side) { target, count in
                    var at = 0
                    for row in 0..<side {
                        let y = Int((origin.y + Double(row) * step).rounded())
                        for x in xs {
                            var value: Float = 0
                            // Beyond the picture's border there may be anything.
                            if x >= 0, y >= 0, x < image.size.width, y < image.size.height {
                                let pixel = y * image.bytesPerRow + 3 * x
                                value = table.evidence(bytes[pixel], bytes[pixel + 1], bytes[pixel + 2])
                            }
                            target[at] = min(max(value, -Self.limit), Self.limit)
                            at += 1
                        }
                    }
                    count = at
                }
            }
        }
    }

    /// The whole of a reduced picture with the evidence of its pixels.
    init(_ picture: ReducedPicture, evidence plane: [Float], radius: Double) {
        step = Double(picture.factor)
        fineness = radius / step
        margin = Self.margin(fineness: fineness)
        let (margin, columns) = (margin, picture.width + 2 * margin)
        (self.columns, rows) = (columns, picture.height + 2 * margin)
        origin = picture.pixel(Vector2(-Double(margin), -Double(margin))).vector
        var padded = [Float](repeating: 0, count: columns * rows)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                padded[(y + margin) * columns + x + margin] =
                    min(max(plane[y * picture.width + x], -Self.limit), Self.limit)
            }
        }
        evidence = padded
    }

    /// The best place for a finger that points about so; of places that fit nearly alike, one near the middle of the grid.
    func best(pointing angle: Double, turns: [Double]) -> Peak {
        let middle = Vector2(Double(columns / 2), Double(rows / 2))
        let reach = max(Double(columns / 2 - margin), 1)
        var best = Peak(center: origin + step * middle, angle: angle, contrast: -.infinity)
        var bestWorth = -Float.infinity
        for turn in turns {
            forEachPlace(angle: angle + turn, stride: 1) { column, row, contrast in
                let off = Vector2(Double(column), Double(row)) - middle
                let away = Float(off.dot(off) / (reach * reach))
                let worth = contrast - Self.farDrawback * away - (turn == 0 ? 0 : Self.turnedDrawback)
                guard worth > bestWorth else { return }
                bestWorth = worth
                best = Peak(center: pixel(column, row), angle: angle + turn, contrast: contrast)
            }
        }
        return best
    }

    /// What a place at the grid's side must fit better than one in its middle.
    private static let farDrawback: Float = 0.3
    /// What another direction must fit better than the expected one.
    private static let turnedDrawback: Float = 0.1

    /// The places of most contrast, each at least two radii from the others, the best first.
    func peaks(pointing angle: Double, turns: [Double], atLeast contrast: Float, limit: Int) -> [Peak] {
        var all: [Peak] = []
        let least = contrast
        for turn in turns {
            forEachPlace(angle: angle + turn, stride: max(1, Int(fineness / 2)), atLeast: least) {
                column, row, contrast in
                all.append(Peak(center: pixel(column, row), angle: angle + turn, contrast: contrast))
            }
        }
        var kept: [Peak] = []
        for peak in all.sorted(by: { $0.contrast > $1.contrast }) where kept.count < limit {
            if kept.allSatisfy({ ($0.center - peak.center).length > 2 * fineness * step }) { kept.append(peak) }
        }
        return kept
    }

    private func pixel(_ column: Int, _ row: Int) -> Vector2 { origin + step * Vector2(Double(column), Double(row)) }

    /// Visits the places that have evidence for the hand themselves, and at least this contrast.
    private func forEachPlace(
        angle: Double, stride: Int, atLeast least: Float = -.infinity,
        _ visit: (_ column: Int, _ row: Int, _ contrast: Float) -> Void
    ) {
        let shape = Self.shape(angle, fineness: fineness)
        let inside = shape.inside.map { $0.row * columns + $0.column }
        let outside = shape.outside.map { $0.row * columns + $0.column }
        let (insideShare, outsideShare) = (1 / Float(inside.count), 1 / Float(outside.count))
        // Inside a hand some of the places outside tell already that the contrast is small, whatever the others have.
        let (half, most) = (outside.count / 2, outside.count * 3 / 4)
        let parts = [0..<half, half..<most, most..<outside.count].map { part in
            let others = Float(outside.count - part.upperBound)
            return (
                offsets: outside[part],
                most: (Self.limit - least) * Float(outside.count) + Self.limit * others + Self.limit / 2
            )
        }
        evidence.withUnsafeBufferPointer { evidence in
            for row in Swift.stride(from: margin, to: rows - margin, by: stride) {
                for column in Swift.stride(from: margin, to: columns - margin, by: stride) {
                    let place = row &* columns &+ column
                    guard evidence[place] > 0 else { continue }
                    var (within, about) = (Float(0), Float(0))
                    let isPossible = parts.allSatisfy { part in
                        for offset in part.offsets { about += evidence[place &+ offset] }
                        return about <= part.most
                    }
                    guard isPossible else { continue }
                    for offset in inside { within += evidence[place &+ offset] }
                    let contrast = within * insideShare - about * outsideShare
                    if contrast >= least { visit(column, row, contrast) }
                }
            }
        }
    }

    /// How many places the shape extends from its middle, whichever way it points.
    static func margin(fineness: Double) -> Int { Int((extent * fineness).rounded(.up)) }

    /// The shape's places inside and about the finger, as columns and rows from its middle.
    static func shape(
        _ angle: Double, fineness: Double
    ) -> (inside: [(column: Int, row: Int)], outside: [(column: Int, row: Int)]) {
        let (direction, across) = (Vector2(cos(angle), sin(angle)), Vector2(-sin(angle), cos(angle)))
        func offset(_ place: Vector2) -> (column: Int, row: Int) {
            let point = fineness * (place.x * direction + place.y * across)
            return (Int(point.x.rounded()), Int(point.y.rounded()))
        }
        return (inside.map(offset), outside.map(offset))
    }
}
