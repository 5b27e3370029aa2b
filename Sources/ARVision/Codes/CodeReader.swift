// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CCodes

/// Reads codes in pictures: payload, symbology and corners.
///
/// ZXing reads the picture as it is. Codes that are seen at a slant, of which it reads half, are turned to the front first:
/// QR codes by the homography of their finder patterns, all others by the rectangles that they lie in. Nothing is
/// remembered from picture to picture, and the same picture gives the same codes.
///
/// One picture gives at most 64 codes that ZXing reads as they are, with 65,536 bytes of payload together; of the QR codes
/// that it does not, the 12 places are looked at whose finder patterns, 48 at most, agree best; and of the rectangles given,
/// the first two that hold no code yet. Pictures have at most ``RectangleDetector/largestSide`` columns and rows.
public struct CodeReader: Sendable {
    /// What is read.
    public struct Configuration: Hashable, Sendable {
        /// The kinds of codes that are looked for. Each costs time, the linear ones most.
        public var symbologies = Set(CodeSymbology.allCases)
        /// How many codes are reported at most; 0 sets no limit.
        public var maximumObservations = 0

        /// The defaults.
        public init() {}
    }

    /// What is read.
    public let configuration: Configuration

    /// A reader of such codes.
    public init(_ configuration: Configuration = Configuration()) {
        precondition(
            configuration.maximumObservations >= 0, "\(configuration.maximumObservations) codes cannot be observed")
        self.configuration = configuration
    }

    /// How many places with finder patterns, and how many rectangles are looked at from the front, at most.
    private static let placeLimit = 12
    private static let rectangleLimit = 2
    /// The least standard deviation of light where a code may be, in grey levels.
    static let leastViewContrast = 20.0

    /// The codes in a picture, the largest first. Colour is not looked at.
    ///
    /// - Parameter rectangles: where else codes may lie, as a ``RectangleDetector`` found them in the same picture: what
    ///   stands in the first two that no code was read in is also read from the front.
    public func read(in image: ImageBuffer, rectangles: [DetectedRectangle] = []) -> [DetectedCode] {
        read(in: image, pyramid: ImagePyramid(forDetectionsIn: image), rectangles: rectangles)
    }

    /// - Parameter pyramid: the picture's.
    func read(in image: ImageBuffer, pyramid: ImagePyramid, rectangles: [DetectedRectangle]) -> [DetectedCode] {
        guard image.size.width >= 8, image.size.height >= 8 else { return [] }
        let decoder = CodeDecoder(symbologies: configuration.symbologies)
        let gray = image.gray
        let corners = CodeCorners(pyramid: pyramid, image: gray)
        var codes = decoder.decode(gray, effort: CCODES_THOROUGH)
        if configuration.symbologies.contains(.qr) {
            let located = QRLocator(pyramid: pyramid).locate()
            codes = codes.map { code in corners.refined(code, located: located) }
            for place in located.prefix(Self.placeLimit) where !codes.contains(where: { $0.overlaps(place.quad) }) {
                if let code = read(place, in: pyramid, with: corners) { codes.append(code) }
            }
        } else {
            codes = codes.map { corners.refined($0, located: []) }
        }
        // QR codes were found by their patterns.
        let others = CodeDecoder(symbologies: configuration.symbologies.subtracting([.qr]))
        let unread = rectangles.filter { rectangle in !codes.contains { $0.overlaps(rectangle.quad) } }
        for rectangle in unread.prefix(others.symbologies.isEmpty ? 0 : Self.rectangleLimit) {
            for code in read(rectangle.quad, in: pyramid, with: others)
            where !codes.contains(where: { $0.overlaps(code.quad) }) {
                codes.append(corners.refined(code, located: []))
            }
        }
        codes = codes.largestFirst()
        let limit = configuration.maximumObservations
        return limit > 0 ? Array(codes.prefix(limit)) : codes
    }

    /// Reads a QR code from the front: by its finder patterns alone, then with its outline fitted as well.
    private func read(
        _ place: LocatedQRCode, in pyramid: ImagePyramid, with corners: CodeCorners
    ) -> DetectedCode? {
        let decoder = CodeDecoder(symbologies: [.qr])
        let outlined = corners.outline(place)
        // What one size of modules hides from the reader's blocks, another shows.
        for scale in [4, 6] {
            for located in [outlined, place].compactMap({ $0 }) {
                let view = FrontalView(of: located, scale: scale, in: pyramid)
                let bent = BentCode(
                    view: view.image, scale: scale, moduleCount: located.moduleCount, quiet: FrontalView.quietZone)
                guard
                    var code = decoder.decode(view.image, effort: CCODES_UPRIGHT).first
                        ?? bent.straightened().flatMap({ decoder.decode($0, effort: CCODES_UPRIGHT).first })
                else { continue }
                code.quad = code.isMirrored ? located.mirrored.quad : located.quad
                return code
            }
        }
        // Of mirrored codes, the reader reads some only when they are turned over.
        let mirrored = (outlined ?? place).mirrored
        let view = FrontalView(of: mirrored, scale: 4, in: pyramid)
        return decoder.decode(view.image, effort: CCODES_UPRIGHT).first.map { code in
            var code = code
            code.quad = mirrored.quad
            code.isMirrored = true
            return code
        }
    }

    /// Reads what stands in a rectangle from the front.
    private func read(_ quad: PixelQuad, in pyramid: ImagePyramid, with decoder: CodeDecoder) -> [DetectedCode] {
        guard let view = FrontalView(of: quad, in: pyramid), view.contrast >= Self.leastViewContrast else { return [] }
        return decoder.decode(view.image, effort: CCODES_THOROUGH).compactMap { view.inPicture($0) }
    }
}

extension DetectedCode {
    /// Whether one's middle lies in the other.
    fileprivate func overlaps(_ other: PixelQuad) -> Bool {
        let mine = isMirrored ? PixelQuad(corners: quad.corners.reversed()) : quad
        return (mine.center.map { other.contains($0) } ?? false) || (other.center.map { mine.contains($0) } ?? false)
    }
}
