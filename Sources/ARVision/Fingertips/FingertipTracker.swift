// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Follows the end of a pointing finger from picture to picture.
///
/// ```swift
/// var tracker = FingertipTracker()
/// for image in pictures {
///     if let fingertip = tracker.next(image) { … }
/// }
/// ```
///
/// It begins with a tap (``start(at:in:)``), or with what a ``FingertipFinder`` finds. In each picture the shape of a
/// finger's end is looked for about the place that its motion lets expect, in the colours that it and what is before it
/// had so far. Where it is not clear there, it is looked for in the whole picture, and at the ends of the hands that
/// are drawn from the hand's colours, and the one goes on that lies, points, and is as wide as was to be expected. Its
/// outline is fitted to the picture itself. What does not end in a finger's outline is no fingertip: a tracker that has
/// lost it says so, looks for the same colours for a while, and then for any hand.
public struct FingertipTracker: Sendable {
    /// How a fingertip is found without a tap; `nil`: only where one taps.
    public var finder: FingertipFinder?
    /// The least confidence of a fingertip that is reported.
    public var minimumConfidence: Double
    /// The fingertip in the last picture, or `nil` where it was not seen.
    public private(set) var fingertip: Fingertip?

    private var memory: FingerMemory?
    /// The size of the picture in which the finger that is followed was found: its place and its width hold for no other.
    private var size: ImageSize?
    private var picturesSinceSearch = Self.searchInterval

    /// A lost fingertip's colours are looked for in this many pictures.
    private static let patience = 15
    /// Where nothing is known, one picture in this many is searched.
    private static let searchInterval = 3

    /// A tracker that has seen nothing yet.
    public init(finder: FingertipFinder? = FingertipFinder(), minimumConfidence: Double = 0.45) {
        self.finder = finder
        self.minimumConfidence = minimumConfidence
    }

    /// Forgets the finger that was followed.
    public mutating func reset() {
        memory = nil
        size = nil
        fingertip = nil
        picturesSinceSearch = Self.searchInterval
    }

    /// Begins with the finger that ends at a pixel of a picture of format `rgb8`; `nil` where there is none near.
    @discardableResult
    public mutating func start(at pixel: PixelPoint, in image: ImageBuffer) -> Fingertip? {
        begin(with: FingertipFinder(minimumConfidence: 0.3).findHand(in: image, near: pixel), in: image)
    }

    /// Begins with the finger that ends where a view that shows the picture was tapped, whichever way it is turned.
    @discardableResult
    public mutating func start(at point: ViewPoint, of viewport: Viewport, in image: ImageBuffer) -> Fingertip? {
        start(at: PixelPoint(point, in: viewport, imageSize: image.size), in: image)
    }

    /// The fingertip in the next picture, of format `rgb8`, or `nil` where it is not seen. A picture of another size than those
    /// so far begins anew, as after ``reset()``.
    public mutating func next(_ image: ImageBuffer) -> Fingertip? {
        precondition(
            image.format == .rgb8, "fingers are followed by their colour: the picture must be rgb8, not \(image.format)"
        )
        if let size, size != image.size { reset() }
        guard let lostCount = memory?.lostCount, lostCount < Self.patience else { return search(image) }
        fingertip = memory?.follow(in: image, minimumConfidence: minimumConfidence)
        return fingertip
    }

    private mutating func search(_ image: ImageBuffer) -> Fingertip? {
        fingertip = nil
        picturesSinceSearch += 1
        guard let finder, picturesSinceSearch >= Self.searchInterval else { return nil }
        picturesSinceSearch = 0
        return begin(with: finder.findHand(in: image), in: image)
    }

    private mutating func begin(with hand: FoundHand?, in image: ImageBuffer) -> Fingertip? {
        fingertip = hand?.fingertip
        memory = hand.map { FingerMemory($0, in: image) }
        size = hand.map { _ in image.size }
        return fingertip
    }
}
