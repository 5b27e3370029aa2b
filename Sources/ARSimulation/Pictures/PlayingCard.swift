// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A playing card with a QR code in its middle.
///
/// The picture is the whole card with square corners, so that its outline is that of the surface which wears it.
public struct PlayingCard: Hashable, Sendable {
    /// The suits.
    public enum Suit: String, Hashable, Sendable, CaseIterable {
        case hearts, diamonds, clubs, spades
    }

    /// The ranks.
    public enum Rank: String, Hashable, Sendable, CaseIterable {
        case ace = "A"
        case two = "2"
        case three = "3"
        case four = "4"
        case five = "5"
        case six = "6"
        case seven = "7"
        case eight = "8"
        case nine = "9"
        case ten = "10"
        case jack = "J"
        case queen = "Q"
        case king = "K"
    }

    /// The width and the height of a poker card, in metres.
    public static let size = Vector2(0.063, 0.088)

    /// The rank.
    public let rank: Rank
    /// The suit.
    public let suit: Suit
    /// The code.
    public let code: QRCode

    /// A card that carries a code.
    public init(rank: Rank, suit: Suit, code: QRCode) {
        (self.rank, self.suit, self.code) = (rank, suit, code)
    }
}

extension PlayingCard {
    /// The card, that many pixels wide and as high as 63 × 88 mm ask for.
    public func image(width: Int) -> ImageBuffer {
        let height = Int((Double(width) * Self.size.y / Self.size.x).rounded())
        var canvas = VectorCanvas(
            size: ImageSize(width: width, height: height), width: Self.millimeters.x, ground: Self.paper)
        let frame = VectorPath.rectangle(Point2(2.6, 2.6), Self.millimeters - 2.6, cornerRadius: 2.5)
        let inside = VectorPath.rectangle(Point2(3.3, 3.3), Self.millimeters - 3.3, cornerRadius: 1.8)
        canvas.fill(frame + inside.reversed, ink)
        for turn in [AffineTransform2D.identity, Self.upsideDown] {
            for stroke in StrokeFont.strokes(of: rank.rawValue) {
                let place = Point2(8.6 - 2.75 * StrokeFont.width(of: rank.rawValue), 12)
                canvas.stroke(
                    stroke.transformed(by: turn * .placing(at: place, scale: 5.5)), width: 0.95, ink)
            }
            canvas.fill(pip.transformed(by: turn * .placing(at: Point2(8.6, 17), scale: 2.6)), ink)
        }
        for (place, isTurned) in pips {
            let transform = AffineTransform2D.placing(at: place, scale: 2.9)
            canvas.fill(pip.transformed(by: isTurned ? Self.upsideDown * transform : transform), ink)
        }
        canvas.fill(
            code.outline.transformed(by: .placing(at: codeOrigin, scale: Self.codeWidth / Double(code.side))), Vector3()
        )
        return canvas.image
    }

    /// The code's corners in the picture: of the code's top left, top right, bottom right and bottom left.
    public var codeCorners: [NormalizedImagePoint] {
        [Vector2(0, 0), Vector2(1, 0), Vector2(1, 1), Vector2(0, 1)].map { corner in
            let place = (codeOrigin + corner * Self.codeWidth) / Self.millimeters
            return NormalizedImagePoint(place.x, place.y)
        }
    }

    private static let millimeters = size * 1000
    private static let paper = Vector3(0.97, 0.96, 0.94)
    /// The code's width without its quiet zone, which the paper around it is.
    private static let codeWidth = 34.0
    private static let upsideDown = AffineTransform2D(a: -1, b: 0, c: 0, d: -1, tx: millimeters.x, ty: millimeters.y)

    private var codeOrigin: Point2 { Self.millimeters / 2 - Self.codeWidth / 2 }

    private var ink: Vector3 {
        suit == .hearts || suit == .diamonds ? Vector3(0.78, 0.09, 0.12) : Vector3(0.08, 0.08, 0.10)
    }

    /// Where the pips stand: in a row above the code, and in one below it, upside down; places are those of the upper
    /// row, which is turned over for the lower one.
    private var pips: [(place: Point2, isTurned: Bool)] {
        let count = 1 + (Rank.allCases.firstIndex(of: rank) ?? 0)
        func row(_ count: Int) -> [Point2] {
            (0..<count).map { Point2(Self.millimeters.x / 2 + 6.4 * (Double($0) - Double(count - 1) / 2), 14) }
        }
        guard count <= 10 else { return [(row(1)[0], false), (row(1)[0], true)] }
        return row((count + 1) / 2).map { ($0, false) } + row(count / 2).map { ($0, true) }
    }

    /// The suit's sign within −1…1.
    private var pip: VectorPath {
        var path = VectorPath()
        switch suit {
        case .diamonds:
            path = .polygon([Point2(0, -1), Point2(0.75, 0), Point2(0, 1), Point2(-0.75, 0)])
        case .hearts:
            path = Self.heart
        case .spades:
            path = Self.heart.transformed(by: AffineTransform2D(a: 1, b: 0, c: 0, d: -0.9, tx: 0, ty: -0.1))
            path = path.reversed + Self.foot
        case .clubs:
            for place in [Point2(0, -0.52), Point2(-0.5, 0.18), Point2(0.5, 0.18)] {
                path.append(.circle(place, radius: 0.44))
            }
            path.append(Self.foot)
        }
        return path
    }

    private static var heart: VectorPath {
        var path = VectorPath()
        path.move(to: Point2(0, -0.5))
        path.cubic(Point2(0.12, -0.8), Point2(0.3, -0.95), to: Point2(0.5, -0.95))
        path.cubic(Point2(0.8, -0.95), Point2(0.98, -0.7), to: Point2(0.98, -0.42))
        path.cubic(Point2(0.98, 0.15), Point2(0.25, 0.5), to: Point2(0, 1))
        path.cubic(Point2(-0.25, 0.5), Point2(-0.98, 0.15), to: Point2(-0.98, -0.42))
        path.cubic(Point2(-0.98, -0.7), Point2(-0.8, -0.95), to: Point2(-0.5, -0.95))
        path.cubic(Point2(-0.3, -0.95), Point2(-0.12, -0.8), to: Point2(0, -0.5))
        return path
    }

    private static var foot: VectorPath {
        var path = VectorPath()
        path.move(to: Point2(-0.08, 0))
        path.line(to: Point2(0.08, 0))
        path.cubic(Point2(0.08, 0.5), Point2(0.12, 0.85), to: Point2(0.42, 1))
        path.line(to: Point2(-0.42, 1))
        path.cubic(Point2(-0.12, 0.85), Point2(-0.08, 0.5), to: Point2(-0.08, 0))
        return path
    }
}
