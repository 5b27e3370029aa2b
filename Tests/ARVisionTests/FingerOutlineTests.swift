// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import Testing

@testable import ARVision

/// What is a finger's outline, and what is not.
@Suite struct FingerOutlineTests {
    private static let size = ImageSize(width: 240, height: 160)
    private static let center = Vector2(180, 80)
    private static let radius = 8.0

    /// Skin before grey: half a circle about the centre, pointing right, and sides that part by so much.
    private static func isSkin(_ x: Int, _ y: Int, taper: Double) -> Bool {
        let offset = Vector2(Double(x), Double(y)) - center
        return offset.x < 0 ? abs(offset.y) <= radius - taper * offset.x : offset.length <= radius
    }

    private static func picture(taper: Double) -> ImageBuffer {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width { bytes += isSkin(x, y, taper: taper) ? [196, 140, 112] : [120, 128, 135] }
        }
        return ImageBuffer(size: size, format: .rgb8, bytes: bytes)
    }

    /// Law: a finger's sides part by less than a third of a pixel for each pixel; what is wider behind its end is none, unless
    /// it is known how wide the finger is.
    @Test(arguments: [0.0, 0.1, 0.2, 0.6, 0.8]) func aConeIsNoFinger(taper: Double) {
        let image = Self.picture(taper: taper)
        let picture = ReducedPicture(image, factor: 1)
        let colors = HandColors(picture) { Self.isSkin($0 % picture.width, $0 / picture.width, taper: taper) }
        var outline = FingerOutline(
            FingerShape(center: Self.center, direction: Vector2(1, 0), radius: Self.radius, length: 60, way: 60),
            in: picture)
        #expect((outline.fitted(to: image, colors: colors) == nil) == (taper > 0.35))
        guard taper < 0.35 else { return }
        outline.rememberedRadius = Self.radius
        #expect(outline.fitted(to: image, colors: colors) != nil)
    }
}

/// The colours of a hand.
@Suite struct HandColorsTests {
    /// Law: of a picture to come the light is not known, so that a hand's hue is evidence at a brightness far from any that was seen,
    /// and what is beside the hand is none; within one picture the unseen is neither.
    @Test(arguments: [0.4, 1.6]) func aHueIsEvidenceInOtherLight(gain: Double) {
        let (skin, ground) = (SIMD3<Float>(120, 84, 64), SIMD3<Float>(80, 90, 110))
        var bytes: [UInt8] = []
        for y in 0..<60 {
            for x in 0..<80 {
                let color = x < 30 ? skin : ground
                bytes += (0..<3).map { UInt8(color[$0]) + UInt8((x + y) % 2) }
            }
        }
        let image = ImageBuffer(size: ImageSize(width: 80, height: 60), format: .rgb8, bytes: bytes)
        var colors = HandColors(ReducedPicture(image, factor: 1)) { $0 % 80 < 30 }
        // What is added in the dark (8) shifts the hue a little, by less than a step.
        let (litSkin, litGround) = (Float(gain) * skin, Float(gain) * ground)
        #expect(abs(colors.evidence(of: litSkin)) < 0.1)
        colors.expectOtherLight()
        #expect(colors.evidence(of: litSkin) > 0.5)
        #expect(colors.evidence(of: litGround) < -0.5)
        #expect(colors.evidence(of: skin) > 2)
    }
}

/// Whether a finger goes on where its hand's colours end.
@Suite struct FingerContinuationTests {
    /// Law: where a plain finger ends, nothing goes on, at any size and any way round; nor is there a finger where no outline was
    /// fitted.
    @Test(arguments: [7.0, 10, 14, 20]) func aRoundEndDoesNotGoOn(radius: Double) {
        for step in 0..<12 {
            let finger = PlainFinger(radius: radius, angle: 0.1 + Double(step) * .pi / 6)
            let (image, colors) = (finger.image, finger.colors)
            for turn in [0, -0.3, 0.3] {
                let pointing = Vector2(cos(finger.angle + turn), sin(finger.angle + turn))
                #expect(
                    FingerContinuation(of: finger.outline, pointing: pointing, in: image, handColors: colors).end()
                        == nil,
                    "radius \(radius), angle \(finger.angle), turn \(turn)")
            }
            #expect(finger.outline.fingertip(nil, in: image, colors: colors, handColors: colors) == nil)
        }
    }

    /// Law: where a pale nail begins, aslant or not, a finger goes on to its end, also where no outline was fitted to its colours.
    @Test(arguments: [9.0, 14, 20], [-0.5, 0, 0.5]) func aNailGoesOn(radius: Double, slant: Double) throws {
        for step in 0..<12 {
            var finger = PlainFinger(radius: radius, angle: 0.1 + Double(step) * .pi / 6)
            finger.nail = (length: 1.5 * radius, slant: slant)
            let (image, colors) = (finger.image, finger.colors)
            var outline = finger.outline
            outline.center -= 1.5 * radius * outline.direction
            let found = try #require(
                outline.fingertip(nil, in: image, colors: colors, handColors: colors), "angle \(finger.angle)")
            #expect((found.center.vector - PlainFinger.center).length < 0.25 * radius, "angle \(finger.angle)")
        }
    }
}

/// A finger of one colour before another, whose end may have a pale nail.
private struct PlainFinger {
    var radius: Double
    var angle: Double
    /// How far behind the middle of the end it begins on the axis, and by how much that changes with each pixel aside.
    var nail: (length: Double, slant: Double)?

    static let center = Vector2(160, 120)
    private static let size = ImageSize(width: 320, height: 240)

    private enum Part {
        case skin, nail, ground

        var color: [UInt8] {
            switch self {
            case .skin: [196, 140, 112]
            case .nail: [232, 226, 224]
            case .ground: [120, 128, 135]
            }
        }
    }

    private func part(_ index: Int) -> Part {
        let offset = Vector2(Double(index % Self.size.width), Double(index / Self.size.width)) - Self.center
        let (along, aside) = (offset.dot(direction), offset.dot(Vector2(-direction.y, direction.x)))
        guard along < 0 ? abs(aside) <= radius : offset.length <= radius else { return .ground }
        guard let nail else { return .skin }
        return along > nail.slant * aside - nail.length ? .nail : .skin
    }

    var image: ImageBuffer {
        ImageBuffer(
            size: Self.size, format: .rgb8, bytes: (0..<Self.size.width * Self.size.height).flatMap { part($0).color })
    }

    /// Those of its skin, and of what is about it.
    var colors: HandColors {
        HandColors(ReducedPicture(image, factor: 1)) {
            switch part($0) {
            case .skin: true
            case .nail: nil
            case .ground: false
            }
        }
    }

    private var direction: Vector2 { Vector2(cos(angle), sin(angle)) }

    var outline: FingerOutline {
        FingerOutline(
            Fingertip(
                tip: PixelPoint(Self.center + radius * direction), direction: direction, radius: radius,
                covariance: PixelCovariance(xx: 0.1, xy: 0, yy: 0.1), confidence: 0.9))
    }
}
