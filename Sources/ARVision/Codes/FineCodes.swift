// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Reads codes whose modules are finer than pixels, in several pictures of the rectangles that they are printed on.
///
/// A few unread rectangles are followed from picture to picture; when some pictures of one have come together, they are fused
/// (``FusedPrint``) and read. A code that was read so stays in its place on the rectangle while that is followed, or until one
/// picture shows it well enough.
struct FineCodes: Sendable {
    private let reader: CodeReader
    private var prints: [FinePrint] = []

    /// How many rectangles are followed.
    private static let printLimit = 4
    /// After how many pictures of a rectangle it is read; then no more, until its area is larger by this factor.
    private static let tries = [6, 12, 18]
    private static let growth = 1.15
    /// The least standard deviation of light where a code may be, in grey levels.
    private static let leastContrast = 20.0

    /// - Parameter reader: what else reads codes. Here only those are read that correct errors: what several pictures show
    ///   together is an estimate, in which bars are soon seen.
    init(beside reader: CodeReader) {
        var kinds = CodeReader.Configuration()
        kinds.symbologies = reader.configuration.symbologies.filter { !$0.isLinear }
        self.reader = CodeReader(kinds)
    }

    /// Takes the next picture in and returns the codes that are known in it, but those that it shows by itself.
    ///
    /// - Parameters:
    ///   - detections: what is known of the picture alone.
    ///   - follow: where a rectangle of the picture before is in this one.
    mutating func next(
        _ image: ImageBuffer, pyramid: ImagePyramid, detections: Detections, follow: (PixelQuad) -> PixelQuad?
    ) -> [DetectedCode] {
        prints = prints.compactMap { print in
            guard let quad = follow(print.quad) else { return nil }
            var print = print
            print.quad = quad
            return print
        }
        prints.removeAll { print in detections.codes.contains { $0.lies(in: print.quad) } }
        if detections.age == 0 { start(in: pyramid, detections) }
        let gray = image.gray
        for index in prints.indices where prints[index].codes.isEmpty {
            prints[index].collect(from: gray, limit: Self.tries.last ?? 0, growth: Self.growth)
        }
        // Reading costs as much as a picture: one rectangle at a time.
        if let due = prints.firstIndex(where: { $0.isDue(after: Self.tries) }) { prints[due].read(by: reader) }
        let codes = prints.flatMap(\.codesInPicture)
        // Of the outlines around one code, one is enough.
        prints.removeAll { print in print.codes.isEmpty && codes.contains { $0.lies(in: print.quad) } }
        return codes
    }

    /// Begins to follow what carries no code yet, the surest rectangles first.
    private mutating func start(in pyramid: ImagePyramid, _ detections: Detections) {
        for rectangle in detections.rectangles.sorted(by: { $0.confidence > $1.confidence }) {
            guard prints.count < Self.printLimit else { return }
            guard !detections.codes.contains(where: { $0.lies(in: rectangle.quad) }),
                !prints.contains(where: { print in print.codesInPicture.contains { $0.lies(in: rectangle.quad) } }),
                !prints.contains(where: { $0.quad.isNear(rectangle.quad) }),
                let view = FrontalView(of: rectangle.quad, in: pyramid), view.contrast >= Self.leastContrast
            else { continue }
            prints.append(FinePrint(quad: rectangle.quad))
        }
    }
}

/// A rectangle that may carry a code.
private struct FinePrint: Sendable {
    var quad: PixelQuad
    var sights: [PrintSight] = []
    /// Its codes, with corners in sides of the rectangle.
    var codes: [DetectedCode] = []
    /// How many times its pictures were read, and how large it was the last time, in square pixels.
    private var tryCount = 0
    private var areaTried = 0.0

    init(quad: PixelQuad) { self.quad = quad }

    /// Keeps what a picture shows, as long as more is wanted.
    mutating func collect(from image: ImageBuffer, limit: Int, growth: Double) {
        if sights.count >= limit, abs(quad.signedArea) > growth * areaTried, areaTried > 0 {
            sights.removeAll()
            tryCount = 0
        }
        guard sights.count < limit, let sight = PrintSight(of: quad, in: image) else { return }
        sights.append(sight)
    }

    /// Whether it has as many pictures as the next reading wants.
    func isDue(after tries: [Int]) -> Bool {
        codes.isEmpty && tryCount < tries.count && sights.count >= tries[tryCount]
    }

    mutating func read(by reader: CodeReader) {
        tryCount += 1
        areaTried = abs(quad.signedArea)
        guard let print = FusedPrint(sights) else { return }
        codes = reader.read(in: print.image).compactMap { code in
            print.inUnitSquare(code.quad).map { quad in
                var code = code
                code.quad = quad
                return code
            }
        }
        if !codes.isEmpty { sights.removeAll() }
    }

    /// The codes where they are now.
    var codesInPicture: [DetectedCode] {
        guard let pictureFromUnit = quad.pixelFromUnitSquare else { return [] }
        return codes.compactMap { code in
            pictureFromUnit.image(of: code.quad, within: PixelQuad.farthestCorner).map { quad in
                var code = code
                code.quad = quad
                return code
            }
        }
    }
}

extension DetectedCode {
    /// Whether its middle lies in a rectangle.
    fileprivate func lies(in rectangle: PixelQuad) -> Bool { quad.center.map(rectangle.contains) ?? false }
}

extension PixelQuad {
    /// Whether all corners are closer to another's than an eighth of the shorter side: outlines of one print.
    fileprivate func isNear(_ other: PixelQuad) -> Bool {
        let limit = 0.125 * min(width, height)
        return (0..<4).contains { turn in
            zip(corners, other.turned(by: turn).corners).allSatisfy { $0.distance(to: $1) < limit }
        }
    }
}
