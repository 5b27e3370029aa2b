// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Reads codes whose modules are finer than pixels, in several pictures of the rectangles that they are printed on.
///
/// A few unread rectangles are followed from picture to picture; when some pictures of one have come together, they are fused
/// (``FusedPrint``) and read. A code that was read so stays in its place on the rectangle while that is followed and looks as
/// it did, or until one picture shows the code well enough. What was read or followed in vain makes room for others.
struct FineCodes: Sendable {
    private let reader: CodeReader
    private var prints: [FinePrint] = []
    private var vain: [VainRectangle] = []
    /// For how many pictures nothing is read.
    private var rest = 0

    /// How many rectangles are followed, and how many are looked at when a picture is searched.
    private static let printLimit = 4
    private static let lookLimit = 8
    /// How many rectangles without a code are remembered; of more, the oldest are forgotten.
    private static let vainLimit = 64
    /// For how many pictures nothing is read after a reading, which costs as much as a picture.
    private static let restAfterReading = 2

    /// - Parameter reader: what else reads codes. Here only those are read that correct errors: what several pictures show
    ///   together is an estimate.
    init(beside reader: CodeReader) {
        var kinds = CodeReader.Configuration()
        kinds.symbologies = reader.configuration.symbologies.filter(\.correctsErrors)
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
        guard !reader.configuration.symbologies.isEmpty else { return [] }
        vain = vain.compactMap { $0.next(among: detections) }
        prints = prints.compactMap { print in
            let moved = print.moved(by: follow)
            if moved == nil, print.codes.isEmpty { vain.append(VainRectangle(quad: print.quad, reason: .isLost)) }
            return moved
        }
        if detections.age == 0 {
            for index in prints.indices { prints[index].anchor(to: detections.rectangles) }
        }
        prints.removeAll { print in detections.codes.contains { $0.lies(in: print.quad) } }
        giveUpVain(in: image.size)
        if detections.age == 0 { start(in: pyramid, detections) }
        read(image)
        let codes = prints.flatMap(\.codesInPicture)
        // Of the outlines around one code, one is enough.
        prints.removeAll { print in print.codes.isEmpty && codes.contains { $0.lies(in: print.quad) } }
        return codes
    }

    /// Lets go of what cannot be read.
    private mutating func giveUpVain(in size: ImageSize) {
        vain += prints.filter(\.isReadInVain).map { VainRectangle(quad: $0.quad, reason: .hasNoCode) }
        vain.removeFirst(max(vain.count - Self.vainLimit, 0))
        prints.removeAll { $0.isReadInVain || $0.codes.isEmpty && !PrintSight.isPossible(of: $0.quad, in: size) }
    }

    /// Begins to follow what carries no code yet, the surest rectangles first.
    private mutating func start(in pyramid: ImagePyramid, _ detections: Detections) {
        let codes = detections.codes + prints.flatMap(\.codesInPicture)
        let candidates = detections.rectangles.filter { rectangle in
            PrintSight.isPossible(of: rectangle.quad, in: pyramid.size)
                && !codes.contains { $0.lies(in: rectangle.quad) }
                && !prints.contains { $0.quad.isOutline(ofPrintIn: rectangle.quad) }
                && !vain.contains { $0.quad.isOutline(ofPrintIn: rectangle.quad) }
        }
        for rectangle in candidates.sorted(by: { $0.confidence > $1.confidence }).prefix(Self.lookLimit) {
            guard prints.count < Self.printLimit else { return }
            // One print may have several outlines.
            guard !prints.contains(where: { $0.quad.isOutline(ofPrintIn: rectangle.quad) }) else { continue }
            if let view = FrontalView(of: rectangle.quad, in: pyramid), view.contrast >= CodeReader.leastViewContrast {
                prints.append(FinePrint(quad: rectangle.quad))
            } else {
                vain.append(VainRectangle(quad: rectangle.quad, reason: .hasNoCode))
            }
        }
    }

    /// Keeps what a picture shows of each rectangle, and reads one of them if there is enough of it.
    private mutating func read(_ image: ImageBuffer) {
        rest = max(rest - 1, 0)
        guard !prints.isEmpty else { return }
        let gray = image.gray
        for index in prints.indices { prints[index].look(at: gray) }
        if rest == 0, let due = prints.firstIndex(where: \.isDue) {
            prints[due].read(by: reader)
            rest = Self.restAfterReading + 1
        }
    }
}

/// A rectangle that no code was read in.
private struct VainRectangle: Sendable {
    /// Why not: in how many searches others go first.
    enum Reason: Int { case isLost = 2, hasNoCode = 100 }

    /// Where it was seen last, and how large it was when it was given up, in square pixels.
    private(set) var quad: PixelQuad
    private let area: Double
    private var patience: Int

    /// It is looked at again when its area is larger by this factor.
    private static let growth = 1.15

    init(quad: PixelQuad, reason: Reason) {
        self.quad = quad
        patience = reason.rawValue
        area = abs(quad.signedArea)
    }

    /// The same among the rectangles of the next picture; `nil` once it is to be looked at again.
    func next(among detections: Detections) -> VainRectangle? {
        var next = self
        if detections.age == 0 { next.patience -= 1 }
        let quads = detections.rectangles.lazy.map(\.quad)
        if let seen = quads.first(where: { $0.isOutline(ofPrintIn: quad) }) { next.quad = seen }
        return next.patience >= 0 && abs(next.quad.signedArea) <= Self.growth * area ? next : nil
    }
}

extension DetectedCode {
    /// Whether its middle lies in a rectangle.
    fileprivate func lies(in rectangle: PixelQuad) -> Bool { quad.center.map(rectangle.contains) ?? false }
}

extension PixelQuad {
    /// Whether all corners are closer to another's than an eighth of the shorter side: outlines of one print.
    fileprivate func isOutline(ofPrintIn other: PixelQuad) -> Bool {
        Outline(self, fraction: 0.125).isNear(Outline(other, fraction: 0.125))
    }
}
