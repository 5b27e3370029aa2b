// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARVision
import ARWorld

/// What a session looks for in its pictures. By default nothing is: searching costs time.
public struct PictureSearch: Hashable, Sendable {
    /// Which rectangles are looked for; `nil` for none.
    public var rectangles: RectangleDetector.Configuration?
    /// Which codes are looked for; `nil` for none.
    public var codes: CodeReader.Configuration?
    /// Every how many frames is searched. In those between, what was found is followed.
    public var interval: Int

    /// A search for nothing, unless told otherwise.
    public init(
        rectangles: RectangleDetector.Configuration? = nil, codes: CodeReader.Configuration? = nil, interval: Int = 3
    ) {
        precondition(interval >= 1, "every frame is searched, or every n-th, not every \(interval)th")
        self.rectangles = rectangles
        self.codes = codes
        self.interval = interval
    }

    /// What finds things on tables and walls: cards from a twelfth of the picture's height on, tilted by up to 60°, with the codes on
    /// them. Vision's own limits of shape hold for pictures of sheets that are looked at from above: a card of 63 × 88 mm passes them
    /// up to 40° or so.
    public static let cards: PictureSearch = {
        var rectangles = RectangleDetector.Configuration()
        rectangles.minimumAspectRatio = 0.3
        rectangles.quadratureTolerance = 45 * .pi / 180
        rectangles.minimumSize = 0.08
        rectangles.minimumConfidence = 0.5
        rectangles.maximumObservations = 0
        return PictureSearch(rectangles: rectangles, codes: CodeReader.Configuration())
    }()
}

/// Looks at a session's pictures: what they show, and what of it has a place in the world.
struct PictureWatch: Sendable {
    private var sequence: DetectionSequence?
    private var tracker: RectangleTracker?

    init(_ search: PictureSearch) {
        guard search.rectangles != nil || search.codes != nil else { return }
        sequence = DetectionSequence(
            detector: search.rectangles.map(RectangleDetector.init), reader: search.codes.map(CodeReader.init),
            interval: search.interval)
        if search.rectangles != nil { tracker = RectangleTracker() }
    }

    /// What is in a picture, and the rectangles of the world that are known by then; `nil` where nobody looks.
    mutating func look(
        at frame: FoundFrame, in snapshot: WorldSnapshot
    ) -> (detections: Detections?, rectangles: [TrackedRectangle]?) {
        guard let detections = sequence?.next(frame.image) else { return (nil, nil) }
        return (detections, tracker?.update(with: detections, in: snapshot))
    }
}
