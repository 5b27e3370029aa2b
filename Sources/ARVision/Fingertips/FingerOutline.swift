// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// The outline of a finger's end, fitted to a picture: half a circle, and two straight sides that may part towards the hand.
struct FingerOutline: Sendable {
    /// The circle's centre, in pixels.
    var center: Vector2
    /// Where the finger points, as the angle from +x to +y.
    var angle: Double
    /// The circle's radius.
    var radius: Double
    /// How much half the width grows for each pixel towards the hand.
    var taper = 0.0
    /// The radius that the finger had so far: the fit is held near it.
    var rememberedRadius: Double?

    var direction: Vector2 { Vector2(cos(angle), sin(angle)) }

    /// The outline about a finger found in a reduced picture.
    init(_ shape: FingerShape, in picture: ReducedPicture) {
        center = picture.pixel(shape.center).vector
        angle = atan2(shape.direction.y, shape.direction.x)
        radius = shape.radius * Double(picture.factor)
    }

    /// The outline that ends at the same place, its radius that part of this one's.
    func end(_ part: Double) -> FingerOutline {
        var outline = self
        outline.center += (1 - part) * radius * direction
        outline.radius *= part
        return outline
    }

    /// The outline of a fingertip.
    init(_ tip: Fingertip) {
        center = tip.center.vector
        angle = tip.angle
        radius = tip.radius
    }

    /// The fingertip whose outline lies on edges of the picture near this one, or `nil` where too few are seen.
    ///
    /// Across the outline, rays are cast; on each, the border between the finger's colours and others is where the evidence for
    /// them is split best, and to a fraction of a pixel where the colour is half way from the one inside to the one
    /// outside. The five numbers of the outline follow by Gauss-Newton with Huber's weights; their covariance is that of the fit.
    func fitted(to image: ImageBuffer, colors: HandColors) -> Fingertip? {
        var outline = self
        var fit: OutlineFit?
        for _ in 0..<3 {
            let crossings = outline.crossings(in: image, colors: colors)
            guard let next = outline.fit(to: crossings) else { return nil }
            guard (next.outline.center - center).length < 2 * radius, next.outline.radius > 0.4 * radius,
                next.outline.radius < 2.2 * radius, next.outline.radius >= 1.5
            else { return nil }
            let isSettled = outline.isNearly(next.outline)
            outline = next.outline
            fit = next
            if isSettled { break }
        }
        guard var fingertip = fit?.fingertip else { return nil }
        fingertip.confidence *= outline.fill(in: image, colors: colors)
        return fingertip
    }

    /// Whether another outline is the same, but for what rays cast from it would not see.
    private func isNearly(_ other: FingerOutline) -> Bool {
        (other.center - center).length < Self.settledMove && abs(other.radius - radius) < Self.settledMove
            && abs(other.angle - angle) * radius < Self.settledMove
    }

    /// In pixels: a fifth of the distance between the samples of a ray.
    private static let settledMove = 0.1

    /// 0 … 1: the part of the outline's inside that has the finger's colours.
    private func fill(in image: ImageBuffer, colors: HandColors) -> Double {
        let across = Vector2(-sin(angle), cos(angle))
        let direction = direction
        var (filled, count) = (0, 0)
        BorderSearch.run(in: image, colors: colors) { search in
            for back in -1...5 {
                for side in -1...1 {
                    let place =
                        center - 0.5 * Double(back) * radius * direction + 0.5 * Double(side) * radius * across
                    guard image.size.contains(place) else { continue }
                    count += 1
                    filled += search.evidence(of: search.color(at: place)) > 0 ? 1 : 0
                }
            }
        }
        return count > 0 ? min(1, 1.15 * Double(filled) / Double(count)) : 0
    }

    /// A place where a ray leaves the finger.
    struct Crossing: Sendable {
        var point: Vector2
        /// Whether it is on the rounded end, less than 35° from the axis.
        var isAtTip: Bool
        /// 0 … 1: how unlike the colours on both sides are.
        var weight: Double
    }

    /// The rays that see the finger's border, and how many were cast inside the picture.
    struct Crossings: Sendable {
        var found: [Crossing] = []
        var castCount = 0
    }

    /// The directions in which the rounded end is looked for, by their parts along the finger and across it: every ten degrees.
    private static let roundRays: [(ahead: Double, aside: Double, isAtTip: Bool)] = (-9...9).map { step in
        let turn = Double(step) * 10 * .pi / 180
        return (cos(turn), sin(turn), abs(step) <= 3)
    }

    func crossings(in image: ImageBuffer, colors: HandColors) -> Crossings {
        let (direction, across) = (direction, Vector2(-sin(angle), cos(angle)))
        var crossings = Crossings()
        BorderSearch.run(in: image, colors: colors) { search in
            func cast(from origin: Vector2, along ray: Vector2, expected: Double, isAtTip: Bool) {
                guard image.size.contains(origin + (expected + 2) * ray) else { return }
                crossings.castCount += 1
                if let (distance, weight) = search.border(from: origin, along: ray, expected: expected) {
                    crossings.found.append(Crossing(point: origin + distance * ray, isAtTip: isAtTip, weight: weight))
                }
            }
            for ray in Self.roundRays {
                cast(
                    from: center, along: ray.ahead * direction + ray.aside * across, expected: radius,
                    isAtTip: ray.isAtTip)
            }
            for step in 1...6 {
                let back = Double(step) * 0.45 * radius
                for side in [-1.0, 1.0] {
                    cast(
                        from: center - back * direction, along: side * across, expected: radius + taper * back,
                        isAtTip: false)
                }
            }
        }
        return crossings
    }
}

extension ImageSize {
    fileprivate func contains(_ point: Vector2) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x <= Double(width - 1) && point.y <= Double(height - 1)
    }
}
