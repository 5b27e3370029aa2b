// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// What is known of a finger that was seen.
struct FingerMemory: Sendable {
    private(set) var fingertip: Fingertip
    /// What made the picture bright enough in which it was first seen; later ones get no more, unless the camera exposes them less.
    private let exposure: Exposure
    /// Whether the last picture was exposed otherwise than those before it, and the finger in it as well.
    private var isStepped = false
    /// How bright the finger's end is in the pictures as they were judged, in its logarithm, smoothed.
    private var brightness: Double?
    /// The picture in which it was last seen.
    private(set) var lastPicture: ImageBuffer
    /// The same reduced, if that was needed.
    private(set) var lastReduced: ReducedPicture?
    /// The colours of its hand, and of what is about it.
    private(set) var colors: HandColors
    /// The same, as the finger's end and what lies before it show them now: no more than these tell the two apart.
    private(set) var endColors: HandColors
    /// The finger's radius, smoothed: it changes slowly.
    private(set) var radius: Double
    /// How many square pixels the hand fills, smoothed.
    private(set) var handArea: Double
    /// The way from the hand's middle to the fingertip's in the last picture in which it was seen as a whole.
    private(set) var tipFromHand: Vector2
    /// Pixels from the last picture to the next one, as far as they can be told.
    private(set) var velocity = Vector2.zero
    /// In how many pictures it was not seen since.
    private(set) var lostCount = 0
    /// In how many pictures the hand was neither seen as a whole nor looked for without being clear.
    private var picturesSinceHand = 0

    /// Every so many pictures the hand is drawn as a whole, however clear its finger is: light changes.
    private static let handInterval = 8

    init(_ hand: FoundHand, in image: ImageBuffer) {
        exposure = hand.exposure
        colors = hand.colors
        colors.expectOtherLight()
        endColors = colors
        fingertip = hand.fingertip
        radius = hand.fingertip.radius
        handArea = hand.area
        tipFromHand = hand.fingertip.center.vector - hand.middle.vector
        lastPicture = exposure.applied(to: image)
        brightness = hand.fingertip.brightness(in: lastPicture)
    }

    /// The finger in the next picture; what is remembered moves on to it.
    ///
    /// Mostly it is close to where it was. Where it is not clearly seen there, nor just as it was to be expected, the whole picture
    /// is searched.
    mutating func follow(in raw: ImageBuffer, minimumConfidence: Double) -> Fingertip? {
        let usual = exposure.limited(for: raw)
        let exposure = usual.matching(raw, to: lastPicture, colors: colors, isStepped: isStepped)
        let step = log(exposure.gain / usual.gain)
        let image = exposure.applied(to: raw)
        let near = nearSight(in: image, minimumConfidence: minimumConfidence)
        if let near, near.isClear || near.cost < Self.expectedCost {
            isStepped = shares(step, near.fingertip, in: image)
            let image = isStepped || step == 0 ? image : usual.applied(to: raw)
            remember(near, in: image)
            learnEnd(image)
            if picturesSinceHand >= Self.handInterval {
                // A hand that cannot be drawn is not tried again in each picture either.
                picturesSinceHand = 0
                let picture = ReducedPicture(image, fingerRadius: radius)
                lastReduced = picture
                if let region = handRegion(in: picture) { remember(region, in: picture) }
            }
            return fingertip
        }
        let picture = ReducedPicture(image, fingerRadius: radius)
        if lastReduced?.factor != picture.factor { lastReduced = ReducedPicture(lastPicture, factor: picture.factor) }
        guard let sight = farSight(in: picture, of: image, near: near, minimumConfidence: minimumConfidence) else {
            lostCount += 1
            isStepped = false
            return nil
        }
        // Whether there was a step, the hand's colours told where it began; the brightness of long ago does not tell.
        isStepped = step != 0
        remember(sight, in: image)
        lastReduced = picture
        if let region = sight.region { remember(region, in: picture) }
        endColors = colors
        return fingertip
    }

    /// Whether a finger that was found in a picture brightened against a step of the camera's gain shares the step: with it, the
    /// finger is nearer to its usual brightness than without.
    ///
    /// An even ground in another's place may pass for a step as long as only colours are counted; a finger that is found says
    /// more. Law: `ExposureTests.whatTheFingerDoesNotShareIsNoStep`.
    private func shares(_ step: Double, _ fingertip: Fingertip, in image: ImageBuffer) -> Bool {
        guard step != 0 else { return false }
        guard let brightness, let seen = fingertip.brightness(in: image) else { return true }
        return abs(seen - brightness) <= abs(seen - step - brightness)
    }

    private mutating func remember(_ sight: Sight, in image: ImageBuffer) {
        // Hands stop sooner than they go on.
        velocity = lostCount == 0 ? 0.6 * (sight.fingertip.center.vector - fingertip.center.vector) : .zero
        velocity *= min(1, Self.largestVelocity * radius / max(velocity.length, 1e-9))
        fingertip = sight.fingertip
        lastPicture = image
        lastReduced = nil
        radius += 0.15 * (fingertip.radius - radius)
        lostCount = 0
        picturesSinceHand += 1
    }

    /// In radii of the finger: what moved farther between two pictures is a hand that was swung, and ends anywhere.
    private static let largestVelocity = 2.0

    private mutating func remember(_ region: HandRegion, in picture: ReducedPicture) {
        picturesSinceHand = 0
        tipFromHand = fingertip.center.vector - picture.pixel(region.centroid).vector
        handArea += 0.2 * (region.area(in: picture) - handArea)
        guard fingertip.confidence >= Self.learningConfidence else { return }
        let kinds = region.kinds(width: picture.width, height: picture.height)
        colors.learn(picture, rate: 0.2) { kinds[$0] == 2 ? nil : kinds[$0] == 1 }
    }

    /// The hand of a finger that is seen less surely may have grown together with something.
    private static let learningConfidence = 0.7

    /// Learns the colours of the finger's end, and of what lies before it; nothing where the picture shows too little of either.
    private mutating func learnEnd(_ image: ImageBuffer) {
        let inside = fingertip.pixels(FingerSurroundings.inside).filter(image.contains)
        let before = fingertip.pixels(FingerSurroundings.before).filter(image.contains)
        guard Double(inside.count) >= Self.leastShown * Double(FingerSurroundings.inside.count),
            Double(before.count) >= Self.leastShown * Double(FingerSurroundings.before.count)
        else { return }
        let handColors = image.colors(at: inside)
        endColors.learn(hand: handColors, other: image.colors(at: before), rate: 0.1)
        let seen = Self.brightness(of: handColors)
        brightness = (brightness ?? seen) + Self.brightnessRate * (seen - (brightness ?? seen))
    }

    /// The logarithm of the median green.
    fileprivate static func brightness(of colors: [SIMD3<UInt8>]) -> Double {
        log(1 + Double(colors.map(\.y).sorted()[colors.count / 2]))
    }

    /// A finger that turns, or comes into a shadow, changes its brightness within some pictures.
    private static let brightnessRate = 0.3

    /// A share of the places: what is before a finger that leaves the picture is seen in a few pixels that say little.
    private static let leastShown = 0.3
}

extension Fingertip {
    /// How bright the finger's end is in a picture, in its logarithm; `nil` where the picture shows nothing of it.
    fileprivate func brightness(in image: ImageBuffer) -> Double? {
        let inside = pixels(FingerSurroundings.inside).filter(image.contains)
        return inside.isEmpty ? nil : FingerMemory.brightness(of: image.colors(at: inside))
    }
}

extension ReducedPicture {
    /// The picture reduced as far as a finger of this radius allows.
    init(_ image: ImageBuffer, fingerRadius: Double) {
        let least = (image.size.width + FingertipFinder.reducedWidth - 1) / FingertipFinder.reducedWidth
        self.init(image, factor: max(least, min(Int(fingerRadius / Self.leastRadius), Self.largestFactor), 1))
    }

    /// A finger's radius in pixels of the reduced picture: fewer do not show whether it is one.
    private static let leastRadius = 3.0
    /// Hands that fill the picture are seen well enough in a few thousand pixels.
    private static let largestFactor = 8
}
