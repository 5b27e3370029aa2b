// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A rectangle that may carry a code: what was seen of it, or what was read.
struct FinePrint: Sendable {
    private(set) var quad: PixelQuad
    private var sights: [PrintSight] = []
    /// What was read, its codes with corners in sides of the rectangle.
    private var reading: (print: FusedPrint, codes: [DetectedCode])?
    /// How many times its pictures were read.
    private var tryCount = 0
    /// In how many pictures in a row it has not looked as it was read.
    private var mismatchCount = 0

    /// After how many pictures it is read.
    private static let tries = [6, 12, 18]
    /// The least correlation of a code's light with what was read, and in how many pictures in a row it may be less.
    private static let leastCorrelation = 0.8
    private static let mismatchLimit = 4
    /// How far an outline is from another, as a share of the shorter side, for both to be the same: what the detector takes
    /// for one.
    private static let sameness = 1.0 / 12

    init(quad: PixelQuad) { self.quad = quad }

    /// The codes in sides of the rectangle.
    var codes: [DetectedCode] { reading?.codes ?? [] }

    /// Whether as many pictures of it are there as the next reading wants.
    var isDue: Bool { reading == nil && tryCount < Self.tries.count && sights.count >= Self.tries[tryCount] }

    /// Whether no reading is left.
    var isReadInVain: Bool { reading == nil && tryCount == Self.tries.count }

    /// The rectangle in the next picture; `nil` where it has none.
    func moved(by follow: (PixelQuad) -> PixelQuad?) -> FinePrint? {
        follow(quad).map { quad in
            var print = self
            print.quad = quad
            return print
        }
    }

    /// Takes the place at which it was detected anew, if it was.
    mutating func anchor(to rectangles: [DetectedRectangle]) {
        let mine = Outline(quad, fraction: Self.sameness)
        let turned = rectangles.lazy.map(\.quad).filter { mine.isNear(Outline($0, fraction: Self.sameness)) }
            .flatMap { detected in (0..<4).map { detected.turned(by: $0) } }
        quad = turned.min { $0.cornerDistance(to: quad) < $1.cornerDistance(to: quad) } ?? quad
    }

    /// Keeps what a grey picture shows; or, once a code was read, compares it with that.
    mutating func look(at image: ImageBuffer) {
        guard let reading else {
            if sights.count < Self.tries.last ?? 0, let sight = PrintSight(of: quad, in: image) { sights.append(sight) }
            return
        }
        let correlations = reading.codes.compactMap { code in
            reading.print.correlation(with: image, at: quad, over: code.quad)
        }
        guard let least = correlations.min() else { return }
        mismatchCount = least < Self.leastCorrelation ? mismatchCount + 1 : 0
        if mismatchCount > Self.mismatchLimit { self = FinePrint(quad: quad) }
    }

    /// Reads what all pictures show together.
    mutating func read(by reader: CodeReader) {
        tryCount += 1
        guard let print = FusedPrint(sights) else { return }
        let codes = reader.read(in: print.image).compactMap { $0.moved(by: print.inUnitSquare) }
        guard !codes.isEmpty else { return }
        reading = (print, codes)
        sights.removeAll()
    }

    /// The codes where they are now.
    var codesInPicture: [DetectedCode] {
        guard let pictureFromUnit = quad.pixelFromUnitSquare else { return [] }
        return codes.compactMap { code in
            code.moved { pictureFromUnit.image(of: $0, within: PixelQuad.farthestCorner) }
        }
    }
}
