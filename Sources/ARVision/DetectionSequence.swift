// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision

/// What is known of a picture's rectangles and codes.
public struct Detections: Hashable, Sendable {
    /// The rectangles, in the order in which they were detected.
    public var rectangles: [DetectedRectangle] = []
    /// The codes, the largest first.
    public var codes: [DetectedCode] = []
    /// How many pictures ago they were detected: 0 in the picture that was searched.
    public var age = 0
    /// Which rectangles were looked for in this picture, so that what is missing tells something, too; `nil` where none were, as in
    /// pictures in which they are only followed.
    public var searched: RectangleDetector.Configuration?

    /// Nothing.
    public init() {}

    /// The rectangles and the codes of one picture: what both detectors find in turn, but the picture is reduced once for both.
    ///
    /// - Parameters:
    ///   - detector: finds the rectangles; without one there are none.
    ///   - reader: finds the codes, in the rectangles too; without one there are none.
    ///
    /// Law: `DetectionSequenceTests.bothAtOnceFindWhatTheyFindInTurn`.
    public init(in image: ImageBuffer, detector: RectangleDetector?, reader: CodeReader?) {
        self.init(in: image, pyramid: ImagePyramid(forDetectionsIn: image), detector: detector, reader: reader)
    }

    /// - Parameter pyramid: the picture's.
    init(in image: ImageBuffer, pyramid: ImagePyramid, detector: RectangleDetector?, reader: CodeReader?) {
        rectangles = detector?.detect(in: pyramid) ?? []
        searched = detector?.configuration
        codes = reader?.read(in: image, pyramid: pyramid, rectangles: rectangles) ?? []
    }
}

extension ImagePyramid {
    /// A picture in all sizes in which rectangles and codes are looked for.
    init(forDetectionsIn image: ImageBuffer) {
        self.init(size: image.size, levelCount: Int(CVISION_MAX_PYRAMID_LEVELS))
        fill(with: image)
    }
}

/// Rectangles and codes in a sequence of pictures: searched for in every n-th, followed through the others.
///
/// Points inside each outline are followed from picture to picture by their surroundings, a homography through them
/// carries the corners along, and the sides are fitted to the edges again, so that no error adds up. What cannot be
/// followed is gone until the next search.
///
/// Matrix codes in rectangles whose modules are finer than pixels are read from several pictures together. Law:
/// `FineCodeTests.severalPicturesShowWhatNoneDoes`.
public struct DetectionSequence: Sendable {
    /// Every how many pictures is searched: 1 searches all.
    public let interval: Int
    private let detector: RectangleDetector?
    private let reader: CodeReader?
    private var fineCodes: FineCodes?
    private var previous: (pyramid: ImagePyramid, detections: Detections)?

    /// A sequence in which rectangles, codes or both are looked for.
    public init(detector: RectangleDetector?, reader: CodeReader?, interval: Int) {
        precondition(interval >= 1, "every picture is searched, or every n-th, not every \(interval)th")
        self.detector = detector
        self.reader = reader
        self.interval = interval
        fineCodes = reader.map(FineCodes.init(beside:))
    }

    /// What is known of the next picture. A picture of another size begins a new sequence.
    public mutating func next(_ image: ImageBuffer) -> Detections {
        guard min(image.size.width, image.size.height) >= 16 else {
            startAgain()
            return Detections()
        }
        let pyramid = ImagePyramid(forDetectionsIn: image)
        if previous?.pyramid.size != image.size { startAgain() }
        let follower = previous.map { QuadFollower(from: $0.pyramid, to: pyramid) }
        var detections = Detections()
        if let follower, let previous, previous.detections.age + 1 < interval {
            detections = follower.follow(previous.detections)
        } else {
            detections = Detections(in: image, pyramid: pyramid, detector: detector, reader: reader)
        }
        previous = (pyramid, detections)
        let fine = fineCodes?.next(image, pyramid: pyramid, detections: detections) { follower?.followed($0)?.quad }
        let codes = (detections.codes + (fine ?? [])).largestFirst()
        let limit = reader?.configuration.maximumObservations ?? 0
        detections.codes = limit > 0 ? Array(codes.prefix(limit)) : codes
        return detections
    }

    /// Forgets all pictures.
    private mutating func startAgain() {
        previous = nil
        fineCodes = reader.map(FineCodes.init(beside:))
    }
}

/// Carries outlines from one picture to the next.
private struct QuadFollower {
    let from, to: ImagePyramid

    private static let leastCorrelation: Float = 0.8
    private static let leastPoints = 8

    func follow(_ detections: Detections) -> Detections {
        var followed = Detections()
        followed.age = detections.age + 1
        let refinement = EdgeRefinement(pyramid: to)
        followed.rectangles = detections.rectangles.compactMap { self.followed($0.quad) }
        followed.codes = detections.codes.compactMap { code in
            code.moved { quad in
                moved(quad).map { moved in
                    let fitted =
                        code.isMirrored ? nil : refinement.refined(moved, reach: 1, polarity: -1, leastSupport: 0.15)
                    return fitted ?? moved
                }
            }
        }
        return followed
    }

    /// A rectangle with its sides fitted to the edges again; `nil` where it is lost.
    func followed(_ quad: PixelQuad) -> DetectedRectangle? {
        guard let moved = moved(quad),
            let fitted = QuadRefinement(pyramid: to, coarsestLevel: 1).refined(moved), fitted.confidence > 0.3
        else { return nil }
        // The names stay with the corners, whichever way the rectangle turns.
        let named = (0..<4).map { fitted.quad.turned(by: $0) }.min {
            $0.cornerDistance(to: moved) < $1.cornerDistance(to: moved)
        }
        return named.map {
            DetectedRectangle(
                quad: $0, confidence: fitted.confidence, cornerDeviationPixels: fitted.cornerDeviationPixels)
        }
    }

    /// An outline carried along by the points inside it; `nil` where too few of them are found again.
    private func moved(_ quad: PixelQuad) -> PixelQuad? {
        let steps = [0.02, 0.2, 0.4, 0.6, 0.8, 0.98]
        let points = steps.flatMap { v in steps.compactMap { u in quad.point(u, v) } }.filter(from.size.contains)
        let flows = from.flow(of: points, to: to, startingAt: points, levels: 0...to.levelCount - 1)
        var pairs = zip(points, flows).filter {
            $1.outcome == CVISION_FLOW_FOLLOWED && $1.correlation >= Self.leastCorrelation
        }.map { (from: $0.vector, to: Vector2($1.x_px, $1.y_px)) }
        // Twice, without what the first homography does not carry along.
        for _ in 0..<2 {
            guard pairs.count >= Self.leastPoints,
                let homography = Matrix3x3(homographyFrom: pairs.map(\.from), to: pairs.map(\.to))
            else { return nil }
            let errors = pairs.map { pair in
                homography.image(of: pair.from).map { ($0 - pair.to).length } ?? .infinity
            }
            let limit = max(3 * errors.sorted()[errors.count / 2], 0.5)
            pairs = zip(pairs, errors).filter { $1 <= limit }.map(\.0)
        }
        guard pairs.count >= Self.leastPoints,
            let homography = Matrix3x3(homographyFrom: pairs.map(\.from), to: pairs.map(\.to))
        else { return nil }
        return homography.image(of: quad, within: PixelQuad.farthestCorner)
    }
}

extension PixelQuad {
    /// The sum of the squared distances between corners of the same name.
    func cornerDistance(to other: PixelQuad) -> Double {
        zip(corners, other.corners).reduce(0) { $0 + ($1.0.vector - $1.1.vector).squaredLength }
    }
}
