// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Looks whether a finger goes on past where its hand's colours end.
///
/// A nail is paler than the skin, and a finger's end is often overexposed, or shaded where it touches something: the hand's colours
/// end there, but the finger's sides do not. Places are given in the finger's radii, from the middle of the end that its colours
/// have, x where it points. At each place on its axis, its middle, what lies just inside of where its sides should be, and what
/// lies outside are compared: of a finger, the first two are alike and the third is not. All is relative to one another, so that
/// light and exposure do not count.
struct FingerContinuation {
    private let image: ImageBuffer
    private let handColors: HandColors
    /// The middle of the end that its colours have, in pixels.
    private let center: Vector2
    /// A radius where the finger points, and across, in pixels.
    private let ahead: Vector2
    private let aside: Vector2

    init(of outline: FingerOutline, pointing direction: Vector2, in image: ImageBuffer, handColors: HandColors) {
        self.image = image
        self.handColors = handColors
        center = outline.center
        ahead = outline.radius * direction
        aside = outline.radius * Vector2(-direction.y, direction.x)
    }

    /// The middle of the finger's end, in its radii from the middle of the end that its colours have, or `nil` where it does not go
    /// on.
    ///
    /// What ends the colours aslant turns the outline that was fitted to them: from step to step the axis may move aside. Where a
    /// nail begins aslant, the middle is of two colours and the sides are less clear for a step or two.
    func end() -> (place: Vector2, closure: Double)? {
        var best: (place: Vector2, closure: Double)?
        var (aside, unclear) = (0.0, 0)
        for step in 1...Self.stepLimit {
            let ahead = Double(step) * Self.stepLength
            let next = Self.shifts.map { shift in
                let place = Vector2(ahead, aside + shift)
                let middle = Middle(of: self, at: place)
                return (place: place, middle: middle, border: border(middle, at: place))
            }.max { $0.border < $1.border }
            guard let next, next.border >= Self.weakDistinction else { break }
            unclear = next.border >= Self.leastDistinction ? 0 : unclear + 1
            guard unclear <= Self.unclearLimit else { break }
            // Where the hand's colours themselves go on, what ended the finger was its shape.
            if ahead >= Self.ownReach, ownShare(at: next.place) > Self.largestOwnShare { break }
            aside = next.place.y
            guard unclear == 0 else { continue }
            let closure = closure(next.middle, at: next.place)
            if ahead >= Self.leastReach, closure >= max(best?.closure ?? 0, Self.leastClosure) {
                best = (next.place, closure)
            }
        }
        return best
    }

    /// 0 … 1: the part of a place's middle that has the hand's colours.
    private func ownShare(at place: Vector2) -> Double {
        let own = Self.middle.count { handColors.evidence(of: SIMD3<Float>(color(at: place + $0))) > 0 }
        return Double(own) / Double(Self.middle.count)
    }

    /// The finger's colour on its axis, and how much it varies there.
    private struct Middle {
        var color: SIMD3<Double>
        var variance: Double

        init(of finger: FingerContinuation, at place: Vector2) {
            let (sum, squares) = FingerContinuation.middle.reduce((SIMD3<Double>.zero, 0.0)) { sums, offset in
                let color = finger.color(at: place + offset)
                return (sums.0 + color, sums.1 + (color * color).sum())
            }
            let count = Double(FingerContinuation.middle.count)
            color = sum / count
            variance = max(squares / count - (color * color).sum(), 0)
        }

        /// −1 … 1: how much more alike what is inside is to the middle than what is outside.
        func distinction(inside: SIMD3<Double>, outside: SIMD3<Double>) -> Double {
            let (near, far) = (inside - color, outside - color)
            let (nearSquare, farSquare) = ((near * near).sum(), (far * far).sum())
            return (farSquare - nearSquare) / (farSquare + nearSquare + variance + FingerContinuation.rounding)
        }
    }

    /// −1 … 1: how clearly the finger has a border on either side of a place on its axis.
    private func border(_ middle: Middle, at place: Vector2) -> Double {
        min(
            distinction(middle, from: place, along: Vector2(0, 1)),
            distinction(middle, from: place, along: Vector2(0, -1)))
    }

    /// How clearly the half circle about a place on the axis is the finger's end.
    private func closure(_ middle: Middle, at place: Vector2) -> Double {
        Self.rays.reduce(0) { $0 + distinction(middle, from: place, along: $1) } / Double(Self.rays.count)
    }

    private func distinction(_ middle: Middle, from origin: Vector2, along ray: Vector2) -> Double {
        func mean(_ distances: [Double]) -> SIMD3<Double> {
            distances.reduce(.zero) { $0 + color(at: origin + $1 * ray) } / Double(distances.count)
        }
        return middle.distinction(inside: mean(Self.inside), outside: mean(Self.outside))
    }

    /// The colour of the pixel at a place; beyond the picture's border, of the border's.
    private func color(at place: Vector2) -> SIMD3<Double> {
        let point = center + place.x * ahead + place.y * aside
        let color = image.color(nearest: point)
        return SIMD3(Double(color.x), Double(color.y), Double(color.z))
    }

    /// Places on the finger's axis about one of them.
    private static let middle: [Vector2] = [-0.4, -0.15, 0.15, 0.4].flatMap { aside in
        [-0.15, 0.15].map { Vector2($0, aside) }
    }
    private static let stepLength = 0.25
    /// How far the axis may move aside at each step.
    private static let shifts = [0, -0.15, 0.15]
    /// From so far ahead on, the hand's own colours are those of another finger, or of the end's shape.
    private static let ownReach = 1.0
    /// Where the colours end aslant or a little farther than a half circle would, half of a place's middle still has them.
    private static let largestOwnShare = 0.5
    /// A nail is less than three radii long.
    private static let stepLimit = 12
    /// What goes on by less, in radii, is the same end, seen a little differently.
    private static let leastReach = 0.75
    /// A border has outside what is twice as unlike the middle, in square colour, as what is inside.
    private static let leastDistinction = 1.0 / 3
    /// … or, where it is not so clear, at least this for so many steps.
    private static let weakDistinction = 0.1
    private static let unclearLimit = 2
    /// An end is seen all round at once, so that more can be asked for: nearly six times as unlike.
    private static let leastClosure = 0.7
    /// The variance, over three channels, that rounding to whole numbers and compression leave in a picture.
    private static let rounding = 12.0
    /// Just inside the border and outside, in radii, with room for a finger that narrows and for what the lens or a motion blurs.
    private static let inside = [0.45, 0.65]
    private static let outside = [1.35, 1.65]
    private static let rays: [Vector2] = (-3...3).map { step in
        let angle = Double(step) * .pi * 25 / 180
        return Vector2(cos(angle), sin(angle))
    }
}

extension Fingertip {
    /// The same finger as far as it goes on past where its colours end; itself where it does not.
    ///
    /// `colors` are those that its end had so far, `handColors` those of the whole hand.
    func continued(in image: ImageBuffer, colors: HandColors, handColors: HandColors) -> Fingertip {
        guard let further = FingerOutline(self).continuation(in: image, colors: colors, handColors: handColors),
            further.confidence >= confidence - Self.confidenceNoise
        else { return self }
        return further
    }

    /// A fit to where the finger goes on may be less sure than the one to the hand's colours by so much.
    private static let confidenceNoise = 0.1
}

extension FingerOutline {
    /// The fingertip whose outline is fitted here, as far as it goes on past where its colours end.
    ///
    /// A nail may leave too little of an outline to its colours: then the finger must go on, and surely.
    func fingertip(_ fitted: Fingertip?, in image: ImageBuffer, colors: HandColors, handColors: HandColors)
        -> Fingertip?
    {
        if let fitted { return fitted.continued(in: image, colors: colors, handColors: handColors) }
        let further = continuation(in: image, colors: colors, handColors: handColors)
        return further.flatMap { $0.confidence >= Self.sureConfidence ? $0 : nil }
    }

    /// What a fit has that no other one backs: less is reached by edges of what lies behind the finger.
    private static let sureConfidence = 0.6

    /// The fingertip where the finger goes on past where its colours end, or `nil` where it does not.
    ///
    /// Where its sides go on, the colours between them and about them are learnt, and the outline is fitted anew.
    fileprivate func continuation(in image: ImageBuffer, colors: HandColors, handColors: HandColors) -> Fingertip? {
        // What ends the colours aslant turns the outline that is fitted to them.
        let ends = Self.turns.compactMap { turn -> (outline: FingerOutline, closure: Double)? in
            let direction = Vector2(cos(angle + turn), sin(angle + turn))
            guard
                let end = FingerContinuation(of: self, pointing: direction, in: image, handColors: handColors)
                    .end()
            else {
                return nil
            }
            return (outline(at: end.place, from: direction), end.closure)
        }
        guard let best = ends.max(by: { $0.closure < $1.closure }) else { return nil }
        let end = best.outline
        var endColors = colors
        endColors.learn(
            hand: image.colors(at: end.pixels(FingerSurroundings.inside)),
            other: image.colors(at: end.pixels(FingerSurroundings.before + FingerSurroundings.beside)),
            rate: Self.learningRate)
        guard let fitted = end.fitted(to: image, colors: endColors),
            (fitted.center.vector - end.center).length < Self.largestMove * radius
        else { return nil }
        return fitted
    }

    /// The finger's outline about a place that is given in its radii, x along a direction; its axis comes from as far behind as
    /// that of the colours is known.
    private func outline(at place: Vector2, from direction: Vector2) -> FingerOutline {
        let across = Vector2(-direction.y, direction.x)
        let axis = (place.x + Self.axisLength) * direction + place.y * across
        var outline = self
        outline.center = center + radius * (place.x * direction + place.y * across)
        outline.angle = atan2(axis.y, axis.x)
        outline.rememberedRadius = radius
        return outline
    }

    /// By how much the finger's direction may be off where its colours end aslant.
    private static let turns = [0, -0.3, 0.3]
    /// How far behind the end of its colours the finger's axis is known, in radii.
    private static let axisLength = 2.0
    /// The end's own colours count as much as all that was known.
    private static let learningRate: Float = 0.5
    /// A fit may lie so far, in radii, from where the end was seen.
    private static let largestMove = 0.75
}
